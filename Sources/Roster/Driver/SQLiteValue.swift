import CSQLite
public import struct Foundation.Data

/// A value as SQLite stores it: one of its five storage classes.
///
/// Two texts are the same where their bytes are, as in the database; Swift also takes two spellings of one character,
/// such as é by one scalar and by two, for the same.
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

extension SQLiteValue {
  /// Whether two values are stored as the same.
  public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)):
      left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  /// Hashes what is stored.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number)
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let data): hasher.combine(data)
    }
  }
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
