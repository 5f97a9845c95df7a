import Foundation

/// The tasks of an iCalendar file, which are its VTODO components. [RFC 5545]
///
/// Only a VTODO's own properties count: not those of its alarms, of time zones and of events. An item that nobody has
/// changed since is exported as it was, with the time zones that it needs.
enum ICalendar {
  static func read(_ bytes: [UInt8], each: (FoundItem) throws -> Void) throws {
    var reader = ICalendarReader(bytes)
    try UnfoldedLine.read(bytes) { line in
      if let item = reader.take(line) { try each(item) }
    }
    try reader.finish(each)
  }
}

private struct ICalendarReader {
  private struct OpenItem {
    var start: UnfoldedLine
    var lines: [String] = []
    var properties: [CalendarLine] = []
    var depth = 0
    var problem: ImportProblem?
  }

  private let bytes: [UInt8]
  private var item: OpenItem?
  private var zoneStart: UnfoldedLine?
  private var zoneLines: [CalendarLine] = []
  private var zones: [String: CalendarZone] = [:]
  private var others: [(name: String, count: Int)] = []
  private var isCalendar = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// What the line completes, if anything.
  mutating func take(_ line: UnfoldedLine) -> FoundItem? {
    let text = line.text
    let property = text.flatMap { CalendarLine($0) }
    let isFrame = property?.name == "BEGIN" || property?.name == "END"
    let component = isFrame ? property?.value.trimmed.uppercased() ?? "" : ""
    if property?.name == "BEGIN", component == "VTODO" {
      let earlier = item.map(unfinished)
      isCalendar = true
      item = OpenItem(start: line)
      item?.lines.append(text ?? "")
      return earlier
    }
    if item != nil { return takeIntoItem(line, text, property, component) }
    takeOutside(line, property, component)
    return nil
  }

  mutating func finish(_ each: (FoundItem) throws -> Void) throws {
    if let item { try each(unfinished(item)) }
    guard isCalendar else { throw ImportFailure(line: 1, .notACalendar) }
    for other in others { try each(.notice(.otherComponents(other.name, count: other.count))) }
  }

  private func unfinished(_ item: OpenItem) -> FoundItem {
    .bad([ImportProblem(line: item.start.number, fact: .unfinishedItem)])
  }

  private mutating func takeIntoItem(
    _ line: UnfoldedLine, _ text: String?, _ property: CalendarLine?, _ component: String
  ) -> FoundItem? {
    guard let text, let property else {
      let fact = text.map { ImportProblem.Fact.notAProperty($0) } ?? .notUTF8
      if item?.problem == nil { item?.problem = ImportProblem(line: line.number, fact: fact) }
      return nil
    }
    item?.lines.append(text)
    let depth = item?.depth ?? 0
    switch property.name {
    case "BEGIN": item?.depth += 1
    case "END" where depth > 0: item?.depth -= 1
    case "END":
      guard let done = item else { return nil }
      item = nil
      return component == "VTODO" ? finished(done, at: line) : unfinished(done)
    case _ where depth == 0: item?.properties.append(property)
    default: break
    }
    return nil
  }

  private func finished(_ done: OpenItem, at end: UnfoldedLine) -> FoundItem {
    if let problem = done.problem { return .bad([problem]) }
    let found = CalendarItem(lines: done.lines, properties: done.properties)
      .task(line: done.start.number, zones: zones)
    guard case .task(var task) = found else { return found }
    let range = done.start.range.lowerBound..<end.range.upperBound
    let blocks = done.properties.compactMap { $0.parameters["TZID"] }.withoutRepeats
      .compactMap { zones[$0]?.block }.filter { !$0.isEmpty }
    // Where a fold has cut a scalar in two, the file's own lines are no text.
    task.draft.source = (blocks + [raw(range) ?? done.lines.joined(separator: "\n")]).joined(separator: "\n")
    task.draft.sourceFormat = .ical
    return .task(task)
  }

  /// A part of the file with its lines as they are folded, ended by line feeds.
  private func raw(_ range: Range<Int>) -> String? {
    TextLines(Array(bytes[range])).reduce(into: [String]() as [String]?) { lines, line in
      if let text = line.text { lines?.append(text) } else { lines = nil }
    }?.joined(separator: "\n")
  }

  private mutating func takeOutside(_ line: UnfoldedLine, _ property: CalendarLine?, _ component: String) {
    guard let property else { return }
    if let start = zoneStart {
      zoneLines.append(property)
      guard property.name == "END", component == "VTIMEZONE" else { return }
      zoneStart = nil
      let block = raw(start.range.lowerBound..<line.range.upperBound) ?? ""
      if let name = zoneLines.first(where: { $0.name == "TZID" })?.value {
        zones[name] = CalendarZone(zoneLines, block: block)
      }
      return
    }
    guard property.name == "BEGIN" else { return }
    switch component {
    case "VCALENDAR": isCalendar = true
    case "VTIMEZONE":
      zoneStart = line
      zoneLines = []
    case "VEVENT", "VJOURNAL", "VFREEBUSY":
      if let index = others.firstIndex(where: { $0.name == component }) {
        others[index].count += 1
      } else {
        others.append((component, 1))
      }
    default: break
    }
  }
}
