import Foundation
import Testing

@testable import todo_db

@Suite("check and repair of the index for search")
struct SearchCheckTests {
  let db: TodoDB

  init() throws {
    db = try TodoDB()
    for title in ["学习布局", "Buy milk", "tea"] { _ = try db.add(title) }
  }

  private func problems(_ key: String = "problems", _ options: String...) throws -> [[String: Any]] {
    let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "check", "--json"] + options)
    return try #require(try TodoDB.object(outcome.out)[key] as? [[String: Any]], "\(outcome)")
  }

  private func found(_ text: String) throws -> Int { try db.run("search", text).lines.dropFirst().count }

  /// What mends it, and what is found then.
  private func expectRepair(_ kinds: Set<String>, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let checked = try db.run("check")
    #expect(checked.code == 1, sourceLocation: sourceLocation)
    #expect(checked.err.contains("'todo-db check --repair' puts"), "\(checked)", sourceLocation: sourceLocation)
    let told = try problems()
    #expect(Set(told.compactMap { $0["kind"] as? String }) == kinds, "\(told)", sourceLocation: sourceLocation)
    for problem in told {
      #expect(problem["table"] as? String == "todo", sourceLocation: sourceLocation)
      #expect(
        Set(problem.keys) == ["kind", "table", "row", "id", "column", "message"], sourceLocation: sourceLocation)
    }
    let repaired = try db.succeed("check", "--repair")
    #expect(
      repaired.lines == checked.lines.map { "Put right: \($0)" } + ["No problems: 3 todos, 1 list, 0 tags."],
      "\(checked) \(repaired)", sourceLocation: sourceLocation)
    #expect(try db.succeed("check", "--repair", "--json").code == 0, sourceLocation: sourceLocation)
    #expect(try found("布局") == 1 && found("milk") == 1, sourceLocation: sourceLocation)
  }

  @Test("an index without its data is told of, and mended", .enabled(if: Python.isThere))
  func damaged() throws {
    try Python.execute(
      "DELETE FROM roster_search_todo_index_data WHERE id > 10", on: db.database)
    try expectRepair(["wrongSearchIndex"])
  }

  @Test("what was written while a trigger of the index was gone is found", .enabled(if: Python.isThere))
  func stale() throws {
    try Python.execute("DROP TRIGGER roster_search_todo_update", on: db.database)
    try Python.execute("UPDATE todo SET title = 'water' WHERE title = 'tea'", on: db.database)
    #expect(try found("water") == 1 && found("tea") == 0)
    #expect(try db.succeed("check").code == 0)
  }
}
