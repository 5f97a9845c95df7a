/// The lines of a text that is given as bytes, without their endings: LF, CRLF or CR. A byte order mark is passed over.
struct TextLines: Sequence, IteratorProtocol {
  struct Line {
    /// Counted from 1.
    var number: Int
    var bytes: ArraySlice<UInt8>

    /// `nil` where the bytes are not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }
  }

  /// The lines of a text, of which the last one may be empty.
  static func lines(of text: String) -> [String] {
    var lines = [String.UnicodeScalarView()]
    var wasCR = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" || scalar == "\n" && !wasCR {
        lines.append(String.UnicodeScalarView())
      } else if scalar != "\n" {
        lines[lines.count - 1].append(scalar)
      }
      wasCR = scalar == "\r"
    }
    return lines.map { String($0) }
  }

  private let bytes: [UInt8]
  private var offset: Int
  private var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = TextLines.start(of: bytes)
  }

  /// Where the text begins: after the byte order mark, if there is one.
  static func start(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  mutating func next() -> Line? {
    guard offset < bytes.count else { return nil }
    var end = offset
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    defer { offset = end + (end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A ? 2 : 1) }
    number += 1
    return Line(number: number, bytes: bytes[offset..<end])
  }
}
