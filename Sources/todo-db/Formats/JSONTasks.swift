import TodoModel

/// Tasks as JSON objects, of the members that `todo-db export --json` writes.
///
/// A member that is absent says nothing, and null takes a value away. Members that are not known are kept as they are
/// written, and exported again.
enum JSONTasks {
  private static let known: Set<String> = [
    "id", "externalID", "list", "index", "title", "note", "isDone", "priority", "due", "tags", "created", "completed",
  ]

  static func foreignMembers(_ object: JSONObject) -> [JSONObject.Member] {
    object.members.filter { !known.contains($0.name) }
  }

  static func item(_ item: JSONItems.Item) -> FoundItem {
    switch item {
    case .bad(let problem): return .bad([problem])
    case .object(let object):
      var reader = JSONTaskReader(object)
      return reader.read()
    }
  }
}

/// One object on its way to a task. Problems name the line on which it began.
private struct JSONTaskReader {
  private let object: JSONObject
  private var draft: TaskDraft
  private var fields: DraftFields = []
  private var problems: [ImportProblem] = []

  init(_ object: JSONObject) {
    self.object = object
    draft = TaskDraft(title: "", line: object.line)
  }

  mutating func read() -> FoundItem {
    draft.title = text("title", .title) ?? ""
    if draft.title.isBlank, problems.isEmpty { report(.blankTitle) }
    // A task needs its title, which no update takes away.
    fields.insert(.title)
    draft.note = text("note", .note) ?? ""
    draft.list = text("list", .list).flatMap { $0.isBlank ? nil : $0.trimmed }
    readDone()
    readPriority()
    let due = date("due", .due)
    draft.due = due?.date
    draft.dueHasTime = due?.hasTime ?? false
    draft.created = date("created", .created)?.date
    draft.completed = date("completed", .completed)?.date
    readTags()
    let ids = [id("id"), id("externalID")].compactMap(\.self)
    if !JSONTasks.foreignMembers(object).isEmpty {
      draft.source = object.text
      draft.sourceFormat = .json
    }
    guard problems.isEmpty else { return .bad(problems) }
    return .task(FoundTask(draft: draft, ids: ids, fields: fields))
  }

  private mutating func report(_ fact: ImportProblem.Fact) {
    problems.append(ImportProblem(line: object.line, fact: fact))
  }

  private mutating func reportValue(_ name: String, _ member: JSONObject.Member, wanted: String) {
    report(.badValue(column: name, value: object.string(member) ?? object.text(of: member), wanted: wanted))
  }

  /// The member that says something about a field; nil for null, which says that there is nothing.
  private mutating func member(_ name: String, _ field: DraftFields) -> JSONObject.Member? {
    guard let member = object.member(name) else { return nil }
    fields.insert(field)
    return object.isNull(member) ? nil : member
  }

  private mutating func text(_ name: String, _ field: DraftFields) -> String? {
    guard let member = member(name, field) else { return nil }
    guard let text = object.string(member) else {
      reportValue(name, member, wanted: "a text in quotes")
      return nil
    }
    if text.utf8.contains(0) { report(.nulCharacter) }
    return text
  }

  private mutating func readDone() {
    guard let member = member("isDone", .isDone) else { return }
    guard let value = object.bool(member) else {
      return reportValue("isDone", member, wanted: "true or false")
    }
    draft.isDone = value
  }

  private mutating func readPriority() {
    guard let member = member("priority", .priority) else { return }
    draft.priority = object.string(member).flatMap(DraftPriority.init)
    if draft.priority == nil { reportValue("priority", member, wanted: "high, medium, low or null") }
  }

  private mutating func date(_ name: String, _ field: DraftFields) -> DueDate? {
    guard let member = member(name, field) else { return nil }
    let text = object.string(member)
    guard let date = text.flatMap({ DueDate($0) }) else {
      reportValue(name, member, wanted: DueDate.wanted(for: text ?? ""))
      return nil
    }
    return date
  }

  private mutating func readTags() {
    guard let member = member("tags", .tags) else { return }
    guard let tags = object.strings(member) else {
      return reportValue("tags", member, wanted: "an array of texts")
    }
    if tags.contains(where: { $0.utf8.contains(0) }) { report(.nulCharacter) }
    draft.tags = tags.map(\.trimmed).filter { !$0.isEmpty }.withoutRepeats
  }

  /// Many programs number their items: the digits are the id.
  private mutating func id(_ name: String) -> TaskID? {
    guard let member = object.member(name), !object.isNull(member) else { return nil }
    let text = object.isNumber(member) ? object.text(of: member) : object.string(member)
    guard let text else {
      reportValue(name, member, wanted: "a text in quotes or a number")
      return nil
    }
    if text.utf8.contains(0) { report(.nulCharacter) }
    return TaskID(text)
  }
}

/// Writes tasks as JSON objects: as one array, or a line for each.
struct JSONTaskWriter: TaskWriter {
  let isLines: Bool
  private(set) var losses = LossCounts()
  private var isFirst = true

  init(isLines: Bool) { self.isLines = isLines }

  mutating func text(for entry: TodoEntry) -> String {
    losses.addForeign(of: entry.draft, in: .json)
    var members = entry.members
    if let id = entry.todo.externalID { members.append(("externalID", .string(id))) }
    let draft = entry.draft
    if draft.sourceFormat == .json, let object = draft.source.flatMap({ JSONObject($0) }) {
      members += JSONTasks.foreignMembers(object).map {
        ($0.name, .raw(JSONObject.compact(object.text(of: $0))))
      }
    }
    var text = isLines ? "" : isFirst ? "[" : ",\n "
    isFirst = false
    JSON.object(members).write(to: &text)
    return isLines ? text + "\n" : text
  }

  mutating func ending() -> String { isLines ? "" : isFirst ? "[]\n" : "]\n" }
}
