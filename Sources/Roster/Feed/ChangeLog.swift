import struct Foundation.UUID

/// The log of changes: a table that triggers fill, in the transaction of whoever writes.
///
/// Plain SQL, so that every program that writes to the file is seen: its triggers come with the file. What a row of the
/// log says is which row was touched, and how. It is derived from the tables' declarations: made where it is
/// missing, and the triggers are made anew where they are others.
struct ChangeLog {
  /// What a row of the log says of another row.
  enum Kind: Int64, Sendable {
    case insert = 0
    case update = 1
    /// Only the position in an order kept by hand is another.
    case move = 2
    case delete = 3
    /// A row may have been deleted: one that conflicts with a row that was to be inserted or updated, and that a REPLACE
    /// deletes without a word where `recursive_triggers` is off, as it is in a stock `sqlite3`.
    case touch = 4
    /// Anything in the table may have changed: it had no triggers for a while.
    case reset = 5
    /// Only the position is another, and the order is not: neighbours had to make room.
    case relabel = 6
    /// What was logged since the number in `row_key` was written by the origin in `record_id`.
    case origin = 7
  }

  static let table = "roster_log"
  static let state = "roster_feed"
  static let consumers = "roster_consumer"

  let connection: Connection

  // MARK: Making it

  /// Makes the log and the triggers of the tables where they are not as they should be. Without a table there is no log.
  ///
  /// - Throws: ``RosterError/Code/schemaMismatch`` where something else has one of the names.
  func prepare(_ records: [any Record.Type]) throws(RosterError) {
    guard try !isRight(records) else { return }
    do throws(RosterError) {
      try connection.control("BEGIN IMMEDIATE")
      try mend(records)
      try connection.control("COMMIT")
    } catch {
      try? connection.rollBack()
      throw error
    }
  }

  /// The same inside a transaction.
  func mend(_ records: [any Record.Type]) throws(RosterError) {
    let tables = try LoggedTable.tables(of: records, on: connection)
    guard try !isRight(tables) else { return }
    let isNew = try !exists()
    if isNew { try create() }
    if try !hasTimes() { try createTimes() }
    if (try? state()) == nil { try renewState() }
    for table in tables where try !table.isRight(on: connection) {
      try table.makeTriggers(on: connection)
      // What was written meanwhile is not in the log.
      if !isNew { try append(.reset, table.source) }
    }
  }

  /// Whether there is the log, and the tables have their triggers, where there are tables.
  func isRight(_ records: [any Record.Type]) throws(RosterError) -> Bool {
    try isRight(LoggedTable.tables(of: records, on: connection))
  }

  private func isRight(_ tables: [LoggedTable]) throws(RosterError) -> Bool {
    guard !tables.isEmpty else { return true }
    guard try exists(), try hasTimes(), (try? state()) != nil else { return false }
    for table in tables { if try !table.isRight(on: connection) { return false } }
    return true
  }

  /// What tells the engine's own tables from others with their names.
  private static let marks = [
    (table, "%kind%source%row_key%record_id%"), (state, "%epoch%pruned%"), (consumers, "%name%seq%"),
    (times, "%seq%time%"),
  ]

  /// Whether the database has a log.
  func exists() throws(RosterError) -> Bool {
    let own = ChangeLog.marks.prefix(3)
    return try connection.value(
      "SELECT count(*) = 3 FROM sqlite_schema WHERE type = 'table' AND ("
        + own.map { _ in "name = ? AND sql LIKE ?" }.joined(separator: " OR ") + ")",
      own.flatMap { [SQLArgument(.text($0.0)), SQLArgument(.text($0.1))] }) == .integer(1)
  }

  /// Refuses to put the log in the place of what another program has made.
  func refuseOthers() throws(RosterError) {
    for (name, mark) in ChangeLog.marks {
      let others = try connection.rows(
        "SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND NOT (type = 'table' AND name = ? AND sql LIKE ?)",
        [name, name, mark].map { SQLArgument(.text($0)) })
      guard let type = others.first?.first, case .text(let type) = type else { continue }
      throw RosterError(
        .schemaMismatch,
        "The database has a \(type) named \(name), a name that the change log needs. Rename it, or open the store with keepsChangeLog = false.",
        table: name)
    }
  }

  private func create() throws(RosterError) {
    try refuseOthers()
    for name in [ChangeLog.table, ChangeLog.state, ChangeLog.consumers, ChangeLog.times] {
      try connection.execute("DROP TABLE IF EXISTS \(quoted(name))")
    }
    // AUTOINCREMENT, since the number of a row must not come again after the log was pruned.
    try connection.execute(
      """
      CREATE TABLE \(ChangeLog.table) (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, source TEXT NOT NULL, row_key INTEGER, record_id
      )
      """)
    // The epoch tells this log from one that was here before it, or in another file.
    try connection.execute(
      "CREATE TABLE \(ChangeLog.state) (id INTEGER PRIMARY KEY CHECK (id = 1), epoch TEXT NOT NULL, pruned INTEGER NOT NULL)"
    )
    try connection.execute("CREATE TABLE \(ChangeLog.consumers) (name TEXT PRIMARY KEY, seq INTEGER NOT NULL)")
    try renewState()
  }

  /// Begins a log that nobody has a cursor of.
  private func renewState() throws(RosterError) {
    try connection.execute("DELETE FROM \(ChangeLog.state)")
    try connection.execute(
      """
      INSERT INTO \(ChangeLog.state) (id, epoch, pruned)
      VALUES (1, ?, coalesce((SELECT seq FROM sqlite_sequence WHERE name = '\(ChangeLog.table)'), 0))
      """, [SQLArgument(.text(UUID().uuidString.lowercased()))])
  }

  private func append(_ kind: Kind, _ source: String) throws(RosterError) {
    try connection.execute(
      "INSERT INTO \(ChangeLog.table) (kind, source) VALUES (?, ?)",
      [SQLArgument(.integer(kind.rawValue)), SQLArgument(.text(source))])
  }

  // MARK: Reading it

  /// Where the log stands: its epoch, the last number that was given, and up to which number it was pruned.
  struct State: Equatable {
    let epoch: String
    let last: Int64
    let pruned: Int64
  }

  /// - Throws: ``RosterError/Code/misuse`` where the database has no log.
  func state() throws(RosterError) -> State {
    let found: [[SQLiteValue]]
    do throws(RosterError) {
      found = try connection.rows(
        """
        SELECT epoch, pruned, coalesce((SELECT seq FROM sqlite_sequence WHERE name = '\(ChangeLog.table)'), 0)
        FROM \(ChangeLog.state)
        """)
    } catch {
      // Asked only now: it takes as long as the rest.
      guard try exists() else {
        throw RosterError(.misuse, "The database has no change log; a store that writes to it makes one when it opens.")
      }
      throw error
    }
    let row = found.first
    guard let row, row.count == 3, case .text(let epoch) = row[0], case .integer(let pruned) = row[1],
      case .integer(let last) = row[2], (0...max(last, 0)).contains(pruned)
    else {
      throw RosterError(.corrupt, "The state of the change log is not as Roster writes it.", table: ChangeLog.state)
    }
    return State(epoch: epoch, last: last, pruned: pruned)
  }

  /// The cursor of a consumer that has read all of it.
  func cursor() throws(RosterError) -> FeedCursor { try cursor(at: state()) }

  func cursor(at state: State) throws(RosterError) -> FeedCursor {
    FeedCursor(epoch: state.epoch, sequence: state.last, check: try check(at: state.last))
  }

  /// Whether the log has all that came after a cursor.
  func goesOn(from cursor: FeedCursor) throws(RosterError) -> Bool { try goesOn(from: cursor, to: state()) }

  func goesOn(from cursor: FeedCursor, to state: State) throws(RosterError) -> Bool {
    guard try has(cursor, at: state), state.pruned <= cursor.sequence else { return false }
    // Numbers follow each other; where some are missing, somebody has deleted them.
    let count = try connection.value(
      "SELECT count(*) FROM \(ChangeLog.table) WHERE seq > ?", [SQLArgument(.integer(cursor.sequence))])
    return count == .integer(state.last - cursor.sequence)
  }

  /// Whether a cursor is of this log, though what it points at may be pruned.
  func has(_ cursor: FeedCursor) throws(RosterError) -> Bool { try has(cursor, at: state()) }

  private func has(_ cursor: FeedCursor, at state: State) throws(RosterError) -> Bool {
    guard cursor.epoch == state.epoch, cursor.sequence <= state.last else { return false }
    guard let wanted = cursor.check, let found = try check(at: cursor.sequence) else { return true }
    return wanted == found
  }

  /// What the row of a number says, as a number; nil where there is none. Rows stay as they are from their commit on.
  ///
  /// A hash to 52 bits: every program that reads JSON keeps those.
  func check(at seq: Int64) throws(RosterError) -> Int64? {
    let statement = try connection.statement(
      "SELECT kind, source, row_key, record_id FROM \(ChangeLog.table) WHERE seq = ?")
    try statement.bind([SQLArgument(.integer(seq))])
    guard try statement.step() else { return nil }
    var hash = FNV1a()
    func add(_ tag: UInt8, _ bytes: some Sequence<UInt8>) {
      hash.mix(bytes)
      hash.mix(tag)
    }
    for index in 0..<statement.columnCount {
      switch statement.cell(index).value {
      case .null: add(0, [])
      case .integer(let value): add(1, withUnsafeBytes(of: value.littleEndian, Array.init))
      case .real(let value): add(2, withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init))
      case .text(let value): add(3, value.utf8)
      case .blob(let value): add(4, value)
      }
    }
    return Int64(hash.value >> 12)
  }

  /// Gives the log of a copy an epoch of its own: from now on it is another than that of the database it was copied from.
  func renew() throws(RosterError) {
    guard try exists() else { return }
    try connection.execute(
      "UPDATE \(ChangeLog.state) SET epoch = ?", [SQLArgument(.text(UUID().uuidString.lowercased()))])
  }

  /// A row of the log.
  struct Entry: Equatable {
    let seq: Int64
    let kind: Kind
    let source: String
    let rowKey: Int64?
    let recordID: SQLiteValue
  }

  /// The rows of the log after a number, in their order.
  func entries(after seq: Int64) throws(RosterError) -> [Entry] {
    let statement = try connection.statement(
      "SELECT seq, kind, source, row_key, record_id FROM \(ChangeLog.table) WHERE seq > ? ORDER BY seq")
    try statement.bind([SQLArgument(.integer(seq))])
    var entries: [Entry] = []
    while try statement.step() {
      // Of what another program has put there, only what can be read counts.
      guard case .integer(let seq) = statement.cell(0).value, case .integer(let number) = statement.cell(1).value,
        let kind = Kind(rawValue: number), case .text(let source) = statement.cell(2).value
      else { continue }
      var rowKey: Int64?
      if case .integer(let key) = statement.cell(3).value { rowKey = key }
      entries.append(
        Entry(seq: seq, kind: kind, source: source, rowKey: rowKey, recordID: statement.cell(4).value))
    }
    return entries
  }

  /// The integer keys of the rows of a table that the log names after a number; nil where any may have changed.
  func touchedKeys(of source: String, after seq: Int64) throws(RosterError) -> Set<Int64>? {
    let statement = try connection.statement(
      "SELECT DISTINCT row_key FROM \(ChangeLog.table) WHERE seq > ? AND source = ?")
    try statement.bind([SQLArgument(.integer(seq)), SQLArgument(.text(LoggedTable.source(source)))])
    var keys: Set<Int64> = []
    while try statement.step() {
      // Only the row that says so has no key.
      guard case .integer(let key) = statement.cell(0).value else { return nil }
      keys.insert(key)
    }
    return keys
  }

  /// The last number up to another one at which the log names a table; 0 where it does not.
  func last(of source: String, upTo seq: Int64) throws(RosterError) -> Int64 {
    let value = try connection.value(
      "SELECT seq FROM \(ChangeLog.table) WHERE seq <= ? AND source = ? ORDER BY seq DESC LIMIT 1",
      [SQLArgument(.integer(seq)), SQLArgument(.text(LoggedTable.source(source)))])
    if case .integer(let seq)? = value { return seq }
    return 0
  }

  /// Whether the log names one of the tables after a number.
  func names(_ tables: Set<String>, after seq: Int64) throws(RosterError) -> Bool {
    let statement = try connection.statement("SELECT DISTINCT source FROM \(ChangeLog.table) WHERE seq > ?")
    try statement.bind([SQLArgument(.integer(seq))])
    while try statement.step() {
      if case .text(let source) = statement.cell(0).value, tables.contains(source) { return true }
    }
    return false
  }

  /// Runs writes that only make room in a list, and says so of them in the log.
  static func quietly(
    _ connection: Connection, _ write: () throws(RosterError) -> Void
  ) throws(RosterError) {
    let log = ChangeLog(connection: connection)
    guard try log.exists() else { return try write() }
    let before = try log.state().last
    try write()
    try connection.execute(
      "UPDATE \(ChangeLog.table) SET kind = ? WHERE seq > ? AND kind = ?",
      [Kind.relabel.rawValue, before, Kind.move.rawValue].map { SQLArgument(.integer($0)) })
  }

  /// Says of what was logged after a number who wrote it.
  func mark(_ origin: ChangeOrigin, after seq: Int64) throws(RosterError) {
    guard try state().last > seq else { return }
    try connection.execute(
      "INSERT INTO \(ChangeLog.table) (kind, source, row_key, record_id) VALUES (?, '', ?, ?)",
      [SQLArgument(.integer(Kind.origin.rawValue)), SQLArgument(.integer(seq)), SQLArgument(.text(origin.name))])
  }
}
