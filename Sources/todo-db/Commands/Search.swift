import Foundation
import Roster
import TodoModel

extension Command.Search {
  /// Prints the first todos that have what is looked for, and how many there are where that is not all.
  func run(in session: Session) throws -> ExitCode {
    let query = Query<Todo>().filter(sql: state.condition).matching(text, phrases: phrases)
    let (found, total, unreadable) = try session.openForReading().read { snapshot in
      let scope = try list.map { try snapshot.list(named: $0).id }
      let all = scope.map { query.filter(sql: "list_id = \($0)") } ?? query
      let page = try snapshot.readableTodos(of: all, limit: limit)
      let isAll = page.todos.count + page.unreadable < limit
      let total = isAll ? page.todos.count : try snapshot.count(all)
      let entries = try snapshot.entries(of: page.todos)
      return (entries.map { FoundTodo($0, by: query) }, total, page.unreadable)
    }
    if session.isJSON {
      session.console.out.write(found.lazy.map(\.json))
    } else {
      print(found, query, in: session)
    }
    if found.isEmpty, unreadable == 0, !session.isJSON { session.note(Report.nothingFound) }
    if found.count + unreadable < total { session.note(Report.part(found.count, of: total)) }
    guard unreadable > 0 else { return .done }
    session.note(Report.unreadable(unreadable))
    return .refused
  }

  /// Where a title has nothing of what is looked for, what the note has of it stands below.
  private func print(_ found: [FoundTodo], _ query: Query<Todo>, in session: Session) {
    guard !found.isEmpty else { return }
    let (out, style) = (session.console.out, session.console.outStyle)
    let width = out.terminalWidth
    let table = TodoTable(
      found.map(\.entry), overdue: Overdue(now: session.now), isNumbered: false, search: query)
    var lines = table.lines(width: width, style: style)[...]
    if let headings = lines.popFirst() { out.writeLine(headings) }
    for (line, todo) in zip(lines, found) {
      if out.isClosed { break }
      out.writeLine(line)
      if todo.highlights.isEmpty, let note = todo.noteLine(query, width: width, style: style) { out.writeLine(note) }
    }
  }
}

/// A todo that a search has found, with the places at which.
struct FoundTodo {
  let entry: TodoEntry
  /// The places in the title, in scalars.
  let highlights: [Range<Int>]
  /// The part of the note with most of the places in it; nil where the note has none.
  let snippet: TextSnippet?

  private static let snippetLength = 60
  /// Below the title's column.
  private static let indent = String(repeating: " ", count: 10)

  init(_ entry: TodoEntry, by query: Query<Todo>) {
    self.entry = entry
    highlights = query.places(in: entry.todo.title)
    let snippet = query.snippet(of: entry.todo.note, length: FoundTodo.snippetLength)
    self.snippet = snippet.highlights.isEmpty ? nil : snippet
  }

  /// The object of the todo, and where what was looked for is in it.
  var json: JSON {
    let note = snippet.map { snippet in
      JSON.object([("text", .string(String(snippet.excerpt))), ("highlights", .pairs(snippet.places))])
    }
    return .object(entry.members + [("highlights", .pairs(highlights)), ("snippet", note ?? .null)])
  }

  /// A line of what the note has; nil where it has nothing. On a terminal it is as long as there is room for.
  func noteLine(_ query: Query<Todo>, width: Int?, style: Style) -> String? {
    guard var snippet else { return nil }
    let room = width.map { max($0 - FoundTodo.indent.count, 1) } ?? .max
    var length = min(FoundTodo.snippetLength, room)
    while snippet.line.displayWidth > room, length > 1 {
      // By as much as it is too wide, which is where half as many characters of two cells fit.
      length = min(length - 1, max(1, length * room / snippet.line.displayWidth))
      snippet = query.snippet(of: entry.todo.note, length: length)
    }
    let (line, shift) = (snippet.line, snippet.isCutBefore ? 1 : 0)
    let places = snippet.places.map { ($0.lowerBound + shift)..<($0.upperBound + shift) }
    return FoundTodo.indent
      + style.apply(.dimmed, to: line.truncated(toWidth: room), highlights: places, of: line)
  }
}

extension TextSnippet {
  /// The places in the part, in scalars.
  fileprivate var places: [Range<Int>] { excerpt.scalarOffsets(of: highlights) }

  /// The part in one line, with marks where it was cut.
  fileprivate var line: String {
    let scalars = excerpt.unicodeScalars.map { Character($0).isNewline ? " " : $0 }
    return (isCutBefore ? "…" : "") + String(String.UnicodeScalarView(scalars)) + (isCutAfter ? "…" : "")
  }
}

extension JSON {
  /// Ranges as their starts and lengths.
  fileprivate static func pairs(_ ranges: [Range<Int>]) -> JSON {
    .array(ranges.map { .array([.number($0.lowerBound), .number($0.count)]) })
  }
}
