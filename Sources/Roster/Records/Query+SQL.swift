import Foundation

extension Query {
  /// Where a query that starts after a record begins: the record's sorted values and its integer key.
  struct Start {
    let values: [SQLiteValue]
    /// nil where the record is gone; then nothing ties with it.
    let rowKey: Int64?
    /// Whether a row of the table may have no value for the first term, and come last for that.
    var mayLackFirst = true
  }

  /// The integer key, by the name that every rowid table answers to.
  private var rowKey: String { "\(quoted(R.table.name)).rowid" }

  func whereClause(start: Start?, found: SQL?) throws(RosterError) -> SQL {
    var clauses = found.map { [$0] } ?? []
    for condition in conditions {
      switch condition {
      case .predicate(let predicate): clauses.append(try R.table.condition(for: predicate))
      case .sql(let sql): clauses.append(sql)
      case .list(let value): clauses.append(try inList(value))
      case .search: break
      }
    }
    if let start { clauses.append(try following(start)) }
    var sql = SQL(text: "")
    for (index, clause) in clauses.enumerated() {
      sql.append(index == 0 ? " WHERE (" : " AND (")
      sql.append(clause)
      // On a line of its own, as the clause may end in a comment.
      sql.append("\n)")
    }
    return sql
  }

  func limitClause() throws(RosterError) -> SQL {
    guard limit ?? 0 >= 0, offset ?? 0 >= 0 else {
      throw RosterError(.misuse, "A query's limit and offset cannot be negative.", table: R.table.name)
    }
    var sql = SQL(text: "")
    guard limit != nil || offset != nil else { return sql }
    sql.append(" LIMIT ")
    // SQLite has no OFFSET without a LIMIT; a negative one is none.
    sql.append(SQLArgument(.integer(Int64(limit ?? -1))))
    if let offset {
      sql.append(" OFFSET ")
      sql.append(SQLArgument(.integer(Int64(offset))))
    }
    return sql
  }

  private func inList(_ value: @Sendable (TableColumn) -> SQLArgument?) throws(RosterError) -> SQL {
    let (scope, argument) = try manualOrder().list(value)
    var sql = SQL(text: "\(quoted(R.table.name)).\(quoted(scope.name)) IS ")
    sql.append(argument)
    return sql
  }

  /// Holds for the rows of the one list that the query is of; nil where it is of all.
  func listCondition() throws(RosterError) -> SQL? {
    for case .list(let value) in conditions { return try inList(value) }
    return nil
  }

  // MARK: Order

  /// One term of the order.
  struct Term {
    let columnName: String
    /// The column, where the record stores it; nil for the position in an order that is kept by hand.
    var column: TableColumn?
    var isDescending = false
    /// NULL comes first as everywhere in SQLite, but for a row that has no place in its list.
    var isNullLast = false

    var name: String { "\(quoted(R.table.name)).\(quoted(columnName))" }
    var sql: String { name + (isDescending ? " DESC" : "") + (isNullLast ? " NULLS LAST" : "") }
  }

  /// The order that is kept by hand.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate`` where the table has none.
  func manualOrder() throws(RosterError) -> ManualOrder { try R.table.manualOrder() }

  /// The order that the query asks for.
  func order() throws(RosterError) -> [Term] {
    switch sort {
    case .descriptors(let sorts): return try order(by: sorts)
    case .manual:
      let order = try manualOrder()
      // Within one list it is the same for all rows.
      let isOneList = conditions.contains { if case .list = $0 { true } else { false } }
      let scope = isOneList ? [] : order.scope.map { [Term(columnName: $0.name, column: $0)] } ?? []
      return scope + [Term(columnName: order.column, isNullLast: true)]
    case .latest: return [Term(columnName: "rowid", isDescending: true)]
    }
  }

  private func order(by sorts: [SortDescriptor<R>]) throws(RosterError) -> [Term] {
    var terms: [Term] = []
    for descriptor in sorts {
      guard let keyPath = descriptor.keyPath, let column = R.table.column(keyPath) else {
        let name = descriptor.keyPath.map { "\($0)" } ?? "a comparison"
        throw RosterError(
          .cannotTranslate, "The sort by \(name) cannot be translated to SQL: it is no column of the table.",
          table: R.table.name)
      }
      guard column.traits.keepsOrder else {
        throw RosterError(
          .cannotTranslate,
          "The sort by \(keyPath) cannot be translated to SQL: the column's conversion does not keep the order.",
          table: R.table.name, columns: [column.name])
      }
      if var comparator = descriptor.stringComparator {
        comparator.order = .forward
        guard comparator == .lexical else {
          throw RosterError(
            .cannotTranslate,
            "The sort by \(keyPath) cannot be translated to SQL: text sorts by its bytes; use comparator: .lexical.",
            table: R.table.name, columns: [column.name])
        }
      }
      terms.append(Term(columnName: column.name, column: column, isDescending: descriptor.order == .reverse))
    }
    return terms
  }

  // MARK: Paging

  /// The values that tell the place of a record in the query's order. That in an order kept by hand is not among them.
  func values(of record: R) throws(RosterError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    for term in try order() {
      if let column = term.column { values.append(try R.table.value(of: record, in: column)) }
    }
    return values
  }

  /// Holds for the records that have the same place as `values`, but for the integer key.
  func tie(_ values: [SQLiteValue]) throws(RosterError) -> SQL {
    var sql = SQL(text: "1")
    for (term, value) in zip(try order(), values) {
      sql.append(" AND \(term.name) IS ")
      sql.append(SQLArgument(value))
    }
    return sql
  }

  /// Holds for the records after the start: lexicographic comparison, from the last term inwards.
  private func following(_ start: Start) throws(RosterError) -> SQL {
    var sql: SQL
    if let key = start.rowKey {
      sql = SQL(text: "\(rowKey) > ", arguments: [])
      sql.append(SQLArgument(.integer(key)))
    } else {
      sql = SQL(text: "0")
    }
    let terms = try order()
    for (term, value) in zip(terms, start.values).reversed() {
      let tie = sql
      sql = SQL(text: "(")
      sql.append(Query.strictlyAfter(term, value))
      sql.append(" OR (\(term.name) IS ")
      sql.append(SQLArgument(value))
      sql.append(" AND ")
      sql.append(tie)
      sql.append("))")
    }
    // What follows from that, and is a range that an index serves: for SQLite an OR is none.
    if let term = terms.first, let value = start.values.first, value != .null,
      !(term.isDescending || term.isNullLast) || !start.mayLackFirst
    {
      sql.append(" AND \(term.name) \(term.isDescending ? "<=" : ">=") ")
      sql.append(SQLArgument(value))
    }
    return sql
  }

  /// NULL comes before everything, and after everything in descending order, as SQLite has it.
  private static func strictlyAfter(_ term: Term, _ value: SQLiteValue) -> SQL {
    let isNullLast = term.isDescending || term.isNullLast
    guard value != .null else { return SQL(text: isNullLast ? "0" : "\(term.name) IS NOT NULL") }
    var sql = SQL(text: "(\(term.name) \(term.isDescending ? "<" : ">") ")
    sql.append(SQLArgument(value))
    sql.append(isNullLast ? " OR \(term.name) IS NULL)" : ")")
    return sql
  }
}

extension Table {
  /// The order that is kept by hand.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate`` where there is none.
  func manualOrder() throws(RosterError) -> ManualOrder {
    guard let order else {
      throw RosterError(
        .cannotTranslate, "The table keeps no order by hand; declare it with `order: .manual(…)`.", table: name)
    }
    return order
  }
}
