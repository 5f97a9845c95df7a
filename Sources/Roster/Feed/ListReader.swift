/// Reads the rows of a live list: all of them, or those with some integer keys.
struct ListReader<R: Record>: Sendable {
  /// Where the rows are from.
  enum Source: Sendable {
    case query(Query<R>)
    /// A statement whose columns are found by the names that the record's table declares.
    case sql(SQL)
  }

  /// Of a search without an order, the latest come first: what is best changes with every text that does.
  let source: Source
  private let terms: [Query<R>.Term]

  /// - Throws: ``RosterError/Code/cannotTranslate`` for a query that has no SQL.
  init(_ source: Source) throws(RosterError) {
    if case .query(let query) = source {
      let ordered = query.isWhole ? query.orderedIfSearch : query
      self.source = .query(ordered)
      terms = try ordered.order()
    } else {
      self.source = source
      terms = []
    }
  }

  /// - Throws: ``RosterError/Code/cannotTranslate`` for a query that has no SQL.
  init(_ query: Query<R>) throws(RosterError) { try self.init(.query(query)) }

  // MARK: Plans

  /// How a list is brought up to date.
  enum Plan: Sendable {
    /// The rows that were touched tell what becomes of it.
    case maintained(ListOrdering<R>)
    /// All rows are fetched anew when one of these tables has changed; nil where that of some table is not known.
    case refetched(tables: Set<String>?)
  }

  /// The plan for a database.
  func plan(on connection: Connection) throws(RosterError) -> Plan {
    let query: Query<R>
    switch source {
    case .sql(let sql): return .refetched(tables: try loggedTables(sql, on: connection))
    case .query(let it): query = it
    }
    let own = LoggedTable.source(R.table.name)
    let sql = try connection.resolveByRow(query).select("1")
    // A predicate is of one row alone. An SQL condition can be of others, in a SELECT of its own, and of the time of day.
    var isOfOneRow = true
    if query.conditions.contains(where: { $0.isSQL }) {
      let reads = try connection.reads(of: sql.text)
      isOfOneRow = reads.tables.subtracting([own]).isEmpty && reads.selections <= 1
      if reads.isOfTheMoment(sql.text, sql.arguments) { return .refetched(tables: nil) }
    }
    // A record that the store was not opened with may have no log, and a row may go without a word.
    let isLogged = try LoggedTable.isLogged(own, on: connection)
    let isOpaque = try RowConflicts.areOpaque(in: R.table.name, on: connection)
    if query.isWhole, isOfOneRow, isLogged, !isOpaque, let ordering = try ordering(on: connection) {
      return .maintained(ordering)
    }
    return .refetched(tables: try loggedTables(sql, on: connection))
  }

  /// The tables that a statement reads; nil where it reads one whose changes are not logged.
  private func loggedTables(_ sql: SQL, on connection: Connection) throws(RosterError) -> Set<String>? {
    let reads = try connection.reads(of: sql.text)
    guard !reads.isOfTheMoment(sql.text, sql.arguments) else { return nil }
    var tables: Set<String> = []
    for table in reads.tables {
      let kind = try connection.value(
        "SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
        [SQLArgument(.text(table))])
      // Of a view, the tables that it reads are told, too.
      if kind == .text("view") { continue }
      // What these functions return is of their arguments alone.
      if kind == nil, ["json_each", "json_tree"].contains(table) { continue }
      guard try LoggedTable.isLogged(table, on: connection) else { return nil }
      tables.insert(table)
    }
    return tables
  }

  /// How the rows are sorted, on a database whose columns may have collations; nil for one that only that program knows
  /// which has made the column.
  private func ordering(on connection: Connection) throws(RosterError) -> ListOrdering<R>? {
    // The bytes of UTF-16 sort otherwise than those of the texts here.
    let encoding = try connection.value("PRAGMA encoding")
    guard terms.isEmpty || encoding == .text("UTF-8") else { return nil }
    var sorted: [SortTerm] = []
    for term in terms {
      let name = try connection.collation(of: term.columnName, in: R.table.name)
      guard let collation = Collation(rawValue: name.uppercased()) else { return nil }
      sorted.append(
        SortTerm(
          collation: collation, isDescending: term.isDescending, isNullLast: term.isNullLast ? true : nil))
    }
    return ListOrdering(order: SQLiteOrder(terms: sorted))
  }

  // MARK: Rows

  /// All rows, in their order, with what they are sorted by.
  func all(on connection: Connection) throws(RosterError) -> [ListRow<R>] {
    guard case .query(let query) = source else { return [] }
    return try rows(connection.resolve(query), on: connection)
  }

  /// All rows, each with its number in their order to be sorted by. Those of a statement get their integer keys from `keys`.
  ///
  /// - Throws: ``RosterError/Code/misuse`` for a statement with two rows of one id.
  func numbered(_ keys: inout RowKeys<R.ID>, on connection: Connection) throws(RosterError) -> [ListRow<R>] {
    guard case .sql(let sql) = source else {
      return try all(on: connection).enumerated().map { number, row in
        ListRow(rowKey: row.rowKey, key: .label(Int64(number)), record: row.record)
      }
    }
    var rows: [ListRow<R>] = []
    var new = RowKeys<R.ID>(after: keys)
    for record in try connection.fetch(sql, as: R.self) {
      guard let key = new.add(record.id, from: keys) else {
        throw RosterError(
          .misuse, "Two rows of the statement have one id, by which a live list tells its rows.", sql: sql.text,
          table: R.table.name, columns: R.table.key.map { [$0.name] } ?? [])
      }
      rows.append(ListRow(rowKey: key, key: .label(Int64(rows.count)), record: record))
    }
    keys = new
    return rows
  }

  /// How many keys a statement asks for at once. Few different statements: each is prepared and kept.
  private static var sizes: [Int] { [1, 8, 64, 512] }

  /// Those of the rows with these integer keys that are of the list, in any order.
  func rows(_ keys: [Int64], on connection: Connection) throws(RosterError) -> [ListRow<R>] {
    guard case .query(let query) = source else { return [] }
    var rows: [ListRow<R>] = []
    var rest = keys[...]
    while !rest.isEmpty {
      let size = ListReader.sizes.first { $0 >= rest.count } ?? 512
      var part = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      // Filled up with what is asked for already.
      if let last = part.last { part += Array(repeating: last, count: size - part.count) }
      let some = query.filter(sql: "\(identifier: R.table.name).rowid IN (\(part))")
      rows += try self.rows(connection.resolveByRow(some), on: connection)
    }
    return rows
  }

  private func rows(_ query: ResolvedQuery<R>, on connection: Connection) throws(RosterError) -> [ListRow<R>] {
    let table = R.table
    return try connection.naming(table) { () throws(RosterError) in
      let columns =
        [table.statements.selection, "\(quoted(table.name)).rowid"] + terms.map { $0.name }
      let sql = try query.select(columns.joined(separator: ", "))
      let statement = try connection.statement(sql.text)
      try statement.bind(sql.arguments)
      var rows: [ListRow<R>] = []
      let first = table.columns.count
      while try statement.step() {
        let record = try table.decode(Row(statement: statement.handle))
        rows.append(
          ListRow(rowKey: try statement.cell(first).int64(), key: key(statement, from: first + 1), record: record))
      }
      return rows
    }
  }

  private func key(_ statement: borrowing Statement, from first: Int) -> ListRow<R>.SortKey {
    if terms.isEmpty { return .none }
    if terms.count == 1, terms[0].column == nil, !terms[0].isDescending,
      case .integer(let label) = statement.cell(first).value
    {
      return .label(label)
    }
    return .values(terms.indices.map { statement.cell(first + $0).value })
  }
}

extension Query {
  /// Whether it is of all rows that its conditions hold for. A limit needs the rows beyond it, too.
  fileprivate var isWhole: Bool { limit == nil && offset == nil && start == nil }
}

extension Query.Condition {
  fileprivate var isSQL: Bool { if case .sql = self { true } else { false } }
}

/// The integer keys that stand for ids where rows have none of their own. An id keeps its key for as long as it is there.
struct RowKeys<ID: Hashable & Sendable>: Sendable {
  private var keys: [ExactID<ID>: Int64] = [:]
  private var next: Int64 = 1

  init() {}

  /// None, and the next one is new to another set as well.
  init(after other: RowKeys) { next = other.next }

  /// Gives an id the key that it had, or a new one. Nil where it has one already.
  mutating func add(_ id: ID, from old: RowKeys) -> Int64? {
    let id = ExactID(id)
    guard keys[id] == nil else { return nil }
    let key = old.keys[id] ?? next
    if key == next { next += 1 }
    keys[id] = key
    return key
  }
}
