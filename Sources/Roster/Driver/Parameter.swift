import CSQLite
public import struct Foundation.Data

/// Where an encoding function puts one value: a parameter of a statement.
///
/// It is lent and cannot be kept: the statement runs with the next call. SQLite copies what is bound.
public struct Parameter: ~Copyable {
  @usableFromInline let statement: OpaquePointer?
  @usableFromInline let index: Int32
  // Where there is no statement, the value is captured here: for comparing what two records would store.
  private let captured: UnsafeMutablePointer<SQLiteValue>?

  @usableFromInline init(statement: OpaquePointer, index: Int32) {
    self.statement = statement
    self.index = index
    captured = nil
  }

  init(capturing captured: UnsafeMutablePointer<SQLiteValue>) {
    statement = nil
    index = 0
    self.captured = captured
  }

  /// Binds NULL.
  public func bindNull() throws(RosterError) {
    guard let statement else {
      captured?.pointee = .null
      return
    }
    try check(sqlite3_bind_null(statement, index))
  }

  /// Binds an integer.
  public func bind(_ value: Int64) throws(RosterError) {
    guard let statement else {
      captured?.pointee = .integer(value)
      return
    }
    try check(sqlite3_bind_int64(statement, index, value))
  }

  /// Binds a number.
  ///
  /// - Throws: ``RosterError/Code/valueNotRepresentable`` for NaN, which SQLite would store as NULL.
  public func bind(_ value: Double) throws(RosterError) {
    if value.isNaN {
      throw RosterError(.valueNotRepresentable, "NaN cannot be stored: SQLite would turn it into NULL.")
    }
    guard let statement else {
      captured?.pointee = .real(value)
      return
    }
    try check(sqlite3_bind_double(statement, index, value))
  }

  /// Binds text.
  public func bind(_ value: String) throws(RosterError) {
    guard statement != nil else {
      captured?.pointee = .text(value)
      return
    }
    var value = value
    let result = value.withUTF8 { bindText($0) }
    try check(result)
  }

  /// Binds text given as UTF-8 bytes, which must be valid.
  func bind(utf8 bytes: UnsafeBufferPointer<UInt8>) throws(RosterError) {
    guard statement != nil else {
      captured?.pointee = .text(String(decoding: bytes, as: UTF8.self))
      return
    }
    try check(bindText(bytes))
  }

  /// Binds a blob.
  public func bind(_ value: Data) throws(RosterError) {
    guard let statement else {
      captured?.pointee = .blob(value)
      return
    }
    let result = value.withUnsafeBytes { bytes in
      // A nil address would bind NULL, and an empty blob is not NULL.
      bytes.count == 0
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : roster_bind_blob(statement, index, bytes.baseAddress, UInt64(bytes.count))
    }
    try check(result)
  }

  /// Binds a value of any storage class.
  public func bind(_ value: SQLiteValue) throws(RosterError) {
    switch value {
    case .null: try bindNull()
    case .integer(let value): try bind(value)
    case .real(let value): try bind(value)
    case .text(let value): try bind(value)
    case .blob(let value): try bind(value)
    }
  }

  func bindText(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let base = bytes.baseAddress else { return roster_bind_text(statement, index, "", 0) }
    return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      roster_bind_text(statement, index, $0, UInt64(bytes.count))
    }
  }

  func check(_ result: Int32) throws(RosterError) {
    guard result == SQLITE_OK else {
      let sql = statement.flatMap { sqlite3_sql($0) }.map { String(cString: $0) }
      throw RosterError.sqlite(result, statement.flatMap { sqlite3_db_handle($0) }, sql: sql)
    }
  }
}
