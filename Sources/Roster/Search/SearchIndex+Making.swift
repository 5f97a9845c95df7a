extension SearchIndex {
  /// Whether the database has the index as it is declared.
  func isRight() throws(RosterError) -> Bool {
    let wanted = try objects()
    let rows = try connection.rows(
      "SELECT name, sql FROM sqlite_schema WHERE name IN (\(wanted.map { _ in "?" }.joined(separator: ", ")))",
      wanted.map { SQLArgument(.text($0.name)) })
    return rows.count == wanted.count
      && wanted.allSatisfy { rows.contains([.text($0.name), .text($0.sql)]) }
  }

  /// Makes the index anew, with all rows to be indexed.
  ///
  /// - Throws: ``RosterError/Code/schemaMismatch`` where something else has one of the names;
  ///   ``RosterError/Code/unsupportedLibrary`` without FTS5.
  /// - Complexity: O(*n*) in the rows.
  func rebuild() throws(RosterError) {
    try Library.require("ENABLE_FTS5", for: "the search of table \(declaration.table)")
    let parts = try SearchPart.all(on: connection).filter { $0.source == source }
    try SearchPart.drop(parts, on: connection)
    for object in try objects() {
      try refuseOther(object.name)
      try connection.execute(object.sql)
    }
    // At so many segments of a level they are merged at once, for which a write of one row would wait, 0.3 s with FTS5's own
    // sixteen; at four, bit by bit.
    try configure("crisismerge", 64)
    try connection.execute(
      "INSERT INTO \(quoted(left)) (row_key, is_indexed) SELECT rowid, 0 FROM \(quoted(source))")
  }

  private func refuseOther(_ name: String) throws(RosterError) {
    let type = try connection.value(
      "SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [SQLArgument(.text(name))])
    guard case .text(let type)? = type else { return }
    throw RosterError(
      .schemaMismatch, "The database has a \(type) named \(name), a name that the search needs. Rename it.", table: name
    )
  }

  // MARK: All tables

  /// Makes the indexes that are not as they are declared, in a transaction of its own, and drops those that are declared no
  /// more.
  static func prepare(_ records: [any Record.Type], on connection: Connection) throws(RosterError) {
    guard try needsMending(records, on: connection) else { return }
    do throws(RosterError) {
      try connection.control("BEGIN IMMEDIATE")
      try mend(records, on: connection)
      try connection.control("COMMIT")
    } catch {
      try? connection.rollBack()
      throw error
    }
  }

  /// The same inside a transaction.
  static func mend(_ records: [any Record.Type], on connection: Connection) throws(RosterError) {
    try SearchPart.drop(try strays(records, on: connection), on: connection)
    for declaration in SearchDeclaration.all(of: records) {
      let index = SearchIndex(declaration, on: connection)
      if try !index.isRight() { try index.rebuild() }
    }
  }

  /// Whether an index is not as it is declared.
  static func needsMending(
    _ records: [any Record.Type], on connection: Connection
  ) throws(RosterError) -> Bool {
    if try !strays(records, on: connection).isEmpty { return true }
    for declaration in SearchDeclaration.all(of: records) {
      if try !SearchIndex(declaration, on: connection).isRight() { return true }
    }
    return false
  }

  /// The parts of indexes of tables that are not there any more, or are declared without one.
  private static func strays(
    _ records: [any Record.Type], on connection: Connection
  ) throws(RosterError) -> [SearchPart] {
    func name<R: Record>(of type: R.Type) -> String { R.table.name.lowercasedASCII() }
    let searched = Set(SearchDeclaration.all(of: records).map { $0.table.lowercasedASCII() })
    let others = Set(records.map { name(of: $0) }).subtracting(searched)
    let parts = try SearchPart.all(on: connection)
    guard parts.contains(where: { !searched.contains($0.source) }) else { return [] }
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap { row in
      if case .text(let name)? = row.first { name.lowercasedASCII() } else { nil }
    }
    return parts.filter { others.contains($0.source) || !tables.contains($0.source) }
  }
}
