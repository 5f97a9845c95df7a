extension SearchIndex {
  /// The integer keys of the rows whose entries in the index are not those of their texts, or that are gone.
  ///
  /// `PRAGMA integrity_check` knows nothing of that. What the index should hold is made in memory, and compared with it term
  /// by term.
  /// - Throws: ``RosterError/Code/corrupt`` where the index cannot be read.
  /// - Complexity: O(*n*) in the texts of the table, and as much memory as the index has.
  func wrongRows() throws(RosterError) -> Set<Int64> {
    let copy = try Connection(path: ":memory:", mode: .memory)
    let names = texts.joined(separator: ", ")
    try copy.execute("CREATE VIRTUAL TABLE copy USING fts5(\(names), content = '', tokenize = '\(tokenizer)')")
    try copy.execute("CREATE VIRTUAL TABLE places USING fts5vocab(copy, 'instance')")
    try fill(copy, names)
    var wrong = try unscanned()
    let sql = "SELECT term, doc, col, offset FROM "
    let have = try connection.statement(sql + quoted(places))
    let want = try copy.statement(sql + "places")
    var (found, wanted) = (try Place(after: have), try Place(after: want))
    while let place = [found, wanted].compactMap(\.self).min() {
      let (isFound, isWanted) = (found == place, wanted == place)
      if isFound != isWanted { wrong.insert(place.row) }
      if isFound { found = try Place(after: have) }
      if isWanted { wanted = try Place(after: want) }
    }
    return wrong
  }

  /// Whether the index is not sound in itself.
  ///
  /// - Complexity: O(*n*) in the size of the index.
  func isDamaged() throws(RosterError) -> Bool {
    do throws(RosterError) {
      _ = try connection.value("SELECT count(*) FROM \(quoted(places))")
      try configure("integrity-check", 0)
      return false
    } catch {
      guard error.isOfVirtualContent else { throw error }
      return true
    }
  }

  /// Indexes in memory what should be indexed: see the invariant of the type.
  private func fill(_ copy: Connection, _ names: String) throws(RosterError) {
    try copy.control("BEGIN")
    let rows = try connection.statement(
      """
      SELECT rowid, \(indexedTexts) FROM \(quoted(source)) WHERE rowid NOT IN (SELECT row_key FROM \(quoted(left)))
      UNION ALL SELECT row_key, \(texts.map(padded).joined(separator: ", ")) FROM \(quoted(left)) WHERE is_indexed
      """)
    let marks = (0...texts.count).map { _ in "?" }.joined(separator: ", ")
    while try rows.step() {
      try copy.execute(
        "INSERT INTO copy (rowid, \(names)) VALUES (\(marks))",
        (0...texts.count).map { SQLArgument(rows.cell($0).value) })
    }
    try copy.control("COMMIT")
  }

  /// The rows with a NUL that are not noted as such.
  private func unscanned() throws(RosterError) -> Set<Int64> {
    guard declaration.kind == .substring else { return [] }
    let hasNUL = declaration.columns.map { "instr(\(quoted($0)), char(0)) > 0" }.joined(separator: " OR ")
    let statement = try connection.statement(
      """
      SELECT rowid FROM \(quoted(source)) WHERE (\(hasNUL)) AND rowid NOT IN (SELECT row_key FROM \(quoted(scanned)))
        AND rowid NOT IN (SELECT row_key FROM \(quoted(left)))
      """)
    var keys: Set<Int64> = []
    while try statement.step() { keys.insert(try statement.cell(0).int64()) }
    return keys
  }

  /// Where a term is, in the order in which FTS5 tells them.
  private struct Place: Comparable {
    let term: [UInt8]
    let row: Int64
    let column: Int
    let offset: Int64

    init?(after statement: borrowing Statement) throws(RosterError) {
      guard try statement.step() else { return nil }
      term = statement.cell(0).withText { Array($0) } ?? []
      row = try statement.cell(1).int64()
      column = statement.cell(2).withText { Int(String(decoding: $0.dropFirst(), as: UTF8.self)) ?? 0 } ?? 0
      offset = try statement.cell(3).int64()
    }

    static func < (left: Place, right: Place) -> Bool {
      if left.term != right.term { return left.term.lexicographicallyPrecedes(right.term) }
      return (left.row, left.column, left.offset) < (right.row, right.column, right.offset)
    }
  }
}
