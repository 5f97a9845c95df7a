import Foundation
import Testing
import TodoModel

@testable import Roster
@testable import todo_db

@Suite("Dumps")
struct DumpTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func load(_ sql: String, into name: String) throws -> URL { try Self.load(sql, into: name, of: db) }

  /// Makes a database of what was dumped as SQL.
  static func load(_ sql: String, into name: String, of db: TodoDB) throws -> URL {
    let url = db.file(name)
    try StoreFile.create(url.path)
    let connection = try Connection(path: url.path, mode: .readWrite)
    // What only the engine may run otherwise, such as BEGIN.
    let lines = sql.replacing("BEGIN TRANSACTION;\n", with: "").replacing("COMMIT;\n", with: "")
    try AnyDatabase.run(lines, on: connection)
    return url
  }

  @Test("a dump makes the same database again, whatever names, values and tables it has")
  func whole() throws {
    try AnyDatabase.make(AnyDatabase.odd, at: db.database)
    let url = try load(db.succeed("dump").out, into: "again.db")
    let (before, after) = (try AnyDatabase.content(of: db.database), try AnyDatabase.content(of: url))
    #expect(before.keys.sorted() == after.keys.sorted())
    for (name, rows) in before where name != "sqlite_stat1" { #expect(rows == after[name], "\(name)") }
    let database = try RawDatabase(at: url)
    #expect(try database.rows("SELECT t FROM texts WHERE texts MATCH 'world'") == [[.text("hello world")]])
    #expect(try database.value("SELECT _rowid_ FROM \"comm--ent\"") == .integer(77))
    #expect(try database.facts().userVersion == 12 && database.facts().applicationID == 34)
    #expect(try database.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test("a todo database made again from its dump is sound, and finds what it found")
  func todos() throws {
    try db.succeed("add", "学习 SwiftUI 布局", "--list", "Book", "--tag", "c")
    try db.succeed("add", "it's \"q\"", "--list", "Book")
    let url = try load(db.succeed("dump").out, into: "again.db")
    let again = try db.start(TodoDB.executable, ["--db", url.path, "check"])
    #expect(again.code == 0 && again.out == "No problems: 2 todos, 1 list, 1 tag.\n", "\(again)")
    #expect(try db.start(TodoDB.executable, ["--db", url.path, "search", "布局"]).out.contains("SwiftUI"))
  }

  @Test("rows by chance come back from SQL as they were")
  func random() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    func bytes(_ limit: Int) -> [UInt8] {
      (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
        generator.chance(1, in: 2)
          ? Array("'\"\\\n\0;-a".utf8).randomElement(using: &generator) ?? 0 : .random(in: 0...255, using: &generator)
      }
    }
    func value() -> RawValue {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return .null
      case 1:
        return .integer(
          [.min, .max, 0, -1, .random(in: .min ... .max, using: &generator)].randomElement(using: &generator) ?? 0)
      case 2:
        let number = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
        return .real(number.isNaN ? .infinity : number)
      case 3: return .real(Double.random(in: -1000...1000, using: &generator))
      case 4: return .text(bytes(12))
      default: return .blob(bytes(12))
      }
    }
    let rows = (0..<3_000).map { _ in [value(), value()] }
    try AnyDatabase.make("CREATE TABLE t (a, b)", at: db.database)
    let database = try RawDatabase(at: db.database, access: .writing)
    try database.transaction {
      for row in rows { try database.forEachRow("INSERT INTO t VALUES (?, ?)", .positional(row)) { _ in } }
    }
    let url = try load(db.succeed("dump").out, into: "again.db")
    let found = try RawDatabase(at: url).rows("SELECT a, b FROM t ORDER BY rowid")
    #expect(found.count == rows.count)
    for (one, other) in zip(rows, found) where one != other {
      Issue.record("seed \(seed): \(one) became \(other)")
    }
    // Every document is one, whatever is in it.
    let parsed = try #require(
      try TodoDB.json(db.succeed("dump", "t", "--json").out) as? [[String: Any]], "seed \(seed)")
    #expect(parsed.count == rows.count)
  }

  @Test("a number is exact by whole numbers and powers of two")
  func exact() throws {
    let database = try { () throws -> RawDatabase in
      try AnyDatabase.make("CREATE TABLE t (a)", at: db.database)
      return try RawDatabase(at: db.database)
    }()
    for number in [
      0.1, -1.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude, -.leastNormalMagnitude / 3,
      1e300,
      9007199254740992,
    ] as [Double] {
      #expect(try database.value("SELECT \(number.exactSQL)") == .real(number), "\(number.exactSQL)")
    }
  }

  @Test("what of a table cannot be read keeps nothing else from being written", arguments: RowFormat.allCases)
  func unreadable(format: RowFormat) throws {
    guard format != .csv else { return }
    try AnyDatabase.make(AnyDatabase.odd, at: db.database)
    try AnyDatabase.addUnknown(to: db.database)
    let outcome = try db.run("dump", "--format", format.rawValue)
    // Neither has content of its own. As SQL, they are entries of the schema, and not read.
    #expect(outcome.code == 0, "\(outcome.err)")
    #expect(
      format == .sql || outcome.err.contains("foreign cannot be read, or not to its end: no such module: nosuchmodule"))
    for text in ["Yesterday's list", "hello world", "布局 🥛"] {
      #expect(outcome.out.contains(text) || outcome.out.contains(text.replacing("'", with: "''")), "\(text)")
    }
    if format == .json {
      let tables = try #require(try TodoDB.json(outcome.out) as? [[String: Any]])
      let broken = try #require(tables.first { $0["table"] as? String == "broken" })
      #expect((broken["rows"] as? [Any])?.isEmpty == true && broken["error"] as? String == "no such table: main.gone")
      #expect(tables.first { $0["table"] as? String == "keyed" }?["error"] is NSNull)
    }
  }

  @Test("a damaged page costs the rows behind it, and no other table")
  func damaged() throws {
    try AnyDatabase.make(
      """
      CREATE TABLE bad (a);
      INSERT INTO bad SELECT zeroblob(3000) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT i FROM n);
      CREATE TABLE good (a);
      INSERT INTO good VALUES ('here')
      """, at: db.database)
    guard
      case .integer(let root)? = try RawDatabase(at: db.database).value(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'bad'")
    else { return #expect(Bool(false)) }
    var bytes = try db.bytes()
    bytes.replaceSubrange((Int(root) - 1) * 4096..<Int(root) * 4096, with: Data(repeating: 0xAA, count: 4096))
    try bytes.write(to: db.database)
    let outcome = try db.run("dump", "--json")
    #expect(outcome.code == 1 && outcome.err.contains("bad cannot be read, or not to its end"))
    let tables = try #require(try TodoDB.json(outcome.out) as? [[String: Any]])
    #expect(tables.map { ($0["rows"] as? [Any])?.count } == [0, 1])
    #expect(try db.run("tables").out.contains("good"))
  }

  @Test("nothing in a database drives the terminal", arguments: RowFormat.allCases)
  func terminal(format: RowFormat) throws {
    try AnyDatabase.make(
      "CREATE TABLE \"a\u{1B}[31mb\" (\"c\u{1B}[1m\" TEXT);\nINSERT INTO \"a\u{1B}[31mb\" VALUES ('d\u{1B}]0;e\u{9B}f')",
      at: db.database)
    let tool = try RunningTool(
      db, "dump", "a\u{1B}[31mb", "--format", format.rawValue, on: try PseudoTerminal(width: 80, height: 20))
    let (text, code) = try tool.end()
    #expect(code == 0 && !text.isEmpty)
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" }, "\(text.debugDescription)")
  }

  @Test("one table is dumped by any spelling of its name that SQLite takes, and an unknown one is refused")
  func one() throws {
    try AnyDatabase.make(AnyDatabase.odd, at: db.database)
    #expect(try db.succeed("dump", "YESTERDAY'S LIST", "--format", "csv").out == "id,v\r\nK,2\r\nk,1\r\n")
    #expect(try db.succeed("dump", "doubles", "--format", "ndjson").out == "{\"a\": 4, \"b\": 8, \"c\": 12}\n")
    #expect(try db.refusal("dump", "nothing").contains("there is no table 'nothing'"))
  }
}
