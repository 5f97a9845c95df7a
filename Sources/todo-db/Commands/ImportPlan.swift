import Foundation
import Roster
import TodoModel

/// What is to become of one task of a file.
enum ImportStep {
  case add
  case update(from: Todo, to: Todo, list: String?, tags: [String], untags: [String])
  case none
}

/// Names that an import has looked up.
struct ImportMemory {
  var names = NamedIDs()
  fileprivate var listNames: [UUID: String] = [:]
  /// Ids of other programs whose todos have got another one by this import. A dry run still finds them.
  fileprivate var released: Set<TaskID> = []
  /// Tasks with fields that are not kept, as their todos keep those of another format.
  fileprivate(set) var unkept = 0
}

extension StoreAccess {
  /// What a task means for the todos that there are. Nothing is written, so that a dry run says what a real one would.
  func step(for task: FoundTask, _ memory: inout ImportMemory) throws -> ImportStep {
    guard let old = try stored(task.ids) else { return .add }
    let new = try applying(task, to: old, &memory)
    var list: String?
    if task.fields.contains(.list) {
      let wanted = task.draft.list ?? TodoEntry.defaultList
      if try listName(old.listID, &memory)?.hasSameBytes(as: wanted) != true { list = wanted }
    }
    var (tags, untags): ([String], [String]) = ([], [])
    if task.fields.contains(.tags) {
      let present = try self.tags(of: old.id)
      let (has, wants) = (Set(present.map { Array($0.utf8) }), Set(task.draft.tags.map { Array($0.utf8) }))
      tags = task.draft.tags.filter { !has.contains(Array($0.utf8)) }
      untags = present.filter { !wants.contains(Array($0.utf8)) }
    }
    if new.isStored(as: old), list == nil, tags.isEmpty, untags.isEmpty { return .none }
    return .update(from: old, to: new, list: list, tags: tags, untags: untags)
  }

  /// The todo of the first id that one has.
  func stored(_ ids: [TaskID]) throws -> Todo? {
    for id in ids {
      let todo: Todo?
      switch id {
      case .uuid(let id): todo = try fetch(Todo.self, id: id)
      case .foreign(let text): todo = try owner(of: text).flatMap { try fetch(Todo.self, id: $0) }
      }
      if let todo { return todo }
    }
    return nil
  }

  private func owner(of externalID: String) throws -> UUID? {
    try fetch("SELECT id FROM \(Todo.self) WHERE external_id = \(externalID)", as: UUID.self).first
  }

  private func listName(_ id: UUID, _ memory: inout ImportMemory) throws -> String? {
    if let name = memory.listNames[id] { return name }
    let name = try fetch(TodoList.self, id: id)?.name
    memory.listNames[id] = name
    return name
  }

  private func tags(of id: UUID) throws -> [String] {
    try fetch(
      """
      SELECT tag.name FROM \(TodoTag.self) JOIN \(Tag.self) ON tag.id = todo_tag.tag_id
      WHERE todo_tag.todo_id = \(id) ORDER BY todo_tag.id
      """, as: String.self)
  }

  /// The todo with what the file says of it.
  private func applying(_ task: FoundTask, to old: Todo, _ memory: inout ImportMemory) throws -> Todo {
    var new = old
    let (draft, fields) = (task.draft, task.fields)
    if fields.contains(.title) { new.title = draft.title }
    if fields.contains(.note) { new.note = draft.note }
    if fields.contains(.isDone) { new.isDone = draft.isDone }
    if fields.contains(.priority) { new.priority = draft.priority?.stored }
    if fields.contains(.due) { (new.due, new.dueHasTime) = (draft.due, draft.dueHasTime) }
    if fields.contains(.created) { new.created = draft.created }
    if fields.contains(.completed) { new.completed = draft.completed }
    // An item of one program must not take the place of what is kept of another one's. One that says no more than the todo
    // does is no news.
    let isNews = old.source == nil ? draft.hasForeignFields : old.sourceFormat == draft.storedSourceFormat
    if draft.source != nil, isNews {
      (new.source, new.sourceFormat) = (draft.source, draft.storedSourceFormat)
    } else if draft.hasForeignFields {
      memory.unkept += 1
    }
    // Where another todo has the id already, it stays that one's.
    if let foreign = task.ids.firstForeign,
      try memory.released.contains(.foreign(foreign)) || owner(of: foreign) == nil
    {
      if let former = old.externalID, !former.hasSameBytes(as: foreign) { memory.released.insert(.foreign(former)) }
      new.externalID = foreign
    }
    return new
  }
}

extension StoreAccess where Mode == WritingMode {
  /// Does what a task means for the todos that there are, and counts it.
  func take(_ task: FoundTask, _ memory: inout ImportMemory, _ counts: inout ImportCounts) throws {
    let step = try step(for: task, &memory)
    switch step {
    case .none: break
    case .add: _ = try insert(task.draft, ids: task.ids, names: &memory.names)
    case .update(let old, var new, let list, let tags, let untags):
      if let list { new.listID = try listID(list, &memory.names) }
      try update(new, from: old)
      for tag in tags { try addTag(tag, to: new, &memory.names) }
      for tag in untags { try removeTag(tag, from: new) }
    }
    counts.count(step)
  }
}

extension ImportCounts {
  mutating func count(_ step: ImportStep) {
    switch step {
    case .add: added += 1
    case .update: updated += 1
    case .none: unchanged += 1
    }
  }
}

extension Todo {
  /// Whether both are the same in the database, which compares texts by their bytes.
  fileprivate func isStored(as other: Todo) -> Bool {
    func same(_ left: String?, _ right: String?) -> Bool {
      left == nil && right == nil || left.flatMap { left in right.map { left.hasSameBytes(as: $0) } } ?? false
    }
    return self == other && same(title, other.title) && same(note, other.note) && same(source, other.source)
      && same(externalID, other.externalID)
  }
}
