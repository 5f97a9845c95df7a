import Roster
import TodoModel

extension Command.ClearDone {
  /// Deletes in one transaction what is done then, which may be more than was asked about.
  func run(in session: Session) throws -> ExitCode {
    let store = try session.openForWriting()
    let (count, name) = try store.read { snapshot in
      let found = try list.map { try snapshot.list(named: $0) }
      return (try snapshot.count(Command.ClearDone.query(found)), found?.name)
    }
    if count > 0, !isConfirmed, try !session.confirm(Report.askToClear(count, in: name)) {
      session.note(Report.kept)
      return .refused
    }
    let (removed, entries) = try store.write { tx in
      let done = Command.ClearDone.query(try list.map { try tx.list(named: $0) })
      let entries = session.isJSON ? try tx.entries(of: try tx.readableTodos(of: done).todos) : []
      return (try tx.delete(done), entries)
    }
    session.report(.array(entries.map(\.json)), [Report.cleared(removed, in: name)])
    return .done
  }

  private static func query(_ list: TodoList?) -> Query<Todo> {
    Query<Todo>().filter(sql: "\(Command.List.State.done.condition) AND \(SQL.todos(in: list))")
  }
}
