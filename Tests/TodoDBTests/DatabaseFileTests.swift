import Dispatch
import Foundation
import Roster
import Synchronization
import Testing
import TodoModel

@testable import todo_db

@Suite("What lies at the database's path")
struct DatabaseFileTests {
  static let commands: [[String]] = [
    ["init"], ["add", "x"], ["list"], ["search", "a"], ["suggest", "a"], ["show", "1"], ["edit", "1", "--title", "t"],
    ["done", "1"],
    ["move", "1", "--end"], ["sort", "--by", "title"], ["reopen", "1"], ["rm", "1"],
    ["import", "-", "--format", "todotxt"], ["export"], ["changes"], ["migrate"],
    ["migrate", "status"], ["check"],
  ]
  private static let makers = ["init", "add", "import"]

  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func start(_ command: [String]) throws -> TodoDB.Outcome {
    try db.start(TodoDB.executable, ["--db", db.database.path] + command, input: "a task\n")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: db.folder.path).sorted()
  }

  @Test("commands that need todos say how to begin, and make no file", arguments: commands)
  func missing(command: [String]) throws {
    let outcome = try start(command)
    if Self.makers.contains(command.first ?? "") {
      #expect(outcome.code == 0 && outcome.err.isEmpty)
      #expect(try names() == ["t.db"])
    } else {
      #expect(outcome.code == 1)
      #expect(outcome.out.isEmpty)
      #expect(outcome.err.contains("there is no database at \(db.database.path); 'todo-db init' makes one"))
      #expect(try names() == [])
    }
  }

  @Test("an empty file becomes a database by adding to it only", arguments: commands)
  func empty(command: [String]) throws {
    try Data().write(to: db.database)
    let outcome = try start(command)
    #expect(outcome.code == (Self.makers.contains(command.first ?? "") ? 0 : 1), "\(outcome)")
    if outcome.code == 1 {
      #expect(outcome.err.contains("is empty; 'todo-db init'"))
      #expect(try db.bytes().isEmpty)
    }
  }

  @Test("another program's database is refused and stays as it was", arguments: commands)
  func foreign(command: [String]) throws {
    let migrations = [
      Migration(number: 1, name: "places", sql: "CREATE TABLE moz_places (a); CREATE TABLE todo (b);")
    ]
    try Store(at: db.database, migrations: migrations).close()
    let bytes = try db.bytes()
    let outcome = try start(command)
    #expect(outcome.code == 1)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains("is another program's database"))
    #expect(try db.bytes() == bytes)
  }

  @Test("a database from before ids of other programs were kept is brought up to date by an import, with its todos")
  func olderVersion() throws {
    try Store(at: db.database, migrations: Array(TodoModel.migrations.prefix(1))).close()
    try db.changeFromOutside(
      "INSERT INTO todo_list (id, name) VALUES ('00000000-0000-4000-8000-000000000001', 'L')",
      """
      INSERT INTO todo (id, list_id, title, source)
      VALUES ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'a', 'a  +L')
      """)
    let file = TodoDB.fixture("samples/tasks.ics")
    #expect(try db.run("list").err.contains("'todo-db migrate' brings it up to date"))
    #expect(try db.run("import", file).out.hasPrefix("Imported 40 todos"))
    #expect(try db.succeed("import", file).out.contains("0 new, 40 unchanged"))
    #expect(try db.run("export").lines.first == "a  +L")
    #expect(try db.succeed("check").out.hasPrefix("No problems: 41 todos"))
  }

  @Test("tables without a record of migrations are another program's, too", arguments: ["init", "list"])
  func foreignWithoutMigrations(command: String) throws {
    let store = try Store(at: db.database)
    try store.write { _ = try $0.execute("CREATE TABLE bookmarks (a)") }
    try store.close()
    let bytes = try db.bytes()
    let outcome = try start([command])
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("(it has bookmarks)"))
    #expect(try db.bytes() == bytes)
  }

  @Test("a replication tool's tables do not make a database another program's")
  func replicated() throws {
    let store = try Store(at: db.database)
    try store.write { _ = try $0.execute("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY)") }
    try store.close()
    try db.succeed("add", "a")
    try db.succeed("check")
    #expect(try db.titles() == ["a"])
  }

  @Test("a file that is no database is refused and stays as it was", arguments: commands)
  func notADatabase(command: [String]) throws {
    let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 5_000))
    try jpeg.write(to: db.database)
    let outcome = try start(command)
    #expect(outcome.code == 1)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains("is no SQLite database, and was left as it is"))
    #expect(try db.bytes() == jpeg)
    #expect(try names() == ["t.db"])
  }

  @Test("a folder is refused", arguments: commands)
  func folder(command: [String]) throws {
    try FileManager.default.createDirectory(at: db.database, withIntermediateDirectories: false)
    let outcome = try start(command)
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("A folder lies at the path"))
  }

  @Test("a damaged database is an error without a trace, and check names the damage")
  func damaged() throws {
    for index in 0..<200 {
      try Data("task \(index) \(String(repeating: "x", count: 200))\n".utf8).append(to: db.file("a.txt"))
    }
    try db.succeed("import", db.file("a.txt").path)
    let bytes = try db.bytes()
    try bytes.prefix(bytes.count / 2).write(to: db.database)
    for command in Self.commands where command != ["init"] {
      let outcome = try start(command)
      #expect(outcome.code == 1 || command.first == "migrate", "\(command) \(outcome)")
      #expect(!outcome.err.contains("Fatal") && !outcome.err.contains("SELECT"), "\(outcome.err)")
    }
    let check = try start(["check", "--json"])
    #expect(check.code == 1)
    let problems = try #require(try TodoDB.object(check.out)["problems"] as? [[String: Any]])
    #expect(problems.first?["kind"] as? String == "damage")
  }

  @Test("a database from a newer version is read with a note, and not written to", arguments: commands)
  func newer(command: [String]) throws {
    let id = try db.add("a")
    let next = Migration(number: 9000, name: "next", sql: "CREATE TABLE next (a);")
    try Store(at: db.database, records: TodoModel.records, migrations: TodoModel.migrations + [next]).close()
    let bytes = try db.bytes()
    let outcome = try start(command.map { $0 == "1" ? id : $0 })
    switch command.first {
    case "list", "search", "suggest", "show", "export", "changes", "check":
      #expect(outcome.code == 0)
      #expect(outcome.err.contains("is from a newer version of todo-db; it can be read"))
      #expect(!outcome.out.isEmpty)
    case "init":
      #expect(outcome.code == 0)
    case "migrate" where command.count == 2:
      #expect(outcome.code == 0)
      #expect(outcome.out.contains("9000_next.sql"))
      #expect(outcome.out.contains("from a newer version"))
    default:
      #expect(outcome.code == 1)
      #expect(outcome.err.contains("update todo-db to change it"))
    }
    #expect(try db.bytes() == bytes)
  }

  @Test("a migration that was edited is refused, and status says which")
  func edited() throws {
    let first = try #require(TodoModel.migrations.first)
    let other = Migration(number: first.number, name: first.name, sql: first.sql + "CREATE TABLE extra (a);")
    try Store(at: db.database, migrations: [other]).close()
    let outcome = try db.run("list")
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("was made by another build of todo-db"))
    #expect(try db.succeed("migrate", "status").out.contains("edited since it was applied"))
  }

  @Test("processes that add at the same time, to a file that none of them has made yet, all do")
  func atOnce() throws {
    let db = db
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      let outcome = try? db.run("add", "todo \(index + 1)", "--list", "L", "--tag", "t")
      if outcome?.code != 0 { failures.withLock { $0.append("\(String(describing: outcome))") } }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try db.titles().sorted() == (1...8).map { "todo \($0)" })
    #expect(try db.succeed("check").out == "No problems: 8 todos, 1 list, 1 tag.\n")
  }

  @Test("listing leaves no other files behind and does not change the file")
  func tidy() throws {
    try db.succeed("add", "a")
    let bytes = try db.bytes()
    for command in [["list"], ["export"], ["changes"], ["check"], ["migrate"]] { _ = try start(command) }
    #expect(try names() == ["t.db"])
    #expect(try db.bytes() == bytes)
  }

  @Test("the database is where TODO_DB says, else in the platform's data folder, which is private")
  func location() throws {
    func run(_ environment: [String: String]) throws -> TodoDB.Outcome {
      try db.start(TodoDB.executable, ["init"], environment: environment)
    }
    #expect(try run(["TODO_DB": "here.db"]).out == "Created \(db.file("here.db").path)\n")
    #if !canImport(Darwin)
      let data = db.file("data").path
      #expect(try run(["XDG_DATA_HOME": data]).out == "Created \(data)/todo-db/todo.db\n")
      #expect(
        try run(["XDG_DATA_HOME": "relative", "TODO_DB": ""]).out
          == "Created \(db.folder.path)/.local/share/todo-db/todo.db\n")
      let attributes = try FileManager.default.attributesOfItem(atPath: data + "/todo-db")
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    #endif
    let outcome = try db.start(TodoDB.executable, ["--db", "no/such.db", "init"])
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("There is no folder"))
  }
}

extension Data {
  fileprivate func append(to url: URL) throws {
    let before = (try? Data(contentsOf: url)) ?? Data()
    try (before + self).write(to: url)
  }
}
