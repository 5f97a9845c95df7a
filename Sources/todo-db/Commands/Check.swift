import Roster
import TodoModel

extension Session {
  /// Looks for what is wrong in the file, and says so by the exit code, too.
  func check() throws -> ExitCode {
    let store: Store
    let problems: [Problem]
    do {
      store = try openForReading()
      problems = try store.check()
    } catch let error as RosterError where error.code == .corrupt {
      // Damage that keeps the file from being opened is what was asked about, no failure to answer.
      report(document([damage(error.message)]), [error.message])
      note(Report.problems(1, in: location.shown))
      return .refused
    }
    let counts = problems.isEmpty ? try store.read { try $0.contentCounts() } : nil
    report(
      document(problems.map(\.json)),
      counts.map { [Report.sound($0)] } ?? problems.map { $0.description.visible })
    guard !problems.isEmpty else { return .done }
    note(Report.problems(problems.count, in: location.shown))
    return .refused
  }

  private func document(_ problems: [JSON]) -> JSON {
    .object([("database", .string(location.path)), ("problems", .array(problems))])
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
