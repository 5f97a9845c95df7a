import Foundation
import Roster
import TodoModel

/// The ids of lists and tags that were looked up already, by the bytes of their names.
///
/// Swift holds two spellings of one text for equal. The database tells them apart, and so does a todo.txt
/// file, whose lines are to come back as they were.
struct NamedIDs {
  fileprivate var lists: [[UInt8]: UUID] = [:]
  fileprivate var tags: [[UInt8]: UUID] = [:]
}

extension StoreAccess where Mode == WritingMode {
  /// Stores a new todo, and its list and its tags where they are new, at an index of its list or at its end.
  func insert(
    _ draft: TaskDraft, ids: [TaskID] = [], at index: Int? = nil, names: inout NamedIDs
  ) throws -> Todo {
    let list = draft.list ?? TodoEntry.defaultList
    let todo = Todo(
      id: ids.firstUUID ?? UUID(), listID: try listID(list, &names), title: draft.title, note: draft.note,
      isDone: draft.isDone, priority: draft.priority?.stored, due: draft.due, dueHasTime: draft.dueHasTime,
      created: draft.created, completed: draft.completed, source: draft.source,
      sourceFormat: draft.storedSourceFormat, externalID: ids.firstForeign)
    if let index {
      let places = try count(Query<Todo>().inManualOrder(within: todo.listID)) + 1
      guard index < places else { throw Refusal.outOfRange("--at", index, list: list, places: places) }
      try insert(todo, at: .index(index))
    } else {
      try insert(todo)
    }
    for id in try draft.tags.map({ try tagID($0, &names) }).withoutRepeats {
      _ = try insertAssigningID(TodoTag(todoID: todo.id, tagID: id))
    }
    return todo
  }

  /// The id of the list of a name, which is made where there is none.
  func listID(_ name: String, _ names: inout NamedIDs) throws -> UUID {
    let key = Array(name.utf8)
    if let id = names.lists[key] { return id }
    let list = try first(Query<TodoList>().filter(#Predicate { $0.name == name }))
    let known = list ?? TodoList(name: name)
    if list == nil { try insert(known) }
    names.lists[key] = known.id
    return known.id
  }

  /// Gives a todo a tag, which is made where there is none of the name.
  func addTag(_ name: String, to todo: Todo, _ names: inout NamedIDs) throws {
    let tagID = try tagID(name, &names)
    let todoID = todo.id
    let pair = Query<TodoTag>().filter(#Predicate { $0.todoID == todoID && $0.tagID == tagID })
    guard try !exists(pair) else { return }
    _ = try insertAssigningID(TodoTag(todoID: todo.id, tagID: tagID))
  }

  /// Takes a tag away from a todo. The tag itself stays.
  func removeTag(_ name: String, from todo: Todo) throws {
    guard let tagID = try first(Query<Tag>().filter(#Predicate { $0.name == name }))?.id else { return }
    let todoID = todo.id
    try delete(Query<TodoTag>().filter(#Predicate { $0.todoID == todoID && $0.tagID == tagID }))
  }

  private func tagID(_ name: String, _ names: inout NamedIDs) throws -> UUID {
    let key = Array(name.utf8)
    if let id = names.tags[key] { return id }
    let tag = try first(Query<Tag>().filter(#Predicate { $0.name == name }))
    let known = tag ?? Tag(name: name)
    if tag == nil { try insert(known) }
    names.tags[key] = known.id
    return known.id
  }
}

extension [TaskID] {
  var firstUUID: UUID? {
    for case .uuid(let id) in self { return id }
    return nil
  }

  var firstForeign: String? {
    for case .foreign(let text) in self { return text }
    return nil
  }
}

extension TaskDraft {
  /// `nil` where there is no source, and for a line of todo.txt.
  var storedSourceFormat: String? { source == nil || sourceFormat == .todotxt ? nil : sourceFormat.rawValue }
}
