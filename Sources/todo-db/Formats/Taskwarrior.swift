import Foundation

/// The JSON that `task export` writes.
///
/// A task's annotations are its note, a line or more each. Midnight in UTC is a day without a time. An object that nobody
/// has changed since is exported as it was; of one that has been changed, everything else is.
enum Taskwarrior {
  /// What a todo holds, and what Taskwarrior works out for itself.
  private static let known: Set<String> = [
    "uuid", "description", "status", "entry", "end", "priority", "due", "project", "tags", "annotations", "id",
    "urgency",
    "modified",
  ]

  static func hasForeignFields(_ object: JSONObject) -> Bool { object.members.contains { !known.contains($0.name) } }

  /// Whether the first object of a JSON file is a task of Taskwarrior's, and none of ours.
  static func looksLikeExport(_ bytes: [UInt8]) -> Bool {
    var scanner = JSONScanner(bytes)
    _ = scanner.take(UInt8(ascii: "["))
    guard let first = try? JSONObject(&scanner) else { return false }
    return first.member("title") == nil && first.member("description") != nil
      && ["uuid", "status", "entry"].contains { first.member($0) != nil }
  }

  static func item(_ item: JSONItems.Item) -> FoundItem {
    switch item {
    case .bad(let problem): .bad([problem])
    case .object(let object): Self.item(object)
    }
  }

  static func item(_ object: JSONObject) -> FoundItem {
    var reader = TaskwarriorReader(object)
    return reader.read()
  }

  static let priorities: [(letter: String, priority: DraftPriority)] = [("H", .high), ("M", .medium), ("L", .low)]
}

private struct TaskwarriorReader {
  private let object: JSONObject
  private var draft: TaskDraft
  private var problems: [ImportProblem] = []

  init(_ object: JSONObject) {
    self.object = object
    draft = TaskDraft(title: "", line: object.line)
  }

  mutating func read() -> FoundItem {
    draft.title = text("description") ?? ""
    if draft.title.isBlank, problems.isEmpty { report(.blankTitle) }
    switch text("status") ?? "pending" {
    case "pending", "waiting", "recurring": break
    case "completed": draft.isDone = true
    case "deleted": return .passedOver(.deletedTask(draft.title, line: draft.line))
    case let other:
      report(
        .badValue(column: "status", value: other, wanted: "pending, waiting, recurring, completed or deleted"))
    }
    draft.created = date("entry")?.date
    draft.completed = date("end")?.date
    let due = date("due")
    draft.due = due?.date
    draft.dueHasTime = due.map { DueDate.startOfDay($0.date) != $0.date } ?? false
    // Users define priorities of their own, which are kept and mean nothing here.
    let letter = text("priority")
    draft.priority = Taskwarrior.priorities.first { $0.letter == letter }?.priority
    draft.list = text("project").flatMap { $0.isBlank ? nil : $0.trimmed }
    readTags()
    readAnnotations()
    draft.source = object.text
    draft.sourceFormat = .taskwarrior
    let id = readID()
    guard problems.isEmpty else { return .bad(problems) }
    return .task(FoundTask(draft: draft, ids: [id].compactMap(\.self)))
  }

  private mutating func report(_ fact: ImportProblem.Fact) {
    problems.append(ImportProblem(line: object.line, fact: fact))
  }

  private mutating func reportValue(_ member: JSONObject.Member, wanted: String) {
    let value = object.string(member) ?? object.text(of: member)
    report(.badValue(column: member.name, value: value, wanted: wanted))
  }

  private func member(_ name: String) -> JSONObject.Member? {
    object.member(name).flatMap { object.isNull($0) ? nil : $0 }
  }

  private mutating func text(_ name: String) -> String? {
    guard let member = member(name) else { return nil }
    guard let text = object.string(member) else {
      reportValue(member, wanted: "a text in quotes")
      return nil
    }
    if text.utf8.contains(0) { report(.nulCharacter) }
    return text
  }

  private mutating func readID() -> TaskID? {
    guard let member = member("uuid") else { return nil }
    guard let id = object.string(member).flatMap({ UUID(uuidString: $0) }) else {
      reportValue(member, wanted: "a UUID")
      return nil
    }
    return .uuid(id)
  }

  private mutating func date(_ name: String) -> BasicDate? {
    guard let member = member(name) else { return nil }
    guard let date = object.string(member).flatMap({ BasicDate($0) }) else {
      reportValue(member, wanted: BasicDate.syntax)
      return nil
    }
    return date
  }

  private mutating func readTags() {
    guard let member = member("tags") else { return }
    guard let tags = object.strings(member) else { return reportValue(member, wanted: "an array of texts") }
    if tags.contains(where: { $0.utf8.contains(0) }) { report(.nulCharacter) }
    draft.tags = tags.map(\.trimmed).filter { !$0.isEmpty }.withoutRepeats
  }

  private mutating func readAnnotations() {
    guard let member = member("annotations") else { return }
    guard let annotations = object.objects(member) else {
      return reportValue(member, wanted: "an array of objects")
    }
    let texts = annotations.map { note in note.member("description").flatMap { note.string($0) } }
    guard !texts.contains(nil) else { return reportValue(member, wanted: "an array of objects with a description") }
    draft.note = texts.compactMap(\.self).joined(separator: "\n")
    if draft.note.utf8.contains(0) { report(.nulCharacter) }
  }
}
