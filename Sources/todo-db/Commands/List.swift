import Foundation
import Roster
import TodoModel

extension Command.List {
  func run(in session: Session) throws -> ExitCode {
    let (entries, unreadable) = try session.openForReading().read { snapshot in
      let scope = try list.map { try snapshot.list(named: $0) }
      let rows = try snapshot.readableTodos(sql(in: scope))
      let offsets: [Int?] = sort == nil ? rows.offsets : rows.offsets.map { _ in nil }
      return (try snapshot.entries(of: rows.todos, at: offsets), rows.unreadable)
    }
    if session.isJSON {
      session.console.out.write(entries.lazy.map(\.json))
    } else if entries.isEmpty {
      session.note(Report.noTodos)
    } else {
      let table = TodoTable(entries, overdue: Overdue(now: session.now), isNumbered: sort == nil)
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
    return
      "SELECT * FROM \(Todo.self) WHERE \(inList) AND \(state.condition) ORDER BY \(order) LIMIT \(limit ?? -1)"
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

/// The todos of a listing, each with its offset in its list as it is shown, and how many rows are no todos. Those count
/// in the offsets, as they do in a move.
private struct ListedTodos {
  var todos: [Todo] = []
  var offsets: [Int] = []
  var unreadable = 0
}

extension StoreAccess {
  /// The todos of a statement: one bad row must not hide the others.
  fileprivate func readableTodos(_ sql: SQL) throws -> ListedTodos {
    do {
      let todos = try fetch(sql, as: Todo.self)
      return ListedTodos(todos: todos, offsets: todos.map(\.listID).occurrences)
    } catch let error as RosterError {
      guard error.code == .typeMismatch else { throw error }
    }
    var listed = ListedTodos()
    let rows = try fetch("SELECT row_key, CAST(list_id AS TEXT) FROM (\(sql))", as: (Int64, String).self)
    for ((key, _), offset) in zip(rows, rows.map(\.1).occurrences) {
      if let todo = try? fetch("SELECT * FROM \(Todo.self) WHERE row_key = \(key)", as: Todo.self).first {
        listed.todos.append(todo)
        listed.offsets.append(offset)
      } else {
        listed.unreadable += 1
      }
    }
    return listed
  }
}

extension Array where Element: Hashable {
  /// For each element, how many like it stand before it.
  var occurrences: [Int] {
    var counts: [Element: Int] = [:]
    return map { element in
      defer { counts[element, default: 0] += 1 }
      return counts[element, default: 0]
    }
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

/// A listing as a table. With numbers, each todo has its offset in its list in front.
struct TodoTable {
  private var table: TextTable

  init(_ entries: [TodoEntry], overdue: Overdue, isNumbered: Bool) {
    table = TextTable(
      (isNumbered ? [.init("#", alignment: .right)] : []) + [
        .init("ID"), .init(""), .init("PRIORITY"), .init("TITLE", minimumWidth: 20), .init("DUE"),
        .init("LIST", minimumWidth: 8), .init("TAGS", minimumWidth: 8),
      ])
    for entry in entries {
      let role: Style.Role = entry.todo.isDone ? .dimmed : .plain
      let priority = entry.todo.priority.map { DraftPriority($0).rawValue } ?? ""
      let number = TextTable.Cell(entry.index.map(String.init) ?? "", role: .dimmed)
      table.append(
        (isNumbered ? [number] : []) + [
          .init(entry.shortID, role: .dimmed), .init(entry.todo.isDone ? "✓" : "", role: .success),
          .init(priority, role: priority == "high" && !entry.todo.isDone ? .warning : role),
          .init(entry.todo.title, role: role),
          .init(entry.due?.display ?? "", role: overdue.contains(entry) ? .urgent : role),
          .init(entry.list ?? "", role: role), .init(entry.tags.joined(separator: ", "), role: role),
        ])
    }
  }

  func lines(width: Int?, style: Style) -> [String] { table.lines(width: width, style: style) }

  /// The lines for a screen, whose columns get no narrower; the first widths are ``watchedWidths``.
  func lines(keeping widths: inout [Int], width: Int, style: Style) -> [String] {
    table.lines(keeping: &widths, width: width, style: style)
  }

  /// Room for a number of three digits, the id and the mark of what is done: these columns would often change.
  static let watchedWidths = [3, 8, 1]
}
