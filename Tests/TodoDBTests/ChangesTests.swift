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

@Suite("changes")
struct ChangesTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func changes(_ options: String...) throws -> [String: Any] {
    try TodoDB.object(db.start(TodoDB.executable, ["--db", db.database.path, "--json", "changes"] + options).out)
  }

  /// The changes of an object, each as its kind, table and title.
  private func told(_ object: [String: Any]) throws -> [String] {
    try #require(object["changes"] as? [[String: Any]]).map { change in
      [change["kind"], change["table"], change["title"]].map { $0 as? String ?? "-" }.joined(separator: " ")
    }
  }

  @Test("one line tells what became of a record, and the last one where to go on")
  func lines() throws {
    let id = try db.add("买牛奶 🥛", "--list", "Garden", "--tag", "home")
    #expect(
      try db.succeed("changes").lines.map { line in
        line.split(separator: " ").enumerated().map { $0 == 3 && $1.count == 8 ? "id" : String($1) }.joined(
          separator: " ")
      } == [
        "SEQ CHANGE TABLE ID TITLE", "1 insert todo_list id Garden", "2 insert todo id 买牛奶 🥛", "3 insert tag id home",
        "4 insert todo_tag 1", "Go on with --since 4",
      ])
    try db.succeed("done", id)
    try db.succeed("add", "b", "--list", "Garden")
    try db.succeed("move", id, "--end")
    #expect(
      try db.succeed("changes", "--since", "4").lines.dropFirst().first
        == "     6  insert  todo       \(try db.todos()[0]["id"] as? String ?? "")".prefix(35) + "  b")
    #expect(try told(changes("--since", "4")) == ["insert todo b", "update todo 买牛奶 🥛"])
    #expect(try told(changes("--since", "6")) == ["move todo 买牛奶 🥛"])
    try db.succeed("rm", id)
    #expect(try told(changes("--since", "7")) == ["delete todo_tag -", "delete todo -"])
    #expect(try told(changes()) == ["insert todo_list Garden", "insert tag home", "insert todo b"])
  }

  @Test("JSON is one document with the same keys, and since goes on from it")
  func json() throws {
    let id = try db.add("\"quoted\"\u{1B}[31m")
    try db.changeFromOutside("INSERT INTO todo_tag (todo_id, tag_id) VALUES ('\(id)', 'x')")
    let all = try changes()
    #expect(all.keys.sorted() == ["changes", "reset", "since"])
    #expect(all["reset"] as? Bool == false && all["since"] as? Int == 3)
    let list = try #require(all["changes"] as? [[String: Any]])
    for change in list { #expect(change.keys.sorted() == ["id", "kind", "seq", "table", "title"]) }
    #expect(list[1]["id"] as? String == id && list[1]["seq"] as? Int == 2)
    #expect(list[1]["title"] as? String == "\"quoted\"\u{1B}[31m")
    #expect(list[2]["id"] as? Int == 1 && list[2]["title"] is NSNull)
    let none = try changes("--since", "3")
    #expect(try told(none) == [] && none["since"] as? Int == 3)
    let outcome = try db.run("changes", "--since", "3")
    #expect(outcome.code == 0 && outcome.out == "Go on with --since 3\n")
    #expect(outcome.err == "todo-db: no changes\n")
  }

  @Test("a log that was pruned says to read anew, and what it still holds")
  func pruned() throws {
    try db.succeed("init")
    var options = StoreOptions()
    options.changeLogLimit = 2
    let store = try Store(
      at: db.database, records: TodoModel.records, migrations: TodoModel.migrations, options: options)
    for name in ["a", "b", "c", "d", "e"] { try store.write { _ = try $0.insert(Tag(name: name)) } }
    try store.close()
    let all = try changes()
    #expect(all["reset"] as? Bool == true && all["since"] as? Int == 5)
    let told = try told(all)
    #expect(told == ["c", "d", "e"].suffix(told.count).map { "insert tag \($0)" } && !told.isEmpty)
    let start = 5 - told.count
    #expect(
      try db.succeed("changes").lines.first
        == "Reset: the log reaches back to \(start) only. Read the database anew; what follows is what it tells.")
    let reset = try changes("--since", "1")
    #expect(reset["reset"] as? Bool == true && reset["since"] as? Int == 5)
    #expect(try self.told(reset) == [])
    #expect(
      try db.run("changes", "--since", "1").lines == [
        "Reset: the log does not tell all that happened since 1. Read the database anew.", "Go on with --since 5",
      ])
    #expect(try changes("--since", "\(start)")["reset"] as? Bool == false)
  }

  @Test("a number that the log has not come to is refused, and what is none")
  func numbers() throws {
    try db.succeed("add", "a")
    #expect(
      try db.refusal("changes", "--since", "3", "--follow")
        == "todo-db: --since is 3, and the log of changes has come to 2; the number may be of another database\n")
    for text in ["-1", "x", "", "1.5", "99999999999999999999"] {
      let outcome = try db.run("changes", "--since=\(text)")
      #expect(outcome.code == 2 && outcome.out.isEmpty)
      #expect(outcome.err.contains("--since is '\(text)'; it must be a whole number from 0 on"))
    }
  }

  @Test("a file without a log is refused where it can only be read, and else gets one")
  func noLog() throws {
    var options = StoreOptions()
    options.keepsChangeLog = false
    func open(_ more: [Migration] = []) throws {
      try Store(
        at: db.database, records: TodoModel.records, migrations: TodoModel.migrations + more, options: options
      ).close()
    }
    try open()
    #expect(try db.run("changes").out == "Go on with --since 0\n")
    try FileManager.default.removeItem(at: db.database)
    try open([Migration(number: 9000, name: "next", sql: "CREATE TABLE next (a);")])
    for follow in [[], ["--follow"]] {
      let tool = try RunningTool(TodoDB.executable, ["--db", db.database.path, "changes"] + follow, in: db.folder)
      let (out, code) = try tool.end()
      #expect(out.isEmpty && code == 1)
    }
    #expect(try db.refusal("changes").contains("keeps no log of changes, and can only be read here"))
  }

  @Test(
    "another program's write arrives as a line of its own, at once",
    .enabled(if: Python.isThere, "python3 with its module sqlite3 is not installed"))
  func python() throws {
    let id = try db.add("a")
    let tool = try RunningTool(db, "changes", "--follow", "--json")
    #expect(try told(TodoDB.object(tool.line(with: id))) == ["insert todo_list Inbox", "insert todo a"])
    try Python.execute("UPDATE todo SET title = ? WHERE id = ?", "从别处 🐍", id, on: db.database)
    let line = try TodoDB.object(tool.line(with: "从别处"))
    let change = try #require((line["changes"] as? [[String: Any]])?.first)
    #expect(change["id"] as? String == id && change["kind"] as? String == "update")
    #expect(line["since"] as? Int == 3 && line["reset"] as? Bool == false)
    let (out, code) = try tool.end(by: SIGTERM)
    #expect(code == 0)
    #expect(out.split(separator: "\n").count == 2)
    #expect(try told(changes("--since", "3")) == [])
  }

  @Test("followed changes are printed as they come, and the end says where to go on", arguments: [SIGTERM, SIGINT])
  func follow(signal: Int32) throws {
    let id = try db.add("a").prefix(8)
    let tool = try RunningTool(db, "changes", "--since", "2", "--follow")
    try db.succeed("done", String(id))
    _ = try tool.line(with: "     3  update  todo       \(id)  a")
    try db.succeed("rm", String(id))
    _ = try tool.line(with: "     4  delete  todo       \(id)")
    let (out, code) = try tool.end(by: signal)
    #expect(code == (signal == SIGINT ? 130 : 0))
    #expect(
      out.split(separator: "\n") == [
        "   SEQ  CHANGE  TABLE      ID        TITLE", "     3  update  todo       \(id)  a",
        "     4  delete  todo       \(id)", "Go on with --since 4",
      ])
    // It closed the database.
    #expect(try FileManager.default.contentsOfDirectory(atPath: db.folder.path) == ["t.db"])
  }

  @Test("a follower ends when nobody reads it any more, though nothing happens", arguments: ["", "--json"])
  func head(option: String) throws {
    try db.succeed("add", "a")
    let line = "'\(TodoDB.executable.path)' --db '\(db.database.path)' changes --follow \(option) | head -1"
    let shell = try RunningTool(URL(fileURLWithPath: "/bin/sh"), ["-c", line + "; echo end"], in: db.folder)
    let (out, code) = try shell.end()
    #expect(code == 0)
    #expect(out.split(separator: "\n").count == 2 && out.hasSuffix("\nend\n"))
  }
}
