import Foundation
import Roster
import TodoModel

extension Command.List {
  func run(in session: Session) throws -> ExitCode {
    let (entries, unreadable) = try session.openForReading().read { snapshot in
      let scope = try list.map { try snapshot.list(named: $0) }
      let rows = try listed(in: scope, snapshot)
      let offsets: [Int?] = sort == nil ? rows.offsets : rows.offsets.map { _ in nil }
      return (try snapshot.entries(of: rows.todos, at: offsets), rows.unreadable)
    }
    if session.isJSON {
      session.console.out.write(entries.lazy.map(\.json))
    } else if entries.isEmpty {
      session.note(Report.noTodos)
    } else {
      let table = TodoTable(
        entries, overdue: Overdue(now: session.now), isNumbered: sort == nil,
        search: search.map { Query<Todo>().matching($0) })
      let out = session.console.out
      for line in table.lines(width: out.terminalWidth, style: session.console.outStyle) {
        if out.isClosed { break }
        out.writeLine(line)
      }
    }
    guard unreadable > 0 else { return .done }
    session.note(Report.unreadable(unreadable))
    return .refused
  }

  private func listed(in list: TodoList?, _ snapshot: borrowing Snapshot) throws -> ListedTodos {
    let inList: SQL = list.map { "list_id = \($0.id)" } ?? "1"
    let rows: SQL = "FROM \(Todo.self) WHERE \(inList) AND \(state.condition) ORDER BY \(order)"
    guard let search else { return try snapshot.readableTodos("SELECT * \(rows)", limit: limit) }
    let query = Query<Todo>().filter(sql: "\(inList) AND \(state.condition)").matching(search)
    return try snapshot.todos(of: rows, foundBy: query, limit: limit)
  }

  /// What has no date or priority comes last. Ties are in the order in which todos were added.
  private var order: SQL {
    switch sort {
    case nil:
      // Todos whose list is missing come last, and together.
      """
      (SELECT position FROM \(TodoList.self) WHERE id = list_id) NULLS LAST,
      (SELECT row_key FROM \(TodoList.self) WHERE id = list_id) NULLS LAST, list_id, position NULLS LAST, rowid
      """
    case .due: "due IS NULL, due, priority IS NULL, priority, rowid"
    case .priority: "priority IS NULL, priority, due IS NULL, due, rowid"
    case .title: "title COLLATE NOCASE, rowid"
    case .created: "created IS NULL, created, rowid"
    }
  }
}

extension Command.List.State {
  /// Holds for the todos in the state.
  var condition: SQL {
    switch self {
    case .all: "1"
    case .open: "is_done = 0"
    case .done: "is_done <> 0"
    }
  }
}
