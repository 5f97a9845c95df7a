import Foundation

/// Writes tasks as the VTODO components of one calendar.
struct CalendarWriter: TaskWriter {
  /// What stands as the time of writing where a task tells no time at all.
  let now: Date
  private(set) var losses = LossCounts()
  private var writtenZones: Set<String> = []

  init(now: Date) { self.now = now }

  mutating func beginning() -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Roster//todo-db//EN\r\n"
  }

  mutating func ending() -> String { "END:VCALENDAR\r\n" }

  mutating func text(for entry: TodoEntry) -> String {
    let rendering = CalendarRendering(entry, now: now)
    losses.add(rendering.losses)
    losses.addForeign(of: entry.draft, in: .ical)
    let zones = rendering.zones.filter { writtenZones.insert($0).inserted }
    return zones.map(CalendarRendering.withLineEndings).joined() + rendering.text
  }
}

/// One task as a VTODO, with everything of the one that it came from which still holds.
struct CalendarRendering {
  private(set) var text = ""
  private(set) var losses: Set<ExportLoss> = []
  private(set) var zones: [String] = []
  private var lines: [String] = []
  /// Whether the lines are of an item that there was before, in which a property has to be looked for.
  private var isRevised = false

  init(_ entry: TodoEntry, now: Date) {
    let draft = entry.draft
    let source = draft.sourceFormat == .ical ? draft.source : nil
    guard let source, let item = CalendarItem(source: source),
      case .task(let read) = item.task(line: 1, zones: CalendarRendering.definedZones(item))
    else {
      lines = ["BEGIN:VTODO", "UID:" + CalendarText.escaped(entry.foreignID)]
      let stamp = draft.completed ?? draft.created ?? now
      lines.append("DTSTAMP:" + (BasicDate.moment(stamp) ?? BasicDate.moment(now) ?? "19700101T000000Z"))
      compose(draft, changed: .all)
      lines.append("END:VTODO")
      text = lines.map(CalendarText.folded).joined()
      return
    }
    zones = item.zones
    let changed = draft.differences(from: read.draft)
    if changed.isEmpty, !read.ids.isEmpty {
      text = CalendarRendering.withLineEndings(String(decoding: source.utf8.dropFirst(item.offset), as: UTF8.self))
      return
    }
    lines = item.lines
    isRevised = true
    if read.ids.isEmpty { lines.insert("UID:" + CalendarText.escaped(entry.foreignID), at: 1) }
    compose(draft, changed: changed)
    text = lines.map(CalendarText.folded).joined()
  }

  private static func definedZones(_ item: CalendarItem) -> [String: CalendarZone] {
    item.zones.reduce(into: [:]) { zones, block in
      let lines = block.utf8.split(separator: 0x0A).compactMap { CalendarLine(String(Substring($0))) }
      if let name = lines.first(where: { $0.name == "TZID" })?.value {
        zones[name] = CalendarZone(lines, block: block)
      }
    }
  }

  /// Text that has line feeds, with the line endings of the format.
  static func withLineEndings(_ text: String) -> String {
    text.utf8.split(separator: 0x0A).map { String(Substring($0)) + "\r\n" }.joined()
  }

  /// Replaces a property of the item itself, and no other of that name.
  private mutating func set(_ name: String, _ line: String?) {
    guard isRevised else {
      if let line { lines.append(line) }
      return
    }
    var depth = 0
    var found: Int?
    for (index, text) in lines.enumerated() {
      let property = CalendarLine(text)
      if property?.name == "BEGIN" { depth += 1 }
      if property?.name == "END" { depth -= 1 }
      if depth == 1, found == nil, property?.name == name { found = index }
    }
    if let found {
      lines.remove(at: found)
      if let line { lines.insert(line, at: found) }
    } else if let line {
      // The first component inside of it, or its end, comes after all properties.
      let end = lines.dropFirst().firstIndex { $0.uppercased().hasPrefix("BEGIN:") || $0.uppercased() == "END:VTODO" }
      lines.insert(line, at: end ?? lines.count)
    }
  }

  private mutating func compose(_ draft: TaskDraft, changed: DraftFields) {
    losses.formUnion(BasicDate.losses(draft))
    if changed.contains(.title) { set("SUMMARY", "SUMMARY:" + title(draft.title)) }
    if changed.contains(.note) {
      set("DESCRIPTION", draft.note.isEmpty ? nil : "DESCRIPTION:" + escaped(draft.note))
    }
    if changed.contains(.due) { set("DUE", due(draft)) }
    if changed.contains(.priority) {
      let number = draft.priority.map { $0 == .high ? 1 : $0 == .medium ? 5 : 9 }
      set("PRIORITY", number.map { "PRIORITY:\($0)" })
    }
    if changed.contains(.isDone) {
      set("STATUS", "STATUS:" + (draft.isDone ? "COMPLETED" : "NEEDS-ACTION"))
      set("PERCENT-COMPLETE", nil)
    }
    if changed.contains(.completed) {
      set("COMPLETED", draft.completed.flatMap(BasicDate.moment).map { "COMPLETED:" + $0 })
    }
    if changed.contains(.created) { set("CREATED", draft.created.flatMap(BasicDate.moment).map { "CREATED:" + $0 }) }
    if changed.contains(.list) {
      let list = draft.list.map { CalendarItem.listProperty + ":" + escaped($0) }
      set(CalendarItem.listProperty, draft.list == TodoEntry.defaultList ? nil : list)
    }
    if changed.contains(.tags) { setTags(draft.tags) }
  }

  private mutating func setTags(_ tags: [String]) {
    while isRevised, lines.contains(where: { CalendarLine($0)?.name == "CATEGORIES" }) {
      let count = lines.count
      set("CATEGORIES", nil)
      if lines.count == count { break }
    }
    if !tags.isEmpty { set("CATEGORIES", "CATEGORIES:" + tags.map { escaped($0) }.joined(separator: ",")) }
  }

  private func due(_ draft: TaskDraft) -> String? {
    guard let due = draft.due else { return nil }
    return draft.dueHasTime
      ? BasicDate.moment(due).map { "DUE:" + $0 } : BasicDate.day(due).map { "DUE;VALUE=DATE:" + $0 }
  }

  /// An item needs a summary: a title of nothing but control characters has the signs for them.
  private mutating func title(_ text: String) -> String {
    let summary = escaped(text)
    guard CalendarText.parts(summary, separatedBy: nil).allSatisfy(\.isBlank) else { return summary }
    let signs = text.unicodeScalars.map { scalar in
      scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? scalar : scalar == "\u{7F}" ? "\u{2421}" : scalar
    }
    return CalendarText.escaped(String(String.UnicodeScalarView(signs)))
  }

  /// A text may hold no control character but a tab; a line break of any kind is one line feed.
  private mutating func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    var wasCR = false
    for byte in text.utf8 {
      let isControl = byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0x7F
      if isControl { losses.insert(.controlCharacter) }
      if byte == 0x0D { result.append(0x0A) } else if !isControl, !(wasCR && byte == 0x0A) { result.append(byte) }
      wasCR = byte == 0x0D
    }
    return CalendarText.escaped(String(decoding: result, as: UTF8.self))
  }
}
