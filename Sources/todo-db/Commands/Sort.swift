import Foundation
import Roster
import TodoModel

extension Command.Sort {
  /// Sorts the list, or every one by itself.
  func run(in session: Session) throws -> ExitCode {
    let sorted = try session.openForWriting().write { tx in
      let lists = try list.map { [try tx.list(named: $0)] } ?? tx.fetch(Query<TodoList>().inManualOrder())
      return try lists.map { SortedList(name: $0.name, moved: try tx.sort($0, by: key)) }
    }
    let moved = sorted.reduce(0) { $0 + $1.moved }
    session.report(
      .object([
        ("by", .string(key.rawValue)), ("moved", .number(moved)),
        (
          "lists",
          .array(sorted.map { .object([("list", .string($0.name)), ("moved", .number($0.moved))]) })
        ),
      ]),
      [Report.sorted(by: key, list: list == nil ? nil : sorted.first?.name, of: sorted.count, moved: moved)])
    return .done
  }
}

private struct SortedList {
  var name: String
  var moved: Int
}

extension SortKey {
  /// What has no value comes last. Ties are left open.
  fileprivate var order: SQL {
    switch self {
    case .title: "title COLLATE NOCASE"
    case .due: "due IS NULL, due"
    case .priority: "priority IS NULL, priority"
    }
  }
}

extension StoreAccess where Mode == WritingMode {
  /// Puts the todos of a list in an order, and tells how many moved: as few as it takes.
  fileprivate func sort(_ list: TodoList, by key: SortKey) throws -> Int {
    let ids = try fetch(
      """
      SELECT id FROM \(Todo.self) WHERE list_id = \(list.id)
      ORDER BY \(key.order), position NULLS LAST, rowid
      """, as: UUID.self)
    // Rows that had no place yet are written twice.
    return min(try move(Todo.self, ids: ids, to: .start, within: list.id), ids.count)
  }
}
