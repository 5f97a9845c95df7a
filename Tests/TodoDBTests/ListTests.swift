import Foundation
import Roster
import Testing
import TodoModel

@testable import todo_db

@Suite("list")
struct ListTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test("columns line up where characters are two cells wide")
  func columns() throws {
    _ = try db.add("订花 🌸", "--list", "家", "--due", "2026-12-05", "--tag", "a", "--tag", "b")
    let id = try db.add("👩‍👩‍👧 call\u{1B}[31m\n2", "--priority", "medium")
    try db.succeed("done", id)
    let lines = try db.succeed("list").lines
    #expect(
      lines.map { String($0.prefix(3) + $0.dropFirst(11)) } == [
        "#       PRIORITY  TITLE           DUE         LIST   TAGS",
        "0                 订花 🌸         2026-12-05  家     a, b",
        "0    ✓  medium    👩‍👩‍👧 call␛[31m␊2              Inbox",
      ])
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test("sorting puts what has no value last, and ties in the order of adding")
  func sorting() throws {
    for (title, options) in [
      ("b", ["--due", "2026-10-09", "--priority", "low"]), ("none", []),
      ("a", ["--due", "2026-10-08T10:00"]),
      ("C", ["--priority", "high"]), ("d", ["--due", "2026-10-08", "--priority", "high"]), ("also none", []),
    ] as [(String, [String])] {
      #expect(
        try db.start(TodoDB.executable, ["--db", db.database.path, "add", title] + options).code == 0)
    }
    #expect(try db.titles() == ["b", "none", "a", "C", "d", "also none"])
    #expect(try db.titles("--sort", "due") == ["d", "a", "b", "C", "none", "also none"])
    #expect(try db.titles("--sort", "priority") == ["d", "C", "b", "a", "none", "also none"])
    #expect(try db.titles("--sort", "title") == ["a", "also none", "b", "C", "d", "none"])
    #expect(try db.titles("--sort", "created", "--limit", "2") == ["b", "none"])
    #expect(try db.titles("--limit", "99") == ["b", "none", "a", "C", "d", "also none"])
  }

  @Test("lists come in their order, and todos in that of their list, numbered from 0 in each")
  func order() throws {
    for (title, list) in [("a", "Z"), ("b", "家"), ("c", "Z"), ("d", "家"), ("e", "A")] {
      _ = try db.add(title, "--list", list)
    }
    func shown(_ options: String...) throws -> [String] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "list"] + options)
      return outcome.lines.dropFirst().map { line in
        let words = line.split(separator: " ")
        return "\(words.first ?? "") \(words.dropFirst(2).first ?? "")"
      }
    }
    #expect(try shown() == ["0 a", "1 c", "0 b", "1 d", "0 e"])
    try db.change(
      "UPDATE todo_list SET position = 0 WHERE name = 'A'", "UPDATE todo SET position = -1 WHERE title = 'd'")
    try db.change("UPDATE todo_list SET position = NULL WHERE name = 'Z'")
    #expect(try shown() == ["0 e", "0 d", "1 b", "0 a", "1 c"])
    #expect(try shown("--list", "家") == ["0 d", "1 b"])
    #expect(try shown("--limit", "2") == ["0 e", "0 d"])
    #expect(try db.todos().map { $0["index"] as? Int } == [0, 0, 1, 0, 1])
    let id = try #require(try db.todos("--list", "Z").first?["id"] as? String)
    try db.succeed("done", id)
    #expect(try shown("--open") == ["0 e", "0 d", "1 b", "0 c"])
    #expect(try db.todos("--done").map { $0["index"] as? Int } == [0])
  }

  @Test("another order has no numbers")
  func unnumbered() throws {
    _ = try db.add("b")
    _ = try db.add("a")
    let lines = try db.succeed("list", "--sort", "title").lines
    #expect(lines.first?.hasPrefix("ID ") == true)
    #expect(lines.dropFirst().map { $0.split(separator: " ")[1] } == ["a", "b"])
    #expect(try db.todos("--sort", "title").allSatisfy { $0["index"] is NSNull })
  }

  @Test("todos whose list is missing come last")
  func orphans() throws {
    _ = try db.add("orphan", "--list", "Gone")
    _ = try db.add("a")
    try db.changeFromOutside(
      "DELETE FROM todo_list WHERE name = 'Gone'", "UPDATE todo_list SET position = NULL")
    let todos = try db.todos()
    #expect(todos.map { $0["title"] as? String } == ["a", "orphan"])
    #expect(todos.map { $0["index"] as? Int } == [0, 0])
    #expect(todos.last?["list"] is NSNull)
    #expect(try db.run("export").lines.count == 2)
  }

  @Test("a list that is not there is refused with the name it may stand for")
  func noSuchList() throws {
    _ = try db.add("a", "--list", "Wedding")
    _ = try db.add("b")
    #expect(try db.titles("--list", "Wedding") == ["a"])
    let outcome = try db.run("list", "--list", "wedin")
    #expect(outcome.code == 1)
    #expect(outcome.err == "todo-db: there is no list 'wedin'; did you mean 'Wedding'?\n")
    #expect(try db.run("list", "--list", "x' OR 1").code == 1)
  }

  @Test("no todos are an empty document, and a word on standard error for people")
  func empty() throws {
    try db.succeed("init")
    #expect(try db.succeed("list", "--json").out == "[]\n")
    let outcome = try db.run("list")
    #expect(outcome.code == 0)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err == "todo-db: no todos to list\n")
  }

  @Test("JSON is one document with the same keys, whatever the texts hold")
  func json() throws {
    var texts = [
      "\"quoted\" \\ back", "'; DROP TABLE todo; --", "👩‍👩‍👧 🇵🇹 é e\u{301}", "nul",
      "a\u{2028}b\u{2029}c\u{85}d",
      "\u{1B}[31mred\u{1}\u{1F}\u{7F}", "\u{202E}right to left", "{\"id\": 1}", "\u{FEFF}mark",
      "\u{10FFFF}\u{E000}",
    ]
    let records = texts.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
    let csv = "Title,Notes,List,Tags\r\n" + records.map { "\($0),\($0),\($0),\($0)\r\n" }.joined()
    let file = try db.write(csv, to: "texts.csv")
    #expect(try db.run("import", file).code == 0)
    // The tool itself takes no NUL; other programs do.
    let nul = "a\u{0}b"
    try db.change("UPDATE todo SET title = \(nul), note = \(nul) WHERE title = 'nul'")
    texts = texts.map { $0 == "nul" ? nul : $0 }
    let output = try db.succeed("list", "--json").out
    #expect(!output.contains("\u{2028}") && !output.contains("\u{0}") && !output.contains("\u{1B}"))
    let todos = try db.todos()
    // The mark at the front is one that a CSV file may have inside quotes.
    #expect(
      todos.compactMap { $0["title"] as? String }.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    #expect(todos.compactMap { $0["note"] as? String } == texts)
    let keys = [
      "id", "list", "index", "title", "note", "isDone", "priority", "due", "tags", "created", "completed",
    ].sorted()
    for todo in todos { #expect(todo.keys.sorted() == keys) }
    let exported = try db.run("export", "--format", "json")
    #expect(exported.out == output)
  }

  @Test("a row that cannot be read is left out and told of, named by check, and can be removed")
  func unreadable() throws {
    try db.succeed("add", "fine")
    let bad = try db.add("bad")
    try db.change("UPDATE todo SET due = 'soon', created = 'later' WHERE title = 'bad'")
    try db.succeed("add", "fine too")
    let listed = try db.run("list")
    #expect(listed.code == 1)
    #expect(listed.lines.count == 3 && listed.out.contains("fine"))
    // It counts in the numbers, as it does in a move.
    #expect(listed.lines.map { $0.prefix(1) } == ["#", "0", "2"])
    #expect(listed.err == "todo-db: 1 todo cannot be read and is left out; 'todo-db check' says why\n")
    let checked = try db.run("check")
    #expect(checked.code == 1)
    for column in ["due", "created"] {
      #expect(checked.out.contains("todo row 2 (id \(bad)) column \(column): "))
    }
    #expect(try db.run("export").code == 1)
    #expect(try db.succeed("rm", String(bad.prefix(8))).out == "\(bad.prefix(8))  Removed: bad\n")
    #expect(try db.succeed("check").out.hasPrefix("No problems: 2 todos"))
  }

  @Test("piped into head, a long listing ends without a word", arguments: ["list", "list --json", "export", "changes"])
  func head(command: String) throws {
    let file = try db.write(
      (0..<5_000).map { "todo \($0) with some text behind it\n" }.joined(), to: "many.txt")
    try db.succeed("import", file)
    let line =
      "'\(TodoDB.executable.path)' --db '\(db.database.path)' \(command) | head -1"
    let outcome = try db.start(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line], environment: ["PATH": "/usr/bin:/bin"])
    #expect(outcome.err.isEmpty)
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 1)
  }

  @Test("a day is overdue when it is over where the user is, a time when it has passed")
  func overdue() throws {
    func entry(_ due: String, isDone: Bool = false) -> TodoEntry {
      let date = DueDate(due)
      return TodoEntry(
        todo: .init(
          listID: UUID(), title: "t", isDone: isDone, due: date?.date, dueHasTime: date?.hasTime ?? false),
        list: nil, tags: [])
    }
    let now = try #require(Samples.date("2026-10-08T22:30"))
    let utc = Overdue(now: now, timeZone: .gmt)
    let east = Overdue(now: now, timeZone: try #require(TimeZone(secondsFromGMT: 2 * 3600)))
    let west = Overdue(
      now: try #require(Samples.date("2026-10-09T01:00")),
      timeZone: try #require(TimeZone(secondsFromGMT: -5 * 3600)))
    #expect(!utc.contains(entry("2026-10-08")) && utc.contains(entry("2026-10-07")))
    #expect(east.contains(entry("2026-10-08")) && !west.contains(entry("2026-10-08")))
    #expect(utc.contains(entry("2026-10-08T22:29")) && !utc.contains(entry("2026-10-08T22:31")))
    #expect(!utc.contains(entry("2026-10-07", isDone: true)))
  }
}
