/// Where a text stops being JSON. It holds facts; `message` phrases them.
struct JSONFault: Error, Equatable {
  enum Fact: Equatable, Sendable {
    case endOfFile
    case unexpected(UInt8)
    case controlCharacter
    case badEscape
    case loneSurrogate
    case badNumber
  }

  var line: Int
  var fact: Fact
}

/// Reads JSON by RFC 8259 from bytes, and tells where each value stands, so that its text can be kept as it is: numbers of
/// any length stay what they are.
///
/// It goes through nested values without recursion: a hostile file can nest a million of them.
struct JSONScanner {
  let bytes: [UInt8]
  private let end: Int
  private(set) var offset: Int
  private(set) var line: Int

  init(_ bytes: [UInt8], in range: Range<Int>? = nil, line: Int = 1) {
    self.bytes = bytes
    offset = range?.lowerBound ?? TextLines.start(of: bytes)
    end = range?.upperBound ?? bytes.count
    self.line = line
  }

  private var current: UInt8? { offset < end ? bytes[offset] : nil }

  func fault(_ fact: JSONFault.Fact) -> JSONFault { JSONFault(line: line, fact: fact) }

  /// The fault that what comes next is, where something else has to come.
  mutating func unexpected() -> JSONFault { peek().map { fault(.unexpected($0)) } ?? fault(.endOfFile) }

  /// The first byte of what comes next; nil at the end.
  mutating func peek() -> UInt8? {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      // CRLF is one line ending.
      if byte == 0x0A || byte == 0x0D && !(offset + 1 < end && bytes[offset + 1] == 0x0A) { line += 1 }
      offset += 1
    }
    return current
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  /// Passes over one value and checks all of it.
  mutating func value() throws(JSONFault) -> Range<Int> {
    _ = peek()
    let start = offset
    var closers: [UInt8] = []
    repeat {
      if try !open(&closers) { try close(&closers) }
    } while !closers.isEmpty
    return start..<offset
  }

  /// Passes over the beginning of a value. True where it goes on inside an array or object.
  private mutating func open(_ closers: inout [UInt8]) throws(JSONFault) -> Bool {
    switch peek() {
    case UInt8(ascii: "{"):
      offset += 1
      if take(UInt8(ascii: "}")) { return false }
      closers.append(UInt8(ascii: "}"))
      _ = try name()
      return true
    case UInt8(ascii: "["):
      offset += 1
      if take(UInt8(ascii: "]")) { return false }
      closers.append(UInt8(ascii: "]"))
      return true
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): try number()
    default: throw unexpected()
    }
    return false
  }

  /// After a value: on to the next one, or out of all arrays and objects that end here.
  private mutating func close(_ closers: inout [UInt8]) throws(JSONFault) {
    while let closer = closers.last {
      if take(UInt8(ascii: ",")) {
        if closer == UInt8(ascii: "}") { _ = try name() }
        return
      }
      guard take(closer) else { throw unexpected() }
      closers.removeLast()
    }
  }

  /// Passes over the name of a member and its colon.
  mutating func name() throws(JSONFault) -> Range<Int> {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected() }
    let name = try string()
    guard take(UInt8(ascii: ":")) else { throw unexpected() }
    return name
  }

  private mutating func string() throws(JSONFault) -> Range<Int> {
    let start = offset
    offset += 1
    while let byte = current {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return start..<offset
      case UInt8(ascii: "\\"): try escape()
      case 0x00...0x1F: throw fault(.controlCharacter)
      default: break
      }
    }
    throw fault(.endOfFile)
  }

  private mutating func escape() throws(JSONFault) {
    guard let byte = current else { throw fault(.endOfFile) }
    offset += 1
    guard byte == UInt8(ascii: "u") else {
      guard "\"\\/bfnrt".utf8.contains(byte) else { throw fault(.badEscape) }
      return
    }
    let unit = try codeUnit()
    if (0xDC00...0xDFFF).contains(unit) { throw fault(.loneSurrogate) }
    guard (0xD800...0xDBFF).contains(unit) else { return }
    guard offset + 1 < end, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
      throw fault(.loneSurrogate)
    }
    offset += 2
    guard (0xDC00...0xDFFF).contains(try codeUnit()) else { throw fault(.loneSurrogate) }
  }

  private mutating func codeUnit() throws(JSONFault) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw fault(.badEscape)
      }
      unit = unit << 4 | UInt32(digit)
      offset += 1
    }
    return unit
  }

  private mutating func word(_ word: StaticString) throws(JSONFault) {
    for byte in "\(word)".utf8 {
      guard current == byte else { throw current.map { fault(.unexpected($0)) } ?? fault(.endOfFile) }
      offset += 1
    }
  }

  private mutating func number() throws(JSONFault) {
    _ = takeNow("-")
    if !takeNow("0") { try digits() }
    if takeNow(".") { try digits() }
    if takeNow("e") || takeNow("E") {
      _ = takeNow("+") || takeNow("-")
      try digits()
    }
  }

  private mutating func takeNow(_ scalar: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }

  private mutating func digits() throws(JSONFault) {
    let start = offset
    while let byte = current, (0x30...0x39).contains(byte) { offset += 1 }
    if offset == start { throw fault(.badNumber) }
  }
}
