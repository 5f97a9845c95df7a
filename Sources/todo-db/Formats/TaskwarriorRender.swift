import Foundation
import TodoModel

/// Writes tasks as `task import` reads them.
struct TaskwarriorWriter: TaskWriter {
  private(set) var losses = LossCounts()
  private var isFirst = true

  init() {}

  mutating func beginning() -> String { "[\n" }

  mutating func text(for entry: TodoEntry) -> String {
    let rendering = TaskwarriorRendering(entry)
    losses.add(rendering.losses)
    losses.addForeign(of: entry.draft, in: .taskwarrior)
    defer { isFirst = false }
    return (isFirst ? "" : ",\n") + rendering.text
  }

  mutating func ending() -> String { isFirst ? "]\n" : "\n]\n" }
}

/// One task as an object, with everything of the object that it came from which still holds.
private struct TaskwarriorRendering {
  private(set) var text = ""
  private(set) var losses: Set<ExportLoss> = []
  private var names: [String] = []
  /// JSON text by the names of the members.
  private var values: [String: String] = [:]

  init(_ entry: TodoEntry) {
    let draft = entry.draft
    if entry.todo.externalID != nil { losses.insert(.foreignID) }
    let source = draft.sourceFormat == .taskwarrior ? draft.source.flatMap { JSONObject($0) } : nil
    let read = source.flatMap { object -> FoundTask? in
      if case .task(let task) = Taskwarrior.item(object) { task } else { nil }
    }
    guard let source, let read, read.ids.isEmpty || read.ids == [.uuid(entry.todo.id)] else {
      set("uuid", .string(entry.id))
      compose(draft, changed: .all, source: nil)
      write()
      return
    }
    let changed = draft.differences(from: read.draft)
    if changed.isEmpty, !read.ids.isEmpty {
      text = draft.source ?? ""
      return
    }
    // A name that stands twice is written once, with the value that counts.
    for name in source.members.map(\.name).withoutRepeats {
      guard let member = source.member(name) else { continue }
      names.append(name)
      values[name] = source.text(of: member)
    }
    if read.ids.isEmpty { set("uuid", .string(entry.id)) }
    compose(draft, changed: changed, source: source)
    write()
  }

  private mutating func write() {
    text = JSON.object(names.map { ($0, .raw(values[$0] ?? "null")) }).text
  }

  private mutating func set(_ name: String, _ value: JSON?) {
    if value == nil { names.removeAll { $0 == name } } else if values[name] == nil { names.append(name) }
    values[name] = value.map { value in
      var text = ""
      value.write(to: &text)
      return text
    }
  }

  private mutating func compose(_ draft: TaskDraft, changed: DraftFields, source: JSONObject?) {
    losses.formUnion(BasicDate.losses(draft))
    if changed.contains(.title) { set("description", .string(draft.title)) }
    // A task that waits or recurs goes on to do so, unless it is done.
    if changed.contains(.isDone) { set("status", .string(draft.isDone ? "completed" : "pending")) }
    if changed.contains(.created) { set("entry", moment(draft.created)) }
    if changed.contains(.completed) { set("end", moment(draft.completed)) }
    if changed.contains(.priority) {
      set("priority", Taskwarrior.priorities.first { $0.priority == draft.priority }.map { .string($0.letter) })
    }
    if changed.contains(.due) {
      set("due", moment(draft.due))
      if draft.dueHasTime, let due = draft.due, DueDate.startOfDay(due) == due { losses.insert(.timeOfDay) }
    }
    if changed.contains(.list) {
      set("project", draft.list.flatMap { $0 == TodoEntry.defaultList ? nil : .string($0) })
    }
    if changed.contains(.tags) { set("tags", draft.tags.isEmpty ? nil : .array(draft.tags.map { .string($0) })) }
    if changed.contains(.note) { set("annotations", annotations(draft, source)) }
  }

  private func moment(_ date: Date?) -> JSON? { date.flatMap(BasicDate.moment).map { .string($0) } }

  /// Another note is one annotation, of the time of the first one that it replaces. Taskwarrior wants one.
  private func annotations(_ draft: TaskDraft, _ source: JSONObject?) -> JSON? {
    guard !draft.note.isEmpty else { return nil }
    let first = source.flatMap { object in object.member("annotations").flatMap { object.objects($0)?.first } }
    let old = first.flatMap { annotation in annotation.member("entry").flatMap { annotation.string($0) } }
    let time = old ?? (draft.created ?? draft.completed).flatMap(BasicDate.moment) ?? "19700101T000000Z"
    return .array([.object([("entry", .string(time)), ("description", .string(draft.note))])])
  }
}
