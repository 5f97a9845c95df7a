// Fetching, counting and changing the records of a query, and rows of raw SQL.

extension Connection {
  func fetch<R: Record>(_ query: Query<R>) throws(RosterError) -> [R] {
    let table = R.table
    return try naming(table) { () throws(RosterError) in
      let statement = try statement(for: query)
      var records: [R] = []
      while try statement.step() { try table.append(Row(statement: statement.handle), &records) }
      return records
    }
  }

  func first<R: Record>(_ query: Query<R>) throws(RosterError) -> R? {
    try fetch(query.limit(min(query.limit ?? 1, 1))).first
  }

  func forEach<R: Record>(_ query: Query<R>, _ body: (R) throws -> Void) throws {
    let table = R.table
    let statement = try naming(table) { () throws(RosterError) in try self.statement(for: query) }
    while let record = try naming(
      table,
      { () throws(RosterError) in
        try statement.step() ? try table.decode(Row(statement: statement.handle)) : nil
      })
    { try body(record) }
  }

  private func statement<R: Record>(for query: Query<R>) throws(RosterError) -> Statement {
    let sql = try resolve(query).select(R.table.statements.selection)
    let statement = try statement(sql.text)
    try statement.bind(sql.arguments)
    return statement
  }

  func count<R: Record>(_ query: Query<R>) throws(RosterError) -> Int {
    try naming(R.table) { () throws(RosterError) in
      let scope = try resolve(query, isOrdered: false).scope()
      let sql = SQL(text: "SELECT count(*) FROM \(quoted(R.table.name))") + scope
      guard case .integer(let count)? = try value(sql.text, sql.arguments) else { return 0 }
      return Int(count)
    }
  }

  func exists<R: Record>(_ query: Query<R>) throws(RosterError) -> Bool {
    try naming(R.table) { () throws(RosterError) in
      let scope = try resolve(query, isOrdered: false).scope()
      let sql = SQL(text: "SELECT 1 FROM \(quoted(R.table.name))") + scope + SQL(text: " LIMIT 1")
      return try value(sql.text, sql.arguments) != nil
    }
  }

  func update<R: Record>(_ query: Query<R>, _ assignments: [Assignment<R>]) throws(RosterError) -> Int {
    try naming(R.table) { () throws(RosterError) in
      guard !assignments.isEmpty else { return 0 }
      var sql = SQL(text: "UPDATE \(quoted(R.table.name)) SET ")
      for (index, assignment) in assignments.enumerated() {
        let (column, argument) = try assignment.resolved()
        sql.append((index == 0 ? "" : ", ") + "\(quoted(column)) = ")
        sql.append(argument)
      }
      sql.append(try resolve(query, isOrdered: false, isForWriting: true).scope())
      return try run(sql)
    }
  }

  func delete<R: Record>(_ query: Query<R>) throws(RosterError) -> Int {
    try naming(R.table) { () throws(RosterError) in
      try run(
        SQL(text: "DELETE FROM \(quoted(R.table.name))")
          + (try resolve(query, isOrdered: false, isForWriting: true).scope()))
    }
  }

  /// Where the query's starting record stands.
  func start<R: Record>(of query: Query<R>) throws(RosterError) -> Query<R>.Start? {
    guard let record = query.start, let key = R.table.key else { return nil }
    switch query.sort {
    case .manual, .latest: return try manualStart(of: query, try R.table.value(of: record, in: key), key)
    case .descriptors: break
    }
    let values = try query.values(of: record)
    if let rowKey = try rowKey(of: record) { return Query.Start(values: values, rowKey: rowKey) }
    let tie = try query.tie(values)
    guard !values.isEmpty,
      try value("SELECT 1 FROM \(quoted(R.table.name)) WHERE \(tie.text) LIMIT 1", tie.arguments) == nil
    else {
      throw RosterError(
        .noSuchRecord,
        "The record to page after is gone, and its place among those that tie with it is not known.",
        table: R.table.name)
    }
    return Query.Start(values: values, rowKey: nil)
  }

  /// The integer key of the row that a record's id is of; nil where it is gone.
  func rowKey<R: Record>(of record: R) throws(RosterError) -> Int64? {
    guard let key = R.table.key else { return nil }
    let sql = "SELECT rowid FROM \(quoted(R.table.name)) WHERE \(quoted(key.name)) = ?"
    let found = try value(sql, [SQLArgument(try R.table.value(of: record, in: key))])
    return if case .integer(let rowKey)? = found { rowKey } else { nil }
  }

  /// The record's list and place are those that the database has now: the record does not know its place.
  private func manualStart<R: Record>(
    of query: Query<R>, _ id: SQLiteValue, _ key: TableColumn
  ) throws(RosterError) -> Query<R>.Start {
    let terms = try query.order()
    let columns = terms.map { $0.name } + ["rowid"]
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(quoted(R.table.name)) WHERE \(quoted(key.name)) = ?"
    guard let row = try rows(sql, [SQLArgument(id)]).first, case .integer(let rowKey)? = row.last else {
      throw RosterError(
        .noSuchRecord, "The record to page after is gone, and its place in the order with it.",
        table: R.table.name)
    }
    // The index of the order has those without a place first, so that this is a look-up.
    let position = terms.last?.name ?? "rowid"
    let missing = "SELECT 1 FROM \(quoted(R.table.name)) WHERE \(position) IS NULL"
    let scope = try query.listCondition() ?? SQL(text: "1")
    let mayLack = try value("\(missing) AND \(scope.text) LIMIT 1", scope.arguments) != nil
    return Query.Start(values: row.dropLast(), rowKey: rowKey, mayLackFirst: terms.count > 1 || mayLack)
  }

  // MARK: Raw SQL

  // The columns are looked at again once the first row is there: where another process has changed the schema,
  // the first step prepares the statement anew, and its columns can be others.

  func fetch<R: Record>(_ sql: SQL, as type: R.Type) throws(RosterError) -> [R] {
    let table = R.table
    return try naming(table) { () throws(RosterError) in
      let statement = try statement(sql.text)
      try statement.bind(sql.arguments)
      _ = try places(of: table, in: statement)
      var hasRow = try statement.step()
      let places = try places(of: table, in: statement)
      return try places.withUnsafeBufferPointer { (places) throws(RosterError) in
        var records: [R] = []
        while hasRow {
          try table.append(Row(statement: statement.handle, places: places.baseAddress), &records)
          hasRow = try statement.step()
        }
        return records
      }
    }
  }

  /// Where each column of a table stands in a result.
  private func places<R: Record>(
    of table: Table<R>, in statement: borrowing Statement
  ) throws(RosterError) -> [Int32] {
    var places: [Int32] = []
    for column in table.columns {
      var place = 0
      while place < statement.columnCount, statement.columnName(place) != column.name { place += 1 }
      guard place < statement.columnCount else {
        throw RosterError(
          .sql, "The result has no column named \(column.name), which \(R.self) needs.", sql: statement.sql,
          columns: [column.name])
      }
      places.append(Int32(place))
    }
    return places
  }

  func fetchRows<each V: ColumnValue>(_ sql: SQL) throws(RosterError) -> [(repeat each V)] {
    var wanted = 0
    for _ in repeat (each V).self { wanted += 1 }
    let statement = try statement(sql.text)
    try statement.bind(sql.arguments)
    try statement.requireColumns(wanted)
    var rows: [(repeat each V)] = []
    while try statement.step() {
      if rows.isEmpty { try statement.requireColumns(wanted) }
      var index = -1
      func next() -> Int {
        index += 1
        return index
      }
      rows.append((repeat try (each V)(from: statement.cell(next()))))
    }
    return rows
  }

  func fetchValues<V: ColumnValue>(_ sql: SQL, as type: V.Type) throws(RosterError) -> [V] {
    let statement = try statement(sql.text)
    try statement.bind(sql.arguments)
    try statement.requireColumns(1)
    var values: [V] = []
    while try statement.step() {
      if values.isEmpty { try statement.requireColumns(1) }
      values.append(try V(from: statement.cell(0)))
    }
    return values
  }
}

extension Statement {
  fileprivate func requireColumns(_ wanted: Int) throws(RosterError) {
    guard columnCount == wanted else {
      throw RosterError(
        .sql, "The statement has \(columnCount) columns, and \(wanted) are to be read.", sql: sql)
    }
  }
}
