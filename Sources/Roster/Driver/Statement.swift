import CSQLite

/// A prepared statement kept by its connection's cache between uses.
final class CachedStatement {
  let handle: OpaquePointer
  let key: String
  var isLent = false

  init(handle: OpaquePointer, key: String) {
    self.handle = handle
    self.key = key
  }

  deinit { sqlite3_finalize(handle) }
}

/// A prepared statement on loan from its connection.
///
/// It cannot be copied, holds its connection, and goes back to the cache, reset, when it goes out of scope;
/// so no statement outlives its connection or is stepped by two users.
struct Statement: ~Copyable {
  let connection: Connection
  private let cached: CachedStatement

  init(connection: Connection, cached: CachedStatement) {
    self.connection = connection
    self.cached = cached
    cached.isLent = true
  }

  deinit {
    sqlite3_reset(cached.handle)
    connection.take(back: cached)
  }

  var handle: OpaquePointer { cached.handle }
  var sql: String { cached.key }
  var columnCount: Int { Int(sqlite3_column_count(handle)) }
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The name of a column of the result, from 0.
  func columnName(_ index: Int) -> String {
    sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
  }

  /// The parameter at an index from 1.
  func parameter(_ index: Int) -> Parameter { Parameter(statement: handle, index: Int32(index)) }

  /// The value at an index from 0 of the row the statement stands on.
  func cell(_ index: Int) -> Cell { Cell(statement: handle, index: Int32(index)) }

  /// Binds every parameter. Their number has to be the statement's.
  func bind(_ arguments: [SQLArgument]) throws(RosterError) {
    guard arguments.count == parameterCount else {
      throw RosterError(
        .sql, "The statement has \(parameterCount) parameters and was given \(arguments.count) arguments.",
        sql: sql)
    }
    var index: Int32 = 1
    for argument in arguments {
      try argument.encode(Parameter(statement: handle, index: index))
      index += 1
    }
  }

  /// Goes to the next row. False where there is none.
  func step() throws(RosterError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result:
      // The first call tells the code; the reset would clear the message's offset.
      let error = connection.error(result, sql: sql)
      sqlite3_reset(handle)
      throw parameterCount > 0 ? error.withoutArguments() : error
    }
  }

  /// Runs the statement to its end, passing over any rows, and makes it ready to run again.
  func run() throws(RosterError) {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Makes the statement ready to run again. Its arguments stay bound.
  func reset() { sqlite3_reset(handle) }
}

/// A value to be bound: how it is put into a parameter. Its description never tells the value.
public struct SQLArgument: Sendable, CustomStringConvertible {
  let encode: @Sendable (borrowing Parameter) throws(RosterError) -> Void

  @usableFromInline init(_ encode: @escaping @Sendable (borrowing Parameter) throws(RosterError) -> Void) {
    self.encode = encode
  }

  init(_ value: SQLiteValue) {
    encode = { (parameter) throws(RosterError) in try parameter.bind(value) }
  }

  /// What would be stored.
  func value() throws(RosterError) -> SQLiteValue {
    try SQLiteValue.capture(encode)
  }

  /// A question mark, whatever the value: arguments can be private.
  public var description: String { "?" }
}

extension SQLiteValue {
  /// What `encode` would bind.
  static func capture(
    _ encode: (borrowing Parameter) throws(RosterError) -> Void
  ) throws(RosterError) -> SQLiteValue {
    var value = SQLiteValue.null
    try withUnsafeMutablePointer(to: &value) { (pointer) throws(RosterError) in
      try encode(Parameter(capturing: pointer))
    }
    return value
  }
}
