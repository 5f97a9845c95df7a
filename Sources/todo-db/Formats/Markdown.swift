/// Check lists in Markdown: `- [ ]` and `- [x]`, with any bullet or number, at any depth.
///
/// The heading above an item is its list. Indented lines below an item are its note. What is in fenced code is no item, but
/// a part of the note where the code is; other text is not imported. The text of an item is taken as it is, with its stars and links.
enum Markdown {
  static func read(_ bytes: [UInt8], each: (FoundItem) throws -> Void) throws {
    var reader = MarkdownReader()
    for line in TextLines(bytes) {
      if let item = reader.take(line) { try each(item) }
    }
    let openFence = reader.openFence
    if let item = reader.endItem() { try each(item) }
    if let line = openFence { try each(.notice(.openFence(line: line))) }
    if reader.otherLines > 0 { try each(.notice(.otherText(lines: reader.otherLines))) }
  }

  /// What a line without its indentation is, where it is an item: whether it is done, and its text.
  static func item(_ line: Substring.UnicodeScalarView) -> (isDone: Bool, title: String)? {
    guard var rest = afterBullet(line), rest.first?.isBlankSpace == true else { return nil }
    rest = rest.drop(while: \.isBlankSpace)
    let box = Array(rest.prefix(3))
    guard box.count == 3, box[0] == "[", box[2] == "]", [" ", "x", "X"].contains(box[1]) else { return nil }
    rest = rest.dropFirst(3)
    guard rest.first?.isBlankSpace ?? true else { return nil }
    return (box[1] != " ", String(rest).trimmed)
  }

  /// What follows a bullet or a number at the beginning of a line, with the space between.
  static func afterBullet(_ line: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
    var rest = line
    if let first = rest.first, first == "-" || first == "*" || first == "+" {
      rest.removeFirst()
    } else {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest[digits.endIndex...]
      guard (1...9).contains(digits.count), rest.first == "." || rest.first == ")" else { return nil }
      rest.removeFirst()
    }
    return rest.first?.isBlankSpace ?? true ? rest : nil
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
  /// What Markdown indents with.
  var isBlankSpace: Bool { self == " " || self == "\t" }
}
