import Foundation
import Roster
import TodoModel

extension Command.Lists {
  func run(in session: Session) throws -> ExitCode {
    if self == .show { return session.show(try session.openForReading().read { try $0.countedLists() }) }
    if case .remove(let name, let isConfirmed) = self, !isConfirmed {
      let (list, count) = try session.openForReading().read { snapshot in
        let list = try snapshot.list(named: name)
        return (list.name, try snapshot.count(Query<Todo>().filter(sql: "list_id = \(list.id)")))
      }
      if count > 0, try !session.confirm(Report.askToRemove(list, count)) {
        session.note(Report.kept)
        return .refused
      }
    }
    let store = if case .add = self { try session.openOrCreate() } else { try session.openForWriting() }
    let lists = try store.write { tx in
      try change(&tx)
      return try tx.countedLists()
    }
    return session.show(lists)
  }

  private func change(_ tx: inout Transaction) throws {
    switch self {
    case .show: break
    case .add(let name, let index):
      guard try !tx.hasList(name) else { throw Refusal.listExists(name) }
      if let index { try tx.checkPlace(index, places: tx.count(Query<TodoList>()) + 1) }
      try tx.insert(TodoList(name: name), at: index.map { .index($0) } ?? .end)
    case .rename(let name, let new):
      var list = try tx.list(named: name)
      guard try list.name == new || !tx.hasList(new) else { throw Refusal.listExists(new) }
      list.name = new
      try tx.update(list)
    case .move(let name, let place):
      let list = try tx.list(named: name)
      try tx.move(TodoList.self, ids: [list.id], to: try tx.place(place))
    case .remove(let name, _):
      // Its todos go with it, by the foreign key.
      try tx.delete(TodoList.self, id: tx.list(named: name).id)
    }
  }
}

/// A list or a tag, and how many todos have it.
struct CountedName: Equatable {
  var id: UUID
  var name: String
  /// Its number, where it has one.
  var index: Int?
  var open: Int
  var done: Int

  init(id: UUID, name: String, index: Int? = nil, _ counts: [String: (open: Int, done: Int)]) {
    (self.id, self.name, self.index) = (id, name, index)
    (open, done) = counts[id.uuidString.lowercased()] ?? (0, 0)
  }

  var json: JSON {
    .object(
      [("id", .string(id.uuidString.lowercased()))] + (index.map { [("index", .number($0))] } ?? [])
        + [("name", .string(name)), ("open", .number(open)), ("done", .number(done))])
  }
}

extension StoreAccess {
  /// The lists in their order.
  fileprivate func countedLists() throws -> [CountedName] {
    let counts = try counts("SELECT list_id, sum(is_done = 0), sum(is_done <> 0) FROM \(Todo.self) GROUP BY 1")
    return try fetch(Query<TodoList>().inManualOrder()).enumerated().map { index, list in
      CountedName(id: list.id, name: list.name, index: index, counts)
    }
  }

  /// How many todos are open and done, by the first column of a statement, an id as it is stored.
  func counts(_ sql: SQL) throws -> [String: (open: Int, done: Int)] {
    Dictionary(
      try fetch(sql, as: (String, Int, Int).self).map { ($0.0, (open: $0.1, done: $0.2)) },
      uniquingKeysWith: { first, _ in first })
  }

  fileprivate func hasList(_ name: String) throws -> Bool {
    try exists(Query<TodoList>().filter(#Predicate { $0.name == name }))
  }

  fileprivate func checkPlace(_ index: Int, places: Int) throws {
    guard index < places else { throw Refusal.outOfRange("--to", index, list: "lists", places: places) }
  }

  fileprivate func place(_ place: Command.Move.Place) throws -> ListPlace<UUID> {
    switch place {
    case .start: return .start
    case .end: return .end
    case .before(let name): return .before(try list(named: name).id)
    case .after(let name): return .after(try list(named: name).id)
    case .index(let index):
      try checkPlace(index, places: count(Query<TodoList>()))
      return .index(index)
    }
  }
}

extension Session {
  func show(_ names: [CountedName]) -> ExitCode {
    let isNumbered = names.contains { $0.index != nil }
    var table = TextTable(
      (isNumbered ? [.init("#", alignment: .right)] : []) + [
        .init("NAME", minimumWidth: 8), .init("OPEN", alignment: .right), .init("DONE", alignment: .right),
      ])
    for name in names {
      table.append(
        (isNumbered ? [.init(name.index.map(String.init) ?? "", role: .dimmed)] : []) + [
          .init(name.name), .init("\(name.open)"), .init("\(name.done)", role: .dimmed),
        ])
    }
    if names.isEmpty, !isJSON { note(Report.noNames) }
    report(
      .array(names.map(\.json)),
      names.isEmpty ? [] : table.lines(width: console.out.terminalWidth, style: console.outStyle))
    return .done
  }
}
