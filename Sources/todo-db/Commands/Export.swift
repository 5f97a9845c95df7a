import Foundation
import Roster
import TodoModel

extension Command.Export {
  /// Writes all todos, those of a list in its order.
  func run(in session: Session) throws -> ExitCode {
    if let output, Files.isDatabase(output, at: session.location.path) {
      throw Refusal.outputIsDatabase(output)
    }
    let entries = try session.openForReading().read { snapshot in
      let todos = try snapshot.todosInFileOrder()
      return try snapshot.entries(of: todos, at: todos.map(\.listID).occurrences)
    }
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

extension StoreAccess {
  /// The todos of each list in its order. Lists take turns as they did when the todos were added.
  ///
  /// So a file whose lines are of several lists comes back as it was, and one that is imported again has every
  /// list in its order.
  fileprivate func todosInFileOrder() throws -> [Todo] {
    var lists = Dictionary(grouping: try fetch(Query<Todo>().inManualOrder()), by: \.listID)
      .mapValues { $0.makeIterator() }
    return try fetch("SELECT list_id FROM \(Todo.self) ORDER BY rowid", as: UUID.self).compactMap { list in
      lists[list]?.next()
    }
  }
}
