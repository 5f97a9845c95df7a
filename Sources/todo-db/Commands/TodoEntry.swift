import Foundation
import Roster
import TodoModel

/// A todo with its place and the names of its list and its tags.
struct TodoEntry: Equatable {
  var todo: Todo
  /// `nil` where another program has deleted the list from under its todos.
  var list: String?
  /// In the order in which they were given.
  var tags: [String]
  /// Where it stands in its list, from 0: in the whole list, or in the part of it that is shown; nil where the todos
  /// are in another order.
  var index: Int?

  /// The list of a todo that names none.
  static let defaultList = "Inbox"

  var id: String { todo.id.uuidString.lowercased() }

  /// The beginning of the id that listings show. An id is random, so that this much of it is enough
  /// for all but very many todos.
  var shortID: String { String(id.prefix(8)) }

  var due: DueDate? { todo.due.map { DueDate(date: $0, hasTime: todo.dueHasTime) } }
}

extension StoreAccess {
  /// The todos with their names and their places in their lists, in the same order.
  func entries(of todos: [Todo]) throws -> [TodoEntry] {
    try entries(of: todos, at: todos.map { try index(of: $0.id, in: Todo.self) })
  }

  /// The todos with their names, in the same order, each with the index that is given for it.
  func entries(of todos: [Todo], at indices: [Int?]) throws -> [TodoEntry] {
    try entries(of: todos, at: indices, lists: try listNames())
  }

  /// The names of all lists.
  func listNames() throws -> [UUID: String] {
    Dictionary(try fetch(Query<TodoList>()).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  /// The todos with their names, in the same order, with the names of their lists among those given.
  func entries(of todos: [Todo], at indices: [Int?], lists: [UUID: String]) throws -> [TodoEntry] {
    let tags = try tagNames(of: todos.map(\.id))
    return zip(todos, indices).map { todo, index in
      TodoEntry(todo: todo, list: lists[todo.listID], tags: tags[todo.id] ?? [], index: index)
    }
  }

  func entry(of todo: Todo) throws -> TodoEntry {
    try entries(of: [todo]).first ?? TodoEntry(todo: todo, list: nil, tags: [])
  }

  private func tagNames(of ids: [UUID]) throws -> [UUID: [String]] {
    // SQLite takes 32,766 arguments at most; long before that, reading all tags is quicker.
    let scope: SQL = ids.count <= 500 ? "todo_id IN (\(ids))" : "1"
    let rows = try fetch(
      """
      SELECT todo_tag.todo_id, tag.name FROM \(TodoTag.self) JOIN \(Tag.self) ON tag.id = todo_tag.tag_id
      WHERE \(scope) ORDER BY todo_tag.id
      """, as: (UUID, String).self)
    return rows.reduce(into: [:]) { names, row in names[row.0, default: []].append(row.1) }
  }
}

extension TodoEntry {
  /// The object that `--json` prints: always with the same keys, in the same order.
  var json: JSON { .object(members) }

  var members: [(String, JSON)] {
    [
      ("id", .string(id)), ("list", .string(list)), ("index", index.map(JSON.number) ?? .null),
      ("title", .string(todo.title)), ("note", .string(todo.note)), ("isDone", .bool(todo.isDone)),
      ("priority", .string(todo.priority.map { DraftPriority($0).rawValue })), ("due", .string(due?.iso)),
      ("tags", .array(tags.map(JSON.string))), ("created", .string(todo.created.flatMap(DueDate.timestamp))),
      ("completed", .string(todo.completed.flatMap(DueDate.timestamp))),
    ]
  }

  /// What a file format carries of it.
  var draft: TaskDraft {
    TaskDraft(
      title: todo.title, note: todo.note, isDone: todo.isDone,
      priority: todo.priority.map { DraftPriority($0) }, due: todo.due, dueHasTime: todo.dueHasTime,
      created: todo.created, completed: todo.completed, list: list, tags: tags, source: todo.source,
      sourceFormat: todo.sourceFormat.flatMap { TaskFormat(rawValue: $0) } ?? .todotxt)
  }

  /// What formats call it that have one name for a todo: what the program calls it that it came from, else its id.
  var foreignID: String { todo.externalID ?? id }
}

extension DraftPriority {
  init(_ priority: Priority) {
    switch priority {
    case .high: self = .high
    case .medium: self = .medium
    case .low: self = .low
    }
  }

  var stored: Priority {
    switch self {
    case .high: .high
    case .medium: .medium
    case .low: .low
    }
  }
}
