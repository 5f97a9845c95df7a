import Foundation
import Roster

/// Any database, by statements in the environment: no argument of a shell can hold all of them.
enum Raw {
  private static var statements: [String] {
    (ProcessInfo.processInfo.environment["STATEMENTS"] ?? "").split(separator: ";\n").map(String.init)
  }

  /// Runs each by itself, and keeps the file open until a line comes.
  static func execute(at url: URL) throws {
    let database = try RawDatabase(at: url, access: .writing)
    for sql in statements { try database.forEachRow(sql) { _ in } }
    say("done")
    _ = readLine()
    // Else it would be gone before the line comes.
    withExtendedLifetime(database) {}
  }

  /// Runs them in one transaction, which ends when a line comes.
  static func beginTransaction(at url: URL) throws {
    let database = try RawDatabase(at: url, access: .writing)
    try database.forEachRow("PRAGMA cache_size = 1") { _ in }
    try database.transaction {
      for sql in statements { try database.forEachRow(sql) { _ in } }
      say("done")
      _ = readLine()
    }
  }

  /// Adds two rows by a connection of their own, so many times.
  static func openAndCloseOften(_ count: Int, at url: URL) throws {
    say("begun")
    for _ in 0..<count {
      let database = try RawDatabase(at: url, access: .writing, busyTimeout: .seconds(30))
      try database.transaction {
        for _ in 0..<2 { try database.forEachRow("INSERT INTO t VALUES (1)") { _ in } }
      }
    }
    say("done")
  }

  /// Prints what the first one returns, without a trace.
  static func inspect(at url: URL) throws {
    let database = try RawDatabase(at: url)
    let rows = try database.snapshot { try database.rows(statements.first ?? "") }
    for row in rows { say("\(row)") }
    say(database.isReadAsItLies ? "as it lies" : "by its locks")
  }
}
