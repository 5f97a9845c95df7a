import Foundation

/// Tasks as a table of text, one record each.
///
/// An empty cell and `""` are the same: the empty text for a note, no value for everything else. A
/// cell is text unless its column says otherwise, so that `00601` stays as it is.
enum CSVTasks {
  /// What a column says, in the order in which an export writes them.
  enum Field: String, CaseIterable, Sendable {
    // The id comes last: it is for programs.
    case title = "Title"
    case note = "Notes"
    case isDone = "Completed"
    case priority = "Priority"
    case due = "Due Date"
    case list = "List"
    case tags = "Tags"
    case created = "Created"
    case completed = "Completed At"
    case id = "ID"

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
      case "id", "uuid", "uid": self = .id
      default: return nil
      }
    }
  }

  /// Reads a file record by record.
  static func read(
    _ bytes: [UInt8], _ syntax: TableSyntax = .csv, mapping: [ColumnMapping] = [],
    each: (FoundItem) throws -> Void
  ) throws {
    var names: [String] = []
    var columns: [Field?] = []
    var fields: DraftFields = []
    try TableHeader.read(bytes, syntax) { header in
      names = header.names
      var notices = header.notices
      columns = try Self.columns(of: names, mapping: mapping, notices: &notices)
      guard columns.contains(.title) else { throw ImportFailure(line: 1, .noTitleColumn(header: names)) }
      fields = DraftFields(columns.compactMap { $0?.draftField })
      for notice in notices { try each(.notice(notice)) }
    } each: { record in
      guard record.fields.count == names.count else {
        let fact = ImportProblem.Fact.ragged(found: record.fields.count, wanted: names.count)
        return try each(.bad([ImportProblem(line: record.line, fact: fact)]))
      }
      var row = CSVTaskRow(line: record.line)
      for ((field, heading), cell) in zip(zip(columns, names), record.fields) {
        if let field { row.read(cell, as: field, heading: heading) }
      }
      try each(row.finished(fields, hasNUL: record.fields.contains { $0.utf8.contains(0) }))
    }
  }

  /// A known column may stand once; a second one with another of its names is reported and not read.
  private static func columns(
    of header: [String], mapping: [ColumnMapping], notices: inout [ImportNotice]
  ) throws(ImportFailure) -> [Field?] {
    for map in mapping where !header.contains(where: map.names) {
      throw ImportFailure(line: 1, .noSuchColumn(map.column, header: header))
    }
    // What the user has said counts before what a name suggests.
    var first: [Field: String] = [:]
    for map in mapping { if let field = map.field { first[field] = header.first(where: map.names) } }
    return header.map { heading in
      if let map = mapping.first(where: { $0.names(heading) }) { return map.field }
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
}

/// Writes tasks as a table, with the header first.
struct CSVTaskWriter: TaskWriter {
  let syntax: TableSyntax
  private(set) var losses = LossCounts()

  init(_ syntax: TableSyntax) { self.syntax = syntax }

  mutating func beginning() -> String { CSVWriter.line(CSVTasks.Field.allCases.map(\.rawValue), syntax) }

  mutating func text(for entry: TodoEntry) -> String { text(for: entry.draft, id: entry.foreignID) }

  mutating func text(for draft: TaskDraft, id: String) -> String {
    var lost: Set<ExportLoss> = []
    if CSVTasks.hasLostDate(draft) { lost.insert(.dateOutOfRange) }
    if !CSVTags.carry(draft.tags) { lost.insert(.tagName) }
    losses.add(lost)
    losses.addForeign(of: draft, in: .csv)
    return CSVWriter.line(CSVTasks.Field.allCases.map { CSVTasks.cell($0, of: draft, id: id) }, syntax)
  }
}

extension CSVTasks {
  fileprivate static func cell(_ field: Field, of draft: TaskDraft, id: String) -> String {
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
    case .id: id
    }
  }

  /// A midnight is written as the day that it most likely came from; both read back as the same moment.
  private static func dateText(_ date: Date) -> String? {
    DueDate(date: date, hasTime: DueDate.startOfDay(date) != date).iso
  }

  fileprivate static func hasLostDate(_ draft: TaskDraft) -> Bool {
    [draft.due, draft.created, draft.completed].compactMap(\.self).contains { DueDate.day($0) == nil }
  }
}

extension CSVTasks.Field {
  /// `nil` for the id, which is no part of a draft.
  fileprivate var draftField: DraftFields? {
    switch self {
    case .title: .title
    case .note: .note
    case .isDone: .isDone
    case .priority: .priority
    case .due: .due
    case .list: .list
    case .tags: .tags
    case .created: .created
    case .completed: .completed
    case .id: nil
    }
  }
}

/// What a column of a file is to be read as.
struct ColumnMapping: Equatable, Sendable {
  var column: String
  /// `nil` leaves the column out.
  var field: CSVTasks.Field?

  /// The names of fields, as `--map` takes them.
  static let fieldNames: [String] = fields.map(\.0) + ["none"]
  private static let fields: [(String, CSVTasks.Field)] = [
    ("title", .title), ("note", .note), ("done", .isDone), ("priority", .priority), ("due", .due), ("list", .list),
    ("tags", .tags), ("created", .created), ("completed", .completed), ("id", .id),
  ]

  /// Reads `COLUMN=FIELD`. A column's name may hold an equals sign.
  init?(_ text: String) {
    let scalars = text.unicodeScalars
    guard let equals = scalars.lastIndex(of: "=") else { return nil }
    column = String(scalars[..<equals]).trimmed
    let name = String(scalars[equals...].dropFirst()).trimmed.lowercased()
    field = Self.fields.first { $0.0 == name }?.1
    if column.isEmpty || field == nil && name != "none" { return nil }
  }

  func names(_ heading: String) -> Bool { column.hasSameBytes(as: heading) }
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

/// One record on its way to a task. Problems name the line on which the record began.
private struct CSVTaskRow {
  private var draft: TaskDraft
  private var id: TaskID?
  private var problems: [ImportProblem] = []
  private var saysWhetherDone = false

  init(line: Int) { draft = TaskDraft(title: "", line: line) }

  mutating func read(_ cell: String, as field: CSVTasks.Field, heading: String) {
    let value = cell.trimmed
    switch field {
    case .title: draft.title = cell
    case .note: draft.note = cell
    case .list: draft.list = value.isEmpty ? nil : value
    case .tags: draft.tags = CSVTags.read(cell)
    case .id: id = TaskID(cell)
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

  /// A day of completion without a word on whether it is done says so.
  mutating func finished(_ fields: DraftFields, hasNUL: Bool) -> FoundItem {
    if hasNUL { problems.insert(ImportProblem(line: draft.line, fact: .nulCharacter), at: 0) }
    if draft.title.isBlank { problems.append(ImportProblem(line: draft.line, fact: .blankTitle)) }
    guard problems.isEmpty else { return .bad(problems) }
    var fields = fields
    if !saysWhetherDone, draft.completed != nil {
      draft.isDone = true
      fields.insert(.isDone)
    } else if !saysWhetherDone {
      fields.remove(.isDone)
    }
    return .task(FoundTask(draft: draft, ids: [id].compactMap(\.self), fields: fields))
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
    if date == nil { report(value, heading: heading, wanted: DueDate.wanted(for: value)) }
    return date
  }

  private mutating func report(_ value: String, heading: String, wanted: String) {
    let fact = ImportProblem.Fact.badValue(column: heading, value: value, wanted: wanted)
    problems.append(ImportProblem(line: draft.line, fact: fact))
  }
}
