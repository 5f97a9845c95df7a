import Foundation
import Testing

@testable import Roster
@testable import todo_db

@Suite("Dumps that make a database again")
struct DumpRestoreTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func restored(_ words: String..., code: Int32 = 0) throws -> RawDatabase {
    let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "dump"] + words)
    #expect(outcome.code == code, "\(outcome)")
    return try RawDatabase(at: try DumpTests.load(outcome.out, into: "again-\(UUID().uuidString).db", of: db))
  }

  @Test(
    "a statement that ends in an open comment swallows nothing behind it",
    arguments: [
      "/* old view", "-- old view", "/* /* *", "/* *", "/* ' *", "-- '; -- \"", "AS \"-- no comment\"", "AS \"/*\"",
      "AS [/*'] -- /*", "AS x /* done */", "AS `a``b--`",
    ])
  func comments(ending: String) throws {
    try AnyDatabase.make("CREATE TABLE a (x);\nINSERT INTO a VALUES (1)", at: db.database)
    let connection = try Connection(path: db.database.path, mode: .readWrite)
    let isName = ending.hasPrefix("AS")
    try connection.execute(
      "CREATE VIEW v AS SELECT x " + (isName ? "\(ending)\nFROM a -- \(ending)" : "FROM a \(ending)"))
    try connection.execute("CREATE INDEX i ON a (x) WHERE x > 0 /* \(ending.replacing("*/", with: ""))")
    try connection.execute("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END; END")
    let again = try restored()
    #expect(try again.rows("SELECT * FROM v") == [[.integer(1)]])
    #expect(Set(try again.schema().map(\.name)) == ["a", "v", "i", "t"])
  }

  @Test("of what stands in the schema for one statement, only the first is written, and it is closed")
  func smuggled() {
    func text(_ sql: String, trigger: Bool = false) -> String { StoredStatement(sql, isTrigger: trigger).text }
    #expect(text("CREATE TABLE a (x); DROP TABLE b") == "CREATE TABLE a (x);")
    #expect(text("CREATE TABLE a (x DEFAULT ';')") == "CREATE TABLE a (x DEFAULT ';');")
    #expect(text("CREATE TABLE a (x DEFAULT 'open") == "CREATE TABLE a (x DEFAULT 'open';")
    #expect(text("CREATE TABLE \"a") == "CREATE TABLE \"a\";" && text("CREATE TABLE [a") == "CREATE TABLE [a];")
    #expect(text("CREATE TABLE a (x)\0; DROP TABLE b") == "CREATE TABLE a (x);")
    let accented = "SELECT '\"\u{301}'"
    #expect(text(accented + "; --") == accented + ";")
    let trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT ';end;', \"end\"; SELECT end_ FROM a; End"
    #expect(text(trigger, trigger: true) == trigger + ";")
    #expect(text(trigger + " /* x */ ; DROP TABLE b", trigger: true) == trigger + " /* x */ ;")
    #expect(text(trigger + " -- x", trigger: true) == trigger + " -- x\n;")
  }

  @Test("rows that a CHECK would refuse come back, and those that no pragma brings back are told")
  func constraints() throws {
    try AnyDatabase.make("CREATE TABLE a (x CHECK (x > 0), y NOT NULL)", at: db.database)
    let connection = try Connection(path: db.database.path, mode: .readWrite)
    try AnyDatabase.run(
      "PRAGMA ignore_check_constraints = 1;\nINSERT INTO a VALUES (1, 2), (-1, 3);\nPRAGMA ignore_check_constraints = 0",
      on: connection)
    #expect(try restored().rows("SELECT x, y FROM a") == [[.integer(1), .integer(2)], [.integer(-1), .integer(3)]])
    try AnyDatabase.run(
      """
      CREATE TABLE b (z);
      INSERT INTO b VALUES (NULL), (7);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE b (z NOT NULL)' WHERE name = 'b';
      PRAGMA writable_schema = OFF
      """, on: connection)
    let outcome = try db.run("dump")
    #expect(outcome.code == 1 && outcome.err.contains("some rows of b have NULL in z"), "\(outcome.err)")
    #expect(outcome.out.hasSuffix("COMMIT;\nPRAGMA ignore_check_constraints=OFF;\n"))
  }

  @Test("row numbers beside a descending key, and how free pages are given back, are kept", arguments: [1, 2])
  func numbers(mode: Int) throws {
    try AnyDatabase.make(
      """
      PRAGMA auto_vacuum = \(mode);
      CREATE TABLE p (k INTEGER PRIMARY KEY DESC, v);
      INSERT INTO p (rowid, k, v) VALUES (7, 9, 1);
      CREATE TABLE q (k INTEGER PRIMARY KEY, v);
      INSERT INTO q VALUES (5, 6)
      """, at: db.database)
    let again = try restored()
    #expect(try again.rows("SELECT rowid, k, v FROM p") == [[.integer(7), .integer(9), .integer(1)]])
    #expect(try again.rows("SELECT rowid, k, v FROM q") == [[.integer(5), .integer(5), .integer(6)]])
    #expect(try again.value("PRAGMA auto_vacuum") == .integer(Int64(mode)))
    #expect(try db.succeed("dump").out.contains("INSERT INTO \"q\" VALUES(5,6);"))
  }

  @Test("a virtual table alone comes with the tables that its rows are in, and no other's")
  func virtual() throws {
    try AnyDatabase.make(
      """
      CREATE VIRTUAL TABLE texts USING fts5(t);
      INSERT INTO texts(rowid, t) VALUES (4, 'hello world');
      CREATE VIRTUAL TABLE texts_more USING fts5(t);
      INSERT INTO texts_more(t) VALUES ('hidden');
      CREATE VIRTUAL TABLE boxes USING rtree(id, a, b);
      INSERT INTO boxes VALUES (3, 1, 2)
      """, at: db.database)
    let again = try restored("TEXTS")
    #expect(
      try again.rows("SELECT rowid, t FROM texts WHERE texts MATCH 'world'") == [[.integer(4), .text("hello world")]])
    #expect(try again.tables().filter { $0.kind == .virtual }.map(\.name) == ["texts"])
    #expect(try !again.tables().contains { $0.name.hasPrefix("texts_more") })
    #expect(try restored("boxes").rows("SELECT id FROM boxes") == [[.integer(3)]])
    // Which tables are those of an unknown module, nobody here can tell.
    try AnyDatabase.addUnknown(to: db.database)
    let unknown = try db.run("dump", "foreign")
    #expect(unknown.code == 1 && unknown.err.contains("no such module: nosuchmodule"), "\(unknown)")
  }
}

@Suite("Dumps of what cannot be read")
struct DumpFailureTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test(
    "a view or virtual table that cannot be read is no empty one, in any format",
    arguments: [["--json"], ["--format", "ndjson"], ["--format", "csv"], ["--format", "markdown"]])
  func alone(format: [String]) throws {
    try AnyDatabase.make(
      """
      CREATE VIEW broken AS SELECT * FROM gone;
      CREATE VIRTUAL TABLE empty USING fts4(content='', x);
      INSERT INTO empty (docid, x) VALUES (1, 'q')
      """, at: db.database)
    for table in ["broken", "empty"] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "dump", table] + format)
      #expect(outcome.code == 1 && outcome.err.contains("\(table) cannot be read, or not to its end"), "\(outcome)")
      #expect(outcome.out.isEmpty, "\(outcome)")
    }
    let whole = try db.run("dump", "--json")
    let tables = try #require(try TodoDB.json(whole.out) as? [[String: Any]])
    try AnyDatabase.run("CREATE TABLE none (a)", on: try Connection(path: db.database.path, mode: .readWrite))
    let none = try db.start(TodoDB.executable, ["--db", db.database.path, "dump", "none"] + format)
    let shown = [
      ["--json"]: "[]\n", ["--format", "ndjson"]: "", ["--format", "csv"]: "a\r\n",
      ["--format", "markdown"]: "| a |\n| --- |\n",
    ]
    #expect(none.code == 0 && none.out == shown[format], "\(none)")
    // All that there is has been written: what the index holds is in its tables.
    #expect(
      whole.code == 0 && whole.err.contains("broken cannot be read") && whole.err.contains("empty cannot be read"))
    #expect(tables.first { $0["table"] as? String == "empty" }?["error"] as? String == "SQL logic error")
    #expect(tables.first { $0["table"] as? String == "empty_stat" }?["error"] is NSNull)
  }

  @Test(
    "names that are not UTF-8 are an error, and no empty table or column of texts", arguments: ["UTF-8", "UTF-16le"])
  func names(encoding: String) throws {
    try AnyDatabase.make(
      "PRAGMA encoding = '\(encoding)';\nCREATE TABLE aXb (x);\nINSERT INTO aXb VALUES (1);\nCREATE TABLE ok (cXc);\nINSERT INTO ok VALUES (1);\nCREATE TABLE \"é\u{301}布\" (\"列\");\nINSERT INTO \"é\u{301}布\" VALUES (5)",
      at: db.database)
    if encoding == "UTF-8" {
      var bytes = Array(try db.bytes())
      for index in bytes.indices.dropLast(2)
      where bytes[index + 1] == UInt8(ascii: "X")
        && ["ab", "cc"].contains(String(decoding: [bytes[index], bytes[index + 2]], as: UTF8.self))
      {
        bytes[index + 1] = 0xFF
      }
      try Data(bytes).write(to: db.database)
    }
    let outcome = try db.run("dump", "--json")
    let tables = try #require(try TodoDB.json(outcome.out) as? [[String: Any]])
    #expect(outcome.code == (encoding == "UTF-8" ? 1 : 0))
    let errors = tables.map { $0["error"] as? String }
    if encoding == "UTF-8" {
      #expect(
        errors == [
          "The table is not found by its name, which may not be UTF-8.",
          "The name of its column c\u{FFFD}c is not UTF-8.", nil,
        ])
    } else {
      #expect(errors == [nil, nil, nil])
    }
    #expect((tables.last?["rows"] as? [[String: Any]])?.first?["列"] as? Int == 5)
  }
}
