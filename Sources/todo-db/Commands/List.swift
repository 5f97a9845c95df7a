import Foundation
import Roster
import TodoModel

extension Command.List {
  func run(in session: Session) throws -> ExitCode {
    let (entries, unreadable) = try session.openForReading().read { snapshot in
      let scope = try list.map { try snapshot.list(named: $0) }
      let rows = try listed(in: scope, snapshot, session)
      let offsets: [Int?] = sort == nil ? rows.offsets : rows.offsets.map { _ in nil }
      return (try snapshot.entries(of: rows.todos, at: offsets), rows.unreadable)
    }
    if let sections {
      session.show(TodoSection.sections(of: entries, by: sections, state, limit: limit), self)
    } else if session.isJSON {
      session.console.out.write(entries.lazy.map(\.json))
    } else if entries.isEmpty {
      session.note(Report.noTodos)
    } else {
      session.printTable(table(entries, in: session))
    }
    guard unreadable > 0 else { return .done }
    session.note(Report.unreadable(unreadable))
    return .refused
  }

  fileprivate func table(_ entries: [TodoEntry], in session: Session) -> TodoTable {
    TodoTable(
      entries, overdue: Overdue(now: session.now), isNumbered: sort == nil,
      search: search.map { Query<Todo>().matching($0) })
  }

  private func listed(
    in list: TodoList?, _ snapshot: borrowing Snapshot, _ session: Session
  ) throws -> ListedTodos {
    // Of a section, all of its todos are counted.
    let limit = sections == nil ? limit : nil
    let inList = SQL.todos(in: list)
    let rows: SQL = "FROM \(Todo.self) WHERE \(inList) AND \(state.condition) ORDER BY \(order)"
    guard search != nil || due != nil else { return try snapshot.readableTodos("SELECT * \(rows)", limit: limit) }
    var query = Query<Todo>().filter(sql: "\(inList) AND \(state.condition)")
    if let search { query = query.matching(search) }
    if let due { query = query.filter(sql: try due.condition(now: session.now, in: .current)) }
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

extension Session {
  fileprivate func show(_ sections: [TodoSection], _ list: Command.List) {
    if isJSON { return console.out.write(sections.lazy.map(\.json)) }
    var table = list.table(sections.flatMap(\.entries), in: self)
    var row = 0
    for section in sections {
      table.begin(Report.section(section), at: row)
      row += section.entries.count
    }
    printTable(table)
  }

  fileprivate func printTable(_ table: TodoTable) {
    for line in table.lines(width: console.out.terminalWidth, style: console.outStyle) {
      if console.out.isClosed { break }
      console.out.writeLine(line)
    }
  }
}

extension SQL {
  /// Holds for the todos of a list; for all without one.
  static func todos(in list: TodoList?) -> SQL { list.map { "list_id = \($0.id)" } ?? "1" }
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
