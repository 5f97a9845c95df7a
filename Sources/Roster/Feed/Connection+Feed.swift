/// A table of records, as the feed has to know it.
struct RecordTable: Sendable {
  let name: String
  /// The column of the ids.
  let key: String

  /// The tables of records, by what the log calls them.
  static func all(of records: [any Record.Type]) -> [String: RecordTable] {
    func table<R: Record>(of type: R.Type) -> RecordTable {
      RecordTable(name: R.table.name, key: R.table.key?.name ?? "rowid")
    }
    let tables = records.map { table(of: $0) }
    return Dictionary(tables.map { (LoggedTable.source($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Connection {
  /// Where the change feed stands now.
  func feedCursor() throws(RosterError) -> FeedCursor { try ChangeLog(connection: self).cursor() }

  /// A cursor that has read up to a number of the log.
  func feedCursor(at sequence: Int64) throws(RosterError) -> FeedCursor {
    let log = ChangeLog(connection: self)
    let state = try log.state()
    guard (0...max(state.last, 0)).contains(sequence) else {
      throw RosterError(
        .outOfRange, "The change log has no number \(sequence): its last one is \(state.last).", table: ChangeLog.table)
    }
    return FeedCursor(epoch: state.epoch, sequence: sequence, check: try log.check(at: sequence))
  }

  /// A cursor right before the first row that the log still holds.
  func firstFeedCursor() throws(RosterError) -> FeedCursor {
    let state = try ChangeLog(connection: self).state()
    return FeedCursor(epoch: state.epoch, sequence: state.pruned)
  }

  /// Where the change feed stands now; nil where the database has no log of changes.
  func feedCursorIfAny() throws(RosterError) -> FeedCursor? {
    try ChangeLog(connection: self).exists() ? try feedCursor() : nil
  }

  /// Whether the log says that tables are as they were at a cursor. Without a log or a cursor it does not.
  func isUnchanged(_ sources: Set<String>, since cursor: FeedCursor?) throws(RosterError) -> Bool {
    let log = ChangeLog(connection: self)
    guard let cursor, try log.exists(), try log.goesOn(from: cursor) else { return false }
    for source in sources where try !LoggedTable.isLogged(source, on: self) { return false }
    return try !log.names(sources, after: cursor.sequence)
  }

  /// What became of the records of tables since a cursor, up to the state that the connection sees.
  func changes(since cursor: FeedCursor, tables: [String: RecordTable]) throws(RosterError) -> ChangeBatch {
    let log = ChangeLog(connection: self)
    let present = try log.cursor()
    guard present != cursor else { return ChangeBatch(changes: [], cursor: present, isReset: false) }
    guard try log.goesOn(from: cursor) else { return ChangeBatch(changes: [], cursor: present, isReset: true) }
    var collapse = Collapse()
    let entries = try log.entries(after: cursor.sequence)
    // Who wrote is said behind what was written.
    var origins = entries.filter { $0.kind == .origin }[...]
    for entry in entries where tables[entry.source] != nil {
      while let next = origins.first, next.seq < entry.seq { origins.removeFirst() }
      var origin: ChangeOrigin?
      if let next = origins.first, let before = next.rowKey, entry.seq > before, case .text(let name) = next.recordID {
        origin = ChangeOrigin(name)
      }
      collapse.add(entry, origin)
    }
    guard !collapse.isReset else { return ChangeBatch(changes: [], cursor: present, isReset: true) }
    let changes = try collapse.changes(tables) { (table, rowKey, id) throws(RosterError) in
      let sql = "SELECT 1 FROM \(quoted(table.name)) WHERE rowid = ? AND \(quoted(table.key)) IS ?"
      return try value(sql, [SQLArgument(.integer(rowKey)), SQLArgument(id)]) != nil
    }
    return ChangeBatch(changes: changes, cursor: present, isReset: false)
  }

  // MARK: Consumers with a name

  /// The cursor that a consumer has stored; nil where there is none of the name.
  func storedCursor(of consumer: String) throws(RosterError) -> FeedCursor? {
    let log = ChangeLog(connection: self)
    let state = try log.state()
    let sql = "SELECT seq FROM \(ChangeLog.consumers) WHERE name = ?"
    guard case .integer(let sequence)? = try value(sql, [SQLArgument(.text(consumer))]) else { return nil }
    return FeedCursor(epoch: state.epoch, sequence: sequence, check: try log.check(at: sequence))
  }

  /// Stores how far a consumer has read.
  func store(_ cursor: FeedCursor, of consumer: String) throws(RosterError) {
    guard try ChangeLog(connection: self).has(cursor) else {
      throw RosterError(.misuse, "The cursor is of another database, or of one that was here before.")
    }
    try execute(
      "INSERT INTO \(ChangeLog.consumers) (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = excluded.seq",
      [SQLArgument(.text(consumer)), SQLArgument(.integer(cursor.sequence))])
  }

  /// Forgets a consumer, whose unread changes then may be pruned. False where there was none.
  func removeConsumer(_ name: String) throws(RosterError) -> Bool {
    let sql = SQL(text: "DELETE FROM \(ChangeLog.consumers) WHERE name = ?", arguments: [SQLArgument(.text(name))])
    return try run(sql) > 0
  }
}
