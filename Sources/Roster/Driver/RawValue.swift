import CSQLite

/// A value exactly as it is stored, for programs that show or copy any database. Text is kept as bytes, since other
/// programs may have stored some that is not UTF-8; ``SQLiteValue`` has it repaired.
///
/// Two are the same where they are of one storage class and the same bytes.
public enum RawValue: Hashable, Sendable {
  /// NULL.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A 64-bit IEEE 754 number, never NaN. It may be infinite.
  case real(Double)
  /// The bytes of a text, as UTF-8 where they are what they should be. NULs are kept.
  case text([UInt8])
  /// Bytes.
  case blob([UInt8])

  /// A text.
  public static func text(_ text: String) -> RawValue { .text(Array(text.utf8)) }

  /// The text; nil where the value is none, or is not valid UTF-8.
  public var string: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The storage class.
  public var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

extension RawValue {
  init(_ raw: OpaquePointer?) {
    switch sqlite3_value_type(raw) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(raw))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(raw))
    case SQLITE_TEXT: self = .text(Array(SQLiteValue.text(raw)))
    case SQLITE_BLOB:
      let bytes = sqlite3_value_blob(raw)
      self = .blob(Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(raw)))))
    default: self = .null
    }
  }

  /// The value as an argument of a statement.
  var argument: SQLArgument {
    SQLArgument { (parameter) throws(RosterError) in
      switch self {
      case .null: try parameter.bindNull()
      case .integer(let value): try parameter.bind(value)
      case .real(let value): try parameter.bind(value)
      case .text(let bytes): try parameter.bind(text: bytes)
      case .blob(let bytes): try parameter.bind(blob: bytes)
      }
    }
  }
}
