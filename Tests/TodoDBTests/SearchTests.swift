import Foundation
import Roster
import Testing
import TodoModel

@testable import todo_db

@Suite("search and suggest")
struct SearchTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  /// What is found, as JSON.
  private func found(_ words: String..., code: Int32 = 0) throws -> [[String: Any]] {
    let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "search", "--json"] + words)
    #expect(outcome.code == code, "\(outcome)")
    return try #require(try TodoDB.json(outcome.out) as? [[String: Any]], "\(outcome)")
  }

  private func titles(_ todos: [[String: Any]]) -> [String] { todos.compactMap { $0["title"] as? String } }

  @Test("piped, what is found is a table, the best first, with a line below where the note has it")
  func piped() throws {
    _ = try db.add("Print the article", "--list", "Work", "--note", "ask\nabout 布局 first")
    _ = try db.add("修改第三章的布局 🧪", "--list", "书", "--priority", "high")
    _ = try db.add("Buy milk")
    let outcome = try db.succeed("search", "布局")
    #expect(
      outcome.lines.map { $0.hasPrefix(" ") ? $0 : String($0.dropFirst(8)) } == [
        "    PRIORITY  TITLE                DUE  LIST  TAGS",
        "    high      修改第三章的布局 🧪       书",
        "              Print the article         Work",
        "          ask about 布局 first",
      ])
    #expect(!outcome.out.contains("\u{1B}"))
  }

  @Test("all of the words are wanted, in any case, of title and note, by any part of them, from one character on")
  func words() throws {
    _ = try db.add("Prune the Roses", "--list", "Garden")
    _ = try db.add("Roses for Zoë", "--note", "the red ones", "--list", "Shop")
    let done = try db.add("Water the roses", "--list", "Garden")
    try db.succeed("done", done)
    #expect(try titles(found("ROSES", "the")).sorted() == ["Prune the Roses", "Roses for Zoë", "Water the roses"])
    #expect(try titles(found("red rose")) == ["Roses for Zoë"])
    #expect(try titles(found("ë")) == ["Roses for Zoë"])
    #expect(try titles(found("--phrases", "\"the roses\"", "--open")) == ["Prune the Roses"])
    #expect(try titles(found("roses", "--list", "Garden", "--done")) == ["Water the roses"])
    #expect(try titles(found("\"the roses\"")) == [])
    #expect(try titles(found("a* OR b -c")) == [])
    #expect(try titles(found(" \t")) == ["Prune the Roses", "Roses for Zoë", "Water the roses"])
  }

  @Test("where more are found than shown, and where none is, that is said on standard error")
  func limits() throws {
    try db.succeed("import", try db.write((0..<45).map { "todo \($0)\n" }.joined(), to: "a.txt"))
    let first = try db.run("search", "todo")
    #expect(first.code == 0 && first.lines.count == 21)
    #expect(first.err == "todo-db: 20 of 45 todos\n")
    let json = try db.run("search", "todo", "--limit", "1", "--json")
    #expect(json.err == "todo-db: 1 of 45 todos\n")
    #expect(try db.succeed("search", "todo", "--limit", "45").lines.count == 46)
    #expect(try db.run("search", "", "--limit", "2").err == "todo-db: 2 of 45 todos\n")
    let none = try db.run("search", "milk")
    #expect(none.code == 0 && none.out.isEmpty && none.err == "todo-db: no todos found\n")
    #expect(try db.succeed("search", "milk", "--json").out == "[]\n")
    let wrong = try db.run("search", "todo", "--limit", "0")
    #expect(wrong.code == 2 && wrong.err.hasPrefix("todo-db: --limit is '0'; it must be a whole number from 1 on\n"))
    try db.succeed("add", "x", "--list", "Wedding")
    #expect(try db.refusal("search", "x", "--list", "weding").contains("did you mean 'Wedding'?"))
  }

  @Test("JSON is that of list, with the places in title and note, by their scalars")
  func json() throws {
    // A family is five scalars and one character, é here two.
    _ = try db.add("👩‍👩‍👧 cafe\u{301} 布局, 布", "--tag", "t", "--note", String(repeating: "so it goes ", count: 20) + "e布b")
    _ = try db.add("first")
    let todos = try found("布")
    #expect(todos.count == 1)
    var todo = try #require(todos.first)
    #expect(todo["highlights"] as? [[Int]] == [[12, 1], [16, 1]])
    let snippet = try #require(todo["snippet"] as? [String: Any])
    let text = try #require(snippet["text"] as? String)
    #expect(text.hasSuffix(" e布b") && text.count <= 60)
    #expect(snippet["highlights"] as? [[Int]] == [[text.count - 2, 1]])
    (todo["highlights"], todo["snippet"]) = (nil, nil)
    #expect(todo as NSDictionary == (try db.todos().first as NSDictionary?))
    #expect(try found("e").first?["highlights"] as? [[Int]] == [[9, 2]])
    #expect(try found("first").first?["snippet"] is NSNull)
    #expect(try found("").allSatisfy { $0["highlights"] as? [[Int]] == [] && $0["snippet"] is NSNull })
  }

  @Test("a row that cannot be read is left out and told of, and the others are found")
  func unreadable() throws {
    for title in ["tea a", "tea b", "tea c", "milk"] { try db.succeed("add", title) }
    try db.changeFromOutside("UPDATE todo SET due = 'soon' WHERE title IN ('tea b', 'milk')")
    let outcome = try db.run("search", "tea")
    #expect(outcome.code == 1 && outcome.lines.count == 3)
    #expect(outcome.err == "todo-db: 1 todo cannot be read and is left out; 'todo-db check' says why\n")
    #expect(try titles(found("tea", "--limit", "1")) == ["tea c"])
    #expect(try titles(found("tea", "--limit", "2", code: 1)) == ["tea c", "tea a"])
    let listed = try db.run("list", "--search", "tea")
    #expect(listed.code == 1 && listed.lines.map { $0.prefix(1) } == ["#", "0", "2"])
  }

  @Test("what another program writes by plain SQL is found by the next search", .enabled(if: Python.isThere))
  func python() throws {
    let id = try db.add("a")
    try Python.execute(
      """
      INSERT INTO todo (id, list_id, title, note, is_done, due_has_time)
      SELECT ?, list_id, ?, '', 0, 0 FROM todo LIMIT 1
      """, "00000000-0000-4000-8000-000000000001", "从别处写 SwiftUI 布局", on: db.database)
    try Python.execute("UPDATE todo SET note = ? WHERE id = ?", "界面的布局", id, on: db.database)
    #expect(try titles(found("布局")) == ["从别处写 SwiftUI 布局", "a"])
    #expect(try titles(found("别")) == ["从别处写 SwiftUI 布局"])
    try Python.execute("DELETE FROM todo WHERE id = ?", id, on: db.database)
    #expect(try titles(found("布局")) == ["从别处写 SwiftUI 布局"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: db.folder.path) == ["t.db"])
  }

  @Test("suggest completes titles with the number of todos that have them, those that begin so first")
  func suggest() throws {
    for title in ["Buy milk", "buy milk", "Buy bread", "Call about Buy", "学习布局"] { _ = try db.add(title) }
    #expect(
      try db.succeed("suggest", "buy").lines
        == ["TODOS  TITLE", "    2  buy milk", "    1  Buy bread", "    1  Call about Buy"])
    #expect(
      try db.succeed("suggest", "布", "--json").out == "[{\"title\": \"学习布局\", \"count\": 1}]\n")
    #expect(try db.succeed("suggest", "buy m", "--limit", "1").lines == ["TODOS  TITLE", "    2  buy milk"])
    let none = try db.run("suggest", "x\u{1B}")
    #expect(none.code == 0 && none.out.isEmpty && none.err == "todo-db: no title has 'x␛' in it\n")
    #expect(try db.succeed("suggest", "zzz", "--json").out == "[]\n")
    #expect(try db.run("suggest", "b", "--limit", "x").code == 2)
    #expect(try db.run("suggest", "").err.hasPrefix("todo-db: PREFIX is blank\n"))
  }

  @Test("a listing of what is found keeps its order, its other filters and the numbers that a move takes")
  func listed() throws {
    for title in ["tea a", "milk", "tea b", "tea c", "bread"] { _ = try db.add(title, "--list", "L") }
    _ = try db.add("tea d", "--list", "M")
    let done = try #require(try db.todos("--search", "tea a").first?["id"] as? String)
    func shown(_ options: String...) throws -> [String] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "list", "--json"] + options)
      return try #require(try TodoDB.json(outcome.out) as? [[String: Any]]).map {
        "\(($0["index"] as? Int).map(String.init) ?? "-") \($0["title"] as? String ?? "")"
      }
    }
    #expect(try shown("--search", "TEA") == ["0 tea a", "2 tea b", "3 tea c", "0 tea d"])
    #expect(try shown("--search", "tea", "--list", "L", "--limit", "2") == ["0 tea a", "2 tea b"])
    #expect(try shown("--search", "tea", "--sort", "title", "--limit", "3") == ["- tea a", "- tea b", "- tea c"])
    try db.succeed("move", "--list", "L", "--from", "3", "--to", "0")
    #expect(try shown("--search", "tea", "--list", "L") == ["0 tea c", "1 tea a", "3 tea b"])
    try db.succeed("done", done)
    #expect(try shown("--search", "tea", "--list", "L", "--open") == ["0 tea c", "2 tea b"])
    try db.succeed("move", "--list", "L", "--open", "--from", "2", "--to", "0")
    #expect(try shown("--search", "tea", "--open") == ["0 tea b", "1 tea c", "0 tea d"])
    #expect(try shown("--search", " ").count == 6)
    #expect(try db.run("list", "--search", "zzz").err == "todo-db: no todos to list\n")
  }
}
