import Foundation

/// The todo.txt format: one task per line, in a file that people edit by hand.
///
/// A line that nobody has changed since it was read is written back byte for byte, without its line
/// ending; endings are written as LF.
enum TodoTxt {
  /// Reads a file: with or without a byte order mark, LF, CRLF or CR, a last newline or none. Every line that is not blank
  /// is one task.
  static func read(_ bytes: [UInt8], each: (FoundItem) throws -> Void) throws {
    for line in TextLines(bytes) {
      guard let text = line.text else {
        try each(.bad([ImportProblem(line: line.number, fact: .notUTF8)]))
        continue
      }
      guard !text.utf8.contains(0) else {
        try each(.bad([ImportProblem(line: line.number, fact: .nulCharacter)]))
        continue
      }
      guard let task = TodoTxtLine(text) else { continue }
      try each(.task(FoundTask(draft: task.draft(source: text, line: line.number))))
    }
  }
}

/// What the marks of one line say, by the rules of todo.txt.
///
/// A mark counts only where the format puts it, and only while text follows it: a line is never left
/// without a title. What is not a mark is title, so that every character of the line is in one or the
/// other.
struct TodoTxtLine: Equatable {
  private(set) var isDone = false
  /// A capital letter, from `(A)` at the front or from `pri:A` on a line that is done.
  private(set) var priority: Unicode.Scalar?
  private(set) var completed: Date?
  private(set) var created: Date?
  private(set) var due: Date?
  private(set) var projects: [String] = []
  private(set) var contexts: [String] = []
  private(set) var title = ""
  /// The line after the marks at its front, as it stands but without `pri:`, for writing it again when
  /// only the marks have changed.
  private(set) var body = ""

  /// `nil` for a blank line.
  init?(_ line: String) {
    guard !line.isBlank else { return nil }
    var rest = line.unicodeScalars[...]
    isDone = Self.takeMark(from: &rest) { $0 == "x" } != nil
    if let mark = Self.takeMark(from: &rest, where: Self.isPriorityMark) {
      priority = mark.unicodeScalars.dropFirst().first
    }
    if let first = Self.takeDay(from: &rest) {
      if isDone {
        completed = first
        created = Self.takeDay(from: &rest)
      } else {
        created = first
      }
    }
    readBody(rest)
  }

  /// Takes the word at the very front if it is a mark that one space and then more text follow.
  private static func takeMark(
    from rest: inout Substring.UnicodeScalarView, where isMark: (String) -> Bool
  ) -> String? {
    guard let space = rest.firstIndex(of: " ") else { return nil }
    let word = String(rest[..<space])
    let remaining = rest[space...].dropFirst()
    guard isMark(word), !String(remaining).isBlank else { return nil }
    rest = remaining
    return word
  }

  private static func takeDay(from rest: inout Substring.UnicodeScalarView) -> Date? {
    takeMark(from: &rest) { DueDate.midnight(ofDay: $0) != nil }.flatMap(DueDate.midnight)
  }

  private static func isPriorityMark(_ word: String) -> Bool {
    let scalars = Array(word.unicodeScalars)
    return scalars.count == 3 && scalars.first == "(" && scalars.last == ")"
      && isCapital(scalars.dropFirst().first)
  }

  private static func isCapital(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ("A"..."Z").contains($0) } ?? false
  }

  private mutating func readBody(_ text: Substring.UnicodeScalarView) {
    var rest = text
    // Texts are appended whole: scalar by scalar took half of an import's time.
    var title = ""
    var body = ""
    while !rest.isEmpty {
      let space = rest.prefix { $0.isWhite }
      rest = rest[space.endIndex...]
      let word = rest.prefix { !$0.isWhite }
      rest = rest[word.endIndex...]
      switch read(word: String(word)) {
      case .text:
        if !title.isEmpty { title.append(contentsOf: Substring(space)) }
        title.append(contentsOf: Substring(word))
        body.append(contentsOf: Substring(space))
        body.append(contentsOf: Substring(word))
      case .mark:
        body.append(contentsOf: Substring(space))
        body.append(contentsOf: Substring(word))
      case .priority:
        break
      }
    }
    self.body = body
    self.title = title.trimmed
    if self.title.isEmpty { self.title = String(text).trimmed }
  }

  private enum Word { case text, mark, priority }

  private mutating func read(word: String) -> Word {
    let scalars = word.unicodeScalars
    if scalars.first == "+", scalars.count > 1 {
      projects.append(String(scalars.dropFirst()))
      return .mark
    }
    if scalars.first == "@", scalars.count > 1 {
      contexts.append(String(scalars.dropFirst()))
      return .mark
    }
    if due == nil, let value = value(of: "due:", in: word), let day = DueDate.midnight(ofDay: value) {
      due = day
      return .mark
    }
    if isDone, priority == nil, let value = value(of: "pri:", in: word), value.unicodeScalars.count == 1,
      let letter = value.unicodeScalars.first, Self.isCapital(letter)
    {
      priority = letter
      return .priority
    }
    return .text
  }

  /// Compared scalar by scalar: Swift's characters would join a colon with an accent that follows it.
  private func value(of key: String, in word: String) -> String? {
    guard word.unicodeScalars.starts(with: key.unicodeScalars) else { return nil }
    return String(word.unicodeScalars.dropFirst(key.unicodeScalars.count))
  }
}

extension TodoTxtLine {
  /// The first project is the list. The others are tags that keep their plus sign, so that they are
  /// told apart from contexts.
  func draft(source: String?, line: Int) -> TaskDraft {
    let others = projects.dropFirst().filter { $0 != projects.first }.map { "+" + $0 }
    return TaskDraft(
      title: title, isDone: isDone, priority: priority.map(DraftPriority.init(letter:)), due: due,
      created: created, completed: completed, list: projects.first,
      tags: (others + contexts).withoutRepeats, source: source, line: line)
  }
}

extension DraftPriority {
  /// The letters after C are all low; the line's own letter is kept in its source.
  init(letter: Unicode.Scalar) {
    self = letter == "A" ? .high : letter == "B" ? .medium : .low
  }

  var letter: Unicode.Scalar {
    switch self {
    case .high: "A"
    case .medium: "B"
    case .low: "C"
    }
  }
}
