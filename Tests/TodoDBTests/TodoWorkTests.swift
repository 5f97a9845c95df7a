import Foundation
import Testing

@testable import Roster
@testable import todo_db

@Suite("The screens' work from the terminal")
struct TodoWorkTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func objects(_ arguments: String...) throws -> [[String: Any]] {
    let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "--json"] + arguments)
    #expect(outcome.code == 0, "\(outcome)")
    return try #require(try TodoDB.json(outcome.out) as? [[String: Any]], "\(outcome)")
  }

  @Test("sections by state have both headings with their counts, and priorities by rank in each")
  func states() throws {
    for (title, priority) in [("low", "low"), ("高", "high"), ("mid", "medium")] {
      _ = try db.add(title, "--priority", priority)
    }
    try db.succeed("done", try db.add("plain 🌸"))
    let lines = try db.succeed("list", "--sections", "state", "--sort", "priority").out.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { $0.split(separator: " ").dropFirst($0.contains("(") ? 0 : 1).joined(separator: " ") }
    #expect(
      lines == [
        "PRIORITY TITLE DUE LIST TAGS", "", "Open (3)", "high 高 Inbox", "medium mid Inbox", "low low Inbox", "",
        "Done (1)", "✓ plain 🌸 Inbox", "",
      ])
    try db.succeed("clear-done", "--yes")
    #expect(try db.succeed("list", "--sections", "state").out.contains("Done (0)\n"))
    #expect(try !db.succeed("list", "--sections", "state", "--open").out.contains("Done"))
  }

  @Test("sections are JSON with all of a section counted, whatever the limit")
  func json() throws {
    for title in ["a", "b", "c"] { _ = try db.add(title, "--priority", "high", "--list", "家") }
    _ = try db.add("d")
    func shown(_ key: String) throws -> [String] {
      try objects("list", "--sections", key, "--limit", "2").map { section in
        let todos = try #require(section["todos"] as? [[String: Any]])
        let titles = todos.compactMap { $0["title"] as? String }
        return "\(section["section"] as? String ?? "-") \(section["count"] ?? "") \(titles.joined())"
      }
    }
    #expect(try shown("priority") == ["high 3 ab", "- 1 d"])
    #expect(try shown("list") == ["家 3 ab", "Inbox 1 d"])
    #expect(try shown("state") == ["open 4 ab", "done 0 "])
    #expect(try db.succeed("list", "--sections", "list", "--limit", "2").out.contains("\n家 (2 of 3)\n"))
  }

  @Test("numbers under sections are those that move takes")
  func numbers() throws {
    let ids = try ["a", "b", "c"].map { try db.add($0) }
    try db.succeed("done", ids[0])
    let lines = try db.succeed("list", "--sections", "state").lines.filter { $0.first?.isNumber == true }
    #expect(lines.map { $0.prefix(1) } == ["1", "2", "0"])
  }

  @Test("all of a list are done at once, and open again, and nothing of another list is")
  func all() throws {
    for (title, list) in [("a", "X"), ("b", "X"), ("c", "Y")] { _ = try db.add(title, "--list", list) }
    #expect(try db.succeed("done", "--all", "--list", "X").out == "Done in X: 2 todos.\n")
    #expect(try db.titles("--open") == ["c"])
    let completed = try db.todos().compactMap { $0["completed"] as? String }
    #expect(completed.count == 2)
    #expect(try db.succeed("done", "--all", "--list", "X").out == "No todo in X was open.\n")
    #expect(try objects("done", "--all").compactMap { $0["title"] as? String } == ["c"])
    #expect(try db.todos().compactMap { $0["completed"] as? String }.filter(completed.contains).count >= 2)
    #expect(try db.succeed("reopen", "--all").out == "Open again: 3 todos.\n")
    #expect(try db.titles("--done") == [])
    for line in [["done"], ["done", "--all", "3f"], ["done", "3f", "--list", "X"]] {
      #expect(try db.start(TodoDB.executable, ["--db", db.database.path] + line).code == 2)
    }
    #expect(try db.run("done", "--all", "--list", "Z").err.contains("there is no list 'Z'"))
  }

  @Test("clear-done deletes what is done and nothing else, and asks before it does")
  func clear() throws {
    for (title, list) in [("a", "X"), ("b", "X"), ("c", "Y"), ("d", "Y")] {
      let id = try db.add(title, "--list", list)
      if title != "b" { try db.succeed("done", id) }
    }
    let refused = try db.run("clear-done")
    #expect(refused.code == 1 && refused.err.contains("Delete 3 done todos? This can't be undone. Say so with --yes"))
    #expect(try db.titles().count == 4)
    #expect(try db.succeed("clear-done", "--list", "X", "--yes").out == "Removed in X: 1 done todo.\n")
    let removed = try objects("clear-done", "--yes")
    #expect(removed.compactMap { $0["title"] as? String } == ["c", "d"])
    #expect(try db.titles() == ["b"])
    // Where there is nothing to delete, there is nothing to ask.
    #expect(try db.succeed("clear-done").out == "No todo is done.\n")
  }

  @Test(
    "on a terminal it asks, and only y and yes are an answer",
    arguments: ["y\n", "YES\n", "n\n", "\n", "yo\n", "\u{4}"])
  func asking(answer: String) throws {
    try db.succeed("done", try db.add("a"))
    let terminal = try PseudoTerminal(width: 80, height: 24)
    let tool = try RunningTool(db, "clear-done", on: terminal)
    try tool.expect { $0.contains("Delete 1 done todo? This can't be undone. [y/N] ") }
    try terminal.type(answer)
    let (printed, code) = try tool.end()
    let isYes = answer.lowercased().hasPrefix("y\n") || answer.lowercased().hasPrefix("yes")
    #expect(code == (isYes ? 0 : 1))
    #expect(printed.contains(isYes ? "Removed: 1 done todo." : "nothing was deleted"))
    #expect(try db.titles() == (isYes ? [] : ["a"]))
  }

  @Test("lists are shown in their order with their counts, made, renamed, moved and removed")
  func lists() throws {
    try db.succeed("done", try db.add("a", "--list", "X"))
    _ = try db.add("b", "--list", "X")
    func shown(_ arguments: [String] = []) throws -> [String] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "--json", "lists"] + arguments)
      #expect(outcome.code == 0, "\(outcome)")
      let lists = try #require(try TodoDB.json(outcome.out) as? [[String: Any]])
      #expect(lists.compactMap { $0["index"] as? Int } == Array(lists.indices))
      return lists.map { "\($0["name"] ?? "") \($0["open"] ?? "")/\($0["done"] ?? "")" }
    }
    #expect(try shown() == ["X 1/1"])
    #expect(try shown(["add", "家"]) == ["X 1/1", "家 0/0"])
    #expect(try shown(["add", " 最初 ", "--to", "0"]) == ["最初 0/0", "X 1/1", "家 0/0"])
    #expect(try shown(["move", "家", "--before", "X"]) == ["最初 0/0", "家 0/0", "X 1/1"])
    #expect(try shown(["move", "最初", "--end"]) == ["家 0/0", "X 1/1", "最初 0/0"])
    #expect(try shown(["move", "最初", "--to", "1"]) == ["家 0/0", "最初 0/0", "X 1/1"])
    #expect(try shown(["rename", "X", "Ex libris"]) == ["家 0/0", "最初 0/0", "Ex libris 1/1"])
    #expect(try shown(["rm", "家"]) == ["最初 0/0", "Ex libris 1/1"])
    let before = try db.succeed("list", "--json").out
    for (line, message) in [
      (["add", "最初"], "there is a list '最初' already"), (["rename", "最初", "Ex libris"], "already"),
      (["rename", "ex libri", "y"], "did you mean 'Ex libris'?"), (["move", "最初", "--to", "2"], "it can be 0 to 1"),
      (["add", "new", "--to", "3"], "it can be 0 to 2"), (["rm", "Ex libris"], "Say so with --yes"),
    ] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "lists"] + line)
      #expect(outcome.code == 1 && outcome.err.contains(message), "\(line): \(outcome)")
    }
    for line in [
      ["add"], ["add", "a", "b"], ["rename", "a"], ["move", "a"], ["move", "a", "--start", "--end"], ["--to", "1"],
      ["rm", "a", "--to", "1"], ["add", "a", "--start"], ["frob"], ["add", " "],
    ] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "lists"] + line)
      #expect(outcome.code == (line == ["add", " "] ? 1 : 2), "\(line): \(outcome)")
    }
    #expect(try db.succeed("list", "--json").out == before)
    try db.succeed("lists", "rm", "Ex libris", "--yes")
    #expect(try db.titles() == [])
    #expect(try db.run("check").code == 0)
    try db.succeed("lists", "rename", "最初", "最初")
    #expect(try db.succeed("lists").out == "#  NAME  OPEN  DONE\n0  最初     0     0\n")
  }

  @Test("tags are counted, renamed and taken away")
  func tags() throws {
    try db.succeed("done", try db.add("a", "--tag", "z", "--tag", "家"))
    _ = try db.add("b", "--tag", "z")
    func shown(_ arguments: String...) throws -> [String] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "--json", "tags"] + arguments)
      let tags = try #require(try TodoDB.json(outcome.out) as? [[String: Any]], "\(outcome)")
      return tags.map { "\($0["name"] ?? "") \($0["open"] ?? "")/\($0["done"] ?? "")" }
    }
    #expect(try shown() == ["z 1/1", "家 0/1"])
    #expect(try shown("rename", "z", "a b") == ["a b 1/1", "家 0/1"])
    #expect(try db.run("tags", "rename", "家", "a b").err.contains("there is a tag 'a b' already"))
    #expect(try db.run("tags", "rm", "a c").err.contains("did you mean 'a b'?"))
    #expect(try shown("rm", "a b") == ["家 0/1"])
    #expect(try db.titles() == ["a", "b"])
    #expect(try db.start(TodoDB.executable, ["tags", "rm"]).code == 2)
  }

  @Test("a date that is typed as a distance is told as it was understood")
  func echoes() throws {
    let environment = ["TZ": "UTC"]
    let line = ["--db", db.database.path, "add", "a", "--due", "2026-12-04"]
    let added = try db.start(TodoDB.executable, line, environment: environment).out
    #expect(added.contains("  Added to Inbox, due Fri 2026-12-04: a\n"))
    let id = try #require(added.split(separator: " ").first.map(String.init))
    let edited = try db.start(
      TodoDB.executable, ["--db", db.database.path, "edit", id, "--due", "tomorrow"], environment: environment)
    let today = CalendarDay(of: Date(), in: .gmt)
    let days = [today, today.adding(days: 1)].compactMap {
      $0.due.flatMap { CalendarDay(of: $0.date, in: .gmt).adding(days: 1).due }
    }
    #expect(days.contains { edited.out.contains("Changed, due \($0.displayWithWeekday ?? ""): a") }, "\(edited)")
    #expect(try db.succeed("edit", id, "--due", "none").out.contains("Changed: a"))
    let refused = try db.run("add", "b", "--due", "+9999y")
    #expect(refused.code == 1 && refused.err.contains("beyond the years"))
  }

  @Test("a listing by dates has the numbers of the listing without them")
  func due() throws {
    _ = try db.add("a")
    _ = try db.add("b", "--due", "2020-01-01")
    _ = try db.add("c", "--due", "2999-01-01")
    #expect(try objects("list", "--due", "overdue").compactMap { $0["index"] as? Int } == [1])
    #expect(try db.titles("--due", "2020-01-01..2999-01-01") == ["b", "c"])
    #expect(try db.titles("--due", "none") == ["a"])
    #expect(try db.titles("--due", "..today", "--search", "b") == ["b"])
    #expect(try db.titles("--due", "..today", "--search", "c") == [])
    #expect(try db.run("list", "--due", "someday").code == 2)
  }

  @Test(
    "dates beyond the years that there are bound no listing",
    arguments: ["+9999y", "-9999y", "+9999y..", "..-9999y", "0000-01-01"])
  func far(due: String) throws {
    _ = try db.add("a", "--due", "2026-01-01")
    let outcome = try db.run("list", "--due=\(due)")
    #expect(outcome.code == 1 && outcome.out.isEmpty && outcome.err.contains("beyond the years"), "\(outcome)")
  }

  @Test("a listing doesn't wait for a writer, whatever would have to be put right first")
  func beside() throws {
    _ = try db.add("a")
    try db.changeFromOutside("DROP TRIGGER roster_feed_insert_tag")
    let other = try Connection(path: db.database.path, mode: .readWrite)
    try other.control("BEGIN IMMEDIATE")
    #expect(try db.titles() == ["a"])
    try other.control("COMMIT")
    #expect(try db.titles() == ["a"])
  }
}
