import Foundation
import Roster
import Testing

@testable import todo_db

@Suite("Commands")
struct CommandTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test("init makes a private file and says where, and leaves one that is there alone")
  func initialise() throws {
    #expect(try db.succeed("init").out == "Created \(db.database.path)\n")
    let permissions = try FileManager.default.attributesOfItem(atPath: db.database.path)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
    let bytes = try db.bytes()
    #expect(try db.succeed("init").out == "\(db.database.path) is there already, and was left as it is.\n")
    #expect(try TodoDB.object(db.run("init", "--json").out)["created"] as? Bool == false)
    #expect(try db.bytes() == bytes)
  }

  @Test("add stores what was given, and makes the file, the list and the tags")
  func add() throws {
    let id = try db.add(
      "  写信 ✉️ ", "--list", " Home ", "--note", "a\nb", "--priority", "high", "--due",
      "2026-10-08T14:30+02:00",
      "--tag", "x", "--tag", "y z", "--tag", "x")
    let todo = try db.todo(id)
    #expect(todo["title"] as? String == "写信 ✉️")
    #expect(todo["list"] as? String == "Home")
    #expect(todo["note"] as? String == "a\nb")
    #expect(todo["isDone"] as? Bool == false)
    #expect(todo["priority"] as? String == "high")
    #expect(todo["due"] as? String == "2026-10-08T12:30:00Z")
    #expect(todo["tags"] as? [String] == ["x", "y z"])
    #expect((todo["created"] as? String)?.hasSuffix("Z") == true)
    #expect(todo["completed"] is NSNull)
    let plain = try db.todo(try db.add("plain", "--due", "2026-10-09"))
    #expect(plain["list"] as? String == "Inbox")
    #expect(plain["due"] as? String == "2026-10-09")
    #expect(plain["priority"] is NSNull)
    #expect(plain["note"] as? String == "")
  }

  @Test("a todo without JSON is a line that begins with its id")
  func lines() throws {
    let line = try db.succeed("add", "Buy milk", "--list", "Shop").out
    let id = try #require(line.split(separator: " ").first.map(String.init))
    #expect(line == "\(id)  Added to Shop: Buy milk\n")
    #expect(try db.succeed("edit", id, "--title", "Buy oat milk").out == "\(id)  Changed: Buy oat milk\n")
    #expect(try db.succeed("done", id).out == "\(id)  Done: Buy oat milk\n")
    #expect(try db.succeed("done", id).out == "\(id)  Was done already: Buy oat milk\n")
    #expect(try db.succeed("reopen", id).out == "\(id)  Open again: Buy oat milk\n")
    #expect(try db.succeed("reopen", id).out == "\(id)  Was open already: Buy oat milk\n")
    #expect(try db.succeed("rm", id).out == "\(id)  Removed: Buy oat milk\n")
  }

  @Test("a blank title is refused, and nothing is stored or made", arguments: ["", " \t", "\u{3000}\n"])
  func blankTitle(title: String) throws {
    let outcome = try db.run("add", title)
    #expect(outcome.code == 1)
    #expect(outcome.err.hasPrefix("todo-db: the title is blank; a todo needs one\n"))
    #expect(!FileManager.default.fileExists(atPath: db.database.path))
    let id = try db.add("a")
    #expect(try db.run("edit", id, "--title", title).code == 1)
    #expect(try db.titles() == ["a"])
  }

  @Test("edit changes what was given and nothing else")
  func edit() throws {
    let id = try db.add(
      "a", "--note", "n", "--priority", "low", "--due", "2026-10-08", "--tag", "x", "--tag", "y")
    let before = try db.todo(id)
    try db.succeed("edit", id, "--title", " b ")
    var after = try db.todo(id)
    #expect(after["title"] as? String == "b")
    after["title"] = "a"
    #expect(after as NSDictionary == before as NSDictionary)
    try db.succeed(
      "edit", id, "--due", "none", "--priority", "none", "--note", "", "--list", "Other", "--tag", "z",
      "--tag", "y",
      "--untag", "x", "--untag", "never there")
    after = try db.todo(id)
    #expect(after["due"] is NSNull)
    #expect(after["priority"] is NSNull)
    #expect(after["note"] as? String == "")
    #expect(after["list"] as? String == "Other")
    #expect(after["tags"] as? [String] == ["y", "z"])
  }

  @Test("done notes the time once, and reopen takes it away")
  func done() throws {
    let ids = [try db.add("a"), try db.add("b")]
    let outcome = try db.succeed("--json", "done", ids[0], ids[1], ids[0].uppercased())
    let done = try #require(try TodoDB.json(outcome.out) as? [[String: Any]])
    #expect(done.map { $0["title"] as? String } == ["a", "b"])
    let time = try #require(done.first?["completed"] as? String)
    #expect(DueDate(time) != nil)
    try db.succeed("done", ids[0])
    #expect(try db.todo(ids[0])["completed"] as? String == time)
    try db.succeed("reopen", ids[0])
    #expect(try db.todo(ids[0])["completed"] is NSNull)
    #expect(try db.todo(ids[0])["isDone"] as? Bool == false)
    #expect(try db.titles("--done") == ["b"])
    #expect(try db.titles("--open") == ["a"])
  }

  @Test("of several ids, one that is not found leaves all todos as they are")
  func allOrNothing() throws {
    let id = try db.add("a")
    for command in ["done", "rm"] {
      let outcome = try db.run(command, id, "fedcba98-0000")
      #expect(outcome.code == 1)
      #expect(outcome.out.isEmpty)
      #expect(outcome.err.contains("no todo has an id that begins with 'fedcba98-0000'"))
    }
    #expect(try db.titles("--open") == ["a"])
  }

  @Test("an id may be any beginning that no other id has, in either case")
  func prefixes() throws {
    // With seventeen ids, two begin alike.
    let ids = try (0..<17).map { try db.add("todo \($0)") }
    let byFirst = Dictionary(grouping: ids) { $0.prefix(1) }
    let (shared, group) = try #require(byFirst.first { $0.value.count > 1 })
    let outcome = try db.run("show", String(shared))
    #expect(outcome.code == 1)
    for id in group { #expect(outcome.err.contains("  \(id)  todo ")) }
    for id in ids {
      #expect(try db.todo(id.uppercased())["id"] as? String == id)
      let unique = try #require(
        (1...36).map { id.prefix($0) }.first { start in ids.filter { $0.hasPrefix(start) }.count == 1 })
      #expect(try db.todo(String(unique))["id"] as? String == id)
    }
  }

  @Test("an id that cannot be one is not found", arguments: ["%", "_", "g", "'", "\u{0301}", "０", "*", " a"])
  func strangeID(id: String) throws {
    try db.succeed("add", "a")
    let outcome = try db.run("show", id)
    #expect(outcome.code == 1)
    #expect(outcome.err.hasPrefix("todo-db: no todo has an id that begins with "))
  }

  @Test("show prints what there is, and the lines of the note")
  func show() throws {
    let id = try db.add(
      "Plan", "--note", "first\n\nthird \u{1B}[31m", "--due", "2020-01-02T03:04", "--tag", "a")
    let lines = try db.succeed("show", id).out
    #expect(lines.hasPrefix("ID         \(id)\nTitle      Plan\nList       Inbox\nState      open\n"))
    #expect(lines.contains("\nDue        2020-01-02 03:04 UTC, overdue\nTags       a\nCreated    "))
    #expect(lines.hasSuffix("\nNote\n  first\n\n  third ␛[31m\n"))
    #expect(!lines.contains("Priority"))
  }

  @Test("check says what there is, or each problem, by the exit code too")
  func check() throws {
    try db.succeed("add", "a", "--tag", "t")
    #expect(try db.succeed("check").out == "No problems: 1 todo, 1 list, 1 tag.\n")
    #expect(try TodoDB.object(db.succeed("check", "--json").out)["problems"] as? [String] == [])
    try db.succeed("add", "b")
    let nul = "a\u{0}b"
    try db.change("UPDATE todo SET title = \(nul) WHERE title = 'b'")
    let outcome = try db.run("check")
    #expect(outcome.code == 1)
    #expect(outcome.out.contains("todo row 2 column title: the text has a NUL character at byte 1\n"))
    #expect(outcome.err.contains("1 problem in"))
    let json = try db.run("check", "--json")
    #expect(json.code == 1)
    let problems = try #require(try TodoDB.object(json.out)["problems"] as? [[String: Any]])
    #expect(problems.allSatisfy { $0["kind"] as? String == "nulInText" && $0["row"] as? Int == 2 })
  }

  @Test("text that is not UTF-8 is refused and not repaired, and so is a NUL in a file, by its line")
  func badText() throws {
    let command = "'\(TodoDB.executable.path)' --db '\(db.database.path)' add \"$(printf 'x\\377')\""
    let outcome = try db.start(URL(fileURLWithPath: "/bin/sh"), ["-c", command])
    #expect(outcome.code == 2)
    #expect(outcome.err.contains("not UTF-8"))
    for (name, text) in [("nul.txt", "one\ntwo\u{0}\n"), ("nul.csv", "Title,Notes\na,b\u{0}\n")] {
      let imported = try db.run("import", try db.write(text, to: name))
      #expect(imported.code == 1)
      #expect(imported.err.contains("line 2: a NUL character"))
    }
    #expect(!FileManager.default.fileExists(atPath: db.database.path))
  }

  @Test("migrate has nothing to do on a new database, and status says what is applied")
  func migrate() throws {
    try db.succeed("init")
    #expect(try db.succeed("migrate").out == "Up to date; no migration is pending.\n")
    #expect(try TodoDB.object(db.succeed("migrate", "--json").out)["applied"] as? [String] == [])
    let status = try db.succeed("migrate", "status").lines
    #expect(status.first?.hasPrefix("MIGRATION ") == true)
    #expect(status.dropFirst().first?.hasPrefix("0001_lists_todos_tags.sql  applied") == true)
    let json = try #require(
      try TodoDB.json(db.succeed("--json", "migrate", "status").out) as? [[String: Any]])
    #expect(json.first?["number"] as? Int == 1)
    #expect(json.first?["state"] as? String == "applied")
  }
}
