import Foundation

/// The stored values of a captured sequence, as one or two arguments whatever their number.
///
/// A list of parameters would meet SQLite's limit, and give each number of elements a statement of its own.
struct PredicateSet {
  var containsNull = false
  private var integers: [Int64] = []
  private var texts: [String] = []
  private var reals: [Double] = []
  private var blobs: [Data] = []

  mutating func insert(_ value: SQLiteValue) {
    switch value {
    case .null: containsNull = true
    case .integer(let value): integers.append(value)
    case .text(let value): texts.append(value)
    case .real(let value): reals.append(value)
    case .blob(let value): blobs.append(value)
    }
  }

  /// Whether a value that is not NULL is one of the set's. NULL where it is NULL.
  func test(_ value: SQL) -> SQL {
    let tests = selections.map { "\(value) IN (\($0))" as SQL }
    // Never true, but NULL where the value is, as the other tests are.
    guard !tests.isEmpty else { return "(\(value) IS NULL AND NULL)" }
    return "(\(SQL.joined(tests, by: " OR ")))"
  }

  private var selections: [SQL] {
    var selections: [SQL] = []
    if !integers.isEmpty { selections.append("SELECT value FROM json_each(\(json(integers)))") }
    if !texts.isEmpty { selections.append(textSelection) }
    if !reals.isEmpty {
      // Digits would not be read back exactly by every version of SQLite, and JSON has no infinities.
      let bits = reals.map { Int64(bitPattern: $0.bitPattern) }
      selections.append(
        "SELECT \(SQL(text: ScalarFunction.realFromBits.name))(value) FROM json_each(\(json(bits)))")
    }
    if !blobs.isEmpty { selections.append(blobSelection) }
    return selections
  }

  private func json(_ integers: [Int64]) -> String {
    var text = "["
    for (index, integer) in integers.enumerated() {
      if index > 0 { text += "," }
      text += String(integer)
    }
    return text + "]"
  }

  private var textSelection: SQL {
    let hasNUL = texts.contains { $0.utf8.contains(0) }
    var json: [UInt8] = [UInt8(ascii: "[")]
    for (index, text) in texts.enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      json.append(UInt8(ascii: "\""))
      for byte in text.utf8 { PredicateSet.append(byte, escapingNUL: hasNUL, to: &json) }
      json.append(UInt8(ascii: "\""))
    }
    json.append(UInt8(ascii: "]"))
    let argument = String(decoding: json, as: UTF8.self)
    // SQLite 3.40 ends a JSON string at \u0000. So NUL is written as ~0, and ~ as ~1, where there is one.
    return hasNUL
      ? "SELECT replace(replace(value, '~0', char(0)), '~1', '~') FROM json_each(\(argument))"
      : "SELECT value FROM json_each(\(argument))"
  }

  private static func append(_ byte: UInt8, escapingNUL: Bool, to json: inout [UInt8]) {
    switch byte {
    case 0: json += [UInt8(ascii: "~"), UInt8(ascii: "0")]
    case UInt8(ascii: "~") where escapingNUL: json += [byte, UInt8(ascii: "1")]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
    case 1..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      json += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: json.append(byte)
    }
  }

  /// All blobs in one, and where each begins and how long it is, in the halves of an integer.
  private var blobSelection: SQL {
    var all = Data()
    var places: [Int64] = []
    for blob in blobs {
      places.append(Int64(all.count + 1) << 32 | Int64(blob.count))
      all.append(blob)
    }
    return "SELECT substr(\(all), value >> 32, value & 4294967295) FROM json_each(\(json(places)))"
  }
}

extension ScalarFunction {
  /// The number of a bit pattern: how a set of numbers travels in JSON and stays exact.
  static var realFromBits: ScalarFunction {
    ScalarFunction("roster_real_from_bits", argumentCount: 1) { arguments in
      guard case .integer(let bits)? = arguments.first else { return .null }
      return .real(Double(bitPattern: UInt64(bitPattern: bits)))
    }
  }
}
