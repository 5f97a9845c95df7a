import CSQLite
public import struct Foundation.Data

/// One value of the row that a statement stands on.
///
/// It is lent to a decoding function and cannot be kept: the row it reads from is gone with the next step.
public struct Cell: ~Copyable {
  @usableFromInline let statement: OpaquePointer
  @usableFromInline let index: Int32

  @usableFromInline init(statement: OpaquePointer, index: Int32) {
    self.statement = statement
    self.index = index
  }

  /// The storage class of the value.
  public var storageClass: StorageClass {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Whether the value is NULL.
  public var isNull: Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  /// The name of the column in the result.
  public var columnName: String {
    sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index + 1)"
  }

  /// The value as it is stored. Text that is not valid UTF-8 is repaired with U+FFFD.
  public var value: SQLiteValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: .text(withText { String(decoding: $0, as: UTF8.self) })
    case SQLITE_BLOB: .blob(withBlob { Data($0) })
    default: .null
    }
  }

  /// The integer.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is of another storage class.
  public func int64() throws(RosterError) -> Int64 {
    guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw mismatch("an integer") }
    return sqlite3_column_int64(statement, index)
  }

  /// The number; an integer is converted.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is no number.
  public func double() throws(RosterError) -> Double {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(statement, index)
    default: throw mismatch("a number")
    }
  }

  /// The text, with NUL characters kept and invalid UTF-8 repaired with U+FFFD.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is of another storage class.
  public func string() throws(RosterError) -> String {
    guard sqlite3_column_type(statement, index) == SQLITE_TEXT else { throw mismatch("text") }
    return withText { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a blob.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is of another storage class.
  public func data() throws(RosterError) -> Data {
    guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw mismatch("a blob") }
    return withBlob { Data($0) }
  }

  /// The UTF-8 bytes of text, valid within the closure.
  func withText<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    // The text is asked for first: asking for the length first may convert a UTF-16 value twice.
    let bytes = sqlite3_column_text(statement, index)
    return body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
  }

  private func withBlob<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
    let bytes = sqlite3_column_blob(statement, index)
    return body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
  }

  /// The error of a value that is not `wanted`. It names the column and the storage class, not the value.
  public func mismatch(_ wanted: String) -> RosterError {
    let name = columnName
    let sql = sqlite3_sql(statement).map { String(cString: $0) }
    return RosterError(
      .typeMismatch, "Column \(name) holds \(storageClass.rawValue) where \(wanted) is wanted.", sql: sql,
      columns: [name])
  }
}
