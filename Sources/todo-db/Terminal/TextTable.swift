/// Rows of text in aligned columns.
///
/// Every line is free of trailing spaces and, where a width is given and the columns can shrink that
/// far, fits in it. A row with too few cells is filled with empty ones; cells beyond the columns are
/// not shown.
struct TextTable: Sendable {
  struct Column: Sendable {
    var heading: String
    var alignment: TextAlignment
    /// The width that the column may be cut down to when the table is too wide; `nil` keeps it whole.
    var minimumWidth: Int?
    /// Whether the column goes, after those that come before it in this order, where the table is too wide all the same;
    /// `nil` keeps it.
    var leaving: Int?

    init(_ heading: String, alignment: TextAlignment = .left, minimumWidth: Int? = nil, leaving: Int? = nil) {
      self.heading = heading
      self.alignment = alignment
      self.minimumWidth = minimumWidth
      self.leaving = leaving
    }
  }

  struct Cell: Sendable, ExpressibleByStringLiteral {
    var text: String
    var role: Style.Role
    /// The places in the text that are marked, in Unicode scalars.
    var highlights: [Range<Int>]

    init(_ text: String, role: Style.Role = .plain, highlights: [Range<Int>] = []) {
      self.text = text
      self.role = role
      self.highlights = highlights
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  var columns: [Column]
  var rows: [[Cell]] = []
  /// Lines that stand before a row, or behind all of them, in ascending order.
  var titles: [(row: Int, text: String)] = []

  private static let gap = "  "

  init(_ columns: [Column]) { self.columns = columns }

  mutating func append(_ cells: [Cell]) { rows.append(cells) }

  /// The lines of the table, the headings first, without line endings.
  func lines(width: Int? = nil, style: Style = .plain) -> [String] {
    if let width, let narrower = withoutColumn(tooWideFor: width) { return narrower.lines(width: width, style: style) }
    let all = allRows
    let widths = fittedWidths(naturalWidths(all), into: width)
    let lines = all.map { row in line(row, widths: widths, style: style) }
    return titles.isEmpty ? lines : divided(lines, width: width, style: style)
  }

  /// The lines with the titles among them, each with an empty line before it.
  private func divided(_ lines: [String], width: Int?, style: Style) -> [String] {
    var rest = titles[...]
    var divided: [String] = []
    for (index, line) in (lines.map(Optional.some) + [nil]).enumerated() {
      while let title = rest.first, title.row < index {
        let text = width.map { title.text.truncated(toWidth: $0) } ?? title.text.visible
        divided += ["", style.apply(.heading, to: text)]
        rest.removeFirst()
      }
      if let line { divided.append(line) }
    }
    return divided
  }

  /// The lines of a table that goes on or changes, each cut to the width.
  ///
  /// The columns are at least as wide as those given, which become what they are: so what becomes shorter, or is shown
  /// no more, leaves the other rows as they were.
  func lines(keeping widest: inout [Int], width: Int?, style: Style = .plain) -> [String] {
    let all = allRows
    let natural = naturalWidths(all)
    widest = natural.indices.map { max(natural[$0], widest.dropFirst($0).first ?? 0) }
    let widths = fittedWidths(widest, into: width)
    return all.map { row in line(row, widths: widths, style: style, limit: width) }
  }

  private var allRows: [[Cell]] {
    [columns.map { Cell($0.heading, role: .heading) }]
      + rows.map { row in
        Array((row + columns.dropFirst(row.count).map { _ in Cell("") }).prefix(columns.count))
      }
  }

  private func naturalWidths(_ rows: [[Cell]]) -> [Int] {
    rows.reduce(columns.map { _ in 0 }) { widest, row in
      zip(widest, row).map { max($0, $1.text.displayWidth) }
    }
  }

  /// The table without the column that is the first to leave; nil where the table fits, or none leaves.
  private func withoutColumn(tooWideFor width: Int) -> TextTable? {
    let least = zip(naturalWidths(allRows), columns).map { natural, column in
      min(natural, column.minimumWidth ?? natural)
    }
    let gaps = Self.gap.count * max(0, columns.count - 1)
    let first = columns.indices.filter { columns[$0].leaving != nil }
      .min { columns[$0].leaving ?? 0 < columns[$1].leaving ?? 0 }
    guard least.reduce(gaps, +) > width, let first else { return nil }
    var table = self
    table.columns.remove(at: first)
    table.rows = rows.map { row in row.indices.filter { $0 != first }.map { row[$0] } }
    return table
  }

  /// Takes the cells that are too many from the widest column that can still shrink, one at a time, so
  /// that two long columns end up alike.
  private func fittedWidths(_ natural: [Int], into limit: Int?) -> [Int] {
    guard let limit else { return natural }
    var widths = natural
    var excess = natural.reduce(0, +) + Self.gap.count * max(0, columns.count - 1) - limit
    while excess > 0 {
      let shrinkable = columns.indices.filter { index in
        columns[index].minimumWidth.map { widths[index] > max($0, 1) } ?? false
      }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ row: [Cell], widths: [Int], style: Style, limit: Int? = nil) -> String {
    var line = ""
    var pending = ""
    var used = 0
    for ((cell, width), column) in zip(zip(row, widths), columns) {
      var text = cell.text.truncated(toWidth: width)
      let space = String(repeating: " ", count: max(0, width - text.displayWidth))
      if column.alignment == .right { pending += space }
      if let limit { text = text.truncated(toWidth: limit - used - pending.count) }
      if !text.isEmpty {
        used += pending.count + text.displayWidth
        line += pending + style.apply(cell.role, to: text, highlights: cell.highlights, of: cell.text)
        pending = ""
      }
      if column.alignment == .left { pending += space }
      pending += Self.gap
    }
    return line
  }
}
