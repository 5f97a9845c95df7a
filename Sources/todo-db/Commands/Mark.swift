import Foundation
import Roster
import TodoModel

/// Commands that do one thing to several todos: to all of them, or, where one is not found, to none.
extension Session {
  /// A todo that was done already keeps the time at which that was.
  func markDone(_ ids: [String]) throws -> ExitCode {
    try mark(ids, isDone: true, change: .done, already: .alreadyDone)
  }

  func reopen(_ ids: [String]) throws -> ExitCode {
    try mark(ids, isDone: false, change: .reopened, already: .alreadyOpen)
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

  private func mark(
    _ ids: [String], isDone: Bool, change: Report.Change, already: Report.Change
  ) throws -> ExitCode {
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
