/// How far a consumer has read the change feed of a database. It can be kept, and read on from after a restart.
public struct FeedCursor: Codable, Hashable, Sendable {
  /// Which log it is of: one per database file and for as long as it has its log.
  let epoch: String
  /// The last number of the log that was read.
  public let sequence: Int64
  /// What the log has under that number, in short: another log of the same epoch, such as that of a copy of the file, has
  /// something else there. Nil where the log has nothing there, and where the cursor is from before there was this.
  let check: Int64?

  init(epoch: String, sequence: Int64, check: Int64? = nil) {
    self.epoch = epoch
    self.sequence = sequence
    self.check = check
  }
}

/// What became of a record between two states of the database.
public struct RecordChange: Hashable, Sendable {
  /// What became of it.
  public enum Kind: String, Hashable, Sendable {
    /// It was not there before.
    case insert
    /// A property is another; its place may be, too.
    case update
    /// Only its place in an order kept by hand is another.
    case move
    /// It is not there any more.
    case delete
  }

  /// What became of it.
  public let kind: Kind
  /// The table of the record.
  public let table: String
  /// The id of the record, as it is stored.
  public let id: SQLiteValue
  /// The integer key of its row.
  public let rowKey: Int64
  /// The number of its last change in the log.
  public let sequence: Int64
  /// Who made the change, where all writes to the record since the cursor named one origin.
  public let origin: ChangeOrigin?
}

/// The changes of one or more whole transactions, one for each record that was changed.
public struct ChangeBatch: Sendable, Equatable {
  /// What became of each record, in the order of their last changes. A record that was inserted and deleted again is
  /// not among them.
  public let changes: [RecordChange]
  /// Where to read on.
  public let cursor: FeedCursor
  /// Whether what happened is not known in full: the log no longer reaches back to the cursor, is another one, or a table
  /// had no log for a while. What was read of the database before has to be read again, and there are no changes.
  public let isReset: Bool

  /// Whether there is nothing to tell.
  public var isEmpty: Bool { changes.isEmpty && !isReset }
}

/// Turns rows of the log into what became of each record.
struct Collapse {
  private struct Record: Hashable {
    let table: String
    let id: SQLiteValue
  }

  private struct History {
    let wasThere: Bool
    var isThere: Bool?
    var isContentChanged = false
    var isMoved = false
    var rowKey: Int64
    var sequence: Int64
    var origins: Set<ChangeOrigin?> = []
  }

  private var histories: [Record: History] = [:]
  private(set) var isReset = false

  mutating func add(_ entry: ChangeLog.Entry, _ origin: ChangeOrigin?) {
    guard entry.kind != .reset else {
      isReset = true
      return
    }
    guard let rowKey = entry.rowKey else { return }
    let record = Record(table: entry.source, id: entry.recordID)
    var history =
      histories[record]
      ?? History(wasThere: entry.kind != .insert, isThere: nil, rowKey: rowKey, sequence: entry.seq)
    history.rowKey = rowKey
    if entry.kind != .relabel { history.origins.insert(origin) }
    switch entry.kind {
    case .insert, .update, .delete:
      history.isContentChanged = true
      history.isThere = entry.kind != .delete
      history.sequence = entry.seq
    case .move:
      history.isMoved = true
      history.isThere = true
      history.sequence = entry.seq
    // Whether it is there is known by a look at the table only.
    case .touch: history.isThere = nil
    case .relabel, .reset, .origin: break
    }
    histories[record] = history
  }

  /// The changes, with `exists` to tell whether a row is there.
  func changes(
    _ tables: [String: RecordTable],
    exists: (_ table: RecordTable, _ rowKey: Int64, _ id: SQLiteValue) throws(RosterError) -> Bool
  ) throws(RosterError) -> [RecordChange] {
    var changes: [RecordChange] = []
    for (record, history) in histories {
      guard let table = tables[record.table] else { continue }
      let isThere: Bool
      if let known = history.isThere {
        isThere = known
      } else {
        isThere = try exists(table, history.rowKey, record.id)
      }
      let kind: RecordChange.Kind? =
        switch (history.wasThere, isThere) {
        case (false, true): .insert
        case (true, false): .delete
        case (true, true): history.isContentChanged ? .update : history.isMoved ? .move : nil
        case (false, false): nil
        }
      guard let kind else { continue }
      changes.append(
        RecordChange(
          kind: kind, table: table.name, id: record.id, rowKey: history.rowKey, sequence: history.sequence,
          origin: history.origins.count == 1 ? history.origins.first ?? nil : nil))
    }
    return changes.sorted { ($0.sequence, $0.rowKey) < ($1.sequence, $1.rowKey) }
  }
}
