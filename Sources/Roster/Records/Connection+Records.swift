// Writing and reading records by their ids.

extension Connection {
  /// Stores a new record, with a position where the table's order is kept by hand.
  func insert<R: Record>(_ record: R, position: Int64? = nil) throws(RosterError) {
    try write(record, R.table.statements.insert, position: position)
  }

  func upsert<R: Record>(_ record: R) throws(RosterError) {
    // The record may have been read with repaired text, which must not replace what it was repaired from.
    if record.mayHoldRepairedText, let stored = try fetch(R.self, id: record.id) {
      try update(record, from: stored)
    } else {
      try write(record, R.table.statements.upsert)
    }
  }

  func insertAssigningID<R: Record>(_ record: R, position: Int64? = nil) throws(RosterError) -> R {
    let table = R.table
    return try naming(table) { () throws(RosterError) in
      let statement = try statement(table.statements.insertAssigningKey)
      try table.encode(record, statement.handle)
      try table.bind(position: position, statement)
      guard try statement.step() else {
        throw RosterError(.constraintViolation, "The insert was ignored; no id was assigned.")
      }
      let stored = try table.decode(Row(statement: statement.handle))
      // RETURNING hands out its rows before the statement has ended.
      try statement.run()
      return stored
    }
  }

  func update<R: Record>(_ record: R) throws(RosterError) {
    if record.mayHoldRepairedText, let stored = try fetch(R.self, id: record.id) {
      return try update(record, from: stored)
    }
    try write(record, R.table.statements.update)
    if changes == 0 { throw RosterError.noSuchRecord(R.self) }
  }

  func update<R: Record>(_ record: R, from old: R) throws(RosterError) {
    let table = R.table
    guard record.id == old.id else {
      throw RosterError(
        .misuse, "The record and its old value have different ids; an update cannot change an id.", table: table.name)
    }
    var sql = SQL(text: "")
    for (column, (value, before)) in zip(table.columns, zip(try table.values(of: record), try table.values(of: old)))
    where value != before {
      sql.append(sql.arguments.isEmpty ? "UPDATE \(quoted(table.name)) SET " : ", ")
      sql.append("\(quoted(column.name)) = ")
      sql.append(SQLArgument(value))
    }
    guard !sql.arguments.isEmpty, let key = table.key else { return }
    sql.append(" WHERE \(quoted(key.name)) = ")
    sql.append(SQLArgument(try table.value(of: old, in: key)))
    let changed = try naming(table) { () throws(RosterError) in try run(sql) }
    if changed == 0 { throw RosterError.noSuchRecord(R.self) }
  }

  func delete<R: Record>(_ type: R.Type, id: R.ID) throws(RosterError) -> Bool {
    let table = R.table
    return try naming(table) { () throws(RosterError) in
      let statement = try keyed(table.statements.delete, table, id)
      try statement.run()
      return changes > 0
    }
  }

  func fetch<R: Record>(_ type: R.Type, id: R.ID) throws(RosterError) -> R? {
    let table = R.table
    return try naming(table) { () throws(RosterError) in
      let statement = try keyed(table.statements.fetch, table, id)
      return try statement.step() ? try table.decode(Row(statement: statement.handle)) : nil
    }
  }

  func exists<R: Record>(_ type: R.Type, id: R.ID) throws(RosterError) -> Bool {
    let table = R.table
    return try naming(table) { () throws(RosterError) in try keyed(table.statements.exists, table, id).step() }
  }

  /// Runs a statement that returns nothing, and counts the rows it changed.
  func run(_ sql: SQL) throws(RosterError) -> Int {
    let before = totalChanges
    try execute(sql.text, sql.arguments)
    // A statement that changes nothing leaves the last count as it was.
    return totalChanges == before ? 0 : changes
  }

  private func write<R: Record>(
    _ record: R, _ sql: String, position: Int64? = nil
  ) throws(RosterError) {
    let table = R.table
    try naming(table) { () throws(RosterError) in
      let statement = try statement(sql)
      try table.encode(record, statement.handle)
      try table.bind(position: position, statement)
      try statement.run()
    }
  }

  private func keyed<R: Record>(_ sql: String, _ table: Table<R>, _ id: R.ID) throws(RosterError) -> Statement {
    let statement = try statement(sql)
    try table.bindID(id, statement.handle)
    return statement
  }

  /// Adds the table to an error of `body`.
  func naming<R: Record, T: ~Copyable>(_ table: Table<R>, _ body: () throws(RosterError) -> T) throws(RosterError) -> T
  {
    do { return try body() } catch { throw error.adding(table: table.name) }
  }
}

extension Table {
  /// Binds the parameter that an insert has for the position.
  fileprivate func bind(position: Int64?, _ statement: borrowing Statement) throws(RosterError) {
    guard order != nil, statement.parameterCount > columns.count else { return }
    let parameter = statement.parameter(columns.count + 1)
    if let position { try parameter.bind(position) } else { try parameter.bindNull() }
  }
}

extension Record {
  /// Whether a text of the record holds U+FFFD, as one does that was read from invalid UTF-8.
  var mayHoldRepairedText: Bool {
    Self.table.columns.contains { column in
      guard column.traits.isFreeText, case .text(let text)? = try? Self.table.value(of: self, in: column) else {
        return false
      }
      return text.unicodeScalars.contains("\u{FFFD}")
    }
  }
}

extension RosterError {
  /// The id itself stays unsaid: it can be private.
  static func noSuchRecord<R: Record>(_ type: R.Type) -> RosterError {
    RosterError(.noSuchRecord, "No \(R.table.name) has the id that was given.", table: R.table.name)
  }
}
