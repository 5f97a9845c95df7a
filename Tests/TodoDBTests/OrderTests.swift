import Foundation
import Testing

@testable import todo_db

@Suite("move")
struct MoveTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  /// The ids of new todos by their titles.
  private func add(_ titles: String, list: String = "Inbox") throws -> [Character: String] {
    try titles.reduce(into: [:]) { ids, title in ids[title] = try db.add(String(title), "--list", list) }
  }

  private func order(_ options: String...) throws -> String {
    let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "--json", "list"] + options)
    let todos = try #require(try TodoDB.json(outcome.out) as? [[String: Any]], "\(outcome)")
    return todos.compactMap { $0["title"] as? String }.joined()
  }

  private func id(_ ids: [Character: String], _ title: Character) throws -> String { try #require(ids[title]) }

  @Test("a todo goes before or after another one, to a number, to the start or to the end")
  func places() throws {
    let ids = try add("ABCD")
    let (b, d) = (try id(ids, "B"), try id(ids, "D"))
    let short = d.prefix(8)
    #expect(try db.succeed("move", d, "--before", b).out == "\(short)  Moved to 1 in Inbox: D\n")
    #expect(try order() == "ADBC")
    #expect(try db.succeed("move", d, "--after", b.uppercased()).out == "\(short)  Moved to 2 in Inbox: D\n")
    #expect(try order() == "ABDC")
    #expect(try db.succeed("move", String(short), "--start").out == "\(short)  Moved to 0 in Inbox: D\n")
    #expect(try order() == "DABC")
    #expect(try db.succeed("move", d, "--to", "1").out == "\(short)  Moved to 1 in Inbox: D\n")
    #expect(try order() == "ADBC")
    #expect(try db.succeed("move", "--end", d).out == "\(short)  Moved to 3 in Inbox: D\n")
    #expect(try order() == "ABCD")
    try db.succeed("move", d, "--to", "0", "--list", " Inbox ")
    #expect(try order() == "DABC")
    #expect(try db.succeed("check").code == 0)
  }

  @Test("several todos land together, in the order given")
  func several() throws {
    let ids = try add("ABCDE")
    let (a, c, e) = (try id(ids, "A"), try id(ids, "C"), try id(ids, "E"))
    #expect(
      try db.succeed("move", e, a, e, "--after", c).out
        == "\(e.prefix(8))  Moved to 2 in Inbox: E\n\(a.prefix(8))  Moved to 3 in Inbox: A\n")
    #expect(try order() == "BCEAD")
    // --to is where the first of them then stands.
    try db.succeed("move", c, e, "--to", "3")
    #expect(try order() == "BADCE")
    try db.succeed("move", c, a, "--before", a)
    #expect(try order() == "BCADE")
  }

  @Test("a todo moves to another list by its place there, and takes all else with it")
  func otherList() throws {
    let ids = try add("ABC")
    _ = try add("xy", list: "家 🏠")
    let (a, b, c) = (try id(ids, "A"), try id(ids, "B"), try id(ids, "C"))
    try db.succeed("edit", b, "--note", "n", "--tag", "t", "--priority", "high")
    #expect(try db.succeed("move", b, "--to", "1", "--list", "家 🏠").out == "\(b.prefix(8))  Moved to 1 in 家 🏠: B\n")
    #expect(try order("--list", "家 🏠") == "xBy")
    let moved = try db.todo(b)
    #expect(moved["list"] as? String == "家 🏠")
    #expect(moved["index"] as? Int == 1)
    #expect(moved["note"] as? String == "n" && moved["tags"] as? [String] == ["t"])
    // The list is that of the todo beside which they go.
    try db.succeed("move", c, b, a, "--before", b)
    #expect(try order("--list", "家 🏠") == "xCBAy")
    #expect(try order("--list", "Inbox").isEmpty)
    #expect(try db.refusal("move", a, "--to", "5", "--list", "家 🏠").contains("in '家 🏠' it can be 0 to 4"))
    try db.succeed("move", a, "--end", "--list", "Inbox")
    #expect(try order("--list", "Inbox") == "A")
  }

  @Test("numbers are those that list shows, and count before the move")
  func numbers() throws {
    let ids = try add("ABCDE")
    let (a, c) = (try id(ids, "A").prefix(8), try id(ids, "C").prefix(8))
    #expect(
      try db.succeed("move", "--from", "0,2", "--to", "5").out
        == "\(a)  Moved to 3 in Inbox: A\n\(c)  Moved to 4 in Inbox: C\n")
    #expect(try order() == "BDEAC")
    try db.succeed("move", "--from", "3-4,0", "--to", "2")
    #expect(try order() == "DBACE")
    try db.succeed("move", "--from", "0-1,1", "--to", "4", "--list", "Inbox")
    #expect(try order() == "ACDBE")
  }

  @Test("moves by numbers are those of a list view, with and without rows that are not shown")
  func randomMoves() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let ids = try add("ABCDEFGH")
    try db.succeed("done", try id(ids, "B"), try id(ids, "E"), try id(ids, "F"))
    for _ in 0..<15 {
      let options = try #require([[], ["--open"], ["--done"]].randomElement(using: &generator))
      func shown() throws -> [Character] { Array(try options.isEmpty ? order() : order(options[0])) }
      let (before, whole) = (try shown(), try order())
      let offsets = before.indices.filter { _ in generator.chance(1, in: 3) }
      let destination = Int.random(in: 0...before.count, using: &generator)
      guard !offsets.isEmpty else { continue }
      let list = offsets.map(String.init).joined(separator: ",")
      let outcome = try db.start(
        TodoDB.executable,
        ["--db", db.database.path, "--json", "move", "--from", list, "--to", "\(destination)"] + options)
      var expected = before.enumerated().filter { !offsets.contains($0.offset) && $0.offset < destination }.map(
        \.element)
      expected += offsets.map { before[$0] }
      expected += before.enumerated().filter { !offsets.contains($0.offset) && $0.offset >= destination }.map(\.element)
      let comment: Comment = "seed \(seed): \(whole) \(options) \(list) to \(destination), \(outcome)"
      #expect(try shown() == expected, comment)
      let moved = Set(offsets.map { before[$0] })
      #expect(try order().filter { !moved.contains($0) } == whole.filter { !moved.contains($0) }, comment)
      let entries = try #require(try TodoDB.json(outcome.out) as? [[String: Any]], comment)
      #expect(entries.map { $0["index"] as? Int } == offsets.map { expected.firstIndex(of: before[$0]) }, comment)
      #expect(entries.map { $0["title"] as? String } == offsets.map { String(before[$0]) }, comment)
    }
    #expect(try db.succeed("check").code == 0)
  }

  @Test("where only some todos are shown, the others stay in their order")
  func filtered() throws {
    let ids = try add("AaBbC")
    try db.succeed("done", try id(ids, "a"), try id(ids, "b"))
    #expect(try order("--open") == "ABC")
    let a = try id(ids, "A").prefix(8)
    #expect(try db.succeed("move", "--open", "--from", "0", "--to", "2").out == "\(a)  Moved to 1 in Inbox: A\n")
    #expect(try order() == "aBbAC")
    try db.succeed("move", "--open", "--from", "0", "--to", "3")
    #expect(try order() == "abACB")
    try db.succeed("move", "--done", "--from", "1", "--to", "0")
    #expect(try order() == "baACB")
    #expect(try db.refusal("move", "--done", "--from", "2", "--to", "0").contains("it can be 0 to 1"))
    try db.succeed("reopen", try id(ids, "a"), try id(ids, "b"))
    #expect(
      try db.refusal("move", "--done", "--from", "0", "--to", "0")
        == "todo-db: --from is 0; in 'Inbox' no todo is shown\n")
  }

  @Test("what stands right already is said to, and nothing is written")
  func unmoved() throws {
    let ids = try add("ABC")
    let (a, b) = (try id(ids, "A"), try id(ids, "B"))
    let (bytes, positions) = (try db.bytes(), try db.positions())
    for place in [["--start"], ["--to", "0"], ["--before", b], ["--before", a], ["--to", "0", "--list", "Inbox"]] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "move", a] + place)
      #expect(outcome.out == "\(a.prefix(8))  Was there already: A\n")
    }
    for numbers in [["0", "0"], ["0", "1"], ["0-1", "1"], ["0-2", "3"], ["2", "2"], ["2", "3"]] {
      let outcome = try db.succeed("move", "--from", numbers[0], "--to", numbers[1])
      #expect(outcome.lines.allSatisfy { $0.contains("  Was there already: ") }, "\(numbers) \(outcome)")
    }
    #expect(try db.positions() == positions)
    #expect(try db.bytes() == bytes)
  }

  @Test("a move writes the row that moves, and no other")
  func oneRow() throws {
    let ids = try add("ABCDE")
    let before = try db.positions()
    try db.succeed("move", try id(ids, "D"), "--after", try id(ids, "A"))
    let after = try db.positions()
    #expect(before.filter { after[$0.key] != $0.value }.map(\.key) == ["D"])
  }

  @Test("ids and numbers that there are not are refused, and nothing changes")
  func refused() throws {
    let ids = try add("AB")
    let a = try id(ids, "A")
    _ = try add("x", list: "Wedding")
    #expect(
      try db.refusal("move", a, "fedcba98-0", "--start")
        == "todo-db: no todo has an id that begins with 'fedcba98-0'; 'todo-db list' shows the ids\n")
    #expect(try db.refusal("move", a, "--before", "zz").contains("begins with 'zz'"))
    #expect(try db.refusal("move", a, "--to", "2") == "todo-db: --to is 2; in 'Inbox' it can be 0 to 1\n")
    #expect(
      try db.refusal("move", a, "--to", "2", "--list", "wedin")
        == "todo-db: there is no list 'wedin'; did you mean 'Wedding'?\n")
    #expect(
      try db.refusal("move", a, try id(add("y", list: "Wedding"), "y"), "--start")
        == "todo-db: these todos are in several lists; say with --list which one they are to go to\n")
    #expect(
      try db.refusal("move", "--from", "0", "--to", "1")
        == "todo-db: --from counts within one list, and there are 2; name it with --list: 'Inbox' or 'Wedding'\n")
    for numbers in [
      ["2", "0"], ["0-2", "0"], ["0", "3"], ["9223372036854775807", "0"], ["0-9223372036854775807", "0"],
    ] {
      #expect(
        try db.refusal("move", "--list", "Inbox", "--from", numbers[0], "--to", numbers[1])
          .contains("; in 'Inbox' it can be 0 to "), "\(numbers)")
    }
    #expect(try order("--list", "Inbox") == "AB")
  }

  @Test("numbers need a list that there is")
  func noList() throws {
    try db.succeed("init")
    #expect(
      try db.refusal("move", "--from", "0", "--to", "1")
        == "todo-db: there is no list to move anything in; 'todo-db add' makes one\n")
    #expect(try db.refusal("move", "--from", "0", "--to", "1", "--list", "L").contains("there is no list 'L'"))
  }

  @Test("a todo that cannot be read counts in the numbers, and moves like any other")
  func unreadable() throws {
    let ids = try add("ABCD")
    let (b, d) = (try id(ids, "B"), try id(ids, "D"))
    try db.changeFromOutside("UPDATE todo SET due = 'soon' WHERE title = 'B'")
    try db.succeed("move", "--from", "3", "--to", "2")
    let listed = try db.run("list", "--json")
    #expect(listed.code == 1)
    let todos = try #require(try TodoDB.json(listed.out) as? [[String: Any]])
    #expect(todos.map { $0["title"] as? String } == ["A", "D", "C"])
    #expect(todos.map { $0["index"] as? Int } == [0, 2, 3])
    #expect(
      try db.succeed("move", "--from", "1-2", "--to", "0").lines
        == ["\(b.prefix(8))  Moved to 0 in Inbox: B", "\(d.prefix(8))  Moved to 1 in Inbox: D"])
    #expect(try db.succeed("move", b, "--end").out == "\(b.prefix(8))  Moved to 3 in Inbox: B\n")
  }

  @Test("positions that another program has left are no hindrance")
  func foreignPositions() throws {
    let ids = try add("ABCD")
    let (a, d) = (try id(ids, "A"), try id(ids, "D"))
    for sql in [
      "UPDATE todo SET position = 0", "UPDATE todo SET position = NULL", "UPDATE todo SET position = 'x'",
      "UPDATE todo SET position = 9223372036854775807", "UPDATE todo SET position = 1.5 WHERE title = 'B'",
    ] {
      try db.changeFromOutside(sql)
      let order = try order()
      try db.succeed("move", d, "--before", a)
      #expect(try self.order() == order.filter { $0 != "D" }.replacing("A", with: "DA"), "\(sql)")
      try db.succeed("move", "--from", "0-1", "--to", "4")
    }
  }

  @Test("through a pipe and as JSON, it is the same")
  func piped() throws {
    let file = try db.write("写信 ✉️\n👩‍👩‍👧 call\ne\u{301}te\u{301}\n", to: "a.txt")
    try db.succeed("import", file)
    let line = "'\(TodoDB.executable.path)' --db '\(db.database.path)' move --from 2 --to 0 | cat"
    let outcome = try db.start(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line], environment: ["PATH": "/usr/bin:/bin"])
    #expect(outcome.err.isEmpty)
    #expect(Array(outcome.out.utf8.dropFirst(8)) == Array("  Moved to 0 in Inbox: e\u{301}te\u{301}\n".utf8))
    let json = try TodoDB.json(db.succeed("move", "--from", "2", "--to", "1", "--json").out) as? [[String: Any]]
    #expect(json?.map { $0["title"] as? String } == ["👩‍👩‍👧 call"])
    #expect(json?.map { $0["index"] as? Int } == [1])
    #expect(try db.titles() == ["e\u{301}te\u{301}", "👩‍👩‍👧 call", "写信 ✉️"])
  }
}

@Suite("Places of todos that are added or edited")
struct PlaceTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test("add puts a todo at a number of its list")
  func add() throws {
    _ = try db.add("a", "--at", "0")
    _ = try db.add("b", "--at", "1")
    _ = try db.add("写信", "--at", "0")
    _ = try db.add("c", "--at", "2")
    _ = try db.add("elsewhere", "--list", "L", "--at", "0")
    #expect(try db.titles("--list", "Inbox") == ["写信", "a", "c", "b"])
    let id = try db.add("d")
    #expect(try db.todo(id)["index"] as? Int == 4)
    let json = try TodoDB.object(db.succeed("--json", "add", "e", "--at", "1").out)
    #expect(json["index"] as? Int == 1)
    #expect(try db.succeed("add", "f", "--at", "6").out.contains("Added to Inbox: f"))
  }

  @Test("a place that is none leaves no todo, no list and no file")
  func refused() throws {
    let outcome = try db.run("add", "a", "--at", "1")
    #expect(outcome.code == 1)
    #expect(outcome.err == "todo-db: --at is 1; in 'Inbox' it can only be 0\n")
    #expect(!FileManager.default.fileExists(atPath: db.database.path))
    _ = try db.add("a", "--at", "0")
    #expect(try db.refusal("add", "b", "--at", "2") == "todo-db: --at is 2; in 'Inbox' it can be 0 to 1\n")
    #expect(try db.refusal("add", "b", "--at", "1", "--list", "New").contains("in 'New' it can only be 0"))
    #expect(try db.succeed("check").out == "No problems: 1 todo, 1 list, 0 tags.\n")
  }

  @Test("a todo that is edited stays in its place, and one that goes to another list goes to its end")
  func edit() throws {
    let ids = try ["a", "b", "c"].map { try db.add($0) }
    _ = try db.add("x", "--list", "L", "--at", "0")
    _ = try db.add("y", "--list", "L", "--at", "0")
    try db.succeed("edit", ids[0], "--title", "A", "--list", "Inbox")
    #expect(try db.titles("--list", "Inbox") == ["A", "b", "c"])
    let json = try TodoDB.object(db.succeed("--json", "edit", ids[0], "--list", "L").out)
    #expect(json["index"] as? Int == 2)
    #expect(try db.titles("--list", "L") == ["y", "x", "A"])
    try db.succeed("edit", ids[1], "--list", "New")
    #expect(try db.titles() == ["c", "y", "x", "A", "b"])
    try db.succeed("done", ids[1])
    try db.succeed("reopen", ids[1])
    #expect(try db.todo(ids[1])["index"] as? Int == 0)
    let removed = try TodoDB.json(db.succeed("--json", "rm", ids[0]).out) as? [[String: Any]]
    #expect(removed?.first?["index"] as? Int == 2)
    #expect(try db.succeed("check").code == 0)
  }
}

@Suite("sort")
struct SortTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func add(_ title: String, _ options: String...) throws {
    let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "add", title] + options)
    #expect(outcome.code == 0)
  }

  @Test("what has no value comes last, ties stay in their order, and case does not count")
  func keys() throws {
    try add("b", "--due", "2026-10-09", "--priority", "low")
    try add("none")
    try add("a", "--due", "2026-10-08T10:00")
    try add("C", "--priority", "high")
    try add("also none")
    try add("d", "--due", "2026-10-08", "--priority", "high")
    try db.succeed("move", "--from", "4", "--to", "0")
    #expect(try db.succeed("sort", "--by", "due").out == "Sorted 1 list by due: 3 todos moved.\n")
    #expect(try db.titles() == ["d", "a", "b", "also none", "none", "C"])
    try db.succeed("sort", "--by", "priority")
    #expect(try db.titles() == ["d", "C", "b", "a", "also none", "none"])
    try db.succeed("sort", "--by", "title")
    #expect(try db.titles() == ["a", "also none", "b", "C", "d", "none"])
    #expect(try db.titles() == db.titles("--sort", "title"))
  }

  @Test("a list that is sorted is not written to")
  func sorted() throws {
    for title in ["b", "B", "a", "写", "🎉", "b"] { try add(title) }
    try db.succeed("sort", "--by", "title")
    let titles = try db.titles()
    #expect(titles == ["a", "b", "B", "b", "写", "🎉"])
    let bytes = try db.bytes()
    #expect(try db.succeed("sort", "--by", "title").out == "Sorted 1 list by title: no todo moved.\n")
    #expect(try db.succeed("sort", "--by", "due").out == "Sorted 1 list by due: no todo moved.\n")
    #expect(try db.bytes() == bytes)
    try db.succeed("move", "--from", "5", "--to", "0")
    let positions = try db.positions()
    #expect(try db.succeed("sort", "--by", "title").out == "Sorted 1 list by title: 1 todo moved.\n")
    #expect(try db.positions().filter { positions[$0.key] != $0.value }.map(\.key) == ["🎉"])
    #expect(try db.titles() == titles)
  }

  @Test("every list is sorted by itself, or the one that is named")
  func lists() throws {
    for title in ["b", "a"] { try add(title, "--list", "家") }
    for title in ["d", "c"] { try add(title, "--list", "L") }
    #expect(try db.succeed("sort", "--by", "title", "--list", "L").out == "Sorted L by title: 1 todo moved.\n")
    #expect(try db.titles() == ["b", "a", "c", "d"])
    let json = try TodoDB.object(db.succeed("--json", "sort", "--by", "title").out)
    #expect(json["by"] as? String == "title")
    #expect(json["moved"] as? Int == 1)
    let lists = try #require(json["lists"] as? [[String: Any]])
    #expect(lists.map { $0["list"] as? String } == ["家", "L"])
    #expect(lists.map { $0["moved"] as? Int } == [1, 0])
    #expect(try db.titles() == ["a", "b", "c", "d"])
    #expect(try db.refusal("sort", "--by", "due", "--list", "l").contains("there is no list 'l'; did you mean 'L'?"))
  }

  @Test("sorting is done once")
  func once() throws {
    for title in ["b", "a"] { try add(title) }
    try db.succeed("sort", "--by", "title")
    try add("0")
    #expect(try db.titles() == ["a", "b", "0"])
  }
}

@Suite("check and repair of the order")
struct RepairTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func kinds(_ key: String, _ outcome: TodoDB.Outcome) throws -> [String]? {
    (try TodoDB.object(outcome.out)[key] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
  }

  @Test("check names positions that are none and says how to put them right, and repair does")
  func repair() throws {
    for title in ["a", "b", "c", "写 🎉"] { _ = try db.add(title) }
    #expect(try kinds("repaired", db.succeed("check", "--json")) == nil)
    #expect(try kinds("repaired", db.succeed("check", "--repair", "--json")) == [])
    try db.changeFromOutside(
      "UPDATE todo SET position = 0", "UPDATE todo SET position = NULL WHERE title = 'b'",
      "UPDATE todo SET position = 'x' WHERE title = 'c'", "UPDATE todo_list SET position = NULL")
    let order = ["a", "写 🎉", "c", "b"]
    #expect(try db.titles() == order)
    let checked = try db.run("check")
    #expect(checked.code == 1)
    #expect(checked.lines.count == 4)
    #expect(
      checked.err
        == "todo-db: 4 problems in \(db.database.path); 'todo-db check --repair' puts them right; keep a copy of the "
        + "file before anything is repaired\n")
    let found = ["missingPosition", "duplicatePosition", "invalidPosition", "missingPosition"]
    #expect(try kinds("problems", db.run("check", "--json")) == found)
    let repaired = try db.succeed("check", "--repair")
    #expect(repaired.lines.dropLast() == checked.lines.map { "Put right: \($0)" }[...])
    #expect(repaired.lines.last == "No problems: 4 todos, 1 list, 0 tags.")
    #expect(try db.titles() == order)
    #expect(try db.succeed("check").code == 0)
  }

  @Test("as JSON, what was put right is named beside what is left")
  func json() throws {
    for title in ["a", "b"] { _ = try db.add(title) }
    try db.changeFromOutside(
      "UPDATE todo SET position = 0", "UPDATE todo SET title = 'x' || char(0) WHERE title = 'a'")
    let checked = try db.run("check")
    #expect(
      checked.err.contains("2 problems in \(db.database.path); 'todo-db check --repair' puts 1 of them right; keep"))
    let outcome = try db.run("check", "--repair", "--json")
    #expect(outcome.code == 1)
    #expect(try kinds("repaired", outcome) == ["duplicatePosition"])
    #expect(try kinds("problems", outcome) == ["nulInText"])
    #expect(outcome.err.contains("1 problem in \(db.database.path); keep a copy"))
  }

  @Test("a damaged file is not repaired")
  func damaged() throws {
    let lines = (0..<400).map { "task \($0) \(String(repeating: "x", count: 200))\n" }.joined()
    try db.succeed("import", try db.write(lines, to: "a.txt"))
    let bytes = try db.bytes()
    try bytes.prefix(bytes.count / 2).write(to: db.database)
    let outcome = try db.run("check", "--repair", "--json")
    #expect(outcome.code == 1)
    #expect(try kinds("problems", outcome) == ["damage"])
    #expect(try kinds("repaired", outcome) == [])
  }

  @Test("opening says once, on standard error, that rows were given places", arguments: ["list", "add", "check"])
  func adoption(command: String) throws {
    for title in ["a", "b", "c"] { _ = try db.add(title) }
    try db.changeFromOutside(
      "DROP INDEX roster_order_todo", "UPDATE todo SET position = NULL",
      "UPDATE todo SET position = 5 WHERE title = 'c'")
    let words = command == "add" ? ["add", "d"] : [command]
    let outcome = try db.start(TodoDB.executable, ["--db", db.database.path] + words)
    #expect(outcome.code == 0)
    #expect(outcome.err == "todo-db: gave 2 todos a place in their lists\n")
    #expect(!outcome.out.contains("a place in"))
    #expect(try db.titles() == ["c", "a", "b"] + (command == "add" ? ["d"] : []))
    #expect(try db.succeed("list").err.isEmpty)
    try db.changeFromOutside(
      "DROP INDEX roster_order_todo", "DROP INDEX roster_order_todo_list", "UPDATE todo SET position = NULL",
      "UPDATE todo_list SET position = NULL")
    let both = try db.run("list", "--json")
    #expect(both.err.hasPrefix("todo-db: gave 1 list a place and "))
    #expect(try TodoDB.json(both.out) is [Any])
  }
}
