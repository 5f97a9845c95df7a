/// A query with all that had to be asked of the database first: where it starts, and what its searches found.
struct ResolvedQuery<R: Record> {
  var query: Query<R>
  var start: Query<R>.Start?
  var found: FoundTexts?
  /// Whether a condition of its names integer keys, by which the rows are to be looked up, whatever else could be done: with
  /// eight keys or more SQLite rather walks along the index of an order, which is a scan of the list.
  var isByRow = false

  /// `SELECT` of the given columns for the records of the query, in its order.
  func select(_ selection: String) throws(RosterError) -> SQL {
    var sql = SQL(text: "SELECT \(selection) FROM ")
    var place = "\(quoted(R.table.name)).rowid"
    var isJoined = true
    // The names of a searched table's columns are those of its index: nothing but this key may be seen of that.
    switch found?.order {
    case .keys(let keys):
      sql.append("(SELECT key AS roster_place, value AS roster_key FROM json_each(")
      sql.append(SQLArgument(.text("[\(keys.map { "\($0)" }.joined(separator: ","))]")))
      sql.append(")) AS roster_hit CROSS JOIN ")
      place = "roster_hit.roster_place"
    case .latestOf(let rows):
      sql.append("(")
      sql.append(rows)
      sql.append(") AS roster_hit CROSS JOIN ")
      place = "roster_hit.roster_key DESC"
    case .latest:
      place += " DESC"
      isJoined = false
    case .any, nil: isJoined = false
    }
    sql.append(quoted(R.table.name))
    // The integer key is none of the indexes. https://www.sqlite.org/lang_indexedby.html
    if isByRow { sql.append(" NOT INDEXED") }
    if isJoined { sql.append(" ON \(quoted(R.table.name)).rowid = roster_hit.roster_key") }
    let clause = try query.whereClause(start: start, found: isJoined ? found?.rest : found?.condition)
    if isJoined, query.hasSQLCondition {
      // Where nothing but the table is in sight, so that `rowid` is its own.
      sql.append(" WHERE EXISTS (SELECT 1 FROM \(quoted(R.table.name))")
      sql.append(clause)
      sql.append(" AND \(quoted(R.table.name)).rowid = roster_hit.roster_key)")
    } else {
      sql.append(clause)
    }
    sql.append(" ORDER BY " + (try query.order().map { $0.sql } + [place]).joined(separator: ", "))
    sql.append(try query.limitClause())
    return sql
  }

  /// A statement's `WHERE` that holds for the query's records alone, whatever its order and limit.
  func scope() throws(RosterError) -> SQL {
    guard query.limit != nil || query.offset != nil else {
      return try query.whereClause(start: start, found: found?.condition)
    }
    let rowKey = "\(quoted(R.table.name)).rowid"
    return SQL(text: " WHERE \(rowKey) IN (") + (try select(rowKey)) + SQL(text: ")")
  }
}

extension Connection {
  /// Asks the database what has to be known before a query's SQL can be said.
  ///
  /// - Parameters:
  ///   - isOrdered: whether it matters which record comes first.
  ///   - isForWriting: whether rows are changed for being found, and the index is not to be taken at its word.
  func resolve<R: Record>(
    _ query: Query<R>, isOrdered: Bool = true, isForWriting: Bool = false
  ) throws(RosterError) -> ResolvedQuery<R> {
    guard query.isSearch else { return ResolvedQuery(query: query, start: try start(of: query), found: nil) }
    let isOrdered = isOrdered || query.limit != nil || query.offset != nil || query.start != nil
    guard isOrdered, query.isUnsorted else {
      return ResolvedQuery(query: query, start: try start(of: query), found: try find(query, .rows, isForWriting))
    }
    var found = try find(query, .best, isForWriting)
    guard let start = query.start else { return ResolvedQuery(query: query, start: nil, found: found) }
    var rest = query
    rest.startsAfterNothing()
    guard let place = try rowKey(of: start) else { throw RosterError.noStart(R.self) }
    switch found.order {
    case .keys(let keys):
      guard let index = keys.firstIndex(of: place) else { throw RosterError.noStart(R.self) }
      found.order = .keys(Array(keys[(index + 1)...]))
    case .any, .latest, .latestOf:
      rest = rest.filter(sql: "\(identifier: R.table.name).rowid < \(place)")
    }
    return ResolvedQuery(query: rest, start: nil, found: found)
  }

  /// The same for a query that is asked of single rows: what it searches for is looked for in them themselves.
  func resolveByRow<R: Record>(_ query: Query<R>) throws(RosterError) -> ResolvedQuery<R> {
    let found = query.isSearch ? try find(query, .eachRow, false) : nil
    return ResolvedQuery(query: query, start: try start(of: query), found: found, isByRow: true)
  }

  /// A condition for the rows of the query's searches.
  private func find<R: Record>(
    _ query: Query<R>, _ purpose: FoundTexts.Purpose, _ isForWriting: Bool
  ) throws(RosterError) -> FoundTexts {
    let declaration = try R.table.searched()
    guard let finder = textFinder as? any TextFinder else {
      throw RosterError(.misuse, "The connection is not one of a store, and cannot search.", table: R.table.name)
    }
    return try finder.find(query.searches, declaration, purpose, isForWriting: isForWriting, on: self)
  }
}

extension Table {
  /// What is searched.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate`` where that is nothing.
  func searched() throws(RosterError) -> SearchDeclaration {
    guard let search else {
      throw RosterError(
        .cannotTranslate, "The table has no searched texts; declare them with `search: .substring(…)`.", table: name)
    }
    return search
  }
}

extension RosterError {
  fileprivate static func noStart<R: Record>(_ type: R.Type) -> RosterError {
    RosterError(
      .noSuchRecord, "The record to page after is not among those that are found, and its place is not known.",
      table: R.table.name)
  }
}
