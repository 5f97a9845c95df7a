/// One property of a calendar, or the beginning or end of a component: a line without its folds. [RFC 5545, 3.1]
struct CalendarLine: Equatable, Sendable {
  /// In capitals.
  var name: String
  /// The parameters' names in capitals, and their values without quotes.
  var parameters: [String: String] = [:]
  var value: String

  /// `nil` where it is no property: no name, or no colon.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    var parts: [String] = []
    var start = 0
    var isQuoted = false
    var colon: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted, byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";") else { continue }
      parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
      start = index + 1
      if byte == UInt8(ascii: ":") {
        colon = index
        break
      }
    }
    guard let colon, let first = parts.first, CalendarLine.isName(first) else { return nil }
    name = CalendarLine.capitals(first)
    value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    for part in parts.dropFirst() {
      let pieces = part.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let quoted = pieces.dropFirst().first.map(Array.init) ?? []
      parameters[CalendarLine.capitals(String(decoding: pieces.first.map(Array.init) ?? [], as: UTF8.self))] =
        String(decoding: quoted.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// Names are in capitals already, as a rule; to look is quicker than to convert.
  private static func capitals(_ text: String) -> String {
    text.utf8.contains { (0x61...0x7A).contains($0) } ? text.uppercased() : text
  }

  /// The text that a value of the type TEXT means.
  var text: String { CalendarText.parts(value, separatedBy: nil).first ?? "" }

  /// The texts of a value that holds several.
  var texts: [String] { CalendarText.parts(value, separatedBy: UInt8(ascii: ",")) }
}

/// Text as values of a calendar hold it. [RFC 5545, 3.3.11]
enum CalendarText {
  /// The texts of a value. What follows a backslash and is no escape stays as it is, with the backslash.
  static func parts(_ value: String, separatedBy separator: UInt8?) -> [String] {
    var parts: [String] = []
    var part: [UInt8] = []
    var rest = Array(value.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == separator {
        parts.append(String(decoding: part, as: UTF8.self))
        part = []
      } else if byte == UInt8(ascii: "\\"), let next = rest.first {
        switch next {
        case UInt8(ascii: "n"), UInt8(ascii: "N"): part.append(0x0A)
        case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"): part.append(next)
        default: part += [byte, next]
        }
        rest = rest.dropFirst()
      } else {
        part.append(byte)
      }
    }
    return parts + [String(decoding: part, as: UTF8.self)]
  }

  static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x0A: result += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"): result += [UInt8(ascii: "\\"), byte]
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A line in pieces of at most 75 octets, none of which cuts a scalar in two, each ended by CRLF.
  static func folded(_ line: String) -> String {
    guard line.utf8.count > 75 else { return line + "\r\n" }
    var result = ""
    var width = 0
    for scalar in line.unicodeScalars {
      let count = UTF8.width(scalar)
      if width + count > 75 {
        result += "\r\n "
        width = 1
      }
      result.unicodeScalars.append(scalar)
      width += count
    }
    return result + "\r\n"
  }
}

/// A line of a calendar with the lines of the file that it was folded into.
struct UnfoldedLine {
  /// The line of the file on which it begins, counted from 1.
  var number: Int
  /// Where it stands in the file, with its last line but not that one's ending.
  var range: Range<Int>
  var bytes: [UInt8]

  var text: String? { String(validating: bytes, as: UTF8.self) }

  /// Hands over the lines of a file that are not blank. A fold may have cut a scalar in two, so that bytes are joined
  /// before they are read as text.
  static func read(_ file: [UInt8], each: (UnfoldedLine) throws -> Void) rethrows {
    var current: UnfoldedLine?
    for line in TextLines(file) {
      if let first = line.bytes.first, first == 0x20 || first == 0x09, let start = current?.range.lowerBound {
        current?.bytes += line.bytes.dropFirst()
        current?.range = start..<line.bytes.endIndex
        continue
      }
      if let whole = current, !whole.bytes.isEmpty { try each(whole) }
      current = UnfoldedLine(
        number: line.number, range: line.bytes.startIndex..<line.bytes.endIndex, bytes: Array(line.bytes))
    }
    if let whole = current, !whole.bytes.isEmpty { try each(whole) }
  }
}
