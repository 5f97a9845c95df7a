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

  /// The value itself.
  ///
  /// Looked up once for the several questions to it, which a call by column would do each time. Such a value may be
  /// read by the thread that has the connection to itself, as here. https://www.sqlite.org/c3ref/column_blob.html
  private var raw: OpaquePointer? { sqlite3_column_value(statement, index) }

  /// The storage class of the value.
  public var storageClass: StorageClass { StorageClass(code: sqlite3_value_type(raw)) }

  /// Whether the value is NULL.
  public var isNull: Bool { sqlite3_value_type(raw) == SQLITE_NULL }

  /// The name of the column in the result.
  public var columnName: String {
    sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index + 1)"
  }

  /// The value as it is stored. Text that is not valid UTF-8 is repaired with U+FFFD.
  public var value: SQLiteValue { SQLiteValue(raw) }

  /// The integer.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is of another storage class.
  public func int64() throws(RosterError) -> Int64 {
    let raw = raw
    guard sqlite3_value_type(raw) == SQLITE_INTEGER else { throw mismatch("an integer") }
    return sqlite3_value_int64(raw)
  }

  /// The number; an integer is converted.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is no number.
  public func double() throws(RosterError) -> Double {
    let raw = raw
    switch sqlite3_value_type(raw) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(raw)
    default: throw mismatch("a number")
    }
  }

  /// The text, with NUL characters kept and invalid UTF-8 repaired with U+FFFD.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is of another storage class.
  public func string() throws(RosterError) -> String {
    guard let text = withText({ String(decoding: $0, as: UTF8.self) }) else { throw mismatch("text") }
    return text
  }

  /// The bytes of a blob.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where the value is of another storage class.
  public func data() throws(RosterError) -> Data {
    let raw = raw
    guard sqlite3_value_type(raw) == SQLITE_BLOB else { throw mismatch("a blob") }
    return SQLiteValue.data(raw)
  }

  /// The UTF-8 bytes of text, valid within the closure; nil where the value is no text.
  func withText<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T? {
    let raw = raw
    guard sqlite3_value_type(raw) == SQLITE_TEXT else { return nil }
    return body(SQLiteValue.text(raw))
  }

  /// The error of a value that is not `wanted`. It names the column and the storage class, not the value.
  public func mismatch(_ wanted: String) -> RosterError {
    let name = columnName
    let sql = sqlite3_sql(statement).map { String(cString: $0) }
    return RosterError(
      .typeMismatch,
      "Column \(name) holds \(storageClass == .null ? "NULL" : "a value of \(storageClass.rawValue)") that is not \(wanted).",
      sql: sql,
      columns: [name])
  }
}
