/// Reads the rows of a live list: all of them, or those with some integer keys.
struct ListReader<R: Record>: Sendable {
  let query: Query<R>
  private let terms: [Query<R>.Term]

  /// - Throws: ``RosterError/Code/cannotTranslate`` for a query that has no SQL.
  init(_ query: Query<R>) throws(RosterError) {
    self.query = query
    terms = try query.order()
  }

  /// Whether changes of single rows tell what becomes of the list. A limit needs the rows beyond it, too.
  var isMaintainable: Bool { query.limit == nil && query.offset == nil && query.start == nil }

  /// How the rows are sorted, on a database whose columns may have collations; nil for one that only that program knows
  /// which has made the column.
  func ordering(on connection: Connection) throws(RosterError) -> ListOrdering<R>? {
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

  /// All rows, in their order.
  func all(on connection: Connection) throws(RosterError) -> [ListRow<R>] { try rows(query, on: connection) }

  /// All rows, each with its number in the query's order to be sorted by.
  func numbered(on connection: Connection) throws(RosterError) -> [ListRow<R>] {
    try all(on: connection).enumerated().map { number, row in
      ListRow(rowKey: row.rowKey, key: .label(Int64(number)), record: row.record)
    }
  }

  /// How many keys a statement asks for at once. Few different statements: each is prepared and kept.
  private static var sizes: [Int] { [1, 8, 64, 512] }

  /// Those of the rows with these integer keys that are of the list, in any order.
  func rows(_ keys: [Int64], on connection: Connection) throws(RosterError) -> [ListRow<R>] {
    var rows: [ListRow<R>] = []
    var rest = keys[...]
    while !rest.isEmpty {
      let size = ListReader.sizes.first { $0 >= rest.count } ?? 512
      var part = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      // Filled up with what is asked for already.
      if let last = part.last { part += Array(repeating: last, count: size - part.count) }
      rows += try self.rows(query.filter(sql: "\(identifier: R.table.name).rowid IN (\(part))"), on: connection)
    }
    return rows
  }

  private func rows(_ query: Query<R>, on connection: Connection) throws(RosterError) -> [ListRow<R>] {
    let table = R.table
    return try connection.naming(table) { () throws(RosterError) in
      let columns =
        [table.statements.selection, "\(quoted(table.name)).rowid"] + terms.map(\.name)
      let sql = try query.select(columns.joined(separator: ", "), start: try connection.start(of: query))
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
    if terms.count == 1, terms[0].column == nil, case .integer(let label) = statement.cell(first).value {
      return .label(label)
    }
    return .values(terms.indices.map { statement.cell(first + $0).value })
  }
}
