import Roster
import TodoModel

extension Command.Edit {
  /// Changes what was given. The line that the todo was imported from stays beside it: an export uses as
  /// much of it as still holds.
  func run(in session: Session) throws -> ExitCode {
    let newDue: DueDate? = if case .set(let input) = due { try session.due(input) } else { nil }
    let entry = try session.openForWriting().write { tx in
      let old = try tx.todo(id)
      var names = NamedIDs()
      var new = old
      if let title { new.title = title.trimmed }
      if let note { new.note = note }
      if let list { new.listID = try tx.listID(list.trimmed, &names) }
      switch priority {
      case .keep: break
      case .clear: new.priority = nil
      case .set(let value): new.priority = value.stored
      }
      if due != .keep { (new.due, new.dueHasTime) = (newDue?.date, newDue?.hasTime ?? false) }
      try tx.update(new, from: old)
      for tag in tags { try tx.addTag(tag.trimmed, to: new, &names) }
      for tag in untags { try tx.removeTag(tag.trimmed, from: new) }
      return try tx.entry(of: new)
    }
    session.report(entry.json, [Report.change(.changed, to: entry, due: newDue)])
    return .done
  }
}
