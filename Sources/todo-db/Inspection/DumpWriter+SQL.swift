import Roster

/// A database as statements that make it again.
extension DumpWriter {
  /// Tables and their rows first, then what hangs on them, so that no trigger runs. Virtual tables are entered in the schema:
  /// to make one would make the tables that it keeps its content in, which are dumped themselves.
  mutating func writeSQL(_ tables: [RawTable], isWhole: Bool) throws {
    out.writeLine("PRAGMA foreign_keys=OFF;")
    // Rows that were there before a CHECK was, or were written without, are rows as well.
    out.writeLine("PRAGMA ignore_check_constraints=ON;")
    if isWhole { try writeNumbers() }
    out.writeLine("BEGIN TRANSACTION;")
    let own = tables.filter { !$0.isInternal }
    for table in own where table.kind == .table || table.kind == .shadow {
      if let sql = table.sql { writeStatement(sql, isTrigger: false) }
      try writeInserts(of: table)
    }
    if isWhole {
      try writeSequences(tables)
      try writeStatistics(tables)
    }
    let names = Set(own.map(\.name.folded))
    let schema = try database.schema()
    for entry in schema where entry.type != "table" && names.contains(entry.table.folded) {
      writeStatement(entry.sql, isTrigger: entry.type == "trigger")
    }
    let virtual = own.filter { $0.kind == .virtual }
    if !virtual.isEmpty {
      out.writeLine("PRAGMA writable_schema=ON;")
      for table in virtual {
        let name = RawValue.text(table.name).sql
        let sql = RawValue.text(table.sql ?? "").sql
        writeSafely(
          "INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table',\(name),\(name),0,\(sql));")
      }
      out.writeLine("PRAGMA writable_schema=OFF;")
    }
    out.writeLine("COMMIT;")
    out.writeLine("PRAGMA ignore_check_constraints=OFF;")
  }

  /// One table. A virtual one goes with the tables that its content is in, which only its module can tell.
  mutating func writeSQL(_ table: RawTable) throws {
    guard table.kind == .virtual else { return try writeSQL([table], isWhole: false) }
    let database = database
    _ = try attempt(table) { _ = try database.columns(of: table) }
    try writeSQL(database.shadows(of: table) + [table], isWhole: false)
  }

  /// What holds for the file as a whole. How it gives back free pages has to be said before anything is in it.
  private func writeNumbers() throws {
    let facts = try database.facts()
    if case .integer(let mode)? = try database.value("PRAGMA auto_vacuum"), mode != 0 {
      out.writeLine("PRAGMA auto_vacuum=\(mode);")
    }
    if facts.encoding != "UTF-8" { out.writeLine("PRAGMA encoding='\(facts.encoding)';") }
    if facts.applicationID != 0 { out.writeLine("PRAGMA application_id=\(facts.applicationID);") }
    if facts.userVersion != 0 { out.writeLine("PRAGMA user_version=\(facts.userVersion);") }
  }

  /// Names may hold what a terminal obeys; in a file they stay as they are.
  private func writeSafely(_ sql: String) { out.writeLine(out.isTerminal ? sql.visibleLines : sql) }

  private func writeStatement(_ sql: String, isTrigger: Bool) {
    writeSafely(StoredStatement(sql, isTrigger: isTrigger).text)
  }

  /// With the numbers of rows that have no column for them: other tables, such as an index for search, may refer to them.
  private mutating func writeInserts(of table: RawTable) throws {
    let (database, out) = (database, out)
    let isTerminal = out.isTerminal
    var refused: Set<String> = []
    let failure = try attempt(table) {
      let columns = try database.columns(of: table).filter { !$0.isHidden && !$0.isGenerated }
      let number = try database.numberName(of: table, columns)
      let names = (number.map { [$0] } ?? []) + columns.map { RawDatabase.quote($0.name) }
      let isPartial = try number != nil || database.columns(of: table).contains(where: \.isGenerated)
      let list = isPartial ? "(\(names.joined(separator: ",")))" : ""
      let beginning = "INSERT INTO \(RawDatabase.quote(table.name))\(list) VALUES("
      let insert = isTerminal ? beginning.visibleLines : beginning
      try database.forEachRow(
        "SELECT \(names.joined(separator: ", ")) FROM \(RawDatabase.quote(table.name)) NOT INDEXED"
      ) { row in
        if out.isClosed { throw ReaderHasGone() }
        for (column, value) in zip(columns, row.suffix(columns.count)) where column.isNotNull && value == .null {
          refused.insert(column.name)
        }
        out.writeLine(insert + (try row.map { try database.literal(of: $0) }).joined(separator: ",") + ");")
      }
    }
    // No pragma has SQLite take them.
    for name in refused.sorted() { fail(table, .null(column: name)) }
    if let failure { out.writeLine("-- \(table.name.visible): \(failure.visible)") }
  }

  /// The last numbers that AUTOINCREMENT has given. The table for them comes with the first such table.
  private mutating func writeSequences(_ tables: [RawTable]) throws {
    guard let table = tables.first(where: { $0.name == "sqlite_sequence" }),
      tables.contains(where: { $0.kind != .view && $0.sql?.uppercased().has("AUTOINCREMENT") == true })
    else { return }
    out.writeLine("DELETE FROM sqlite_sequence;")
    try writeInserts(of: table)
  }

  /// What ANALYZE has found out.
  private mutating func writeStatistics(_ tables: [RawTable]) throws {
    guard let table = tables.first(where: { $0.name == "sqlite_stat1" }) else { return }
    out.writeLine("ANALYZE sqlite_schema;")
    try writeInserts(of: table)
  }
}

extension RawDatabase {
  /// The tables that a virtual one keeps its content in. SQLite tells whose one is by what stands before its last `_`.
  fileprivate func shadows(of table: RawTable) throws -> [RawTable] {
    try tables().filter { shadow in
      let name = shadow.name.folded
      return shadow.kind == .shadow
        && name.lastIndex(of: UInt8(ascii: "_")).map { Array(name[..<$0]) } == table.name.folded
    }
  }

  /// What a statement calls the number of a row where no column is it; nil where there is none, or columns have all its names.
  fileprivate func numberName(of table: RawTable, _ columns: [RawColumn]) throws -> String? {
    guard !table.isWithoutRowID, !table.isInternal else { return nil }
    // A primary key that is not the number has an index: that of INTEGER PRIMARY KEY DESC is one, by an old slip of SQLite.
    let hasKey = columns.contains { $0.keyPlace > 0 }
    if hasKey,
      try value("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", .positional([.text(table.name)])) == nil
    {
      return nil
    }
    let taken = Set(columns.map(\.name.folded))
    return ["_rowid_", "rowid", "oid"].first { !taken.contains($0.folded) }
  }
}

extension RawDatabase {
  /// A literal that SQLite reads as the value again.
  ///
  /// Of some numbers it does not read the shortest digits as the nearest number: of 100,000 by chance some 500 (SQLite 3.40).
  /// Such a one is written by whole numbers and powers of two, which it reads exactly.
  fileprivate func literal(of value: RawValue) throws -> String {
    guard case .real(let number) = value, number.isFinite, number != 0 else { return value.sql }
    let read = try self.value("SELECT CAST(? AS REAL)", .positional([.text(value.sql)]))
    return read == value ? value.sql : number.exactSQL
  }
}

extension Double {
  /// The number as a whole one that is multiplied or divided by powers of two.
  var exactSQL: String {
    let bits = 52
    let shift = Int(exponent) - bits
    // A whole number of at most 53 bits; for a subnormal number, of fewer.
    let whole = Int64((significand * Double(1 << bits)).rounded())
    var text = "\(sign == .minus ? -whole : whole).0"
    var left = abs(shift)
    while left > 0 {
      let step = min(left, 62)
      text += "\(shift < 0 ? "/" : "*")\(UInt64(1) << UInt64(step)).0"
      left -= step
    }
    return text
  }
}
