import Foundation
import Roster
import Testing
import TodoModel

@testable import todo_db

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("watch")
struct WatchTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test("piped, it prints the list and then a line for each thing that happens", arguments: [SIGTERM, SIGINT])
  func events(signal: Int32) throws {
    let ids = try ["a", "b", "c"].map { try db.add($0, "--list", "L").prefix(8) }.map(String.init)
    let listed = try db.succeed("list").out
    let tool = try RunningTool(db, "watch", "--list", "L")
    _ = try tool.line(with: ids[2])
    let new = try db.add("订花 🌸\u{1B}", "--list", "L", "--at", "1").prefix(8)
    _ = try tool.line(with: "+ 1  \(new)  订花 🌸␛")
    try db.succeed("move", ids[0], "--end")
    _ = try tool.line(with: "> 0 to 3  \(ids[0])  a")
    try db.succeed("done", ids[1])
    _ = try tool.line(with: "~ 1  \(ids[1])  b")
    try db.succeed("rm", ids[2])
    _ = try tool.line(with: "- 2  \(ids[2])  c")
    try db.succeed("add", "elsewhere", "--list", "M")
    try db.succeed("edit", ids[1], "--list", "M")
    _ = try tool.line(with: "- 1  \(ids[1])  b")
    let (out, code) = try tool.end(by: signal)
    #expect(code == (signal == SIGINT ? 130 : 0))
    #expect(out.hasPrefix(listed))
    #expect(out.dropFirst(listed.count).split(separator: "\n").count == 5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: db.folder.path) == ["t.db"])
  }

  @Test("all lists come in their order, and an event says which one it is of")
  func allLists() throws {
    for (title, list) in [("a", "Z"), ("b", "家"), ("c", "Z"), ("d", "A"), ("e", "家")] {
      try db.succeed("add", title, "--list", list)
    }
    let listed = try db.succeed("list").out
    let tool = try RunningTool(db, "watch")
    _ = try tool.line(with: "  d ")
    let id = try db.add("f", "--list", "A").prefix(8)
    _ = try tool.line(with: "+ 1  \(id)  f  (A)")
    try db.succeed("edit", String(id), "--list", "家")
    _ = try tool.line(with: "> 1 to 2  \(id)  f  (家)")
    let (out, _) = try tool.end(by: SIGTERM)
    #expect(out.hasPrefix(listed))
  }

  @Test(
    "another program's write arrives, also where only some todos are shown",
    .enabled(if: Python.isThere, "python3 with its module sqlite3 is not installed"))
  func python() throws {
    let id = try db.add("a")
    let tool = try RunningTool(db, "watch", "--open")
    _ = try tool.line(with: id.prefix(8) + " ")
    try Python.execute("UPDATE todo SET is_done = 1 WHERE id = ?", id, on: db.database)
    _ = try tool.line(with: "- 0  \(id.prefix(8))  a  (Inbox)")
    try Python.execute("UPDATE todo SET is_done = 0, title = ? WHERE id = ?", "从别处", id, on: db.database)
    _ = try tool.line(with: "+ 0  \(id.prefix(8))  从别处  (Inbox)")
    #expect(try tool.end(by: SIGTERM).1 == 0)
  }

  @Test("what is looked for comes and goes by what its texts say, without numbers of a list that is not shown")
  func search() throws {
    _ = try db.add("milk", "--list", "L")
    let id = try db.add("茶 tea", "--list", "L").prefix(8)
    let terminal = try PseudoTerminal(width: 60, height: 5)
    let screen = try RunningTool(db, "watch", "--search", "tea", on: terminal, isColoured: true)
    try screen.expect { $0.contains("All lists, 'tea': 1 todo, 0 done") && $0.contains("茶 \u{1B}[1;4mtea\u{1B}[0m") }
    let (tool, json) = (
      try RunningTool(db, "watch", "--search", "TEA", "--list", "L"),
      try RunningTool(db, "watch", "--search", "tea", "--json")
    )
    #expect(try tool.line(with: "TITLE").hasPrefix("ID "))
    #expect(try tool.line(with: "茶").hasPrefix("\(id) "))
    let first = try TodoDB.object(json.line(with: "\"todos\""))
    #expect((first["todos"] as? [[String: Any]])?.map { $0["index"] is NSNull } == [true])
    let other = try db.add("coffee", "--list", "L").prefix(8)
    try db.succeed("edit", String(other), "--note", "no tea")
    _ = try tool.line(with: "+ \(other)  coffee")
    try screen.expect { $0.contains("2 todos, 0 done") }
    try db.succeed("move", String(other), "--start")
    _ = try tool.line(with: "> \(other)  coffee")
    try db.succeed("edit", String(id), "--title", "茶")
    _ = try tool.line(with: "- \(id)  茶")
    let gone = try TodoDB.object(json.line(with: "delete"))
    #expect((gone["events"] as? [[String: Any]])?.first?["from"] as? Int == 1)
    for watching in [tool, json, screen] { #expect(try watching.end(by: SIGTERM).1 == 0) }
  }

  @Test("a row that cannot be read is told of, and does not end it")
  func unreadable() throws {
    let id = try db.add("a")
    let terminal = try PseudoTerminal(width: 200, height: 5)
    let (lines, screen) = (try RunningTool(db, "watch"), try RunningTool(db, "watch", on: terminal))
    _ = try lines.line(with: "  a ")
    try screen.expect { $0.contains("1 todo, 0 done") }
    try db.changeFromOutside("UPDATE todo SET due = 'soon' WHERE id = '\(id)'")
    try screen.expect { $0.contains("cannot be read") && $0.contains("'todo-db check' names it") }
    try db.changeFromOutside("UPDATE todo SET due = NULL, title = 'b' WHERE id = '\(id)'")
    _ = try lines.line(with: "~ 0  \(id.prefix(8))  b")
    try screen.expect { $0.contains("  b ") && $0.components(separatedBy: "1 todo, 0 done").count == 3 }
    #expect(try lines.end(by: SIGTERM).1 == 0)
    #expect(try screen.end(by: SIGTERM).1 == 0)
  }

  @Test("with JSON each line is an object: the list, then what happens")
  func json() throws {
    let id = try db.add("a", "--tag", "t")
    let tool = try RunningTool(db, "watch", "--json")
    let first = try TodoDB.object(tool.line(with: "\"todos\""))
    #expect(first["todos"] as? NSArray == (try db.todos() as NSArray))
    try db.succeed("done", id)
    let line = try TodoDB.object(tool.line(with: "\"events\""))
    let event = try #require((line["events"] as? [[String: Any]])?.first)
    #expect(event["kind"] as? String == "update" && event["from"] as? Int == 0 && event["to"] as? Int == 0)
    #expect(event["todo"] as? NSDictionary == (try db.todo(id) as NSDictionary))
    try db.succeed("rm", id)
    let last = try TodoDB.object(tool.line(with: "delete"))
    let gone = try #require((last["events"] as? [[String: Any]])?.first)
    #expect(gone["from"] as? Int == 0 && gone["to"] is NSNull)
    #expect((gone["todo"] as? [String: Any])?["title"] as? String == "a")
    #expect(try tool.end(by: SIGTERM).1 == 0)
  }

  @Test("on a terminal it draws the rows that change, and leaves the screen as it was")
  func screen() throws {
    let ids = try (0..<12).map { try db.add("todo \($0) 订花", "--list", "L") }
    let terminal = try PseudoTerminal(width: 60, height: 10)
    let tool = try RunningTool(db, "watch", on: terminal)
    func grid(_ printed: String, height: Int = 10) -> TerminalGrid {
      var grid = TerminalGrid(width: 60, height: height)
      grid.apply(printed)
      return grid
    }
    try tool.expect { grid($0).rows.last == "All lists: 12 todos, 0 done  (Ctrl-C ends)" }
    try tool.expect { grid($0).rows[8] == "5 more" && grid($0).rows[7].contains("todo 6 订花") }
    try tool.expect { grid($0).isOnOtherScreen && !grid($0).hasCursor && grid($0).drawn.count == 10 }
    try db.succeed("done", ids[3])
    try tool.expect { grid($0).rows[4].contains("✓") && grid($0).rows.last?.contains("1 done") == true }
    try tool.expect { grid($0).drawn.dropFirst(10) == [4, 9] }
    // A tag is none of the todo's own columns.
    try db.succeed("edit", ids[0], "--tag", "家")
    try tool.expect { grid($0).rows[1].hasSuffix("L     家") }
    let (out, code) = try tool.end(by: SIGTERM)
    #expect(code == 0)
    #expect(grid(out).faults == [] && !grid(out).isOnOtherScreen && grid(out).hasCursor)
  }

  @Test("it ends when nobody reads it any more, though nothing happens", arguments: ["", "--json"])
  func head(option: String) throws {
    try db.succeed("add", "a")
    let line = "'\(TodoDB.executable.path)' --db '\(db.database.path)' watch \(option) | head -1; echo end"
    let (out, code) = try RunningTool(URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: db.folder).end()
    #expect(code == 0)
    #expect(out.split(separator: "\n").count == 2 && out.hasSuffix("\nend\n"))
  }

  @Test("what there is nothing to watch of is refused")
  func refused() throws {
    for (arguments, message) in [
      (["watch"], "there is no database at"), (["watch", "--json"], "there is no database at"),
    ] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path] + arguments)
      #expect(outcome.code == 1 && outcome.out.isEmpty && outcome.err.contains(message))
    }
    try db.succeed("add", "a", "--list", "Wedding")
    #expect(try db.refusal("watch", "--list", "wedin").contains("did you mean 'Wedding'?"))
  }

  @Test("a database without a log is watched where it can only be read")
  func noLog() throws {
    var options = StoreOptions()
    options.keepsChangeLog = false
    let next = Migration(number: 9000, name: "next", sql: "CREATE TABLE next (a);")
    let store = try Store(
      at: db.database, records: TodoModel.records, migrations: TodoModel.migrations + [next], options: options)
    let list = TodoList(name: "L")
    try store.write { tx in
      try tx.insert(list)
      try tx.insert(Todo(listID: list.id, title: "tea"))
    }
    let tool = try RunningTool(db, "watch", "--list", "L")
    _ = try tool.line(with: "  tea ")
    // No title that an id could begin with.
    try store.write { try $0.insert(Todo(listID: list.id, title: "milk")) }
    #expect(try tool.line(with: "  milk").hasPrefix("+ 1  "))
    #expect(try tool.end(by: SIGTERM).1 == 0)
  }
}
