import Foundation

/// The properties of one VTODO, without those of the components inside of it.
struct CalendarItem {
  /// All of its lines from BEGIN to END, unfolded.
  private(set) var lines: [String] = []
  private(set) var properties: [CalendarLine] = []
  /// The VTIMEZONE blocks that stand before it in a todo's source.
  private(set) var zones: [String] = []
  /// Where the item begins in the source, in bytes.
  private(set) var offset = 0

  init(lines: [String], properties: [CalendarLine]) {
    self.lines = lines
    self.properties = properties
  }

  /// Reads a todo's source: the time zones that it needs, and the item, with line feeds between the lines.
  init?(source: String) {
    let bytes = Array(source.utf8)
    var zoneStart: Int?
    var depth = 0
    UnfoldedLine.read(bytes) { line in
      guard let text = line.text, let property = CalendarLine(text) else { return }
      let component = property.value.uppercased()
      if lines.isEmpty, component != "VTODO" {
        if property.name == "BEGIN", component == "VTIMEZONE" { zoneStart = line.range.lowerBound }
        if property.name == "END", component == "VTIMEZONE", let start = zoneStart {
          zones.append(String(decoding: bytes[start..<line.range.upperBound], as: UTF8.self))
        }
        return
      }
      if lines.isEmpty { offset = line.range.lowerBound }
      lines.append(text)
      if property.name == "BEGIN" { depth += 1 }
      if depth == 1, property.name != "BEGIN", property.name != "END" { properties.append(property) }
      if property.name == "END" { depth -= 1 }
    }
    guard lines.first?.uppercased() == "BEGIN:VTODO", depth == 0 else { return nil }
  }

  func property(_ name: String) -> CalendarLine? { properties.first { $0.name == name } }

  /// Of what a todo holds.
  static let known: Set<String> = [
    "UID", "SUMMARY", "DESCRIPTION", "DUE", "PRIORITY", "STATUS", "COMPLETED", "CREATED", "CATEGORIES", listProperty,
  ]
  private static let bookkeeping: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]
  /// A VTODO has no property for the list that it is in.
  static let listProperty = "X-ROSTER-LIST"

  var hasForeignProperties: Bool {
    properties.contains { !CalendarItem.known.contains($0.name) && !CalendarItem.bookkeeping.contains($0.name) }
      || lines.dropFirst().contains { $0.uppercased().hasPrefix("BEGIN:") }
  }

  /// The task that it is, or why it is none.
  func task(line: Int, zones: [String: CalendarZone]) -> FoundItem {
    var reader = CalendarReader(item: self, line: line, zones: zones)
    return reader.read()
  }
}

private struct CalendarReader {
  let item: CalendarItem
  let zones: [String: CalendarZone]
  private var draft: TaskDraft
  private var fields = DraftFields.all.subtracting(.list)
  private var problems: [ImportProblem] = []

  init(item: CalendarItem, line: Int, zones: [String: CalendarZone]) {
    self.item = item
    self.zones = zones
    draft = TaskDraft(title: "", line: line)
  }

  mutating func read() -> FoundItem {
    draft.title = item.property("SUMMARY")?.text ?? ""
    if draft.title.isBlank { report(.blankTitle) }
    draft.note = item.property("DESCRIPTION")?.text ?? ""
    if let list = item.property(CalendarItem.listProperty)?.text, !list.isBlank {
      draft.list = list.trimmed
      fields.insert(.list)
    }
    draft.tags =
      item.properties.filter { $0.name == "CATEGORIES" }.flatMap(\.texts)
      .map(\.trimmed).filter { !$0.isEmpty }.withoutRepeats
    let due = date("DUE")
    draft.due = due?.date
    draft.dueHasTime = due?.hasTime ?? false
    draft.created = date("CREATED")?.date
    draft.completed = date("COMPLETED")?.date
    readState()
    readPriority()
    if item.properties.contains(where: { $0.value.utf8.contains(0) }) { report(.nulCharacter) }
    guard problems.isEmpty else { return .bad(problems) }
    return .task(FoundTask(draft: draft, ids: [id].compactMap(\.self), fields: fields))
  }

  private mutating func report(_ fact: ImportProblem.Fact) {
    problems.append(ImportProblem(line: draft.line, fact: fact))
  }

  /// One recurrence of a task has the task's own UID.
  private var id: TaskID? {
    guard let uid = item.property("UID")?.text else { return nil }
    guard let recurrence = item.property("RECURRENCE-ID")?.value else { return TaskID(uid) }
    return .foreign("\(uid.trimmed)#\(recurrence)")
  }

  private mutating func readState() {
    switch item.property("STATUS")?.value.trimmed.uppercased() {
    case "COMPLETED", "CANCELLED": draft.isDone = true
    case "NEEDS-ACTION", "IN-PROCESS": break
    case let other?:
      report(
        .badValue(column: "STATUS", value: other, wanted: "NEEDS-ACTION, IN-PROCESS, COMPLETED or CANCELLED"))
    case nil: draft.isDone = draft.completed != nil || item.property("PERCENT-COMPLETE")?.value.trimmed == "100"
    }
  }

  private mutating func readPriority() {
    guard let text = item.property("PRIORITY")?.value.trimmed else { return }
    switch Int(text) {
    case 0: break
    case 1, 2, 3, 4: draft.priority = .high
    case 5: draft.priority = .medium
    case 6, 7, 8, 9: draft.priority = .low
    default: report(.badValue(column: "PRIORITY", value: text, wanted: "a number from 0 to 9"))
    }
  }

  /// A time without a zone is one in UTC, as everywhere in this tool.
  private mutating func date(_ name: String) -> DueDate? {
    guard let property = item.property(name) else { return nil }
    guard let read = BasicDate(property.value.trimmed), read.hasTime || property.parameters["VALUE"] != "DATE-TIME"
    else {
      report(.badValue(column: name, value: property.value, wanted: BasicDate.syntax))
      return nil
    }
    guard read.hasTime, !read.isUTC, let name = property.parameters["TZID"] else {
      return DueDate(date: read.date, hasTime: read.hasTime)
    }
    guard let zone = zones[name] ?? CalendarZone(named: name) else {
      report(.unknownZone(name))
      return nil
    }
    let due = DueDate(date: zone.moment(ofLocal: read.date), hasTime: true)
    guard due.iso != nil else {
      report(.badValue(column: property.name, value: property.value, wanted: DueDate.range))
      return nil
    }
    return due
  }
}
