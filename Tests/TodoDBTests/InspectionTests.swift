import Foundation
import Testing
import TodoModel

@testable import Roster
@testable import todo_db

@Suite("A look into any database")
struct InspectionTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  static let looks: [[String]] = [
    ["info"], ["tables"], ["schema"], ["query", "SELECT 1"], ["query", "SELECT count(*) FROM sqlite_schema", "--json"],
    ["explain", "SELECT * FROM sqlite_schema"], ["stats"], ["dump"], ["dump", "--json"],
    ["dump", "--format", "ndjson"], ["dump", "--format", "markdown"], ["dump", "--format", "table"], ["tail"],
    ["query", "DELETE FROM todo"], ["query", "PRAGMA journal_mode = DELETE"],
  ]

  @Test("no command leaves a trace, whether a process has the database open, was killed, or is gone", arguments: looks)
  func traces(command: [String]) throws {
    let id = try db.add("买牛奶 🥛", "--list", "Garden")
    var arguments = ["--db", db.database.path] + command
    // Closed: no log.
    var before = try FolderTraces(db.folder)
    _ = try db.start(TodoDB.executable, arguments)
    #expect(try FolderTraces(db.folder) == before)
    do {
      // Open, with commits in the log.
      let store = try Store(at: db.database, records: TodoModel.records, migrations: TodoModel.migrations)
      try store.write { _ = try $0.execute("UPDATE todo SET title = 'other' WHERE id = \(id)") }
      before = try FolderTraces(db.folder)
      let outcome = try db.start(TodoDB.executable, arguments)
      #expect(command.first != "info" || outcome.out.contains("committed pages"))
      #expect(try FolderTraces(db.folder) == before)
      // As a process that was killed leaves it, with the shared memory of the log and without.
      let copy = db.file("copy")
      for suffixes in [["", "-wal", "-shm"], ["", "-wal"]] {
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for suffix in suffixes {
          try FileManager.default.copyItem(
            atPath: db.database.path + suffix, toPath: copy.path + "/c.db" + suffix)
        }
        arguments[1] = copy.path + "/c.db"
        before = try FolderTraces(copy)
        _ = try db.start(TodoDB.executable, arguments)
        #expect(try FolderTraces(copy) == before)
        let seen = try db.start(
          TodoDB.executable, ["--db", arguments[1], "query", "SELECT title FROM todo", "--format", "csv"])
        #expect(seen.out == "title\r\nother\r\n", "\(seen)")
        try FileManager.default.removeItem(at: copy)
      }
      try store.close()
    }
  }

  @Test("tables of every kind and name are listed, with the reason where one cannot be read")
  func odd() throws {
    try AnyDatabase.make(AnyDatabase.odd, at: db.database)
    try AnyDatabase.addUnknown(to: db.database)
    let outcome = try db.run("tables", "--json")
    #expect(outcome.code == 0 && outcome.err.isEmpty, "\(outcome)")
    let tables = try #require(try TodoDB.json(outcome.out) as? [[String: Any]])
    let rows = tables.reduce(into: [String: Int]()) { $0[$1["name"] as? String ?? ""] = $1["rows"] as? Int ?? -1 }
    #expect(rows["[foo]/bar"] == 3 && rows["Yesterday's list"] == 2 && rows["doubles"] == 1 && rows["texts"] == 1)
    #expect(rows["sorted"] == 2 && rows["keyed"] == 1 && rows["broken"] == -1 && rows["foreign"] == -1)
    func fact(_ name: String, _ key: String) -> String {
      tables.first { $0["name"] as? String == name }.map { "\($0[key] ?? "")" } ?? "none"
    }
    #expect(fact("texts", "kind") == "virtual" && fact("texts_data", "kind") == "shadow")
    #expect(fact("doubles", "kind") == "view" && fact("doubled", "kind") == "table")
    #expect(fact("broken", "error").contains("no such table: main.gone"))
    #expect(fact("foreign", "error") == "no such module: nosuchmodule")
    #expect(tables.first { $0["name"] as? String == "keyed" }?["withoutRowID"] as? Bool == true)
    #expect(tables.first { $0["name"] as? String == "doubled" }?["strict"] as? Bool == true)
    let info = try db.succeed("info").out
    #expect(info.contains("application_id 34, user_version 12") && info.contains("has made nothing in it"))
    #expect(info.contains("rollback journal") && info.contains("Yesterday's list"))
  }

  @Test("what Roster keeps in a database is told, by a store that has other records as well")
  func roster() throws {
    try db.succeed("add", "a")
    try db.change("INSERT INTO roster_consumer (name, seq) VALUES ('mirror', 1)")
    let roster = try #require(try TodoDB.object(db.succeed("info", "--json").out)["roster"] as? [String: Any])
    #expect(roster["recordTables"] as? [String] == ["tag", "todo", "todo_list", "todo_tag"])
    let orders = try #require(roster["orders"] as? [[String: Any]])
    #expect(orders.map { $0["table"] as? String } == ["todo", "todo_list"])
    #expect(orders.first?["scope"] as? String == "list_id" && orders.first?["column"] as? String == "position")
    #expect(roster["searched"] as? [String] == ["todo"])
    let log = try #require(roster["log"] as? [String: Any])
    #expect(log["first"] as? Int == 1 && log["last"] as? Int == 2)
    #expect((log["consumers"] as? [[String: Any]])?.first?["name"] as? String == "mirror")
    #expect(roster["migrations"] as? [String] == TodoModel.migrations.map(\.fileName))
  }

  @Test("a schema is printed as it was given, for one table with what belongs to it")
  func schema() throws {
    try AnyDatabase.make(AnyDatabase.odd, at: db.database)
    let all = try db.succeed("schema").out
    #expect(all.contains("CREATE TABLE \"[foo]/bar\"") && all.contains("CREATE VIEW broken"))
    let one = try db.succeed("schema", "counted").out
    #expect(one.contains("CREATE INDEX \"an \"\"index\"") && one.contains("CREATE TRIGGER copying"))
    #expect(!one.contains("doubles AS"))
    #expect(try db.refusal("schema", "conuted").contains("there is no table 'conuted'; did you mean 'counted'?"))
  }

  @Test("a plan is a tree, and what is read from end to end is told")
  func explain() throws {
    try AnyDatabase.make(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x, y);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a);
      CREATE INDEX b_a ON b (a)
      """, at: db.database)
    func scans(_ sql: String) throws -> [[String?]] {
      let found = try #require(try TodoDB.object(db.succeed("explain", sql, "--json").out)["scans"] as? [[String: Any]])
      return found.map { [$0["name"] as? String, $0["index"] as? String] }
    }
    #expect(try scans("SELECT * FROM a WHERE id = ?") == [])
    #expect(try scans("SELECT * FROM a WHERE y = :y") == [["a", nil]])
    #expect(try scans("SELECT a FROM b ORDER BY a") == [["b", "b_a"]])
    #expect(try scans("DELETE FROM a WHERE x = 1") == [["a", nil]])
    #expect(
      try scans("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM n") == [])
    let text = try db.succeed("explain", "SELECT * FROM a WHERE x IN (SELECT a FROM b) ORDER BY y").out
    #expect(text.contains("├─ SCAN a\n") && text.contains("└─ USE TEMP B-TREE FOR ORDER BY\n"))
    #expect(text.contains("Reads all rows of a\n"))
    #expect(try db.refusal("explain", "SELECT * FROM no_table").contains("no such table: no_table"))
  }

  @Test("stats draw bars of the share that each takes, within the terminal's width")
  func stats() throws {
    try AnyDatabase.make(
      "CREATE TABLE big (a);\nINSERT INTO big VALUES (zeroblob(40000));\nCREATE TABLE small (a);\nCREATE INDEX i ON small (a)",
      at: db.database)
    let document = try TodoDB.object(db.succeed("stats", "--json").out)
    let objects = try #require(document["objects"] as? [[String: Any]])
    #expect(objects.first?["name"] as? String == "big" && objects.count == 4)
    let pages = objects.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) }
    #expect(pages == document["fileBytes"] as? Int)
    let lines = SizeBars(
      sizes: [RawSize(name: "布局", table: "布局", isIndex: false, bytes: 80, payload: 1, unused: 0, pages: 1)], free: 1
    ).lines(width: 40, style: .plain)
    #expect(lines.allSatisfy { $0.displayWidth <= 40 } && lines.count == 3)
    #expect(SizeBars.bar(1, of: 1_000_000, cells: 10) == "▏" && SizeBars.bar(8, of: 8, cells: 3) == "███")
    #expect(SizeBars.bar(0, of: 8, cells: 3).isEmpty)
  }

  @Test("a backup is whole, is made beside an open store, and is never made over a file")
  func backup() throws {
    try db.succeed("add", "a", "--list", "L")
    let store = try Store(at: db.database, records: TodoModel.records, migrations: TodoModel.migrations)
    defer { try? store.close() }
    try store.write { _ = try $0.execute("UPDATE todo SET title = 'b'") }
    let copy = db.file("copy.db").path
    try db.succeed("backup", copy)
    #expect(try db.start(TodoDB.executable, ["--db", copy, "check"]).out.hasPrefix("No problems: 1 todo, 1 list"))
    #expect(try db.refusal("backup", copy).contains("is there already, and was left as it is"))
    #expect(try db.refusal("backup", db.database.path).contains("is there already"))
    #expect(try db.refusal("backup", "no/such/folder/x").contains("no/such/folder"))
  }

  @Test("vacuum gives back the room of what was deleted, and leaves the journal mode alone")
  func vacuum() throws {
    try AnyDatabase.make(
      "CREATE TABLE t (a);\nINSERT INTO t VALUES (zeroblob(90000)), (1);\nDELETE FROM t WHERE a <> 1", at: db.database)
    let document = try TodoDB.object(db.succeed("vacuum", "--json").out)
    let (before, after) = (document["before"] as? Int ?? 0, document["after"] as? Int ?? 0)
    #expect(before > 90_000 && after < 20_000 && after > 0)
    #expect(try TodoDB.object(db.succeed("info", "--json").out)["journalMode"] as? String == "rollback")
    #expect(try FileManager.default.contentsOfDirectory(atPath: db.folder.path) == ["t.db"])
  }

  @Test("a new migration gets the next number, and its name is one that migrations may have")
  func newMigration() throws {
    let folder = db.file("Migrations").path
    #expect(try db.run("migrate", "new", "first").code == 1)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try db.succeed("migrate", "new", "first").out == "Made \(folder)/0001_first.sql\n")
    _ = try db.write("SELECT 1", to: "Migrations/0041_jump.sql")
    #expect(try db.succeed("migrate", "new", "add-colours").out.hasSuffix("/0042_add-colours.sql\n"))
    #expect(try db.run("migrate", "new", "über alles").err.contains("a migration is named NNNN_name.sql"))
    #expect(try Migration.load(from: URL(fileURLWithPath: folder)).map(\.number) == [1, 41, 42])
  }

  @Test("a database with the journal of a transaction that was cut off is refused, and stays with it", arguments: looks)
  func hotJournal(command: [String]) throws {
    try AnyDatabase.make("CREATE TABLE t (a);\nINSERT INTO t VALUES (1)", at: db.database)
    let writer = try Connection(path: db.database.path, mode: .readWrite)
    try writer.execute("PRAGMA cache_size = 1")
    try writer.control("BEGIN")
    try AnyDatabase.run(
      "UPDATE t SET a = 2;\nINSERT INTO t SELECT randomblob(900) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i FROM n)",
      on: writer)
    let copy = db.file("copy")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: db.database.path + suffix, toPath: copy.path + "/c.db" + suffix)
    }
    let before = try FolderTraces(copy)
    let outcome = try db.start(TodoDB.executable, ["--db", copy.path + "/c.db"] + command)
    #expect(outcome.code == 1 && outcome.out.isEmpty && outcome.err.contains("A transaction was cut off"), "\(outcome)")
    #expect(try FolderTraces(copy) == before)
    try writer.rollBack()
  }

  @Test(
    "a file that is cut short is refused, and nobody is sent to a command that knows nothing of it", arguments: looks)
  func cutShort(command: [String]) throws {
    try AnyDatabase.make("CREATE TABLE t (a);\nINSERT INTO t VALUES (zeroblob(9000))", at: db.database)
    let size = try db.bytes().count
    for length in [size - 1, size - 4_095, size - 4_096] {
      let file = db.file("cut.db")
      try db.bytes().prefix(length).write(to: file)
      for words in [command, ["backup", db.file("copy.db").path], ["vacuum"], ["query", "DELETE FROM t", "--write"]] {
        let outcome = try db.start(TodoDB.executable, ["--db", file.path] + words)
        #expect(outcome.code == 1 && outcome.out.isEmpty && outcome.err.contains("cut short"), "\(words) \(outcome)")
        #expect(!outcome.err.contains("todo-db check"))
      }
      #expect(try Data(contentsOf: file).count == length)
      #expect(!FileManager.default.fileExists(atPath: db.file("copy.db").path))
      let diff = try db.run("diff", file.path)
      #expect(diff.code == 1 && diff.err.contains("cut.db is damaged"), "\(diff)")
    }
  }

  @Test("a file may lack the pages that its log has, and no others")
  func pagesInLog() throws {
    try AnyDatabase.make("CREATE TABLE t (a);\nPRAGMA journal_mode = WAL", at: db.database)
    let writer = try Connection(path: db.database.path, mode: .readWrite)
    try writer.execute("PRAGMA wal_autocheckpoint = 0")
    try writer.execute("INSERT INTO t VALUES (zeroblob(20000))")
    func look(_ file: URL) throws -> TodoDB.Outcome {
      try db.start(
        TodoDB.executable, ["--db", file.path, "query", "SELECT length(a) FROM t", "--format", "ndjson"])
    }
    func copy(_ length: Int?) throws -> URL {
      let file = db.file("copy.db")
      for suffix in ["", "-wal"] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: db.database.path + suffix))
        try (suffix.isEmpty ? bytes.prefix(length ?? bytes.count) : bytes)
          .write(to: URL(fileURLWithPath: file.path + suffix))
      }
      return file
    }
    let short = try db.bytes().count
    #expect(try look(db.database).out.contains("20000") && look(copy(nil)).out.contains("20000"))
    let moved = try writer.rows("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try db.bytes().count > short, "\(short) \(moved)")
    // The log still has them all.
    #expect(try look(copy(short)).out.contains("20000"))
    // The log begins anew with one page.
    try writer.execute("INSERT INTO t VALUES ('x')")
    #expect(try look(db.database).code == 0)
    let refused = try look(copy(short + 100))
    #expect(refused.code == 1 && refused.out.isEmpty && refused.err.contains("is cut short: it has"), "\(refused)")
  }

  @Test("what is no database, and what is none yet, is refused", arguments: looks)
  func refused(command: [String]) throws {
    for bytes in [nil, Data(), Data(repeating: 7, count: 5_000)] {
      try bytes?.write(to: db.database)
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path] + command)
      #expect(outcome.code == 1 && outcome.out.isEmpty && outcome.err.hasPrefix("todo-db: "), "\(outcome)")
      if let bytes { #expect(try db.bytes() == bytes) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: db.folder.path) == ["t.db"])
  }
}

@Suite("The log's tail")
struct TailTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test("the last entries are printed as they are, or those after a number")
  func last() throws {
    let id = try db.add("a")
    try db.succeed("done", id)
    try db.succeed("rm", id)
    func kinds(_ options: String...) throws -> [String] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "tail", "--json"] + options)
      return (try TodoDB.json(outcome.out) as? [[String: Any]] ?? []).map { $0["kind"] as? String ?? "" }
    }
    #expect(try kinds() == ["insert", "insert", "update", "delete"])
    #expect(try kinds("--limit", "1") == ["delete"])
    #expect(try kinds("--since", "2") == ["update", "delete"])
    #expect(try kinds("--since", "4") == [])
    #expect(try db.refusal("tail", "--since", "5").contains("the log of changes has come to 4"))
    #expect(try db.succeed("tail").lines.count == 5)
  }

  @Test("it follows what other processes write, and ends by Ctrl-C with 130")
  func follow() throws {
    let id = try db.add("a")
    let tail = try RunningTool(db, "tail", "--follow", "--json")
    _ = try tail.line(with: #""seq": 2"#)
    try db.succeed("done", id)
    #expect(try tail.line(with: #""seq": 3"#).contains(#""kind": "update""#))
    #expect(try tail.end(by: SIGINT).1 == 130)
  }

  @Test("a database without a log says so")
  func none() throws {
    try AnyDatabase.make("CREATE TABLE t (a)", at: db.database)
    #expect(try db.refusal("tail").contains("keeps no log of changes"))
  }
}
