/// What a terminal's screen shows: a line for each of its rows, no line wider than the screen.
struct Screen: Equatable, Sendable {
  let width: Int
  let height: Int
  /// The lines from the top; the rows below them are blank.
  let lines: [String]

  /// Lines beyond the height are not shown.
  init(width: Int, height: Int, lines: [String]) {
    self.width = width
    self.height = height
    self.lines = Array(lines.prefix(max(height, 0)))
  }

  /// What to write so that a terminal that shows `old` shows this: the rows that are others, and nothing where none is.
  ///
  /// Without an old screen, or where that had another size, everything is drawn.
  func update(from old: Screen?) -> String {
    guard let old, old.width == width, old.height == height else { return Escape.clear + update(rows: lines, []) }
    return update(rows: lines, old.lines)
  }

  /// Each row is blanked before it is written: after it, a terminal that waits at the end of a full row would take its
  /// last character.
  private func update(rows: [String], _ old: [String]) -> String {
    var text = ""
    for row in 0..<max(rows.count, old.count) {
      let line = rows.dropFirst(row).first ?? ""
      // By their bytes: terminals differ in how they draw two spellings of one character.
      guard !line.utf8.elementsEqual((old.dropFirst(row).first ?? "").utf8) else { continue }
      text += Escape.move(toRow: row) + Escape.clearRow + line
    }
    return text
  }
}

/// Sequences that terminals obey. [ECMA-48, and xterm's Control Sequences]
enum Escape {
  /// Turns to a screen of its own, so that what was there comes back at the end; without a cursor, and without going on
  /// in the next row where one is full.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  /// Undoes ``enter``.
  static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  static let clear = "\u{1B}[2J"
  static let clearRow = "\u{1B}[2K"

  /// The cursor to the beginning of a row, from 0.
  static func move(toRow row: Int) -> String { "\u{1B}[\(row + 1);1H" }
}
