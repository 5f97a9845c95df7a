import Roster
import TodoModel

extension Command.Suggest {
  /// Prints titles that go on from what was typed, each with the number of todos that have it.
  func run(in session: Session) throws -> ExitCode {
    let suggestions = try session.openForReading().read {
      try $0.suggestions(Todo.self, for: prefix, limit: limit)
    }
    if session.isJSON {
      session.console.out.write(
        suggestions.lazy.map { .object([("title", .string($0.text)), ("count", .number($0.count))]) })
    } else if suggestions.isEmpty {
      session.note(Report.noSuggestion(for: prefix))
    } else {
      let typed = Query<Todo>().matching(prefix)
      var table = TextTable([.init("TODOS", alignment: .right), .init("TITLE", minimumWidth: 20)])
      for suggestion in suggestions {
        table.append([
          .init(String(suggestion.count), role: .dimmed),
          .init(suggestion.text, highlights: typed.places(in: suggestion.text)),
        ])
      }
      let out = session.console.out
      for line in table.lines(width: out.terminalWidth, style: session.console.outStyle) { out.writeLine(line) }
    }
    return .done
  }
}
