/// The rows that have what is looked for, where those that are not indexed, and those that the tokenizer does not read to
/// their end, are read.
struct FoundRows {
  private let index: SearchIndex
  private let words: [SearchWord]
  private let scan: SQL
  private let unread: [String]
  private let isDoubtful: Bool

  /// - Parameters:
  ///   - scan: holds for a row whose texts have the words.
  ///   - unread: the tables of the rows of which the index does not know all.
  ///   - isDoubtful: whether the index may have rows that are others by now.
  init(_ index: SearchIndex, _ words: [SearchWord], scan: SQL, unread: [String], isDoubtful: Bool) {
    self.index = index
    self.words = words
    self.scan = scan
    self.unread = unread
    self.isDoubtful = isDoubtful
  }

  private var table: String { quoted(index.source) }
  private var key: String { "\(table).rowid" }

  /// Nil where the index is of no help.
  func texts(_ purpose: FoundTexts.Purpose) throws(RosterError) -> FoundTexts? {
    var isRanked = false
    if case .best = purpose { isRanked = true }
    // Where a longer word is in few rows, reading those is quicker than all the terms of a short one.
    if isRanked, SearchTerms.haveShort(words, index), let long = try SearchTerms(words, index, withShort: false),
      let keys = try ranked(long)
    {
      return FoundTexts(condition: condition(long), order: .keys(keys))
    }
    guard let terms = try SearchTerms(words, index) else { return nil }
    var found = FoundTexts(condition: condition(terms), rest: terms.isRough || isDoubtful ? scan : nil)
    guard isRanked else { return found }
    if let keys = try ranked(terms) {
      found.order = .keys(keys)
      found.rest = nil
    } else if let rows = terms.rows(index), unread.isEmpty {
      found.order = .latestOf(rows)
    } else {
      found.order = .latest
    }
    return found
  }

  private func condition(_ terms: SearchTerms) -> SQL {
    var indexed = SQL(text: "0")
    if let rows = terms.rows(index) {
      indexed = SQL(text: "\(key) IN (") + rows + SQL(text: ")")
      for table in unread { indexed.append(" AND \(key) NOT IN (SELECT row_key FROM \(quoted(table)))") }
      if terms.isRough || isDoubtful { indexed = indexed + SQL(text: " AND ") + scan }
    }
    guard !unread.isEmpty else { return indexed }
    let others = unread.map { "SELECT row_key FROM \(quoted($0))" }.joined(separator: " UNION ALL ")
    return SQL(text: "(") + indexed + SQL(text: ") OR (\(key) IN (\(others)) AND ") + scan + SQL(text: ")")
  }

  /// The keys of the rows that have all of the words, the best first; nil where there are too many to be compared.
  ///
  /// By BM25, of which the weight by how rare a word is, is left out: every row that is found has all words. FTS5's own
  /// function asks the index for each word how many rows have it, which takes longer than all the rest.
  /// Robertson, Zaragoza, "The probabilistic relevance framework: BM25 and beyond", 2009.
  private func ranked(_ terms: SearchTerms) throws(RosterError) -> [Int64]? {
    let connection = index.connection
    let most = SearchLimits.ranked
    // Each row once: what is not read to its end by the tokenizer may be found all the same.
    let parts =
      [terms.rows(index)].compactMap(\.self)
      + unread.map { SQL(text: "SELECT row_key AS roster_key FROM \(quoted($0))") }
    guard !parts.isEmpty else { return [] }
    let rows = SQL.joined(parts, by: " UNION ")
    let keys = try connection.integers(rows + SQL(text: " LIMIT \(most.rows + 1)"))
    guard keys.count <= most.rows else { return nil }
    // What is no text, the index has as one all the same.
    let columns = index.declaration.columns.map { "CAST(\(quoted($0)) AS TEXT)" }.joined(separator: ", ")
    let statement = try connection.statement("SELECT \(columns) FROM \(table) WHERE rowid = ?")
    let scan = SearchScan(words, index.declaration.kind)
    var scratch = SearchScan.Scratch()
    var hits: [(key: Int64, frequencies: [Double], length: Double)] = []
    var (bytes, length) = (0, 0.0)
    for key in keys {
      statement.reset()
      try statement.bind([SQLArgument(.integer(key))])
      guard try statement.step() else { continue }
      let hit = scan.frequencies(statement, index.declaration.weights, &scratch)
      bytes += hit.bytes
      guard bytes <= most.bytes else { return nil }
      guard !hit.frequencies.contains(0) else { continue }
      hits.append((key, hit.frequencies, hit.length))
      length += hit.length
    }
    let average = max(length / Double(max(hits.count, 1)), 1)
    let scored = hits.map { hit in
      let room = 1.2 * (0.25 + 0.75 * hit.length / average)
      return (key: hit.key, score: hit.frequencies.reduce(0) { $0 + $1 * 2.2 / ($1 + room) })
    }
    // The latest first where they are as good.
    return scored.sorted { $0.score != $1.score ? $0.score > $1.score : $0.key > $1.key }.map(\.key)
  }
}

extension Connection {
  fileprivate func integers(_ sql: SQL) throws(RosterError) -> [Int64] {
    let statement = try statement(sql.text)
    try statement.bind(sql.arguments)
    var values: [Int64] = []
    while try statement.step() { values.append(try statement.cell(0).int64()) }
    return values
  }
}
