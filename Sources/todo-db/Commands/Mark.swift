import Foundation
import Roster
import TodoModel

/// Commands that do one thing to several todos: to all of them, or, where one is not found, to none.
extension Session {
  /// A todo that was done already keeps the time at which that was.
  func mark(_ targets: Command.Targets, isDone: Bool) throws -> ExitCode {
    switch targets {
    case .ids(let ids): try mark(ids, isDone: isDone)
    case .all(let list): try markAll(of: list, isDone: isDone)
    }
  }

  /// In one statement, whatever their number, also of those that cannot be read.
  private func markAll(of name: String?, isDone: Bool) throws -> ExitCode {
    let (changed, count, list) = try openForWriting().write { tx in
      let list = try name.map { try tx.list(named: $0) }
      let state = isDone ? Command.List.State.open : .done
      let others = Query<Todo>().filter(sql: "\(state.condition) AND \(SQL.todos(in: list))")
      let ids = isJSON ? try tx.readableTodos(of: others).todos.map(\.id) : []
      let count = try tx.update(others, .set(\.isDone, to: isDone), .set(\.completed, to: isDone ? now : nil))
      return (try tx.entries(of: try tx.fetch(Todo.self, ids: ids)), count, list?.name)
    }
    report(.array(changed.map(\.json)), [Report.marked(count, isDone: isDone, in: list)])
    return .done
  }

  func remove(_ ids: [String]) throws -> ExitCode {
    let removed = try openForWriting().write { tx in
      let found = try ids.map { try tx.todoID($0) }.withoutRepeats
      let entries = try tx.entries(of: try found.map { try tx.todoOrRemains($0) })
      for id in found { try tx.delete(Todo.self, id: id) }
      return entries
    }
    report(.array(removed.map(\.json)), removed.map { Report.change(.removed, to: $0) })
    return .done
  }

  private func mark(_ ids: [String], isDone: Bool) throws -> ExitCode {
    let (change, already) = isDone ? (Report.Change.done, Report.Change.alreadyDone) : (.reopened, .alreadyOpen)
    let (before, after) = try openForWriting().write { tx in
      let before = try tx.todos(ids)
      let after = before.map { old in
        var new = old
        if old.isDone != isDone { (new.isDone, new.completed) = (isDone, isDone ? now : nil) }
        return new
      }
      for (new, old) in zip(after, before) { try tx.update(new, from: old) }
      return (before, try tx.entries(of: after))
    }
    report(
      .array(after.map(\.json)),
      zip(after, before).map { Report.change($1.isDone == isDone ? already : change, to: $0) })
    return .done
  }
}
