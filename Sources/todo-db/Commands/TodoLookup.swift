import Foundation
import Roster
import TodoModel

extension StoreAccess {
  /// The todo whose id begins so, in either case of its letters.
  ///
  /// - Throws: a ``Refusal`` where there is none, or more than one.
  func todo(_ beginning: String) throws -> Todo {
    let id = try todoID(beginning)
    guard let todo = try fetch(Todo.self, id: id) else { throw Refusal.noSuchTodo(beginning) }
    return todo
  }

  /// The id that begins so, also of a todo that cannot be read.
  func todoID(_ beginning: String) throws -> UUID {
    let prefix = beginning.lowercased()
    // Ids are stored in lower case; "g" comes after every character that one can hold.
    guard
      prefix.unicodeScalars.allSatisfy({ $0 == "-" || ("0"..."9").contains($0) || ("a"..."f").contains($0) })
    else { throw Refusal.noSuchTodo(beginning) }
    let shown = 10
    let found = try fetch(
      """
      SELECT id, CAST(title AS TEXT) FROM \(Todo.self) WHERE id >= \(prefix) AND id < \(prefix + "g")
      ORDER BY rowid LIMIT \(shown + 1)
      """, as: (UUID, String).self)
    guard let first = found.first else { throw Refusal.noSuchTodo(beginning) }
    guard found.count > 1 else { return first.0 }
    throw Refusal.ambiguousID(
      beginning, candidates: found.prefix(shown).map { .init(id: $0.0.uuidString.lowercased(), title: $0.1) },
      hasMore: found.count > shown)
  }

  /// The todos of several ids, each once.
  func todos(_ beginnings: [String]) throws -> [Todo] {
    try beginnings.map { try todo($0) }.withoutRepeats
  }

  /// A todo that nothing in it must keep from being moved or removed: of one that cannot be read, what can.
  func todoOrRemains(_ id: UUID) throws -> Todo {
    do {
      if let todo = try fetch(Todo.self, id: id) { return todo }
    } catch let error as RosterError {
      guard error.code == .typeMismatch else { throw error }
    }
    let found = try fetch(
      "SELECT CAST(list_id AS TEXT), CAST(title AS TEXT) FROM \(Todo.self) WHERE id = \(id)",
      as: (String, String).self
    ).first
    return Todo(id: id, listID: found.flatMap { UUID(uuidString: $0.0) } ?? id, title: found?.1 ?? "")
  }

  /// The list of a name.
  ///
  /// - Throws: a ``Refusal`` that names one with a similar name, where there is none.
  func list(named name: String) throws -> TodoList {
    let name = name.trimmed
    if let list = try first(Query<TodoList>().filter(#Predicate { $0.name == name })) { return list }
    let names = try fetch(Query<TodoList>()).map(\.name)
    throw Refusal.noSuchList(name, suggestion: nearestName(to: name, in: names))
  }

  /// The tag of a name.
  ///
  /// - Throws: a ``Refusal`` that names one with a similar name, where there is none.
  func tag(named name: String) throws -> Tag {
    if let tag = try first(Query<Tag>().filter(#Predicate { $0.name == name })) { return tag }
    throw Refusal.noSuchTag(name, suggestion: nearestName(to: name, in: try fetch(Query<Tag>()).map(\.name)))
  }

  private func nearestName(to name: String, in names: [String]) -> String? {
    let similar = nearest(to: name, in: names.map { $0.lowercased() })
    return names.first { $0.lowercased() == similar }
  }
}
