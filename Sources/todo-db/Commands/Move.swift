import Foundation
import Roster
import TodoModel

extension Command.Move {
  /// Moves all of the todos, or, where one is not found or there is no such place, none.
  func run(in session: Session) throws -> ExitCode {
    let moved = try session.openForWriting().write { tx in
      switch self {
      case .todos(let ids, let place, let list):
        try tx.move(ids, to: place, inList: list)
      case .offsets(let offsets, let destination, let list, let state):
        try tx.move(offsets, to: destination, inList: list, state)
      }
    }
    session.report(
      .array(moved.map(\.entry.json)),
      moved.map { Report.change($0.hasMoved ? .moved : .alreadyThere, to: $0.entry) })
    return .done
  }
}

/// A todo that was to be moved, as it is then.
private struct MovedTodo {
  var entry: TodoEntry
  /// Whether it stands elsewhere than before.
  var hasMoved: Bool
}

/// Where a todo stands.
private struct TodoPlace: Equatable {
  var listID: UUID
  var index: Int?
}

extension StoreAccess where Mode == WritingMode {
  /// Moves todos by their ids.
  fileprivate func move(
    _ beginnings: [String], to place: Command.Move.Place, inList name: String?
  ) throws -> [MovedTodo] {
    let ids = try beginnings.map { try todoID($0) }.withoutRepeats
    let before = try ids.map { try self.place(of: $0) }
    switch place {
    case .before(let anchor): try move(Todo.self, ids: ids, to: .before(try todoID(anchor)))
    case .after(let anchor): try move(Todo.self, ids: ids, to: .after(try todoID(anchor)))
    case .start: try move(Todo.self, ids: ids, to: .start, within: try target(name, of: before))
    case .end: try move(Todo.self, ids: ids, to: .end, within: try target(name, of: before))
    case .index(let index):
      let list = try target(name, of: before)
      let others = try count(Query<Todo>().inManualOrder(within: list)) - before.count { $0.listID == list }
      guard index <= others else {
        throw Refusal.outOfRange("--to", index, list: try self.name(of: list), places: others + 1)
      }
      try move(Todo.self, ids: ids, to: .index(index), within: list)
    }
    let entries = try entries(of: try ids.map { try todoOrRemains($0) })
    return try zip(entries, before).map { entry, old in
      MovedTodo(entry: entry, hasMoved: try self.place(of: entry.todo.id) != old)
    }
  }

  /// Moves todos by their offsets in a list as it is shown.
  fileprivate func move(
    _ ranges: [ClosedRange<Int>], to destination: Int, inList name: String?, _ state: Command.List.State
  ) throws -> [MovedTodo] {
    let list = try name.map { try self.list(named: $0) } ?? onlyList()
    let shown = Query<Todo>().filter(sql: state.condition).inManualOrder(within: list.id)
    let before = try rowKeys(of: list, state)
    var offsets = IndexSet()
    for range in ranges {
      guard range.upperBound < before.count else {
        throw Refusal.outOfRange("--from", range.upperBound, list: list.name, places: before.count)
      }
      offsets.insert(integersIn: range)
    }
    guard destination <= before.count else {
      throw Refusal.outOfRange("--to", destination, list: list.name, places: before.count + 1)
    }
    try move(fromOffsets: offsets, toOffset: destination, in: shown)
    let after = Dictionary(
      zip(try rowKeys(of: list, state), 0...).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    let keys = offsets.map { before[$0] }
    let ids = try keys.flatMap { try fetch("SELECT id FROM \(Todo.self) WHERE row_key = \($0)", as: UUID.self) }
    let entries = try entries(of: try ids.map { try todoOrRemains($0) }, at: keys.map { after[$0] })
    return zip(entries, offsets).map { MovedTodo(entry: $0, hasMoved: $0.index != $1) }
  }

  /// The integer keys of a list's todos as they are shown. A todo that cannot be read has one, too.
  private func rowKeys(of list: TodoList, _ state: Command.List.State) throws -> [Int64] {
    try fetch(
      """
      SELECT row_key FROM \(Todo.self) WHERE list_id = \(list.id) AND \(state.condition)
      ORDER BY position NULLS LAST, rowid
      """, as: Int64.self)
  }

  private func place(of id: UUID) throws -> TodoPlace {
    guard let list = try fetch("SELECT list_id FROM \(Todo.self) WHERE id = \(id)", as: UUID.self).first else {
      throw Refusal.noSuchTodo(id.uuidString.lowercased())
    }
    return TodoPlace(listID: list, index: try index(of: id, in: Todo.self))
  }

  /// The list to move to: the one of a name, else the one that all todos are in.
  private func target(_ name: String?, of places: [TodoPlace]) throws -> UUID {
    if let name { return try list(named: name).id }
    guard let first = places.first, places.allSatisfy({ $0.listID == first.listID }) else {
      throw Refusal.severalLists
    }
    return first.listID
  }

  private func onlyList() throws -> TodoList {
    let lists = try fetch(Query<TodoList>().inManualOrder())
    guard let only = lists.first, lists.count == 1 else { throw Refusal.listNotNamed(lists.map(\.name)) }
    return only
  }

  private func name(of list: UUID) throws -> String { try fetch(TodoList.self, id: list)?.name ?? "" }
}
