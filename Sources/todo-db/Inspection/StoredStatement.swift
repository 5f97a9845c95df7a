/// A statement of a schema, ended so that nothing of it reaches what is written behind it.
///
/// SQLite stores a statement up to its last token or comment, so that it may end in a comment that is not closed, and whoever
/// writes to the schema's table can store more than one statement, or half of one. Read is the first one alone, up to a NUL.
/// https://www.sqlite.org/lang_comment.html
struct StoredStatement {
  /// The statement with a semicolon at its end.
  let text: String

  /// - Complexity: O(*n*) in the bytes.
  init(_ sql: String, isTrigger: Bool) {
    var scan = Scan(bytes: Array(sql.utf8.prefix { $0 != 0 }), isTrigger: isTrigger)
    let end = scan.end()
    text = String(decoding: scan.bytes.prefix(end), as: UTF8.self) + scan.closing + ";"
  }

  private struct Scan {
    let bytes: [UInt8]
    let isTrigger: Bool
    /// What closes a comment, a text or a name that is open at the end.
    private(set) var closing = ""

    init(bytes: [UInt8], isTrigger: Bool) { (self.bytes, self.isTrigger) = (bytes, isTrigger) }

    /// The tokens that end a trigger are `; END ;`.
    private enum Last { case other, semicolon, end }

    /// Where the first statement ends.
    mutating func end() -> Int {
      var last = Last.other
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "-") where starts("--", at: index): skip(from: index + 2, past: "\n", &index)
        case UInt8(ascii: "/") where starts("/*", at: index): skip(from: index + 2, past: "*/", &index)
        case UInt8(ascii: "["), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
          let mark = byte == UInt8(ascii: "[") ? "]" : String(Unicode.Scalar(byte))
          skip(from: index + 1, past: mark, &index)
          last = .other
        case UInt8(ascii: ";"):
          if !isTrigger || last == .end { return index }
          last = .semicolon
          index += 1
        case 9, 10, 12, 13, 32: index += 1
        default:
          let word = bytes[index...].prefix(while: Self.isOfWord)
          last = last == .semicolon && String(decoding: word, as: UTF8.self).folded == Array("end".utf8) ? .end : .other
          index += max(word.count, 1)
        }
      }
      return bytes.count
    }

    private func starts(_ mark: String, at index: Int) -> Bool { bytes[index...].starts(with: mark.utf8) }

    private mutating func skip(from start: Int, past mark: String, _ index: inout Int) {
      if let range = bytes[start...].firstRange(of: Array(mark.utf8)) {
        index = range.upperBound
      } else {
        closing = mark
        index = bytes.count
      }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
      byte >= 128 || (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "$")
    }
  }
}
