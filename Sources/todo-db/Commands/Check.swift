import Roster
import TodoModel

extension Session {
  /// Looks for what is wrong in the file, and says so by the exit code, too. What can be is put right before, if asked.
  func check(repairs: Bool) throws -> ExitCode {
    let store: Store
    var repaired: [Problem] = []
    let problems: [Problem]
    do {
      store = try repairs ? openForWriting() : openForReading()
      if repairs { repaired = try store.repair() }
      problems = try store.check()
    } catch let error as RosterError where error.code == .corrupt {
      // Damage that keeps the file from being opened is what was asked about, no failure to answer.
      report(document([damage(error.message)], repaired: repairs ? [] : nil), [error.message])
      note(Report.problems(1, in: location.shown))
      return .refused
    }
    let counts = problems.isEmpty ? try store.read { try $0.contentCounts() } : nil
    report(
      document(problems.map(\.json), repaired: repairs ? repaired.map(\.json) : nil),
      repaired.map { Report.repaired($0.description.visible) }
        + (counts.map { [Report.sound($0)] } ?? problems.map { $0.description.visible }))
    guard !problems.isEmpty else { return .done }
    let repairable = repairs ? 0 : problems.count { $0.kind.isRepairable }
    note(Report.problems(problems.count, repairable: repairable, in: location.shown))
    return .refused
  }

  private func document(_ problems: [JSON], repaired: [JSON]?) -> JSON {
    .object(
      [("database", .string(location.path)), ("problems", .array(problems))]
        + (repaired.map { [("repaired", .array($0))] } ?? []))
  }

  private func damage(_ message: String) -> JSON {
    Problem.json(kind: Problem.Kind.damage.rawValue, message: message)
  }
}

/// How much is in a database.
struct ContentCounts: Equatable {
  var todos: Int
  var lists: Int
  var tags: Int
}

extension StoreAccess {
  fileprivate func contentCounts() throws -> ContentCounts {
    ContentCounts(
      todos: try count(Query<Todo>()), lists: try count(Query<TodoList>()), tags: try count(Query<Tag>()))
  }
}

extension Problem {
  fileprivate var json: JSON {
    Problem.json(kind: kind.rawValue, table: table, row: rowKey, id: recordID, column: column, message: message)
  }

  fileprivate static func json(
    kind: String, table: String? = nil, row: Int64? = nil, id: String? = nil, column: String? = nil,
    message: String
  ) -> JSON {
    .object([
      ("kind", .string(kind)), ("table", .string(table)), ("row", row.map { .number(Int($0)) } ?? .null),
      ("id", .string(id)),
      ("column", .string(column)), ("message", .string(message)),
    ])
  }
}
