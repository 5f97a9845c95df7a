import Roster

/// What takes the room in a file, as bars beside numbers.
struct SizeBars {
  var sizes: [RawSize]
  /// The bytes of pages that nothing is in.
  var free: Int64

  private static let widest = 40
  /// From one eighth of a cell to seven.
  private static let parts: [String] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  func lines(width: Int?, style: Style) -> [String] {
    let all: [(name: String, kind: String, bytes: Int64)] =
      sizes.map { ($0.name, $0.isIndex ? "index of \($0.table)" : "table", $0.bytes) }
      + (free > 0 ? [(Report.freePages, "", free)] : [])
    let total = all.reduce(0) { $0 + $1.bytes }
    let largest = all.map(\.bytes).max() ?? 0
    let room = width.map { max(4, min(Self.widest, $0 / 3)) } ?? Self.widest
    var table = TextTable([
      .init("NAME", minimumWidth: 12), .init("KIND", minimumWidth: 8, leaving: 1), .init("BYTES", alignment: .right),
      .init("", alignment: .right), .init("", leaving: 0),
    ])
    for one in all {
      table.append([
        .init(one.name), .init(one.kind, role: .dimmed), .init(Report.bytes(one.bytes)),
        .init(total > 0 ? "\(Int((Double(one.bytes) * 100 / Double(total)).rounded()))%" : ""),
        .init(Self.bar(one.bytes, of: largest, cells: room), role: .success),
      ])
    }
    return table.lines(width: width, style: style)
  }

  /// What is there is seen, however small.
  static func bar(_ bytes: Int64, of largest: Int64, cells: Int) -> String {
    guard bytes > 0, largest > 0, cells > 0 else { return "" }
    let eighths = max(1, Int((Double(bytes) / Double(largest) * Double(cells) * 8).rounded()))
    let rest = eighths % 8
    return String(repeating: "█", count: eighths / 8) + (rest > 0 ? parts.dropFirst(rest - 1).first ?? "" : "")
  }
}
