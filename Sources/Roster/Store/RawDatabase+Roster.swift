/// What Roster keeps in a database, as far as the database itself tells: no declaration of a record is needed.
public struct RosterParts: Sendable, Hashable {
  /// A table whose rows are kept in an order by hand.
  public struct Order: Sendable, Hashable {
    /// The table.
    public let table: String
    /// The column that says to which list a row belongs; nil where the table is one list.
    public let scope: String?
    /// The column that keeps the place.
    public let column: String
    /// The name of the index that Roster made for it.
    public let index: String
  }

  /// The change log.
  public struct Log: Sendable, Hashable {
    /// The number of the first row that it still has, and that of the last; nil where it has none.
    public let span: ClosedRange<Int64>?
    /// The number of the last row that it ever had.
    public let last: Int64
    /// Consumers that have stored by their names how far they have read.
    public let consumers: [Consumer]
  }

  /// A consumer of the change log.
  public struct Consumer: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The number up to which it has read.
    public let sequence: Int64
  }

  /// The tables whose changes are logged: those of records.
  public let recordTables: [String]
  /// The orders kept by hand.
  public let orders: [Order]
  /// The tables that have an index for search.
  public let searched: [String]
  /// The change log; nil where there is none.
  public let log: Log?
  /// The migrations that were applied; empty where none is recorded.
  public let migrations: [MigrationStatus]
  /// All tables that Roster made for itself.
  public let ownTables: Set<String>

  /// Whether Roster has made anything in the database.
  public var isEmpty: Bool { recordTables.isEmpty && orders.isEmpty && log == nil && migrations.isEmpty }
}

/// A row of the change log as it stands there.
public struct LoggedChange: Sendable, Hashable {
  /// Its number.
  public let sequence: Int64
  /// What happened: insert, update, move, delete, touch, reset, relabel or origin; the number itself for another one.
  public let kind: String
  /// The table, in lower case.
  public let table: String
  /// The integer key of the row that was touched.
  public let rowKey: Int64?
  /// The id of the record.
  public let id: SQLiteValue
}

extension RawDatabase {
  /// What Roster keeps in the database.
  public func rosterParts() throws(RosterError) -> RosterParts {
    let log = ChangeLog(connection: connection)
    let search = try SearchPart.all(on: connection)
    let hasLog = try log.exists()
    let own = [ChangeLog.table, ChangeLog.state, ChangeLog.consumers, ChangeLog.times, CheckedSchema.table]
    let hasMigrations =
      try connection.value(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [SQLArgument(.text(Migrator.table))]) != nil
    // What another program has under that name is no record of migrations.
    let migrations = hasMigrations ? (try? Migrator([]).status(on: connection)) ?? [] : []
    let indexes = search.filter { $0.kind.isVirtual }.map(\.name)
    let shadows = try tables().filter { table in
      table.kind == .shadow && indexes.contains { table.name.hasPrefix($0 + "_") }
    }
    return RosterParts(
      recordTables: try recordTables(), orders: try orders(),
      searched: Set(search.filter { $0.kind == .index }.map(\.source)).sorted(),
      log: hasLog ? try told(log) : nil, migrations: migrations,
      ownTables: Set(
        (hasLog ? own : []) + (hasMigrations ? [Migrator.table] : []) + shadows.map(\.name)
          + search.filter { !$0.kind.isTrigger }.map(\.name)))
  }

  /// The rows of the change log after a number, the first `limit` of them, or its last `limit` rows without one.
  ///
  /// - Throws: ``RosterError/Code/misuse`` where the database has no change log.
  public func loggedChanges(after sequence: Int64?, limit: Int) throws(RosterError) -> [LoggedChange] {
    guard try ChangeLog(connection: connection).exists() else {
      throw RosterError(.misuse, "The database has no change log.", path: path)
    }
    let columns = "SELECT seq, kind, source, row_key, record_id FROM \(ChangeLog.table)"
    let count = SQLArgument(.integer(Int64(limit)))
    let rows =
      if let sequence {
        try connection.rows(
          "\(columns) WHERE seq > ? ORDER BY seq LIMIT ?", [SQLArgument(.integer(sequence)), count])
      } else {
        try connection.rows("SELECT * FROM (\(columns) ORDER BY seq DESC LIMIT ?) ORDER BY seq", [count])
      }
    return rows.compactMap { row in
      guard row.count == 5, case .integer(let seq) = row[0], case .integer(let kind) = row[1],
        case .text(let source) = row[2]
      else { return nil }
      var key: Int64?
      if case .integer(let number) = row[3] { key = number }
      return LoggedChange(
        sequence: seq, kind: ChangeLog.Kind(rawValue: kind).map { "\($0)" } ?? "\(kind)", table: source, rowKey: key,
        id: row[4])
    }
  }

  private func told(_ log: ChangeLog) throws(RosterError) -> RosterParts.Log {
    let span = try connection.rows("SELECT min(seq), max(seq) FROM \(ChangeLog.table)").first ?? []
    var range: ClosedRange<Int64>?
    if span.count == 2, case .integer(let first) = span[0], case .integer(let last) = span[1], first <= last {
      range = first...last
    }
    let last = (try? log.state().last) ?? range?.upperBound ?? 0
    let consumers = try connection.rows("SELECT name, seq FROM \(ChangeLog.consumers) ORDER BY name")
      .compactMap { row -> RosterParts.Consumer? in
        guard row.count == 2, case .text(let name) = row[0], case .integer(let seq) = row[1] else { return nil }
        return RosterParts.Consumer(name: name, sequence: seq)
      }
    return RosterParts.Log(span: range, last: last, consumers: consumers)
  }

  private func recordTables() throws(RosterError) -> [String] {
    try connection.rows(
      """
      SELECT DISTINCT tbl_name FROM sqlite_schema
      WHERE type = 'trigger' AND name = 'roster_feed_insert_' || tbl_name ORDER BY tbl_name
      """
    ).compactMap { if case .text(let name)? = $0.first { name } else { nil } }
  }

  /// By the columns of their indexes: the list, where there is one, and the place.
  private func orders() throws(RosterError) -> [RosterParts.Order] {
    let found = try connection.rows(
      """
      SELECT s.tbl_name, s.name, i.name FROM sqlite_schema AS s, pragma_index_info(s.name) AS i
      WHERE s.type = 'index' AND s.name = 'roster_order_' || s.tbl_name ORDER BY s.name, i.seqno
      """)
    var columns: [[String]] = []
    for row in found {
      guard row.count == 3, case .text(let table) = row[0], case .text(let index) = row[1],
        case .text(let column) = row[2]
      else { continue }
      if let last = columns.indices.last, columns[last][1] == index {
        columns[last].append(column)
      } else {
        columns.append([table, index, column])
      }
    }
    return columns.compactMap { names in
      guard (3...4).contains(names.count), let column = names.last else { return nil }
      return RosterParts.Order(
        table: names[0], scope: names.count == 4 ? names[2] : nil, column: column, index: names[1])
    }
  }
}
