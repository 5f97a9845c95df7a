import Foundation

/// Tasks as a table of text, one record each.
///
/// An empty cell and `""` are the same: the empty text for a note, no value for everything else. A
/// cell is text unless its column says otherwise, so that `00601` stays as it is.
enum CSVTasks {
  /// What a column says, in the order in which an export writes them.
  enum Field: String, CaseIterable, Sendable {
    case title = "Title"
    case note = "Notes"
    case isDone = "Completed"
    case priority = "Priority"
    case due = "Due Date"
    case list = "List"
    case tags = "Tags"
    case created = "Created"
    case completed = "Completed At"

    /// The column that a header's cell names, whatever its case, spaces, hyphens and underscores.
    init?(heading: String) {
      let key = heading.lowercased().unicodeScalars.filter {
        !$0.isWhite && $0 != "_" && $0 != "-"
      }
      switch String(String.UnicodeScalarView(key)) {
      case "title": self = .title
      case "note", "notes": self = .note
      case "completed", "done", "isdone", "iscompleted": self = .isDone
      case "priority": self = .priority
      case "due", "duedate": self = .due
      case "list", "project": self = .list
      case "tag", "tags": self = .tags
      case "created", "createdat", "createddate", "creationdate": self = .created
      case "completedat", "completeddate", "completiondate": self = .completed
      default: return nil
      }
    }
  }

  /// Reads a whole file. All cells that cannot be read are reported at once.
  static func parse(_ bytes: some Sequence<UInt8>, skipRagged: Bool = false) throws(ImportFailure)
    -> TaskImport
  {
    let table = try CSVTable(bytes, skipRagged: skipRagged)
    var result = TaskImport(skipped: table.skipped, notices: table.notices)
    let columns = columns(of: table.header, notices: &result.notices)
    guard columns.contains(.title) else {
      throw ImportFailure(line: 1, .noTitleColumn(header: table.header))
    }
    var problems: [ImportProblem] = []
    for record in table.records {
      var row = CSVTaskRow(line: record.line)
      for ((field, heading), cell) in zip(zip(columns, table.header), record.fields) {
        if let field { row.read(cell, as: field, heading: heading) }
      }
      if record.fields.contains(where: { $0.utf8.contains(0) }) {
        problems.append(ImportProblem(line: record.line, fact: .nulCharacter))
      }
      row.finish()
      problems += row.problems
      result.drafts.append(row.draft)
    }
    guard problems.isEmpty else { throw ImportFailure(problems) }
    return result
  }

  /// A known column may stand once; a second one with another of its names is reported and not read.
  private static func columns(of header: [String], notices: inout [ImportNotice]) -> [Field?] {
    var first: [Field: String] = [:]
    return header.map { heading in
      guard let field = Field(heading: heading) else {
        notices.append(.unknownColumn(heading))
        return nil
      }
      if let other = first[field] {
        notices.append(.secondColumn(heading, first: other))
        return nil
      }
      first[field] = heading
      return field
    }
  }

  /// The file's text for tasks in their order, the header first, and what had no place in it.
  static func render(_ drafts: [TaskDraft]) -> TaskExport {
    var export = TaskExport(text: CSVWriter.line(Field.allCases.map(\.rawValue)))
    for draft in drafts {
      let fields = Field.allCases.map { field in cell(field, of: draft) }
      export.text += CSVWriter.line(fields)
      if hasLostDate(draft) { export.count(.dateOutOfRange) }
      if !CSVTags.carry(draft.tags) { export.count(.tagName) }
    }
    return export
  }

  private static func cell(_ field: Field, of draft: TaskDraft) -> String {
    switch field {
    case .title: draft.title
    case .note: draft.note
    case .isDone: draft.isDone ? "true" : "false"
    case .priority: draft.priority?.rawValue ?? ""
    case .due: draft.due.flatMap { DueDate(date: $0, hasTime: draft.dueHasTime).iso } ?? ""
    case .list: draft.list ?? ""
    case .tags: CSVTags.text(draft.tags)
    case .created: draft.created.flatMap(dateText) ?? ""
    case .completed: draft.completed.flatMap(dateText) ?? ""
    }
  }

  /// A midnight is written as the day that it most likely came from; both read back as the same moment.
  private static func dateText(_ date: Date) -> String? {
    DueDate(date: date, hasTime: DueDate.startOfDay(date) != date).iso
  }

  private static func hasLostDate(_ draft: TaskDraft) -> Bool {
    [draft.due, draft.created, draft.completed].compactMap(\.self).contains { DueDate.day($0) == nil }
  }
}

/// Tags in one cell: separated by semicolons where there is one, else by spaces.
enum CSVTags {
  static func read(_ cell: String) -> [String] {
    let hasSemicolon = cell.unicodeScalars.contains(";")
    return cell.unicodeScalars
      .split { hasSemicolon ? $0 == ";" : $0.isWhite }
      .map { String($0).trimmed }
      .filter { !$0.isEmpty }
      .withoutRepeats
  }

  /// A tag with a space in it makes the separator a semicolon, which then must stand at least once.
  static func text(_ tags: [String]) -> String {
    let hasSpace = tags.contains { $0.unicodeScalars.contains(where: \.isWhite) }
    return hasSpace ? tags.map { $0 + ";" }.joined() : tags.joined(separator: " ")
  }

  /// False where a tag holds the separator itself.
  static func carry(_ tags: [String]) -> Bool {
    let read = read(text(tags))
    return read.count == tags.count && zip(read, tags).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

/// One record on its way to a draft. Problems name the line on which the record began.
private struct CSVTaskRow {
  private(set) var draft: TaskDraft
  private(set) var problems: [ImportProblem] = []
  private var saysWhetherDone = false

  init(line: Int) { draft = TaskDraft(title: "", line: line) }

  mutating func read(_ cell: String, as field: CSVTasks.Field, heading: String) {
    let value = cell.trimmed
    switch field {
    case .title: draft.title = cell
    case .note: draft.note = cell
    case .list: draft.list = value.isEmpty ? nil : value
    case .tags: draft.tags = CSVTags.read(cell)
    case _ where value.isEmpty: break
    case .isDone: readDone(value, heading: heading)
    case .priority: readPriority(value, heading: heading)
    case .due:
      let due = date(value, heading: heading)
      draft.due = due?.date
      draft.dueHasTime = due?.hasTime ?? false
    case .created: draft.created = date(value, heading: heading)?.date
    case .completed: draft.completed = date(value, heading: heading)?.date
    }
  }

  mutating func finish() {
    if draft.title.isBlank { problems.append(ImportProblem(line: draft.line, fact: .blankTitle)) }
    if !saysWhetherDone, draft.completed != nil { draft.isDone = true }
  }

  private mutating func readDone(_ value: String, heading: String) {
    saysWhetherDone = true
    switch value.lowercased() {
    case "true", "yes", "y", "x", "1": draft.isDone = true
    case "false", "no", "n", "0": draft.isDone = false
    default: report(value, heading: heading, wanted: "true or false")
    }
  }

  private mutating func readPriority(_ value: String, heading: String) {
    let name = value.lowercased()
    draft.priority = DraftPriority(rawValue: name)
    if draft.priority == nil, name != "none" {
      report(value, heading: heading, wanted: "high, medium, low or none")
    }
  }

  private mutating func date(_ value: String, heading: String) -> DueDate? {
    let date = DueDate(value)
    if date == nil { report(value, heading: heading, wanted: DueDate.syntax) }
    return date
  }

  private mutating func report(_ value: String, heading: String, wanted: String) {
    let fact = ImportProblem.Fact.badValue(column: heading, value: value, wanted: wanted)
    problems.append(ImportProblem(line: draft.line, fact: fact))
  }
}
