import Roster
import TodoModel

/// The tasks of a file that count.
struct ImportItems {
  let bytes: [UInt8]
  let format: TaskFormat
  let columns: [ColumnMapping]
  let survey: ImportSurvey

  /// What became of the tasks, and what there is to say of them beside the database.
  typealias Result = (counts: ImportCounts, survey: ImportSurvey)

  private func forEach(
    of survey: ImportSurvey, _ progress: inout Progress, _ body: (FoundTask) throws -> Void
  ) throws {
    var number = 0
    try format.read(bytes, columns: columns) { item in
      guard case .task(let task) = item else { return }
      defer { number += 1 }
      if survey.counts(number) { try body(task) }
      progress.advance(to: number)
    }
  }

  /// What an import would do. A database that is not there would be made, and is not.
  func foresee(in session: Session) throws -> Result {
    switch try DatabaseFile(withoutTraceAt: session.location) {
    case .foreign(let tables): throw Refusal.foreignDatabase(session.location.shown, tables: tables)
    case .absent, .empty:
      return (
        ImportCounts(added: survey.taskCount - survey.supersededCount, skipped: survey.skippedCount), survey
      )
    case .todos:
      var progress = Progress("Looking at", of: survey.taskCount, session.console)
      defer { progress.end() }
      return try session.openCopy().read { snapshot in
        var survey = survey
        try survey.settle { try snapshot.stored($0)?.id }
        var counts = ImportCounts(skipped: survey.skippedCount)
        var memory = ImportMemory()
        try forEach(of: survey, &progress) { counts.count(try snapshot.step(for: $0, &memory)) }
        survey.note(memory)
        return (counts, survey)
      }
    }
  }

  /// Where the import fails or is interrupted, it leaves nothing, and no database that was made for it.
  func store(in session: Session) throws -> Result {
    if try DatabaseFile(at: session.location) == .absent, let result = try storeAnew(in: session) { return result }
    // Looked at again: another process may have made it.
    let isNew = try DatabaseFile(at: session.location) == .absent
    do { return try store(in: session.openOrCreate(isLarge: true), session) } catch {
      session.close()
      if isNew { session.removeUnused() }
      throw error
    }
  }

  /// Makes a database elsewhere, and gives it its name when it is whole: then nobody can have begun to use it before. `nil`
  /// where it couldn't get the name, as where another process has made one by that name.
  private func storeAnew(in session: Session) throws -> Result? {
    try session.location.makeFolder()
    let draft = DraftDatabase(for: session.location.path)
    let interruption = Interruption { draft.remove() }
    defer {
      session.close()
      draft.remove()
      interruption.end()
    }
    guard draft.make() else { return nil }
    let result = try store(in: session.open(.readWrite, at: draft.url, isLarge: true), session)
    session.close()
    return draft.publish() ? result : nil
  }

  private func store(in store: Store, _ session: Session) throws -> Result {
    var progress = Progress("Importing", of: survey.taskCount, session.console)
    defer { progress.end() }
    return try store.write { tx in
      var survey = survey
      try survey.settle { try tx.stored($0)?.id }
      var counts = ImportCounts(skipped: survey.skippedCount)
      var memory = ImportMemory()
      try forEach(of: survey, &progress) { try tx.take($0, &memory, &counts) }
      survey.note(memory)
      return (counts, survey)
    }
  }
}
