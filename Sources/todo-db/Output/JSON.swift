/// A JSON value. Objects keep the order of their keys.
///
/// A character that a reader could mistake is written in ASCII: control characters, the two line separators
/// of Unicode, and the byte order mark, which Foundation drops from the front of a string (Swift 6.3).
enum JSON: Equatable {
  case null
  case bool(Bool)
  case number(Int)
  /// A number as JSON writes it, which may have a fraction.
  case literal(String)
  case string(String)
  /// JSON text as another program wrote it, which keeps every digit of a number.
  case raw(String)
  case array([JSON])
  case object([(String, JSON)])

  /// A string, or null.
  static func string(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// The value in one line, but for an array that is no value's part: that has a line for each element.
  var text: String {
    var result = ""
    guard case .array(let elements) = self, !elements.isEmpty else {
      write(to: &result)
      return result
    }
    for element in elements {
      result += result.isEmpty ? "[" : ",\n "
      element.write(to: &result)
    }
    return result + "]"
  }

  func write(to result: inout String) {
    switch self {
    case .null: result += "null"
    case .bool(let value): result += value ? "true" : "false"
    case .number(let value): result += String(value)
    case .literal(let text): result += text
    case .string(let text): JSON.write(text, to: &result)
    case .raw(let text): result += text
    case .array(let elements):
      result += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { result += ", " }
        element.write(to: &result)
      }
      result += "]"
    case .object(let members):
      result += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { result += ", " }
        JSON.write(member.0, to: &result)
        result += ": "
        member.1.write(to: &result)
      }
      result += "}"
    }
  }

  private static func write(_ text: String, to result: inout String) {
    result += "\""
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": plain.append(contentsOf: "\\\"".unicodeScalars)
      case "\\": plain.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": plain.append(contentsOf: "\\n".unicodeScalars)
      case "\t": plain.append(contentsOf: "\\t".unicodeScalars)
      case "\r": plain.append(contentsOf: "\\r".unicodeScalars)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
        let escape = "\\u" + scalar.hexadecimal.lowercased()
        plain.append(contentsOf: escape.unicodeScalars)
      default: plain.append(scalar)
      }
    }
    result += String(plain) + "\""
  }

  static func == (left: JSON, right: JSON) -> Bool { left.text == right.text }
}

extension OutputStream {
  /// Writes one array, an element a line, without holding its text in memory, and stops where the reader
  /// has gone.
  func write(_ elements: some Sequence<JSON>) {
    var isFirst = true
    for element in elements {
      if isClosed { return }
      var line = isFirst ? "[" : ",\n "
      element.write(to: &line)
      write(line)
      isFirst = false
    }
    write(isFirst ? "[]\n" : "]\n")
  }
}
