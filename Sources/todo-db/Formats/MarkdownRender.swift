/// Writes tasks as check lists, with a heading for each list. They have to come list by list.
struct MarkdownWriter: TaskWriter {
  private(set) var losses = LossCounts()
  private var list: String?
  /// Whether the code that the last item ends with has no closing fence, so that an indented line would be in it.
  private var endsInCode = false

  init() {}

  mutating func beginning() -> String { "# Tasks\n" }

  mutating func text(for entry: TodoEntry) -> String {
    let draft = entry.draft
    var lost: Set<ExportLoss> = []
    var text = ""
    let name = MarkdownWriter.line(draft.list ?? TodoEntry.defaultList, .spaceInName, &lost)
    if list.map({ !$0.hasSameBytes(as: name) }) ?? true {
      text = "\n## \(MarkdownWriter.heading(name))\n\n"
      list = name
      endsInCode = false
    }
    let item = MarkdownWriter.item(draft, mayBeIndented: !endsInCode, &lost)
    endsInCode = MarkdownWriter.endsInCode(item)
    text += item
    losses.add(lost)
    losses.addForeign(of: draft, in: .markdown)
    return text
  }

  /// A name that ends in number signs would lose them, were it not closed by others.
  private static func heading(_ name: String) -> String {
    Markdown.heading("# \(name)".unicodeScalars[...]).map { $0.hasSameBytes(as: name) } == true ? name : name + " #"
  }

  private static func line(_ text: String, _ loss: ExportLoss, _ lost: inout Set<ExportLoss>) -> String {
    let line = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { String($0) }.joined(separator: " ").trimmed
    if !line.hasSameBytes(as: text) { lost.insert(loss) }
    return line
  }

  private static func item(
    _ draft: TaskDraft, mayBeIndented: Bool, _ lost: inout Set<ExportLoss>
  ) -> String {
    if draft.priority != nil { lost.insert(.priority) }
    if draft.due != nil { lost.insert(.dueDate) }
    if draft.created != nil { lost.insert(.creationDate) }
    if draft.completed != nil { lost.insert(.completionDate) }
    if !draft.tags.isEmpty { lost.insert(.tags) }
    if draft.sourceFormat == .markdown, let source = draft.source, let read = read(source),
      mayBeIndented || source.unicodeScalars.first?.isBlankSpace == false,
      draft.differences(from: read).isDisjoint(with: [.title, .note, .isDone])
    {
      return source + "\n"
    }
    let title = line(draft.title, .lineBreakInTitle, &lost)
    let whole = "- [\(draft.isDone ? "x" : " ")] \(title)\n" + note(draft.note)
    if let read = read(whole), read.note.hasSameBytes(as: draft.note) { return whole }
    lost.insert(.note)
    return whole
  }

  /// Lines without a text at its end are between items, and any line break is one here.
  private static func note(_ note: String) -> String {
    var lines = TextLines.lines(of: note)
    while lines.last?.isBlank == true { lines.removeLast() }
    var fences = MarkdownFences()
    func isCode(_ line: String, _ fences: inout MarkdownFences) -> Bool {
      let rest = line.unicodeScalars.drop(while: \.isBlankSpace)
      return fences.take(rest, depth: 2 + line.unicodeScalars.count - rest.count, within: 1, line: 0)
    }
    _ = fences.take("- [ ] x".unicodeScalars[...], depth: 0, line: 0)
    return lines.map { line in
      guard !line.isEmpty else { return "\n" }
      var next = fences
      var text = line
      if !isCode(line, &next), Markdown.needsEscape(line) {
        let space = line.unicodeScalars.prefix(while: \.isBlankSpace)
        text = "\(String(space))\\\(String(line.unicodeScalars.dropFirst(space.count)))"
        // A bullet after a backslash is none.
        _ = isCode(text, &fences)
      } else {
        fences = next
      }
      return "  \(text)\n"
    }.joined()
  }

  private static func endsInCode(_ item: String) -> Bool {
    guard item.utf8.contains(UInt8(ascii: "`")) || item.utf8.contains(UInt8(ascii: "~")) else { return false }
    var fences = MarkdownFences()
    for line in TextLines.lines(of: item) {
      let rest = line.unicodeScalars.drop(while: \.isBlankSpace)
      _ = fences.take(rest, depth: line.unicodeScalars.count - rest.count, line: 0)
    }
    return fences.openingLine != nil
  }

  private static func read(_ text: String) -> TaskDraft? {
    var found: [TaskDraft] = []
    try? Markdown.read(Array(text.utf8)) { if case .task(let task) = $0 { found.append(task.draft) } }
    return found.count == 1 ? found.first : nil
  }
}
