import Foundation
import Roster
import TodoModel

/// Tells what should have been done by now. A day is over when it is over where the user is.
struct Overdue {
  private let now: Date
  private let today: Date?

  init(now: Date, timeZone: TimeZone = .current) {
    self.now = now
    today = CalendarDay(of: now, in: timeZone).due?.date
  }

  func contains(_ entry: TodoEntry) -> Bool {
    guard let due = entry.due, !entry.todo.isDone else { return false }
    return due.hasTime ? due.date < now : today.map { due.date < $0 } ?? false
  }
}

/// A listing as a table. With numbers, each todo has its offset in its list in front. What a search has found in the
/// titles is marked.
struct TodoTable {
  private var table: TextTable

  init(_ entries: [TodoEntry], overdue: Overdue, isNumbered: Bool, search: Query<Todo>? = nil) {
    table = TextTable(
      (isNumbered ? [.init("#", alignment: .right)] : []) + [
        .init("ID"), .init(""), .init("PRIORITY", leaving: 1), .init("TITLE", minimumWidth: 20),
        .init("DUE", leaving: 2),
        .init("LIST", minimumWidth: 8, leaving: 3), .init("TAGS", minimumWidth: 8, leaving: 0),
      ])
    for entry in entries {
      let role: Style.Role = entry.todo.isDone ? .dimmed : .plain
      let priority = entry.todo.priority.map { DraftPriority($0).rawValue } ?? ""
      let number = TextTable.Cell(entry.index.map(String.init) ?? "", role: .dimmed)
      table.append(
        (isNumbered ? [number] : []) + [
          .init(entry.shortID, role: .dimmed), .init(entry.todo.isDone ? "✓" : "", role: .success),
          .init(priority, role: priority == "high" && !entry.todo.isDone ? .warning : role),
          .init(entry.todo.title, role: role, highlights: search?.places(in: entry.todo.title) ?? []),
          .init(entry.due?.display ?? "", role: overdue.contains(entry) ? .urgent : role),
          .init(entry.list ?? "", role: role), .init(entry.tags.joined(separator: ", "), role: role),
        ])
    }
  }

  /// Begins a section with the todo at an index, or at the end.
  mutating func begin(_ title: String, at row: Int) { table.titles.append((row, title)) }

  func lines(width: Int?, style: Style) -> [String] { table.lines(width: width, style: style) }

  /// The lines for a screen, whose columns get no narrower; the first widths are those of
  /// ``watchedWidths(isNumbered:)``.
  func lines(keeping widths: inout [Int], width: Int, style: Style) -> [String] {
    table.lines(keeping: &widths, width: width, style: style)
  }

  /// Room for a number of three digits, the id and the mark of what is done: these columns would often change.
  static func watchedWidths(isNumbered: Bool) -> [Int] { (isNumbered ? [3] : []) + [8, 1] }
}

extension Query<Todo> {
  /// What is found in a text, as ranges of its scalars.
  func places(in text: String) -> [Range<Int>] { text.scalarOffsets(of: highlights(in: text)) }
}
