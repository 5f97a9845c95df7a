import CSQLite
import Foundation

// One long list of `BenchRow`, in an order that is kept by hand, as a program would keep it without Roster.
extension RawSQLite {
  /// Into the middle between the rows right before and at the place, for as long as there is one.
  func move(_ id: Int64, before other: Int64) throws {
    try transaction {
      let after = try position(of: other)
      let before = try position(before: after)
      guard after - before > 1 else { throw BenchFailure("no room is left between two rows") }
      try setPosition(id, before + (after - before) / 2)
    }
  }

  func moveToEnd(_ ids: [Int64]) throws {
    try transaction {
      let last = try integer(#"SELECT max("position") FROM "row""#)
      for (index, id) in ids.enumerated() { try setPosition(id, last + (Int64(index + 1) << 32)) }
    }
  }

  /// Puts a row in front, as is done where positions are numbers without gaps: every other row is written.
  func shiftAll(_ id: Int64) throws {
    try transaction {
      try run(#"UPDATE "row" SET "position" = "position" + 1"#)
      try setPosition(id, 0)
    }
  }

  /// How many rows stand before one.
  func index(of id: Int64) throws -> Int {
    var index = 0
    try transaction("BEGIN") {
      let statement = try prepared(
        #"SELECT count(*) FROM "row" WHERE "position" < (SELECT "position" FROM "row" WHERE "id" = ?1)"#)
      sqlite3_bind_int64(statement, 1, id)
      index = try rows(statement) { Int(sqlite3_column_int64($0, 0)) }.first ?? 0
    }
    return index
  }

  func order() throws -> [Int64] {
    try rows(try prepared(#"SELECT "id" FROM "row" ORDER BY "position""#)) { sqlite3_column_int64($0, 0) }
  }

  private func position(of id: Int64) throws -> Int64 {
    let statement = try prepared(#"SELECT "position" FROM "row" WHERE "id" = ?1"#)
    sqlite3_bind_int64(statement, 1, id)
    return try rows(statement) { sqlite3_column_int64($0, 0) }.first ?? 0
  }

  /// That of the row right before; where there is none, as far away as Roster takes for a new row.
  private func position(before position: Int64) throws -> Int64 {
    let statement = try prepared(#"SELECT max("position") FROM "row" WHERE "position" < ?1"#)
    sqlite3_bind_int64(statement, 1, position)
    return try rows(statement) { statement in
      sqlite3_column_type(statement, 0) == SQLITE_NULL ? position - (1 << 33) : sqlite3_column_int64(statement, 0)
    }.first ?? 0
  }

  private func setPosition(_ id: Int64, _ position: Int64) throws {
    let statement = try prepared(#"UPDATE "row" SET "position" = ?1 WHERE "id" = ?2"#)
    sqlite3_bind_int64(statement, 1, position)
    sqlite3_bind_int64(statement, 2, id)
    try finish(statement)
  }
}
