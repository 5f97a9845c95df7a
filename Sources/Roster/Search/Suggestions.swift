/// What a user may be about to type.
public struct TextSuggestion: Hashable, Sendable {
  /// A word, or a title.
  public let text: String
  /// How many records have it; of titles, among the latest 5,000 that hold what is typed.
  public let count: Int
}

extension Connection {
  /// So many of the latest titles that hold what was typed are looked at.
  private static var suggestionLimit: Int { 5000 }

  /// What goes on from what a user has typed, the most frequent first.
  func suggestions<R: Record>(_ type: R.Type, for typed: String, limit: Int) throws(RosterError) -> [TextSuggestion] {
    let declaration = try R.table.searched()
    guard limit > 0 else { return [] }
    return try naming(R.table) { () throws(RosterError) in
      switch declaration.kind {
      case .words: try words(declaration, beginning: typed, limit: limit)
      case .substring: try titles(type, beginning: typed, limit: limit)
      }
    }
  }

  /// Words of the index that begin as the last one typed.
  private func words(
    _ declaration: SearchDeclaration, beginning typed: String, limit: Int
  ) throws(RosterError) -> [TextSuggestion] {
    let index = SearchIndex(declaration, on: self)
    let folded = LetterFolds.of(.words).fold(typed)
    let last = folded.suffix(while: { $0 & LetterFolds.separator == 0 })
    guard !last.isEmpty, try index.isRight() else { return [] }
    let text = LetterFolds.text(last)
    guard let end = PredicateText.end(ofPrefix: text) else { return [] }
    let rows = try rows(
      "SELECT term, doc FROM \(quoted(index.terms)) WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT ?",
      [SQLArgument(.text(text)), SQLArgument(.text(end)), SQLArgument(.integer(Int64(limit)))])
    return rows.compactMap { row in
      guard row.count == 2, case .text(let term) = row[0], case .integer(let count) = row[1] else { return nil }
      return TextSuggestion(text: term, count: Int(count))
    }
  }

  /// Texts of the first searched property that begin with what was typed, and then those that hold it elsewhere.
  private func titles<R: Record>(_ type: R.Type, beginning typed: String, limit: Int) throws(RosterError)
    -> [TextSuggestion]
  {
    let folds = LetterFolds.of(.substring)
    // As one word: spaces and all.
    let typed = typed.drop(while: \.isWhitespace)
    let wanted = folds.fold(typed)
    let query = Query<R>().matching(String(typed)).limit(Connection.suggestionLimit)
    guard !wanted.isEmpty, let column = try R.table.searched().columns.first else { return [] }
    let sql = try resolve(query).select("\(quoted(R.table.name)).\(quoted(column))")
    let statement = try statement(sql.text)
    try statement.bind(sql.arguments)
    var counts: [[UInt32]: (text: String, count: Int, begins: Bool)] = [:]
    while try statement.step() {
      guard case .text(let text) = statement.cell(0).value else { continue }
      let folded = folds.fold(text)
      guard let match = folded.firstRange(of: wanted) else { continue }
      // The spelling of the first one is that of the best or latest.
      counts[folded, default: (text, 0, match.lowerBound == 0)].count += 1
    }
    let sorted = counts.values.sorted { left, right in
      if left.begins != right.begins { return left.begins }
      return left.count != right.count ? left.count > right.count : left.text < right.text
    }
    return sorted.prefix(limit).map { TextSuggestion(text: $0.text, count: $0.count) }
  }
}

extension RandomAccessCollection {
  /// The longest end of which every element is so.
  fileprivate func suffix(while isSo: (Element) -> Bool) -> SubSequence {
    self[(lastIndex { !isSo($0) }.map { index(after: $0) } ?? startIndex)...]
  }
}
