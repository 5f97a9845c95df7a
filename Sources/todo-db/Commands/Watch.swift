import Foundation
import Roster
import TodoModel

extension Command.Watch {
  /// Shows the list until the command is told to end: on a screen where there is one, else as lines.
  func run(in session: Session) throws -> ExitCode {
    let store = try session.openForReading()
    let only = try list.map { name in try store.read { try $0.list(named: name) } }
    let todos = Query<Todo>().filter(sql: state.condition).matching(search ?? "")
    let watched = WatchedList(
      store: store, query: only.map { todos.inManualOrder(within: $0.id) } ?? todos.inManualOrder(),
      name: only?.name, state: state, search: search)
    return session.console.hasScreen && !session.isJSON
      ? try watched.show(in: session) : try watched.printEvents(in: session)
  }
}

/// The list that is watched.
struct WatchedList: Sendable {
  let store: Store
  let query: Query<Todo>
  /// The list's name, where it is a single one.
  let name: String?
  let state: Command.List.State
  /// What is looked for.
  let search: String?

  /// Whether the numbers of todos are those of their list, which count the ones that are not found as well. Where those
  /// move, nothing tells of it.
  var isNumbered: Bool { search == nil }

  /// Prints the list, and then what happens to it.
  fileprivate func printEvents(in session: Session) throws -> ExitCode {
    let out = session.console.out
    let ending = Ending(readerOf: out) { try? store.close() }
    let follower = ListFollower(query, in: store)
    var shown: ShownTodos?
    do {
      while out.handOver(), let step = try waiting(for: { try await follower.next() }) {
        switch step {
        case .unreadable(let problem): session.note(problem)
        case .state(let update):
          let new = ShownTodos(update.records, lists: try store.read { try $0.listsInOrder() })
          if let shown {
            try printEvents(ListEvent.events(update.changes, from: shown, to: new), in: session)
          } else {
            try printList(new, in: session)
          }
          shown = new
        }
      }
    } catch RosterError.Code.closed {
      // It was told to end while it read.
    }
    return ending.code()
  }

  private func printList(_ shown: ShownTodos, in session: Session) throws {
    let todos = shown.first(.max)
    let entries = try store.read {
      try $0.entries(of: todos.map(\.todo), at: todos.map { isNumbered ? $0.number : nil })
    }
    let out = session.console.out
    if session.isJSON {
      return out.writeLine(JSON.object([("todos", .array(entries.map(\.json)))]).text)
    }
    let table = TodoTable(entries, overdue: Overdue(now: Date()), isNumbered: isNumbered, search: query)
    for line in table.lines(width: out.terminalWidth, style: session.console.outStyle) { out.writeLine(line) }
  }

  private func printEvents(_ events: [ListEvent], in session: Session) throws {
    let entries = try store.read { try $0.entries(of: events.map(\.todo), at: events.map { isNumbered ? $0.to : nil }) }
    let out = session.console.out
    if session.isJSON {
      let objects = zip(events, entries).map { $0.json($1) }
      return out.writeLine(JSON.object([("events", .array(objects))]).text)
    }
    for (event, entry) in zip(events, entries) {
      out.writeLine(Report.event(event, entry, isNumbered: isNumbered, showsList: name == nil))
    }
  }
}

extension ListEvent {
  fileprivate func json(_ entry: TodoEntry) -> JSON {
    .object([
      ("kind", .string(kind.rawValue)), ("from", from.map(JSON.number) ?? .null), ("to", to.map(JSON.number) ?? .null),
      ("todo", entry.json),
    ])
  }
}

extension StoreAccess {
  /// The ids of the lists, in their order.
  func listsInOrder() throws -> [UUID] {
    try fetch(
      "SELECT id FROM \(TodoList.self) ORDER BY position NULLS LAST, row_key", as: UUID.self)
  }
}
