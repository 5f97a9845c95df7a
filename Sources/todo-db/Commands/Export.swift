import Roster
import TodoModel

extension Command.Export {
  /// Writes all todos in the order in which they were added.
  func run(in session: Session) throws -> ExitCode {
    if let output, Files.isDatabase(output, at: session.location.path) {
      throw Refusal.outputIsDatabase(output)
    }
    let entries = try session.openForReading().read { try $0.entries(of: $0.fetch(Query<Todo>())) }
    guard let output else {
      let losses = write(entries, to: session.console.out)
      if !losses.isEmpty { session.note(Report.losses(losses, format)) }
      return .done
    }
    var losses: [String] = []
    do { try Files.replace(output) { losses = write(entries, to: $0) } } catch {
      throw Refusal.unwritable(output, error)
    }
    session.report(
      .object([
        ("exported", .number(entries.count)), ("output", .string(output)),
        ("losses", .array(losses.map(JSON.string))),
      ]),
      [Report.exported(entries.count, to: output)])
    if !losses.isEmpty, !session.isJSON { session.note(Report.losses(losses, format)) }
    return .done
  }

  /// Writes the todos and says what was lost.
  private func write(_ entries: [TodoEntry], to stream: OutputStream) -> [String] {
    let export: TaskExport
    switch format {
    case .json:
      stream.write(entries.lazy.map(\.json))
      return []
    case .todotxt: export = TodoTxt.render(entries.map(\.draft), defaultList: TodoEntry.defaultList)
    case .csv: export = CSVTasks.render(entries.map(\.draft))
    }
    stream.write(export.text)
    return export.lossMessages
  }
}
