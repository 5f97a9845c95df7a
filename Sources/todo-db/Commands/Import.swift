import Roster
import TodoModel

extension Command.Import {
  /// Stores the tasks of a file in one transaction. The file is read and understood before the database
  /// is opened, so that one that is not does not even make a database.
  func run(in session: Session) throws -> ExitCode {
    let name = file ?? "-"
    let bytes: [UInt8]
    do { bytes = try Files.read(file) } catch { throw Refusal.unreadable(name, error) }
    let read: TaskImport
    do { read = try format.read(bytes, skipRagged: skipRagged) } catch {
      throw Refusal.notImported(name, error)
    }
    try session.openOrCreate().write { tx in
      var names = NamedIDs()
      for draft in read.drafts { _ = try tx.insert(draft, names: &names) }
    }
    session.report(read.json, [Report.imported(read.drafts.count, from: name)])
    if !session.isJSON {
      for line in Report.remarks(on: read) { session.note(line) }
    }
    return .done
  }
}

extension TaskImport {
  /// The document that `--json` prints.
  var json: JSON {
    .object([
      ("imported", .number(drafts.count)),
      (
        "skipped",
        .array(skipped.map { .object([("line", .number($0.line)), ("reason", .string($0.fact.message))]) })
      ),
      ("notices", .array(notices.map { .string($0.message) })),
    ])
  }
}
