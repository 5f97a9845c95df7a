/// Takes a file of Markdown line by line.
struct MarkdownReader {
  private(set) var otherLines = 0
  private var list: String?
  private var task: TaskDraft?
  private var problem: ImportProblem?
  private var note: [String] = []
  private var source: [String] = []
  /// How far the text of the item is indented.
  private var indent = 0
  private var fences = MarkdownFences()

  /// The line of a fence, outside of any item, that is open so far.
  var openFence: Int? { task == nil ? fences.openingLine : nil }

  /// What is complete by this line.
  mutating func take(_ line: TextLines.Line) -> FoundItem? {
    guard let text = line.text, !text.utf8.contains(0) else {
      let fact: ImportProblem.Fact = line.text == nil ? .notUTF8 : .nulCharacter
      let problem = ImportProblem(line: line.number, fact: fact)
      // A line of a note makes its item unreadable.
      if task != nil { self.problem = problem } else { return .bad([problem]) }
      return nil
    }
    let scalars = text.unicodeScalars[...]
    let rest = scalars.drop(while: \.isBlankSpace)
    let depth = scalars.count - rest.count
    let isIndented = task != nil && depth > indent
    let isCode = fences.take(rest, depth: depth, within: isIndented ? indent + 1 : 0, line: line.number)
    if task != nil, text.isBlank {
      note.append(String(scalars.dropFirst(min(depth, indent + 2))))
      source.append(text)
      return nil
    }
    if isCode {
      guard isIndented else { return endItem() }
      add(scalars, depth, text, isCode: true)
      return nil
    }
    if let item = Markdown.item(rest) { return begin(item, text, depth, at: line.number) }
    if isIndented {
      add(scalars, depth, text, isCode: false)
      return nil
    }
    let ended = endItem()
    if let heading = Markdown.heading(rest) {
      list = heading.isEmpty ? nil : heading
    } else if !text.isBlank {
      otherLines += 1
    }
    return ended
  }

  private mutating func begin(
    _ item: (isDone: Bool, title: String), _ text: String, _ depth: Int, at line: Int
  ) -> FoundItem? {
    let ended = endItem()
    task = TaskDraft(title: item.title, isDone: item.isDone, list: list, line: line)
    if item.title.isEmpty { problem = ImportProblem(line: line, fact: .blankTitle) }
    source = [text]
    indent = depth
    return ended
  }

  private mutating func add(
    _ scalars: Substring.UnicodeScalarView, _ depth: Int, _ text: String, isCode: Bool
  ) {
    // Two columns belong to the item's own bullet, however long that is; the rest is the note's.
    var line = scalars.dropFirst(min(depth, indent + 2))
    let body = line.drop(while: \.isBlankSpace)
    if !isCode, body.first == "\\" {
      let next = body.dropFirst()
      if next.first == "\\" || Markdown.item(next) != nil {
        let space = line.prefix { $0.isBlankSpace }
        line = (String(space) + String(next)).unicodeScalars[...]
      }
    }
    note.append(String(line))
    source.append(text)
  }

  mutating func endItem() -> FoundItem? {
    guard var done = task else { return nil }
    defer { (task, problem, note, source) = (nil, nil, [], []) }
    if let problem { return .bad([problem]) }
    // Blank lines after an item are between it and what follows.
    while note.last?.isBlank == true {
      note.removeLast()
      source.removeLast()
    }
    done.note = note.joined(separator: "\n")
    done.source = source.joined(separator: "\n")
    done.sourceFormat = .markdown
    return .task(FoundTask(draft: done))
  }
}
