import Foundation
import Roster
import TodoModel

extension Command.List {
  func run(in session: Session) throws -> ExitCode {
    let (entries, unreadable) = try session.openForReading().read { snapshot in
      let scope = try list.map { try snapshot.list(named: $0) }
      let (todos, unreadable) = try snapshot.readableTodos(sql(in: scope))
      return (try snapshot.entries(of: todos), unreadable)
    }
    if session.isJSON {
      session.console.out.write(entries.lazy.map(\.json))
    } else if entries.isEmpty {
      session.note(Report.noTodos)
    } else {
      let table = TodoTable(entries, overdue: Overdue(now: session.now))
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

  private func sql(in list: TodoList?) -> SQL {
    let inList: SQL = list.map { "list_id = \($0.id)" } ?? "1"
    let inState: SQL =
      switch state {
      case .all: "1"
      case .open: "is_done = 0"
      case .done: "is_done <> 0"
      }
    return "SELECT * FROM \(Todo.self) WHERE \(inList) AND \(inState) ORDER BY \(order) LIMIT \(limit ?? -1)"
  }

  /// What has no date or priority comes last. Ties are in the order in which todos were added.
  private var order: SQL {
    switch sort {
    case nil: "rowid"
    case .due: "due IS NULL, due, priority IS NULL, priority, rowid"
    case .priority: "priority IS NULL, priority, due IS NULL, due, rowid"
    case .title: "title COLLATE NOCASE, rowid"
    case .created: "created IS NULL, created, rowid"
    }
  }
}

extension StoreAccess {
  /// The todos of a statement, and how many of its rows are none: one bad row must not hide the others.
  fileprivate func readableTodos(_ sql: SQL) throws -> (todos: [Todo], unreadable: Int) {
    do { return (try fetch(sql, as: Todo.self), 0) } catch let error as RosterError {
      guard error.code == .typeMismatch else { throw error }
    }
    let keys = try fetch("SELECT row_key FROM (\(sql))", as: Int64.self)
    let todos = keys.compactMap { key in
      try? fetch("SELECT * FROM \(Todo.self) WHERE row_key = \(key)", as: Todo.self).first
    }
    return (todos, keys.count - todos.count)
  }
}

/// Tells what should have been done by now. A day is over when it is over where the user is.
struct Overdue {
  private let now: Date
  private let today: Date?

  init(now: Date, timeZone: TimeZone = .current) {
    self.now = now
    let offset = TimeInterval(timeZone.secondsFromGMT(for: now))
    today = DueDate.startOfDay(now.addingTimeInterval(offset))
  }

  func contains(_ entry: TodoEntry) -> Bool {
    guard let due = entry.due, !entry.todo.isDone else { return false }
    return due.hasTime ? due.date < now : today.map { due.date < $0 } ?? false
  }
}

/// A listing as a table.
struct TodoTable {
  private var table = TextTable([
    .init("ID"), .init(""), .init("PRIORITY"), .init("TITLE", minimumWidth: 20), .init("DUE"),
    .init("LIST", minimumWidth: 8), .init("TAGS", minimumWidth: 8),
  ])

  init(_ entries: [TodoEntry], overdue: Overdue) {
    for entry in entries {
      let role: Style.Role = entry.todo.isDone ? .dimmed : .plain
      let priority = entry.todo.priority.map { DraftPriority($0).rawValue } ?? ""
      table.append([
        .init(entry.shortID, role: .dimmed), .init(entry.todo.isDone ? "✓" : "", role: .success),
        .init(priority, role: priority == "high" && !entry.todo.isDone ? .warning : role),
        .init(entry.todo.title, role: role),
        .init(entry.due?.display ?? "", role: overdue.contains(entry) ? .urgent : role),
        .init(entry.list ?? "", role: role), .init(entry.tags.joined(separator: ", "), role: role),
      ])
    }
  }

  func lines(width: Int?, style: Style) -> [String] { table.lines(width: width, style: style) }
}
