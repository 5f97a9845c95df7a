import CSQLite
public import struct Foundation.Data

/// A value as SQLite stores it: one of its five storage classes.
public enum SQLiteValue: Hashable, Sendable {
  /// NULL.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A 64-bit IEEE 754 number, never NaN.
  case real(Double)
  /// Text.
  case text(String)
  /// Bytes.
  case blob(Data)
}

/// The storage class of a value in the database.
public enum StorageClass: String, Sendable {
  /// A signed 64-bit integer.
  case integer = "INTEGER"
  /// A 64-bit IEEE 754 number.
  case real = "REAL"
  /// Text.
  case text = "TEXT"
  /// Bytes.
  case blob = "BLOB"
  /// NULL.
  case null = "NULL"
}

// From SQLite's own values: the arguments of a function, and the columns of a row.

extension SQLiteValue {
  init(_ raw: OpaquePointer?) {
    switch sqlite3_value_type(raw) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(raw))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(raw))
    case SQLITE_TEXT: self = .text(String(decoding: SQLiteValue.text(raw), as: UTF8.self))
    case SQLITE_BLOB: self = .blob(SQLiteValue.data(raw))
    default: self = .null
    }
  }

  /// The UTF-8 bytes of a text, valid until the value changes.
  static func text(_ raw: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    // The text is asked for first: asking for the length first may convert a UTF-16 value twice.
    let bytes = sqlite3_value_text(raw)
    return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(raw)))
  }

  static func data(_ raw: OpaquePointer?) -> Data {
    let bytes = sqlite3_value_blob(raw)
    return Data(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(raw))))
  }
}

extension StorageClass {
  init(code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}
