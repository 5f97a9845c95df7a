import Foundation
import Roster
import TodoModel

extension Command.Import {
  /// Stores the tasks of a file in one transaction. The file is read and understood before the database
  /// is opened, so that one that is not does not even make a database.
  func run(in session: Session) throws -> ExitCode {
    let name = file ?? "-"
    let bytes: [UInt8]
    do { bytes = try Files.read(file) } catch { throw Refusal.unreadable(name, error) }
    let format = isGuess ? format.refined(by: bytes) : format
    let survey: ImportSurvey
    do { survey = try ImportSurvey(bytes, format, columns: columns) } catch let failure as ImportFailure {
      throw Refusal.notImported(name, failure)
    }
    let goesOn = skipsBad || format.toleratesBadItems && survey.taskCount > 0
    guard goesOn || survey.problems.isEmpty else {
      throw Refusal.notImported(name, ImportFailure(survey.problems))
    }
    let items = ImportItems(bytes: bytes, format: format, columns: columns, survey: survey)
    let counts = isDryRun ? try items.foresee(in: session) : try items.store(in: session)
    session.report(
      survey.json(counts, isDryRun: isDryRun), [Report.imported(counts, from: name, isDryRun: isDryRun)])
    if !session.isJSON {
      for line in Report.remarks(on: survey) { session.note(line) }
    }
    return survey.problems.isEmpty || skipsBad ? .done : .refused
  }
}

/// The tasks of a file that count.
private struct ImportItems {
  let bytes: [UInt8]
  let format: TaskFormat
  let columns: [ColumnMapping]
  let survey: ImportSurvey

  private func forEach(_ progress: inout Progress, _ body: (FoundTask) throws -> Void) throws {
    var number = 0
    try format.read(bytes, columns: columns) { item in
      guard case .task(let task) = item else { return }
      defer { number += 1 }
      if survey.counts(number) { try body(task) }
      progress.advance(to: number)
    }
  }

  /// What an import would do. A database that is not there would be made, and is not.
  func foresee(in session: Session) throws -> ImportCounts {
    var counts = ImportCounts(skipped: survey.skippedCount)
    switch try DatabaseFile(withoutTraceAt: session.location) {
    case .foreign(let tables): throw Refusal.foreignDatabase(session.location.shown, tables: tables)
    case .absent, .empty: counts.added = survey.taskCount - survey.supersededCount
    case .todos:
      var progress = Progress("Looking at", of: survey.taskCount, session.console)
      defer { progress.end() }
      try session.openCopy().read { snapshot in
        var memory = ImportMemory()
        try forEach(&progress) { counts.count(try snapshot.step(for: $0, &memory)) }
      }
    }
    return counts
  }

  /// Where the import fails, it leaves nothing, and no database that was made for it.
  func store(in session: Session) throws -> ImportCounts {
    let isNew = try DatabaseFile(at: session.location) == .absent
    var progress = Progress("Importing", of: survey.taskCount, session.console)
    defer { progress.end() }
    do {
      return try session.openOrCreate(isLarge: true).write { tx in
        var counts = ImportCounts(skipped: survey.skippedCount)
        var memory = ImportMemory()
        try forEach(&progress) { try tx.take($0, &memory, &counts) }
        return counts
      }
    } catch {
      session.close()
      if isNew { session.removeUnused() }
      throw error
    }
  }
}

extension ImportSurvey {
  /// The document that `--json` prints.
  fileprivate func json(_ counts: ImportCounts, isDryRun: Bool) -> JSON {
    .object([
      ("added", .number(counts.added)), ("updated", .number(counts.updated)),
      ("unchanged", .number(counts.unchanged)), ("skipped", .number(counts.skipped)),
      (
        "problems",
        .array(problems.map { .object([("line", .number($0.line)), ("message", .string($0.fact.message))]) })
      ),
      ("notices", .array(notices.map { .string($0.message) })), ("dryRun", .bool(isDryRun)),
    ])
  }
}
