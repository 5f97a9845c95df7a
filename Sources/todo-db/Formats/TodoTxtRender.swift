import Foundation

/// Writes tasks as lines of todo.txt.
///
/// A task without a list and one in `defaultList` are the same here: neither gets a project.
struct TodoTxtWriter: TaskWriter {
  var defaultList: String? = TodoEntry.defaultList
  private(set) var losses = LossCounts()

  init(defaultList: String? = TodoEntry.defaultList) { self.defaultList = defaultList }

  mutating func text(for entry: TodoEntry) -> String { text(for: entry.draft) }

  mutating func text(for draft: TaskDraft) -> String {
    let rendering = TodoTxtRendering(draft, defaultList: defaultList)
    losses.add(rendering.losses)
    losses.addForeign(of: draft, in: .todotxt)
    return rendering.line + "\n"
  }
}

/// One task as a line of todo.txt.
///
/// The line is one line, is never blank, and reads back as the same task unless `losses` says what
/// does not.
struct TodoTxtRendering {
  private(set) var line = ""
  private(set) var losses: Set<ExportLoss> = []

  init(_ draft: TaskDraft, defaultList: String?) {
    if !draft.note.isEmpty { losses.insert(.note) }
    var wanted = draft
    if wanted.list?.isBlank == true || wanted.list == defaultList { wanted.list = nil }
    let source = (draft.sourceFormat == .todotxt ? draft.source : nil).flatMap {
      $0.unicodeScalars.contains(where: \.endsLine) ? nil : TodoTxtLine($0)
    }
    if let source, let text = draft.source, Self.same(source, wanted, defaultList: defaultList) {
      line = text
      return
    }
    makeRepresentable(&wanted)
    compose(wanted, source: source, defaultList: defaultList)
  }

  /// Drops what a line cannot say, and notes each thing dropped.
  private mutating func makeRepresentable(_ draft: inout TaskDraft) {
    let title = oneLine(draft.title)
    draft.title = title.trimmed
    if !draft.title.hasSameBytes(as: title) { losses.insert(.title) }
    draft.list = draft.list.map { oneWord($0) }
    draft.tags = draft.tags.filter { !$0.isBlank }.map { oneWord($0) }.withoutRepeats
    draft.due = day(draft.due)
    // A midnight is a time, too.
    if draft.dueHasTime, draft.due != nil { losses.insert(.timeOfDay) }
    draft.dueHasTime = false
    draft.created = day(draft.created)
    draft.completed = day(draft.completed)
    if !draft.isDone, draft.completed != nil {
      draft.completed = nil
      losses.insert(.completionDate)
    }
    if draft.isDone, draft.completed == nil, draft.created != nil {
      // A single date after the x would be read as the day of completion.
      draft.created = nil
      losses.insert(.creationDate)
    }
  }

  private mutating func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.endsLine) else { return text }
    losses.insert(.lineBreakInTitle)
    return text.unicodeScalars.split(whereSeparator: \.endsLine).map { String($0) }.joined(separator: " ")
  }

  private mutating func oneWord(_ name: String) -> String {
    guard name.unicodeScalars.contains(where: \.isWhite) else { return name }
    losses.insert(.spaceInName)
    var word = String.UnicodeScalarView()
    for scalar in name.unicodeScalars { word.append(scalar.isWhite ? "_" : scalar) }
    return String(word)
  }

  private mutating func day(_ date: Date?) -> Date? {
    guard let date else { return nil }
    guard let start = DueDate.startOfDay(date) else {
      losses.insert(.dateOutOfRange)
      return nil
    }
    if start != date { losses.insert(.timeOfDay) }
    return start
  }

  /// The format has no escapes, so a title may hold what reads as a mark. Of several ways to lay the
  /// line out the first one that reads back as the task is taken; if none does, the title is lost.
  private mutating func compose(_ draft: TaskDraft, source: TodoTxtLine?, defaultList: String?) {
    var letter = draft.priority?.letter
    if let kept = source?.priority, draft.priority == DraftPriority(letter: kept) { letter = kept }
    let front = Self.front(draft, letter: letter)
    let marks = Self.marks(draft, letter: letter)
    let joined = marks.joined(separator: " ")
    let closing = draft.isDone ? letter.map { ["pri:\($0)"] } ?? [] : []
    var layouts: [String] = []
    if let source { layouts.append(front + ([source.body] + closing).joined(separator: " ")) }
    layouts.append(front + ([draft.title] + marks).joined(separator: " "))
    // One more space ends the front: what follows it is no mark of the front.
    layouts.append(front + " " + ([draft.title] + marks).joined(separator: " "))
    if !marks.isEmpty { layouts.append(front + joined + " " + draft.title) }
    layouts.append(front + draft.title)
    let exact = layouts.first { layout in
      TodoTxtLine(layout).map { Self.same($0, draft, defaultList: defaultList) } ?? false
    }
    line = exact ?? front + ([draft.title] + marks).joined(separator: " ")
    if exact == nil { losses.insert(.title) }
  }

  private static func front(_ draft: TaskDraft, letter: Unicode.Scalar?) -> String {
    var front = draft.isDone ? "x " : letter.map { "(\($0)) " } ?? ""
    if draft.isDone, let completed = draft.completed.flatMap(DueDate.day) { front += completed + " " }
    if let created = draft.created.flatMap(DueDate.day) { front += created + " " }
    return front
  }

  private static func marks(_ draft: TaskDraft, letter: Unicode.Scalar?) -> [String] {
    var marks: [String] = []
    if let list = draft.list { marks.append("+" + list) }
    for tag in draft.tags {
      // Without a list before it, or with the list's own name, a project would not be read as a tag. A
      // context whose name begins with a plus sign is.
      let isProject = tag.hasPrefix("+") && tag != "+" && draft.list.map { tag != "+" + $0 } ?? false
      marks.append(isProject ? tag : "@" + tag)
    }
    if let due = draft.due.flatMap(DueDate.day) { marks.append("due:" + due) }
    if draft.isDone, let letter { marks.append("pri:\(letter)") }
    return marks
  }

  /// True where the line says all that the draft says, apart from the note.
  private static func same(_ line: TodoTxtLine, _ draft: TaskDraft, defaultList: String?) -> Bool {
    var read = line.draft(source: nil, line: 0)
    if read.list == defaultList { read.list = nil }
    return read.title.hasSameBytes(as: draft.title)
      && read.isDone == draft.isDone && read.priority == draft.priority
      && read.due == draft.due && read.dueHasTime == draft.dueHasTime
      && read.created == draft.created && read.completed == draft.completed
      && (read.list ?? "").hasSameBytes(as: draft.list ?? "")
      && Set(read.tags) == Set(draft.tags)
  }
}

extension Unicode.Scalar {
  fileprivate var endsLine: Bool { self == "\n" || self == "\r" }
}
