/// A table of any database, or what can be read like one.
public struct RawTable: Sendable, Hashable {
  /// What it is.
  public enum Kind: String, Sendable {
    /// A table.
    case table
    /// A view: a statement under a name.
    case view
    /// A table that a module makes up, such as one of full-text search.
    case virtual
    /// An ordinary table that a virtual one keeps its content in.
    case shadow
  }

  /// Its name, which may hold any character.
  public let name: String
  /// What it is.
  public let kind: Kind
  /// Whether its rows are kept by their primary key, and have no other number.
  public let isWithoutRowID: Bool
  /// Whether its columns take values of their types alone.
  public let isStrict: Bool
  /// The statement that made it; nil for one of SQLite's own.
  public let sql: String?

  /// Whether it is one of SQLite's own, such as `sqlite_sequence`.
  public var isInternal: Bool { name.lowercasedASCII().hasPrefix("sqlite_") }
}

/// A column of any table.
public struct RawColumn: Sendable, Hashable {
  /// Its name, which may hold any character.
  public let name: String
  /// The type as it was declared; empty for none.
  public let type: String
  /// Whether NULL is refused.
  public let isNotNull: Bool
  /// Its place in the primary key, from 1; 0 where it is not in it.
  public let keyPlace: Int
  /// Whether it is computed from others, and cannot be written.
  public let isGenerated: Bool
  /// Whether a statement has to name it to read it.
  public let isHidden: Bool
}

extension RawDatabase {
  /// All tables and views, in the order in which they were made, with SQLite's own at the end.
  ///
  /// One that cannot be read, as of a module that is not there, is among them.
  public func tables() throws(RosterError) -> [RawTable] {
    try connection.rows(
      """
      SELECT l.name, l.type, l.wr, l.strict, s.sql
      FROM pragma_table_list AS l LEFT JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view')
      WHERE l.schema = 'main'
      ORDER BY l.name LIKE 'sqlite\\_%' ESCAPE '\\', s.rowid, l.name
      """
    ).compactMap { row in
      guard row.count == 5, case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
      var sql: String?
      if case .text(let text) = row[4] { sql = text }
      return RawTable(
        name: name, kind: RawTable.Kind(rawValue: type) ?? .table, isWithoutRowID: row[2] == .integer(1),
        isStrict: row[3] == .integer(1), sql: sql)
    }
  }

  /// The columns of a table or view, in their order.
  ///
  /// - Throws: what keeps them from being told, such as a module that is not there, a view on a table that is gone, or
  ///   ``RosterError/Code/sql`` for a name that is not UTF-8, of a table or of one of its columns: no statement can have it.
  public func columns(of table: RawTable) throws(RosterError) -> [RawColumn] {
    // The pragma says nothing of a table whose module is missing, where a statement says why.
    if table.kind != .table { _ = try connection.statement("SELECT * FROM \(quoted(table.name))") }
    let statement = try connection.statement(
      "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
    try statement.bind([SQLArgument(.text(table.name))])
    var columns: [RawColumn] = []
    while try statement.step() {
      let row = statement.rawRow
      guard row.count == 5, case .text(let bytes) = row[0], case .integer(let key) = row[3],
        case .integer(let hidden) = row[4]
      else { continue }
      // A repaired name is not found, and SQLite may take it for a text in quotation marks.
      guard let name = row[0].string else {
        let shown = String(decoding: bytes, as: UTF8.self)
        throw RosterError(.sql, "The name of its column \(shown) is not UTF-8.", path: path, table: table.name)
      }
      var type = ""
      if case .text(let text) = row[1] { type = String(decoding: text, as: UTF8.self) }
      columns.append(
        RawColumn(
          name: name, type: type, isNotNull: row[2] == .integer(1), keyPlace: Int(clamping: key),
          isGenerated: hidden == 2 || hidden == 3, isHidden: hidden == 1))
    }
    // Every table has one.
    guard !columns.isEmpty else {
      throw RosterError(
        .sql, "The table is not found by its name, which may not be UTF-8.", path: path, table: table.name)
    }
    return columns
  }

  /// How many rows a table or view has.
  ///
  /// - Complexity: O(*n*) in the rows.
  public func rowCount(of table: RawTable) throws(RosterError) -> Int {
    let count = try connection.value("SELECT count(*) FROM \(quoted(table.name))")
    if case .integer(let count)? = count { return Int(count) }
    return 0
  }

  /// The rows of a table or view, one by one, with their values in the order of `columns`.
  ///
  /// - Complexity: O(*n*) in the rows, of which one is held at a time.
  public func forEachRow(
    of table: RawTable, _ columns: [RawColumn], _ body: ([RawValue]) throws -> Void
  ) throws {
    // In the table's own order, and not that of an index which happens to have all of these columns.
    let hint = table.kind == .table || table.kind == .shadow ? " NOT INDEXED" : ""
    let names = columns.map { quoted($0.name) }.joined(separator: ", ")
    guard !columns.isEmpty else { return }
    try forEachRow("SELECT \(names) FROM \(quoted(table.name))\(hint)", .none, body)
  }

  /// The statements that made the tables, indexes, triggers and views, in the order in which they ran; those of one table, and
  /// of what belongs to it, where one is named.
  public func schema(of table: String? = nil) throws(RosterError) -> [RawSchemaEntry] {
    try connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    ).compactMap { row in
      guard row.count == 4, case .text(let type) = row[0], case .text(let name) = row[1],
        case .text(let owner) = row[2], case .text(let sql) = row[3]
      else { return nil }
      if let table, owner.lowercasedASCII() != table.lowercasedASCII() { return nil }
      return RawSchemaEntry(type: type, name: name, table: owner, sql: sql)
    }
  }

  /// A name quoted as an identifier of SQL, whatever characters it holds.
  public static func quote(_ identifier: String) -> String { quoted(identifier) }
}

/// A statement of a schema.
public struct RawSchemaEntry: Sendable, Hashable {
  /// What it makes: `table`, `index`, `trigger` or `view`.
  public let type: String
  /// The name of what it makes.
  public let name: String
  /// The table or view that it belongs to.
  public let table: String
  /// The statement.
  public let sql: String
}
