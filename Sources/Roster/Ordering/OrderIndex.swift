/// That the rows of a table were given places of their own when a store opened.
///
/// It happens where a table gets its order, or other software has left positions that are none: NULL, doubled, no integers.
public struct OrderAdoption: Hashable, Sendable {
  /// The table.
  public let table: String
  /// How many of its rows were given a place.
  public let rows: Int
}

/// The index that an order kept by hand needs. It is derived from the table's declaration: made where it is missing,
/// and made anew where it is another.
struct OrderIndex {
  let connection: Connection
  let order: ManualOrder

  private var name: String { "\(OrderIndex.prefix)\(order.table)" }
  private static let prefix = "roster_order_"

  private var sql: String {
    let columns = (order.scope.map { [$0.name] } ?? []) + [order.column]
    return
      "CREATE INDEX \(quoted(name)) ON \(quoted(order.table)) (\(columns.map(quoted).joined(separator: ", ")))"
  }

  /// The indexes of the engine's that a table has, and their SQL. One of the user's may have a name like theirs.
  private static func existing(_ table: String, on connection: Connection) throws(RosterError) -> [(String, String)] {
    try connection.rows(
      """
      SELECT name, sql FROM sqlite_schema
      WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND substr(name, 1, \(prefix.count)) = ?
        AND sql LIKE 'CREATE INDEX "' || replace(name, '"', '""') || '" ON "%'
      """, [SQLArgument(.text(table)), SQLArgument(.text(prefix))]
    ).compactMap { row in
      guard row.count == 2, case .text(let name) = row[0], case .text(let sql) = row[1] else { return nil }
      return (name, sql)
    }
  }

  /// Whether the table has its index, and no other one of the engine's.
  func isRight() throws(RosterError) -> Bool {
    let existing = try OrderIndex.existing(order.table, on: connection)
    return existing.count == 1 && existing[0] == (name, sql)
  }

  private static func drop(from table: String, on connection: Connection) throws(RosterError) {
    for (name, _) in try existing(table, on: connection) { try connection.execute("DROP INDEX \(quoted(name))") }
  }

  /// Makes the index anew, and gives every row a place of its own in its list. Returns how many rows were given one.
  func rebuild() throws(RosterError) -> Int {
    try OrderIndex.drop(from: order.table, on: connection)
    // A table that was renamed took the index with it.
    try connection.execute("DROP INDEX IF EXISTS \(quoted(name))")
    try connection.execute(sql)
    var written = 0
    for list in try lists() { written += try list.rearrange() }
    return written
  }

  /// The lists of the table.
  private func lists() throws(RosterError) -> [KeptList] {
    guard let scope = order.scope else { return [KeptList(connection, order, .null)] }
    return try connection.rows("SELECT DISTINCT \(quoted(scope.name)) FROM \(quoted(order.table))").compactMap { row in
      row.first.map { KeptList(connection, order, $0) }
    }
  }

  // MARK: All tables

  /// Makes the indexes of tables that do not have them as they are declared, and adopts their rows, in one transaction.
  static func prepare(_ records: [any Record.Type], on connection: Connection) throws(RosterError) -> [OrderAdoption] {
    guard try needsPreparing(records, on: connection) else { return [] }
    do throws(RosterError) {
      try connection.control("BEGIN IMMEDIATE")
      var adoptions: [OrderAdoption] = []
      for table in unordered(records) { try drop(from: table, on: connection) }
      for case let order? in records.map(order(ofAny:)) {
        let index = OrderIndex(connection: connection, order: order)
        // Another process may have made it meanwhile.
        guard try !index.isRight() else { continue }
        let rows = try index.rebuild()
        if rows > 0 { adoptions.append(OrderAdoption(table: order.table, rows: rows)) }
      }
      try connection.control("COMMIT")
      return adoptions
    } catch {
      try? connection.rollBack()
      throw error
    }
  }

  /// Whether a table doesn't have its index as it is declared.
  static func needsPreparing(
    _ records: [any Record.Type], on connection: Connection
  ) throws(RosterError) -> Bool {
    for case let order? in records.map(order(ofAny:)) {
      if try !OrderIndex(connection: connection, order: order).isRight() { return true }
    }
    for table in unordered(records) where try !existing(table, on: connection).isEmpty { return true }
    return false
  }

  /// The tables of which no record keeps an order; of two records of one table, one may do without. In lower case, since
  /// SQLite compares names so.
  private static func unordered(_ records: [any Record.Type]) -> Set<String> {
    let ordered = records.compactMap { order(of: $0)?.table.lowercased() }
    return Set(records.map { name(of: $0).lowercased() }).subtracting(ordered)
  }

  static func order(ofAny type: any Record.Type) -> ManualOrder? { order(of: type) }
  private static func order<R: Record>(of type: R.Type) -> ManualOrder? { R.table.order }
  private static func name<R: Record>(of type: R.Type) -> String { R.table.name }
}
