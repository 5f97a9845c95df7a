import Roster
import TodoModel

extension Command.Changes {
  /// Prints what the log holds, and with `--follow` what comes then, until the command is told to end.
  func run(in session: Session) throws -> ExitCode {
    let store = try session.openForReading()
    let ending = follows ? Ending(readerOf: session.console.out) { try? store.close() } : nil
    var told = try store.read { try $0.changes(from: since, in: session.location) }
    if told.changes.isEmpty, !follows, !session.isJSON { session.note(Report.noChanges) }
    var output = ChangeOutput(session)
    output.write(told)
    if follows {
      while session.console.out.handOver(), let more = try next(after: told.cursor, of: store) {
        told = more
        output.write(told)
      }
    }
    output.finish(told)
    return ending?.code() ?? .done
  }

  /// The next changes; nil where the store is closed.
  private func next(after cursor: FeedCursor, of store: Store) throws -> ToldChanges? {
    let batch = try waiting {
      var iterator = store.changes(since: cursor).makeAsyncIterator()
      return try await iterator.next()
    }
    guard let batch else { return nil }
    do { return try store.read { try $0.told(batch, since: cursor) } } catch RosterError.Code.closed { return nil }
  }
}

/// Where changes are printed.
private struct ChangeOutput {
  private let session: Session
  private var table = ChangeTable()

  init(_ session: Session) { self.session = session }

  mutating func write(_ told: ToldChanges) {
    let out = session.console.out
    guard !session.isJSON else { return out.writeLine(told.json.text) }
    let style = session.console.outStyle
    if told.isReset { out.writeLine(style.apply(.warning, to: Report.reset(told))) }
    for line in table.lines(told.changes, width: out.terminalWidth, style: style) { out.writeLine(line) }
  }

  /// Says where to go on.
  func finish(_ told: ToldChanges) {
    if !session.isJSON { session.console.out.writeLine(Report.goOn(from: told.cursor.sequence)) }
  }
}

extension StoreAccess {
  /// What became of records since a number, or all that the log tells.
  fileprivate func changes(from since: Int?, in location: DatabaseLocation) throws -> ToldChanges {
    let last: Int64
    do { last = try feedCursor().sequence } catch RosterError.Code.misuse {
      throw Refusal.noChangeLog(location.shown)
    }
    guard let since else {
      let start = try firstFeedCursor()
      var told = try told(changes(since: start), since: start)
      // What came before is not in the log any more.
      if start.sequence > 0 { told.isReset = true }
      return told
    }
    guard since <= last else { throw Refusal.beyondLog(since, last: last) }
    let start = try feedCursor(at: Int64(since))
    return try told(changes(since: start), since: start)
  }

  fileprivate func told(_ batch: ChangeBatch, since start: FeedCursor) throws -> ToldChanges {
    ToldChanges(
      changes: try batch.changes.map { ToldChanges.Change(change: $0, title: try title(of: $0)) },
      isReset: batch.isReset, start: start.sequence, cursor: batch.cursor)
  }

  private func title(of change: RecordChange) throws -> String? {
    guard change.kind != .delete, case .text(let id) = change.id else { return nil }
    let column = change.table == Todo.table.name ? "title" : "name"
    do {
      return try fetch(
        """
        SELECT CAST(\(identifier: column) AS TEXT) FROM \(identifier: change.table)
        WHERE rowid = \(change.rowKey) AND id = \(id)
        """, as: String.self
      ).first
    } catch let error as RosterError {
      // Text that is none.
      guard error.code == .typeMismatch else { throw error }
      return nil
    }
  }
}
