extension SearchIndex {
  /// How many rows are to be indexed anew, up to a limit.
  func leftCount(upTo limit: Int = .max) throws(RosterError) -> Int {
    try connection.count(
      "SELECT count(*) FROM (SELECT 1 FROM \(quoted(left)) LIMIT ?)", [SQLArgument(.integer(Int64(limit)))])
  }

  /// Indexes rows anew that are to be, up to so many, inside a transaction.
  ///
  /// In one pass for all of them: FTS5 writes its segments once then, and not for each row.
  /// - Returns: whether they were so many that the index has segments to be merged.
  /// - Complexity: O(*n*) in the texts of the rows.
  @discardableResult
  func catchUp(limit: Int = .max) throws(RosterError) -> Bool {
    let last = try connection.value(
      "SELECT max(row_key) FROM (SELECT row_key FROM \(quoted(left)) ORDER BY row_key LIMIT ?)",
      [SQLArgument(.integer(Int64(limit)))])
    guard case .integer(let last)? = last else { return false }
    let isBulk = try min(limit, leftCount(upTo: SearchIndex.bulk)) >= SearchIndex.bulk
    if isBulk { try configure("automerge", 0) }
    let upTo = [SQLArgument(.integer(last))]
    let names = texts.joined(separator: ", ")
    let columns = declaration.columns.map(quoted)
    // As they were again, or never others: an upsert notes the row that it finds.
    let isSame = zip(texts, columns).map { "l.\($0) IS s.\($1) COLLATE BINARY" }.joined(separator: " AND ")
    try connection.execute(
      """
      DELETE FROM \(quoted(left)) AS l WHERE row_key <= ? AND is_indexed
        AND EXISTS (SELECT 1 FROM \(quoted(source)) AS s WHERE s.rowid = l.row_key AND \(isSame))
      """, upTo)
    // What it was indexed with has to be said: the index has no texts of its own.
    try connection.execute(
      "INSERT INTO \(quoted(index)) (\(quoted(index)), rowid, \(names)) SELECT 'delete', row_key, "
        + texts.map(padded).joined(separator: ", ") + " FROM \(quoted(left)) WHERE is_indexed AND row_key <= ?", upTo)
    let rows = "SELECT row_key FROM \(quoted(left)) WHERE row_key <= ?"
    try connection.execute(
      "INSERT INTO \(quoted(index)) (rowid, \(names)) SELECT rowid, \(indexedTexts) FROM \(quoted(source)) "
        + "WHERE rowid IN (\(rows))", upTo)
    if declaration.kind == .substring {
      let hasNUL = columns.map { "instr(\($0), char(0)) > 0" }.joined(separator: " OR ")
      try connection.execute("DELETE FROM \(quoted(scanned)) WHERE row_key IN (\(rows))", upTo)
      try connection.execute(
        "INSERT INTO \(quoted(scanned)) SELECT rowid FROM \(quoted(source)) WHERE rowid IN (\(rows)) AND (\(hasNUL))",
        upTo)
    }
    try connection.execute("DELETE FROM \(quoted(left)) WHERE row_key <= ?", upTo)
    return isBulk
  }

  /// So many rows are indexed without merging on the way, which saves a fifth of the time.
  private static let bulk = 1000

  /// Sets an option of the index that is kept in it, or has it do something.
  /// https://www.sqlite.org/fts5.html#special_insert_commands
  func configure(_ command: String, _ value: Int) throws(RosterError) {
    try connection.execute(
      "INSERT INTO \(quoted(index)) (\(quoted(index)), rank) VALUES (?, ?)",
      [SQLArgument(.text(command)), SQLArgument(.integer(Int64(value)))])
  }

  /// Merges a part of the segments that are too many. False where there is nothing to do any more.
  func mergeSome() throws(RosterError) -> Bool {
    let before = connection.totalChanges
    try configure("merge", 200)
    if connection.totalChanges - before >= 2 { return true }
    try configure("automerge", 4)
    return false
  }

  /// Whether segments wait to be merged, also where the program that has indexed many rows has ended before that.
  func isUnmerged() throws(RosterError) -> Bool {
    try connection.value("SELECT v FROM \(quoted(index + "_config")) WHERE k = 'automerge'") == .integer(0)
  }

  /// Indexes rows anew as ``catchUp(limit:)`` does. An index that is found to be damaged is made anew.
  ///
  /// - Returns: whether there is work left for the background.
  func keepUp(limit: Int = .max) throws(RosterError) -> Bool {
    // Where there is no index, since it could not be made anew, a write does not fail for that.
    guard let left = try? leftCount(upTo: 1), left > 0 else { return false }
    var isUnfinished = false
    let savepoint = "roster_search"
    try connection.control("SAVEPOINT \(savepoint)")
    do throws(RosterError) { isUnfinished = try catchUp(limit: limit) } catch {
      guard error.isOfVirtualContent, connection.isInTransaction else { throw error }
      try connection.control("ROLLBACK TO \(savepoint)")
      try rebuild()
      isUnfinished = true
    }
    try connection.control("RELEASE \(savepoint)")
    return isUnfinished
  }
}

extension Connection {
  /// The number that a statement counts.
  func count(_ sql: String, _ arguments: [SQLArgument]) throws(RosterError) -> Int {
    guard case .integer(let count)? = try value(sql, arguments) else { return 0 }
    return Int(count)
  }
}
