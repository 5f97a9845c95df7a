/// A table whose changes are logged: its columns as the database has them, and its triggers.
struct LoggedTable {
  let name: String
  private let key: String
  private let position: String?
  private let columns: [String]
  private let uniqueKeys: [[KeyColumn]]

  /// A column of a UNIQUE index, with the collation by which its values are the same.
  private struct KeyColumn {
    let name: String
    let collation: String
  }

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
    uniqueKeys = try LoggedTable.uniqueKeys(of: name, on: connection)
  }

  /// The columns of each UNIQUE index, but for those on expressions, and of some rows alone.
  private static func uniqueKeys(of table: String, on connection: Connection) throws(RosterError) -> [[KeyColumn]] {
    let rows = try connection.rows(
      """
      SELECT i.name, c.name, c.coll FROM pragma_index_list(?) AS i, pragma_index_xinfo(i.name) AS c
      WHERE i."unique" AND c.key AND NOT i.partial ORDER BY i.name, c.seqno
      """, [SQLArgument(.text(table))])
    var keys: [(index: SQLiteValue, columns: [KeyColumn?])] = []
    for row in rows where row.count == 3 {
      var column: KeyColumn?
      if case .text(let name) = row[1], case .text(let collation) = row[2],
        Collation(rawValue: collation.uppercased()) != nil
      {
        column = KeyColumn(name: name, collation: collation)
      }
      if keys.last?.index == row[0] {
        keys[keys.count - 1].columns.append(column)
      } else {
        keys.append((row[0], [column]))
      }
    }
    return keys.compactMap { key in
      let columns = key.columns.compactMap(\.self)
      return columns.count == key.columns.count ? columns : nil
    }
  }

  /// Whether rows can be replaced without a word: those that a UNIQUE index on an expression, of some rows alone, or by a
  /// collation of a program's own has for the same, where `recursive_triggers` is off.
  static func hasOpaqueKey(_ table: String, on connection: Connection) throws(RosterError) -> Bool {
    try connection.value(
      """
      SELECT count(*) > 0 FROM pragma_index_list(?) AS i
      WHERE i."unique" AND (i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) AS c
        WHERE c.key AND (c.cid = -2 OR upper(c.coll) NOT IN ('BINARY', 'NOCASE', 'RTRIM'))))
      """, [SQLArgument(.text(table))]) == .integer(1)
  }

  /// What the log calls a table. SQLite compares names without regard to the case of ASCII letters.
  static func source(_ name: String) -> String { name.lowercasedASCII() }

  // MARK: Triggers

  private static let prefix = "roster_feed_"

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

  /// The column's collation would take texts for the same that are not.
  private func differ(_ columns: [String]) -> String {
    columns.map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0)) COLLATE BINARY" }.joined(separator: " OR ")
  }

  /// Rows that a new one conflicts with.
  private var replace: String {
    "BEFORE INSERT ON \(quoted(name)) WHEN \(conflicts("1").map { "EXISTS (\($0))" }.joined(separator: " OR ")) BEGIN "
      + touches("1") + "END"
  }

  /// Rows that a changed one conflicts with.
  private var updateReplace: String {
    let keys = uniqueKeys.flatMap { $0.map(\.name) }
    let isOther = "OLD.rowid IS NOT NEW.rowid" + (keys.isEmpty ? "" : " OR \(differ(keys))")
    return "BEFORE UPDATE ON \(quoted(name)) WHEN \(isOther) BEGIN " + touches("rowid IS NOT OLD.rowid") + "END"
  }

  private func conflicts(_ condition: String, _ selection: String = "1") -> [String] {
    // By the index's collation: with another one it would not be used, and each insert be a scan.
    let keys = uniqueKeys.map {
      $0.map { "\(quoted($0.name)) = NEW.\(quoted($0.name)) COLLATE \(quoted($0.collation))" }
    }
    return ([["rowid = NEW.rowid"]] + keys).map { isSame in
      "SELECT \(selection) FROM \(quoted(name)) WHERE \(isSame.joined(separator: " AND ")) AND \(condition)"
    }
  }

  private func touches(_ condition: String) -> String {
    let selection = "\(ChangeLog.Kind.touch.rawValue), \(literal(source)), rowid, \(quoted(key))"
    return conflicts(condition, selection).map { select in
      "INSERT INTO \(ChangeLog.table) (kind, source, row_key, record_id) \(select); "
    }.joined()
  }

  private func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

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
