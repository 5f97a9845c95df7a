import CSQLite
import Foundation

/// The limit: the same SQL, pragmas and representations by hand-written calls of SQLite's C interface.
final class RawSQLite {
  private var database: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  init(path: String, synchronous: String = "FULL") throws {
    try check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil))
    for pragma in [
      "synchronous = \(synchronous)", "foreign_keys = ON", "recursive_triggers = ON", "cache_size = -16000",
    ] {
      try run("PRAGMA \(pragma)")
    }
  }

  deinit { close() }

  func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(database)
    database = nil
  }

  /// A statement that is kept for the next time.
  func prepared(_ sql: String) throws -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw failure() }
    statements[sql] = statement
    return statement
  }

  func run(_ sql: String) throws {
    let statement = try prepared(sql)
    while sqlite3_step(statement) == SQLITE_ROW {}
    try check(sqlite3_reset(statement))
  }

  /// Runs a statement that is bound and returns no rows.
  func finish(_ statement: OpaquePointer) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
    sqlite3_reset(statement)
  }

  /// What `body` makes of each row of a statement that is bound.
  func rows<Value>(_ statement: OpaquePointer, _ body: (OpaquePointer) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    while sqlite3_step(statement) == SQLITE_ROW { values.append(try body(statement)) }
    try check(sqlite3_reset(statement))
    return values
  }

  func integer(_ sql: String) throws -> Int64 {
    try rows(try prepared(sql)) { sqlite3_column_int64($0, 0) }.first ?? 0
  }

  /// Where `body` throws, the measurement is over, and with it the connection.
  func transaction(_ begin: String = "BEGIN IMMEDIATE", _ body: () throws -> Void) throws {
    try run(begin)
    try body()
    try run("COMMIT")
  }

  func check(_ result: Int32) throws {
    guard result == SQLITE_OK else { throw failure() }
  }

  func failure() -> BenchFailure { BenchFailure(String(cString: sqlite3_errmsg(database))) }
}

/// What stops a benchmark: a call that failed, or two variants that do not agree.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
