/// Check lists in Markdown: `- [ ]` and `- [x]`, with any bullet or number, at any depth.
///
/// The heading above an item is its list. Indented lines below an item are its note. What is in fenced code is no item, and
/// other text is not imported. The text of an item is taken as it is, with its stars and links.
enum Markdown {
  static func read(_ bytes: [UInt8], each: (FoundItem) throws -> Void) throws {
    var reader = MarkdownReader()
    for line in TextLines(bytes) {
      if let item = reader.take(line) { try each(item) }
    }
    if let item = reader.endItem() { try each(item) }
    if reader.otherLines > 0 { try each(.notice(.otherText(lines: reader.otherLines))) }
  }

  /// What a line without its indentation is, where it is an item: whether it is done, and its text.
  static func item(_ line: Substring.UnicodeScalarView) -> (isDone: Bool, title: String)? {
    var rest = line
    if let first = rest.first, first == "-" || first == "*" || first == "+" {
      rest.removeFirst()
    } else {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest[digits.endIndex...]
      guard (1...9).contains(digits.count), rest.first == "." || rest.first == ")" else { return nil }
      rest.removeFirst()
    }
    guard rest.first?.isBlankSpace == true else { return nil }
    rest = rest.drop(while: \.isBlankSpace)
    let box = Array(rest.prefix(3))
    guard box.count == 3, box[0] == "[", box[2] == "]", [" ", "x", "X"].contains(box[1]) else { return nil }
    rest = rest.dropFirst(3)
    guard rest.first?.isBlankSpace ?? true else { return nil }
    return (box[1] != " ", String(rest).trimmed)
  }

  /// The text of a heading. Number signs that close it are no part of it.
  static func heading(_ line: Substring.UnicodeScalarView) -> String? {
    let level = line.prefix { $0 == "#" }.count
    var rest = line.dropFirst(level)
    guard (1...6).contains(level), rest.first?.isBlankSpace ?? true else { return nil }
    while rest.last?.isWhite == true { rest.removeLast() }
    var unclosed = rest
    while unclosed.last == "#" { unclosed.removeLast() }
    if unclosed.last?.isBlankSpace ?? true { rest = unclosed }
    return String(rest).trimmed
  }

  /// Whether a line of a note would be read as something else, were it not for a backslash before it.
  static func needsEscape(_ line: String) -> Bool {
    let rest = line.unicodeScalars.drop(while: \.isBlankSpace)
    return rest.first == "\\" || item(rest) != nil
  }
}

extension Unicode.Scalar {
  fileprivate var isBlankSpace: Bool { self == " " || self == "\t" }
}

private struct MarkdownReader {
  private(set) var otherLines = 0
  private var list: String?
  private var task: TaskDraft?
  private var problem: ImportProblem?
  private var note: [String] = []
  private var source: [String] = []
  /// How far the text of the item is indented.
  private var indent = 0
  private var fence: String?

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
    if let open = fence {
      if String(rest).trimmed == open { fence = nil }
      return nil
    }
    if let item = Markdown.item(rest) { return begin(item, text, depth, at: line.number) }
    if task != nil, text.isBlank {
      note.append("")
      source.append(text)
      return nil
    }
    if task != nil, depth > indent {
      add(scalars, depth, text)
      return nil
    }
    let ended = endItem()
    if let heading = Markdown.heading(rest) {
      list = heading.isEmpty ? nil : heading
    } else if let mark = ["```", "~~~"].first(where: { String(rest).hasPrefix($0) }) {
      fence = mark
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

  private mutating func add(_ scalars: Substring.UnicodeScalarView, _ depth: Int, _ text: String) {
    // Two columns belong to the item's own bullet, however long that is; the rest is the note's.
    var line = scalars.dropFirst(min(depth, indent + 2))
    let body = line.drop(while: \.isBlankSpace)
    if body.first == "\\" {
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
    while note.last == "" {
      note.removeLast()
      source.removeLast()
    }
    done.note = note.joined(separator: "\n")
    done.source = source.joined(separator: "\n")
    done.sourceFormat = .markdown
    return .task(FoundTask(draft: done))
  }
}
