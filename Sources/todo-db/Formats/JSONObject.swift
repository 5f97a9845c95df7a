/// An object of a JSON text, with the text of each member as it stands there.
struct JSONObject {
  struct Member {
    var name: String
    fileprivate var range: Range<Int>
  }

  private let bytes: [UInt8]
  private let range: Range<Int>
  private(set) var members: [Member] = []
  /// The line on which it begins, counted from 1.
  let line: Int

  /// Reads the object that comes next.
  init(_ scanner: inout JSONScanner) throws(JSONFault) {
    guard scanner.peek() == UInt8(ascii: "{") else { throw scanner.unexpected() }
    bytes = scanner.bytes
    line = scanner.line
    let start = scanner.offset
    _ = scanner.take(UInt8(ascii: "{"))
    if !scanner.take(UInt8(ascii: "}")) {
      repeat {
        let name = try scanner.name()
        members.append(Member(name: JSONObject.decoded(scanner.bytes[name]), range: try scanner.value()))
      } while scanner.take(UInt8(ascii: ","))
      guard scanner.take(UInt8(ascii: "}")) else { throw scanner.unexpected() }
    }
    range = start..<scanner.offset
  }

  /// `nil` where the text is no object, or not only one.
  init?(_ text: String) {
    var scanner = JSONScanner(Array(text.utf8))
    guard let object = try? JSONObject(&scanner), scanner.peek() == nil else { return nil }
    self = object
  }

  /// The whole object as it stands in the file; nil where that is not UTF-8.
  var text: String? { String(validating: bytes[range], as: UTF8.self) }

  /// The text of a member's value.
  func text(of member: Member) -> String { String(decoding: bytes[member.range], as: UTF8.self) }

  /// The member of a name. Of several the last counts, as with most readers.
  func member(_ name: String) -> Member? { members.last { $0.name.hasSameBytes(as: name) } }

  func isNull(_ member: Member) -> Bool { bytes[member.range.lowerBound] == UInt8(ascii: "n") }

  func bool(_ member: Member) -> Bool? {
    switch bytes[member.range.lowerBound] {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  func isNumber(_ member: Member) -> Bool {
    let first = bytes[member.range.lowerBound]
    return first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
  }

  func string(_ member: Member) -> String? { string(in: member.range) }

  private func string(in range: Range<Int>) -> String? {
    bytes[range.lowerBound] == UInt8(ascii: "\"") ? JSONObject.decoded(bytes[range]) : nil
  }

  /// The strings of an array; nil where it is none, or holds anything else.
  func strings(_ member: Member) -> [String]? {
    var all: [String] = []
    let isArray = elements(member) { scanner in
      guard let range = try? scanner.value(), let text = string(in: range) else { return false }
      all.append(text)
      return true
    }
    return isArray ? all : nil
  }

  /// The objects of an array; nil where it is none, or holds anything else.
  func objects(_ member: Member) -> [JSONObject]? {
    var all: [JSONObject] = []
    let isArray = elements(member) { scanner in
      guard let object = try? JSONObject(&scanner) else { return false }
      all.append(object)
      return true
    }
    return isArray ? all : nil
  }

  private func elements(_ member: Member, _ take: (inout JSONScanner) -> Bool) -> Bool {
    var scanner = JSONScanner(bytes, in: member.range)
    guard scanner.take(UInt8(ascii: "[")) else { return false }
    if scanner.take(UInt8(ascii: "]")) { return true }
    repeat { if !take(&scanner) { return false } } while scanner.take(UInt8(ascii: ","))
    return true
  }

  /// The text that a string means, which a scanner has passed over.
  private static func decoded(_ literal: ArraySlice<UInt8>) -> String {
    let inner = literal.dropFirst().dropLast()
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    var result: [UInt8] = []
    var units: [UInt16] = []
    var rest = inner
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        result.append(byte)
        continue
      }
      guard kind == UInt8(ascii: "u") else {
        result.append(simpleEscapes[kind] ?? kind)
        continue
      }
      units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
      rest = rest.dropFirst(4)
      // The first half of a pair waits for the second.
      if units.last.map(UTF16.isLeadSurrogate) == true { continue }
      result += String(decoding: units, as: UTF16.self).utf8
      units = []
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let simpleEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]

  /// JSON text in one line: without the white space between its parts.
  static func compact(_ text: String) -> String {
    var result: [UInt8] = []
    var (isString, isEscaped) = (false, false)
    for byte in text.utf8 {
      if !isString, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
      result.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The objects of a JSON file.
enum JSONItems {
  enum Item {
    case object(JSONObject)
    case bad(ImportProblem)
  }

  /// Those of an array, or of one object after another, as older versions of Taskwarrior write them.
  static func read(_ bytes: [UInt8], each: (Item) throws -> Void) throws {
    do {
      var scanner = JSONScanner(bytes)
      if scanner.take(UInt8(ascii: "[")) {
        if !scanner.take(UInt8(ascii: "]")) {
          repeat { try each(item(&scanner)) } while scanner.take(UInt8(ascii: ","))
          guard scanner.take(UInt8(ascii: "]")) else { throw scanner.unexpected() }
        }
      } else {
        repeat { try each(item(&scanner)) } while scanner.take(UInt8(ascii: ",")) || scanner.peek() != nil
      }
      if scanner.peek() != nil { throw scanner.unexpected() }
    } catch let fault as JSONFault {
      throw ImportFailure(line: fault.line, .badJSON(fault.fact))
    }
  }

  /// Those of lines, each of which holds one. A line that is broken leaves the others readable.
  static func readLines(_ bytes: [UInt8], each: (Item) throws -> Void) throws {
    for line in TextLines(bytes) {
      var scanner = JSONScanner(bytes, in: line.bytes.startIndex..<line.bytes.endIndex, line: line.number)
      guard scanner.peek() != nil else { continue }
      let found: Item
      do throws(JSONFault) {
        found = try item(&scanner)
        if scanner.peek() != nil { throw scanner.unexpected() }
      } catch {
        try each(.bad(ImportProblem(line: error.line, fact: .badJSON(error.fact))))
        continue
      }
      try each(found)
    }
  }

  private static func item(_ scanner: inout JSONScanner) throws(JSONFault) -> Item {
    guard scanner.peek() == UInt8(ascii: "{") else {
      let line = scanner.line
      _ = try scanner.value()
      return .bad(ImportProblem(line: line, fact: .notAnObject))
    }
    let object = try JSONObject(&scanner)
    guard object.text != nil else { return .bad(ImportProblem(line: object.line, fact: .notUTF8)) }
    return .object(object)
  }
}
