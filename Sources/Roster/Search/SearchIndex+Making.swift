extension SearchIndex {
  /// The kinds of parts in the order in which they are dropped, and what tells the engine's from others of their names.
  private static let marks: [(kind: String, type: String, mark: String)] = [
    ("insert", "trigger", "%INSERT INTO \"roster_search_%"), ("update", "trigger", "%INSERT INTO \"roster_search_%"),
    ("delete", "trigger", "%INSERT INTO \"roster_search_%"), ("replace", "trigger", "%INSERT INTO \"roster_search_%"),
    ("overwrite", "trigger", "%INSERT INTO \"roster_search_%"), ("places", "table", "%fts5vocab%"),
    ("terms", "table", "%fts5vocab%"), ("index", "table", "%fts5(%roster_key%"), ("text", "view", "%roster_key%"),
    ("scanned", "table", "%row_key%"), ("left", "table", "%row_key%is_indexed%"),
  ]

  private static func existing(of source: String, on connection: Connection) throws(RosterError) -> [Object] {
    let names = marks.map { name($0.kind, of: source) }
    let rows = try connection.rows(
      "SELECT type, name, sql FROM sqlite_schema WHERE name COLLATE NOCASE IN (\(names.map { _ in "?" }.joined(separator: ", ")))",
      names.map { SQLArgument(.text($0)) })
    return rows.compactMap { row in
      guard row.count == 3, case .text(let type) = row[0], case .text(let name) = row[1] else { return nil }
      guard case .text(let sql) = row[2] else { return Object(type: type, name: name, sql: "") }
      return Object(type: type, name: name, sql: sql)
    }
  }

  /// Whether the database has the index as it is declared.
  func isRight() throws(RosterError) -> Bool {
    let existing = try SearchIndex.existing(of: source, on: connection).sorted { $0.name < $1.name }
    return try existing == objects().sorted { $0.name < $1.name }
  }

  /// Makes the index anew, with all rows to be indexed.
  ///
  /// - Throws: ``RosterError/Code/schemaMismatch`` where something else has one of the names;
  ///   ``RosterError/Code/unsupportedLibrary`` without FTS5.
  /// - Complexity: O(*n*) in the rows.
  func rebuild() throws(RosterError) {
    try Library.require("ENABLE_FTS5", for: "the search of table \(declaration.table)")
    try SearchIndex.drop(of: source, on: connection)
    for object in try objects() { try connection.execute(object.sql) }
    // At so many segments of a level they are merged at once, for which a write of one row would wait, 0.3 s with FTS5's own
    // sixteen; at four, bit by bit.
    try configure("crisismerge", 64)
    try connection.execute(
      "INSERT INTO \(quoted(left)) (row_key, is_indexed) SELECT rowid, 0 FROM \(quoted(source))")
  }

  /// Drops what the engine has made for a table.
  private static func drop(of source: String, on connection: Connection) throws(RosterError) {
    let existing = try existing(of: source, on: connection)
    for (kind, type, mark) in marks {
      let name = name(kind, of: source)
      guard let object = existing.first(where: { $0.name.lowercasedASCII() == name }) else { continue }
      let isOwn =
        try connection.value("SELECT ? LIKE ?", [object.sql, mark].map { SQLArgument(.text($0)) }) == .integer(1)
      guard object.type == type, isOwn else {
        throw RosterError(
          .schemaMismatch, "The database has a \(object.type) named \(name), a name that the search needs. Rename it.",
          table: name)
      }
      try connection.execute("DROP \(type.uppercased()) \(quoted(name))")
    }
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
    for source in try strays(records, on: connection) { try drop(of: source, on: connection) }
    for declaration in SearchDeclaration.all(of: records) {
      let index = SearchIndex(declaration, on: connection)
      if try !index.isRight() { try index.rebuild() }
    }
  }

  private static func needsMending(
    _ records: [any Record.Type], on connection: Connection
  ) throws(RosterError) -> Bool {
    if try !strays(records, on: connection).isEmpty { return true }
    for declaration in SearchDeclaration.all(of: records) {
      if try !SearchIndex(declaration, on: connection).isRight() { return true }
    }
    return false
  }

  /// The tables that have an index and are not there any more, or are declared without one.
  private static func strays(_ records: [any Record.Type], on connection: Connection) throws(RosterError) -> [String] {
    func name<R: Record>(of type: R.Type) -> String { R.table.name.lowercasedASCII() }
    let searched = Set(SearchDeclaration.all(of: records).map { $0.table.lowercasedASCII() })
    let others = Set(records.map { name(of: $0) }).subtracting(searched)
    let indexed = try indexed(on: connection)
    guard !indexed.isEmpty else { return [] }
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap { row in
      if case .text(let name)? = row.first { name.lowercasedASCII() } else { nil }
    }
    return indexed.filter { others.contains($0) || !tables.contains($0) }
  }

  /// The tables that have an index, or what is left of one.
  private static func indexed(on connection: Connection) throws(RosterError) -> [String] {
    let (prefix, suffix) = (prefix, "_left")
    return try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '\(prefix)*\(suffix)' AND sql LIKE '%is_indexed%'"
    ).compactMap { row in
      guard case .text(let name)? = row.first else { return nil }
      return String(name.dropFirst(prefix.count).dropLast(suffix.count))
    }
  }
}
