/// Writes tasks as check lists, with a heading for each list. They have to come list by list.
struct MarkdownWriter: TaskWriter {
  private(set) var losses = LossCounts()
  private var list: String?

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
    }
    text += MarkdownWriter.item(draft, &lost)
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

  private static func item(_ draft: TaskDraft, _ lost: inout Set<ExportLoss>) -> String {
    if draft.priority != nil { lost.insert(.priority) }
    if draft.due != nil { lost.insert(.dueDate) }
    if draft.created != nil { lost.insert(.creationDate) }
    if draft.completed != nil { lost.insert(.completionDate) }
    if !draft.tags.isEmpty { lost.insert(.tags) }
    if draft.sourceFormat == .markdown, let source = draft.source, let read = read(source),
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

  private static func note(_ note: String) -> String {
    guard !note.isEmpty else { return "" }
    let lines = note.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }.map { String($0) }
    return lines.map { line in
      guard !line.isEmpty else { return "\n" }
      guard Markdown.needsEscape(line) else { return "  \(line)\n" }
      let space = line.unicodeScalars.prefix { $0 == " " || $0 == "\t" }
      return "  \(String(space))\\\(String(line.unicodeScalars.dropFirst(space.count)))\n"
    }.joined()
  }

  private static func read(_ text: String) -> TaskDraft? {
    var found: [TaskDraft] = []
    try? Markdown.read(Array(text.utf8)) { if case .task(let task) = $0 { found.append(task.draft) } }
    return found.count == 1 ? found.first : nil
  }
}
