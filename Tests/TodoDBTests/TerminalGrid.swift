@testable import todo_db

/// A terminal as small as can be: it obeys the sequences that the tool writes, and counts the rows that are drawn.
struct TerminalGrid {
  let width: Int
  let height: Int
  private(set) var cells: [[String]]
  /// The rows that something was written to, each as often as it was gone to.
  private(set) var drawn: [Int] = []
  private(set) var clears = 0
  private(set) var isOnOtherScreen = false
  private(set) var hasCursor = true
  /// Sequences that it does not know, and text that went beyond its edges.
  private(set) var faults: [String] = []
  private var row = 0
  private var column = 0

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    cells = TerminalGrid.blank(width, height)
  }

  private static func blank(_ width: Int, _ height: Int) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: width), count: height)
  }

  /// What each row shows.
  var rows: [String] {
    cells.map { row in
      var text = row.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  mutating func forgetDrawn() { drawn = [] }

  mutating func apply(_ text: String) {
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "\u{1B}" else {
        put(character)
        continue
      }
      let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
      obey(String(rest[..<end]), rest[end...].first)
      rest = rest[end...].dropFirst()
    }
  }

  private mutating func obey(_ parameters: String, _ letter: Character?) {
    switch (parameters, letter) {
    case ("[2", "J"):
      cells = TerminalGrid.blank(width, height)
      clears += 1
    case ("[2", "K"): if cells.indices.contains(row) { cells[row] = Array(repeating: " ", count: width) }
    case (_, "H"):
      let numbers = parameters.dropFirst().split(separator: ";").compactMap { Int($0) }
      (row, column) = ((numbers.first ?? 1) - 1, (numbers.last ?? 1) - 1)
      if !cells.indices.contains(row) { faults.append("row \(row)") }
      drawn.append(row)
    case ("[?1049", "h"), ("[?1049", "l"): isOnOtherScreen = letter == "h"
    case ("[?25", "h"), ("[?25", "l"): hasCursor = letter == "h"
    case ("[?7", "h"), ("[?7", "l"), (_, "m"): break
    default: faults.append("\(parameters)\(letter.map(String.init) ?? "")")
    }
  }

  /// A character of two cells has its text in the first one.
  private mutating func put(_ character: Character) {
    let text = String(character)
    let width = text.displayWidth
    guard cells.indices.contains(row), column + width <= self.width else {
      faults.append("\(text) in row \(row), column \(column)")
      return
    }
    if width == 0, column > 0 {
      cells[row][column - 1] += text
      return
    }
    for offset in 0..<width { cells[row][column + offset] = offset == 0 ? text : "" }
    column += width
  }
}
