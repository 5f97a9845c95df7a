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
