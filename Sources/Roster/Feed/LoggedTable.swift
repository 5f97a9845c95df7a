/// A table whose changes are logged: its columns as the database has them, and its triggers.
struct LoggedTable {
  let name: String
  private let key: String
  private let position: String?
  private let columns: [String]
  private let conflicts: RowConflicts

  /// What the log calls the table.
  var source: String { LoggedTable.source(name) }

  /// The tables of records. Two records may share a table, which has one set of triggers: the id is the first one's, and
  /// the order that of the first that keeps one.
  static func tables(of records: [any Record.Type], on connection: Connection) throws(RosterError) -> [LoggedTable] {
    var declared: [(name: String, key: String, position: String?)] = []
    for type in records {
      let (name, key, position) = declaration(of: type)
      if let index = declared.firstIndex(where: { source($0.name) == source(name) }) {
        declared[index].position = declared[index].position ?? position
      } else {
        declared.append((name, key, position))
      }
    }
    var tables: [LoggedTable] = []
    for (name, key, position) in declared {
      tables.append(try LoggedTable(name: name, key: key, position: position, on: connection))
    }
    return tables
  }

  private static func declaration<R: Record>(of type: R.Type) -> (String, String, String?) {
    (R.table.name, R.table.key?.name ?? "", R.table.order?.column)
  }

  private init(name: String, key: String, position: String?, on connection: Connection) throws(RosterError) {
    self.name = name
    self.key = key
    self.position = position
    columns = try TableSchema(name, on: connection)?.columns.filter { !$0.isGenerated }.map(\.name) ?? []
    conflicts = try RowConflicts(name, on: connection)
  }

  /// What the log calls a table. SQLite compares names without regard to the case of ASCII letters.
  static func source(_ name: String) -> String { name.lowercasedASCII() }

  // MARK: Triggers

  static let prefix = "roster_feed_"

  /// The triggers, by their names.
  var triggers: [(name: String, sql: String)] {
    let bodies = [
      ("insert", insert), ("update", update), ("rekey", rekey), ("delete", delete), ("replace", replace),
      ("overwrite", updateReplace),
    ]
    // The kind first: behind the name it could be taken for a part of another table's.
    return bodies.map { kind, body in
      let name = "\(LoggedTable.prefix)\(kind)_\(name)"
      return (name, "CREATE TRIGGER \(quoted(name)) \(body)")
    }
  }

  private func log(_ kind: String, _ row: String) -> String {
    "INSERT INTO \(ChangeLog.table) (kind, source, row_key, record_id) "
      + "VALUES (\(kind), \(literal(source)), \(row).rowid, \(row).\(quoted(key))); "
  }

  private func log(_ kind: ChangeLog.Kind, _ row: String) -> String { log("\(kind.rawValue)", row) }

  private var insert: String { "AFTER INSERT ON \(quoted(name)) BEGIN \(log(.insert, "NEW"))END" }
  private var delete: String { "AFTER DELETE ON \(quoted(name)) BEGIN \(log(.delete, "OLD"))END" }

  /// A row whose key or id changes is another one from then on.
  private var rekey: String {
    "AFTER UPDATE ON \(quoted(name)) WHEN \(isAnother) BEGIN \(log(.delete, "OLD"))\(log(.insert, "NEW"))END"
  }

  private var isAnother: String { "(OLD.rowid IS NOT NEW.rowid OR \(differ([key])))" }

  /// An update that changes nothing is none.
  private var update: String {
    let others = columns.filter { $0.lowercased() != position?.lowercased() }
    let isOther = differ(others)
    let (update, move) = (ChangeLog.Kind.update.rawValue, ChangeLog.Kind.move.rawValue)
    let kind = position == nil ? "\(update)" : "CASE WHEN \(isOther) THEN \(update) ELSE \(move) END"
    let isChanged = position.map { "\(isOther) OR \(differ([$0]))" } ?? isOther
    return "AFTER UPDATE ON \(quoted(name)) WHEN NOT \(isAnother) AND (\(isChanged)) BEGIN \(log(kind, "NEW"))END"
  }

  private func differ(_ columns: [String]) -> String { RowConflicts.differ(columns) }

  /// Rows that a new one conflicts with.
  private var replace: String {
    "BEFORE INSERT ON \(quoted(name)) WHEN \(conflicts.onInsert) BEGIN " + touches("1") + "END"
  }

  /// Rows that a changed one conflicts with.
  private var updateReplace: String {
    "BEFORE UPDATE ON \(quoted(name)) WHEN \(conflicts.onUpdate) BEGIN " + touches(RowConflicts.others) + "END"
  }

  private func touches(_ condition: String) -> String {
    let selection = "\(ChangeLog.Kind.touch.rawValue), \(literal(source)), rowid, \(quoted(key))"
    return conflicts.selects(selection, where: condition).map { select in
      "INSERT INTO \(ChangeLog.table) (kind, source, row_key, record_id) \(select); "
    }.joined()
  }

  // MARK: In the database

  private func existing(on connection: Connection) throws(RosterError) -> [String: String] {
    var existing: [String: String] = [:]
    let rows = try connection.rows(
      """
      SELECT name, sql FROM sqlite_schema
      WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE AND substr(name, 1, \(LoggedTable.prefix.count)) = ?
      """, [SQLArgument(.text(name)), SQLArgument(.text(LoggedTable.prefix))])
    for row in rows {
      if row.count == 2, case .text(let name) = row[0], case .text(let sql) = row[1] { existing[name] = sql }
    }
    return existing
  }

  /// Whether changes of a table are logged, by whichever program declared it.
  static func isLogged(_ table: String, on connection: Connection) throws(RosterError) -> Bool {
    try connection.value(
      "SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'trigger' AND name = ? COLLATE NOCASE",
      [SQLArgument(.text("\(prefix)update_\(table)"))]) == .integer(1)
  }

  /// Whether the table has its triggers, and no other of the engine's.
  func isRight(on connection: Connection) throws(RosterError) -> Bool {
    try existing(on: connection)
      == Dictionary(triggers.map { ($0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
  }

  func makeTriggers(on connection: Connection) throws(RosterError) {
    for name in try existing(on: connection).keys { try connection.execute("DROP TRIGGER \(quoted(name))") }
    for (name, sql) in triggers {
      // A table that was renamed has taken those of its old name with it. What another program has made stays.
      let own = try connection.value(
        "SELECT sql LIKE '%INTO \(ChangeLog.table) %' FROM sqlite_schema WHERE type = 'trigger' AND name = ? COLLATE NOCASE",
        [SQLArgument(.text(name))])
      if own == .integer(0) {
        throw RosterError(
          .schemaMismatch, "The database has a trigger named \(name), a name that the change log needs. Rename it.",
          table: self.name)
      }
      if own != nil { try connection.execute("DROP TRIGGER \(quoted(name))") }
      try connection.execute(sql)
    }
  }
}
