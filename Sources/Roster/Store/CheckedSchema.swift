/// That a database's schema has been compared with what a store's records declare, and had everything that is derived from
/// them: noted in the database, so that the next opening has to read the schema only.
///
/// To compare all of it takes twice as long as to open the file. The invariant: what is noted of a schema was found by all of
/// the checks, in one transaction. A schema or a declaration that is another has another hash.
struct CheckedSchema {
  /// Raised whenever the checks, or the SQL of what is derived, are others; a test tells when.
  static let version = 1
  static let table = "roster_checked"
  /// So many programs with declarations of their own are remembered.
  private static let limit = 16

  let records: [any Record.Type]
  let connection: Connection

  /// Whether all was right with the schema as it is now.
  func isKnown() throws(RosterError) -> Bool {
    guard try hasTable(), let schema = try hash() else { return false }
    return try connection.value(
      "SELECT schema FROM \(CheckedSchema.table) WHERE declarations = ?", [SQLArgument(.integer(declarations))])
      == .integer(schema)
  }

  /// Checks once more, in a transaction, and notes the schema where all is right.
  ///
  /// It is no fault where that cannot be done, such as while another process writes: the next opening takes a little longer.
  func note(busyTimeout: Duration) {
    connection.setBusyTimeout(.zero)
    defer { connection.setBusyTimeout(busyTimeout) }
    do throws(RosterError) {
      try connection.control("BEGIN IMMEDIATE")
      if try !hasTable() { try connection.execute(CheckedSchema.sql) }
      try SchemaCheck.check(records, on: connection)
      guard try !OrderIndex.needsPreparing(records, on: connection),
        try !SearchIndex.needsMending(records, on: connection), try ChangeLog(connection: connection).isRight(records),
        let schema = try hash()
      else { return try connection.rollBack() }
      try connection.execute(
        "DELETE FROM \(CheckedSchema.table) WHERE (SELECT count(*) FROM \(CheckedSchema.table)) >= \(CheckedSchema.limit)"
      )
      try connection.execute(
        "INSERT OR REPLACE INTO \(CheckedSchema.table) (declarations, schema) VALUES (?, ?)",
        [declarations, schema].map { SQLArgument(.integer($0)) })
      try connection.control("COMMIT")
    } catch {
      try? connection.rollBack()
    }
  }

  private static let sql = "CREATE TABLE \(table) (declarations INTEGER PRIMARY KEY, schema INTEGER NOT NULL)"

  /// Another program's table of this name is none.
  private func hasTable() throws(RosterError) -> Bool {
    try connection.value(
      "SELECT sql = ? FROM sqlite_schema WHERE name = ? COLLATE NOCASE",
      [CheckedSchema.sql, CheckedSchema.table].map { SQLArgument(.text($0)) }) == .integer(1)
  }

  // MARK: Hashes

  /// Of the whole schema, as it is written in the database; nil where a part is no text.
  private func hash() throws(RosterError) -> Int64? {
    let statement = try connection.statement("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")
    var hash = FNV1a()
    while try statement.step() {
      for index in 0..<4 {
        guard statement.cell(index).withText({ hash.mix(text: $0) }) != nil else { return nil }
      }
    }
    return Int64(bitPattern: hash.value)
  }

  /// Of what the records declare, and of what it is compared by.
  private var declarations: Int64 {
    var hash = FNV1a()
    hash.mix(text: "\(CheckedSchema.version) \(Library.version)".utf8)
    for type in records { CheckedSchema.mix(type, into: &hash) }
    return Int64(bitPattern: hash.value)
  }

  private static func mix<R: Record>(_ type: R.Type, into hash: inout FNV1a) {
    func mix(_ text: String) { hash.mix(text: text.utf8) }
    let table = R.table
    mix(table.name)
    for column in table.columns {
      mix(column.name)
      mix(column.traits.storageClass.rawValue)
      hash.mix((column.traits.isOptional ? 1 : 0) | (column.traits.isFreeText ? 2 : 0))
    }
    hash.mix(0)
    if let order = table.order {
      mix(order.column)
      mix(order.scope?.name ?? "")
    }
    hash.mix(1)
    if let search = table.search {
      mix(search.kind.rawValue)
      for column in search.columns { mix(column) }
    }
    hash.mix(2)
  }
}
