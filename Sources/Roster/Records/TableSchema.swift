/// A table as the database has it.
struct TableSchema {
  struct Column {
    let name: String
    let type: String
    let isNotNull: Bool
    let isRowKey: Bool
    let isGenerated: Bool
    let hasDefault: Bool

    /// A rowid is never NULL, whatever its column says.
    var isNullable: Bool { !isNotNull && !isRowKey }
    var isRequired: Bool { isNotNull && !hasDefault && !isGenerated }
    var affinity: Affinity { Affinity(type: type) }

    /// SQLite compares names without regard to the case of ASCII letters.
    func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
  }

  let columns: [Column]
  /// The columns that are unique each by itself, by an index over all rows.
  let uniqueColumns: [String]
  /// The unique indexes, partial ones too, by their names, with their columns.
  let uniqueIndexes: [String: [String]]
  let isView: Bool
  let isWithoutRowID: Bool

  /// Reads the schema of a table; nil where there is none of the name.
  init?(_ name: String, on connection: Connection) throws(RosterError) {
    let argument = SQLArgument(.text(name))
    let list = try connection.rows(
      "SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'", [argument])
    guard let entry = list.first, entry.count == 2 else { return nil }
    isView = entry[0] == .text("view")
    isWithoutRowID = entry[1] == .integer(1)
    var columns: [Column] = []
    let rows = try connection.rows(
      "SELECT name, type, \"notnull\", pk, hidden, dflt_value IS NOT NULL FROM pragma_table_xinfo(?)", [argument])
    let keyCount = rows.count { $0.count == 6 && $0[3] != .integer(0) }
    for row in rows {
      guard row.count == 6, case .text(let name) = row[0], case .text(let type) = row[1] else { continue }
      let isKey = row[3] == .integer(1) && keyCount == 1
      columns.append(
        Column(
          name: name, type: type, isNotNull: row[2] != .integer(0),
          // Only this spelling, as the sole primary key of a rowid table, is another name for the rowid.
          isRowKey: isKey && type.uppercased() == "INTEGER" && entry[1] == .integer(0) && entry[0] == .text("table"),
          isGenerated: row[4] == .integer(2) || row[4] == .integer(3), hasDefault: row[5] == .integer(1)))
    }
    self.columns = columns
    uniqueColumns = try connection.rows(
      """
      SELECT (SELECT name FROM pragma_index_info(i.name)) FROM pragma_index_list(?) AS i
      WHERE i."unique" AND NOT i.partial AND (SELECT count(*) FROM pragma_index_info(i.name)) = 1
      """, [argument]
    ).compactMap { if case .text(let name)? = $0.first { name } else { nil } }
    var indexes: [String: [String]] = [:]
    let indexed = try connection.rows(
      """
      SELECT i.name, c.name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c WHERE i."unique"
      """, [argument])
    for row in indexed {
      guard row.count == 2, case .text(let index) = row[0], case .text(let column) = row[1] else { continue }
      indexes[index, default: []].append(column)
    }
    uniqueIndexes = indexes
  }

  func column(_ name: String) -> Column? { columns.first { $0.isNamed(name) } }
}

/// What a column does to the values stored in it. https://www.sqlite.org/datatype3.html#type_affinity
enum Affinity {
  case integer, text, none, real, numeric

  init(type: String) {
    let type = type.uppercased()
    if type.contains("INT") {
      self = .integer
    } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
      self = .text
    } else if type.contains("BLOB") || type.isEmpty {
      self = .none
    } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether a value of a storage class comes back as it was. Free text can look like a number, and dates and
  /// UUIDs do not.
  func keeps(_ storage: StorageClass, isFreeText: Bool) -> Bool {
    switch (self, storage) {
    case (.none, _), (_, .blob), (_, .null), (.text, .text): true
    case (.text, _): false
    case (_, .text): !isFreeText
    case (.real, .integer): false
    case (_, .integer), (_, .real): true
    }
  }
}
