import Roster
import TodoModel

extension Command.Add {
  /// Stores a todo, in a database that is made where there is none.
  func run(in session: Session) throws -> ExitCode {
    let due = try due.map { try session.due($0) }
    let draft = TaskDraft(
      title: title.trimmed, note: note ?? "", priority: priority, due: due?.date,
      dueHasTime: due?.hasTime ?? false, created: session.now, list: list?.trimmed,
      tags: tags.map(\.trimmed).withoutRepeats)
    if let index, index > 0, try DatabaseFile(at: session.location).isMissing {
      throw Refusal.outOfRange("--at", index, list: draft.list ?? TodoEntry.defaultList, places: 1)
    }
    let entry = try session.openOrCreate().write { tx in
      var names = NamedIDs()
      return try tx.entry(of: tx.insert(draft, at: index, names: &names))
    }
    session.report(entry.json, [Report.change(.added, to: entry, due: due)])
    return .done
  }
}
