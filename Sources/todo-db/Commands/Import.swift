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
    let (counts, settled) = isDryRun ? try items.foresee(in: session) : try items.store(in: session)
    session.report(
      settled.json(counts, isDryRun: isDryRun), [Report.imported(counts, from: name, isDryRun: isDryRun)])
    if !session.isJSON {
      for line in Report.remarks(on: settled) { session.note(line) }
    }
    return survey.problems.isEmpty || skipsBad ? .done : .refused
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
