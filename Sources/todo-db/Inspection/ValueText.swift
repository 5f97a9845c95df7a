import Roster

/// How values of any database are written. Blobs are hexadecimal in every format.
extension RawValue {
  /// For people: NULL as that, blobs as literals, what is no UTF-8 repaired.
  var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): number.shown
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): "X'\(bytes.hexadecimal)'"
    }
  }

  /// As JSON. What JSON has no form for is an object with one key: `{"blob": "00FF"}`, `{"text": "FF41"}` for a text that is not
  /// UTF-8, and `{"real": "Infinity"}`. No other value becomes an object.
  var json: JSON {
    switch self {
    case .null: return .null
    case .integer(let number): return .literal(String(number))
    case .real(let number):
      return number.isFinite ? .literal(number.shown) : .object([("real", .string(number.shown))])
    case .text(let bytes):
      return string.map { .string($0) } ?? .object([("text", .string(bytes.hexadecimal))])
    case .blob(let bytes): return .object([("blob", .string(bytes.hexadecimal))])
    }
  }

  /// As a literal of SQL, which stores the same value again.
  var sql: String {
    switch self {
    case .null: return "NULL"
    case .integer(let number): return String(number)
    case .real(let number):
      // SQLite reads as infinite what is too large.
      return number.isFinite ? number.shown : number < 0 ? "-9e999" : "9e999"
    case .text(let bytes):
      // A literal ends at a NUL, what is not UTF-8 would not survive a file of text, and on a terminal controls would be obeyed.
      guard let text = string, text.visibleLines.hasSameBytes(as: text) else {
        return "CAST(X'\(bytes.hexadecimal)' AS TEXT)"
      }
      return "'\(text.doubling("'"))'"
    case .blob(let bytes): return "X'\(bytes.hexadecimal)'"
    }
  }

  /// As a field of CSV, in bytes: those of a text are its own. NULL is an empty field, and an empty text two quotation marks.
  var csv: [UInt8] {
    guard case .text(let bytes) = self else { return self == .null ? [] : Array(shown.utf8) }
    let quote = UInt8(ascii: "\"")
    let special: Set<UInt8> = [quote, UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    let space: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    let isSpaced = bytes.first.map(space.contains) == true || bytes.last.map(space.contains) == true
    guard
      bytes.isEmpty || isSpaced || bytes.contains(where: special.contains) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
    else { return bytes }
    return [quote] + bytes.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }

  /// As a cell of a Markdown table.
  var markdown: String {
    guard case .text = self else { return shown }
    var result = String.UnicodeScalarView()
    let scalars = Array(shown.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\r" where scalars.dropFirst(index + 1).first == "\n": continue
      case "\n", "\r": result.append(contentsOf: "<br>".unicodeScalars)
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case "\\", "|", "`", "*", "_", "[", "]", "~":
        result.append("\\")
        result.append(scalar)
      default: result.append(contentsOf: String(scalar).visible.unicodeScalars)
      }
    }
    return String(result)
  }
}

extension Double {
  /// As few digits as tell it from every other number.
  var shown: String {
    guard isInfinite else { return description }
    return self < 0 ? "-Infinity" : "Infinity"
  }
}

extension [UInt8] {
  var hexadecimal: String {
    let digits = Array<UInt8>("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(count * 2)
    for byte in self {
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension String {
  /// The text with each of a mark doubled. By scalars: with an accent behind it, it is another character.
  func doubling(_ mark: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == mark { result.append(scalar) }
      result.append(scalar)
    }
    return String(result)
  }
}

/// What `--param` gives: a number where it reads as one, NULL, a blob as `X'00FF'`, else a text; between single quotes always
/// a text.
extension RawValue {
  init(parameter text: String) {
    let bytes = Array(text.utf8)
    let quote = UInt8(ascii: "'")
    if bytes.count >= 2, bytes.first == quote, bytes.last == quote {
      self = .text(Array(bytes.dropFirst().dropLast()))
    } else if let number = Int64(text) {
      self = .integer(number)
    } else if bytes.contains(where: { (48...57).contains($0) }),
      bytes.allSatisfy({ (48...57).contains($0) || Array("+-.eE".utf8).contains($0) }), let number = Double(text),
      number.isFinite
    {
      self = .real(number)
    } else if text == "NULL" {
      self = .null
    } else if bytes.count >= 3, bytes[0] | 0x20 == UInt8(ascii: "x"), bytes[1] == quote, bytes.last == quote,
      let blob = [UInt8](hexadecimal: bytes.dropFirst(2).dropLast())
    {
      self = .blob(blob)
    } else {
      self = .text(bytes)
    }
  }
}

extension [UInt8] {
  fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
    guard digits.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    var half: UInt8?
    for digit in digits {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      if let high = half {
        result.append(high << 4 | UInt8(value))
        half = nil
      } else {
        half = UInt8(value)
      }
    }
    self = result
  }
}
