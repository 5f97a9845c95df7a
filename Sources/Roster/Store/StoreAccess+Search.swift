extension StoreAccess {
  /// What a user may be about to type, given what is typed already, the most frequent first.
  ///
  /// Where a table is searched by words, it is words of the index that begin as the last one typed, as the index spells
  /// them: in lower case, without diacritics. Where it is searched by parts, it is texts of the first searched property that
  /// begin with what is typed, and after them those that hold it elsewhere; case does not matter, and of texts that differ in
  /// it one is told.
  /// - Returns: nothing for a blank text.
  /// - Throws: ``RosterError/Code/cannotTranslate`` for a table of which nothing is searched.
  /// - Complexity: by the terms, or the titles, that fit. Of titles, the latest 5,000 are looked at where nothing is rarer.
  public func suggestions<R: Record>(_ type: R.Type, for typed: String, limit: Int = 10) throws -> [TextSuggestion] {
    try open().suggestions(type, for: typed, limit: limit)
  }

  /// How many rows of a record's table are yet to be indexed for search. They are found all the same, by being read.
  ///
  /// - Returns: 0 for a table of which nothing is searched; the number of its rows where it has no index.
  public func unindexedCount<R: Record>(_ type: R.Type) throws -> Int {
    guard let declaration = R.table.search else { return 0 }
    let index = SearchIndex(declaration, on: try open())
    return try index.isRight() ? index.leftCount() : count(Query<R>())
  }
}
