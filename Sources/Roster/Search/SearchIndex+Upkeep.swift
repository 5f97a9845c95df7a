extension SearchIndex {
  private var padding: String { declaration.kind == .substring ? " || char(31) || char(31)" : "" }
  private var names: String { declaration.columns.map(quoted).joined(separator: ", ") }

  /// How many rows are to be indexed anew.
  func leftCount() throws(RosterError) -> Int {
    let count = try connection.value("SELECT count(*) FROM \(quoted(left))")
    guard case .integer(let count)? = count else { return 0 }
    return Int(count)
  }

  /// Indexes rows anew that are to be, up to so many, inside a transaction. Returns how many are left.
  ///
  /// In one pass for all of them: FTS5 writes its segments once then, and not for each row.
  /// - Complexity: O(*n*) in the texts of the rows.
  func catchUp(limit: Int = .max) throws(RosterError) -> Int {
    let last = try connection.value(
      "SELECT max(row_key) FROM (SELECT row_key FROM \(quoted(left)) ORDER BY row_key LIMIT ?)",
      [SQLArgument(.integer(Int64(limit)))])
    guard case .integer(let last)? = last else { return 0 }
    let upTo = [SQLArgument(.integer(last))]
    let texts = declaration.columns.indices.map { "text\($0)\(padding)" }.joined(separator: ", ")
    let keys = "(SELECT row_key FROM \(quoted(left)) WHERE row_key <= ?)"
    // What it was indexed with has to be said: the index has no texts of its own.
    try connection.execute(
      "INSERT INTO \(quoted(index)) (\(quoted(index)), rowid, \(names)) "
        + "SELECT 'delete', row_key, \(texts) FROM \(quoted(left)) WHERE is_indexed AND row_key <= ?", upTo)
    try connection.execute(
      "INSERT INTO \(quoted(index)) (rowid, \(names)) SELECT row_key, \(names) FROM \(quoted(content)) WHERE row_key IN \(keys)",
      upTo)
    let hasNUL = declaration.columns.map { "instr(\(quoted($0)), char(0))" }.joined(separator: " OR ")
    try connection.execute("DELETE FROM \(quoted(scanned)) WHERE row_key IN \(keys)", upTo)
    try connection.execute(
      "INSERT INTO \(quoted(scanned)) SELECT row_key FROM \(quoted(content)) WHERE row_key IN \(keys) AND (\(hasNUL))", upTo)
    try connection.execute("DELETE FROM \(quoted(left)) WHERE row_key <= ?", upTo)
    return try leftCount()
  }
}
