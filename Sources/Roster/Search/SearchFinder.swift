/// Finds the rows of searches on one connection.
final class SearchFinder: TextFinder {
  /// What is done where a search has come upon rows that are not indexed, or an index that is not right or is damaged.
  typealias Alarm = @Sendable (_ isDamaged: Bool) -> Void

  private let alarm: Alarm
  // The tables whose index was right in a version of the schema, and those where it was not.
  private var known: (version: SQLiteValue, tables: [String: State])?

  private struct State {
    let isRight: Bool
    /// Whether rows can go without a word.
    let isOpaque: Bool
  }

  init(alarm: @escaping Alarm = { _ in }) { self.alarm = alarm }

  func find(
    _ searches: [SearchRequest], _ declaration: SearchDeclaration, _ purpose: FoundTexts.Purpose, isForWriting: Bool,
    on connection: Connection
  ) throws(RosterError) -> FoundTexts {
    let scan = SearchScan.condition(searches, declaration)
    let index = SearchIndex(declaration, on: connection)
    if case .eachRow = purpose { return FoundTexts(condition: scan) }
    let state = try state(of: index)
    let words = SearchWord.words(of: searches, declaration.kind)
    let scanned = FoundTexts(condition: scan, order: purpose.latest)
    guard state.isRight else {
      alarm(false)
      return scanned
    }
    do throws(RosterError) {
      let left = try index.leftCount(upTo: SearchLimits.left)
      if left > 0 { alarm(false) }
      // Rather than two look-ups for each row, while most are to be indexed yet.
      guard left < SearchLimits.left else { return scanned }
      let found = FoundRows(
        index, words, scan: scan, unread: try index.unread(hasLeft: left > 0),
        isDoubtful: state.isOpaque || isForWriting)
      return try found.texts(purpose) ?? scanned
    } catch {
      guard error.isOfVirtualContent else { throw error }
      known?.tables[index.source] = State(isRight: false, isOpaque: state.isOpaque)
      alarm(true)
      return scanned
    }
  }

  private func state(of index: SearchIndex) throws(RosterError) -> State {
    guard let version = try index.connection.value("PRAGMA schema_version") else {
      return State(isRight: false, isOpaque: false)
    }
    if known?.version != version { known = (version, [:]) }
    if let state = known?.tables[index.source] { return state }
    let state = State(
      isRight: try index.isRight(), isOpaque: try RowConflicts.areOpaque(in: index.source, on: index.connection))
    known?.tables[index.source] = state
    return state
  }
}

extension FoundTexts.Purpose {
  fileprivate var latest: FoundTexts.Order { if case .best = self { .latest } else { .any } }
}

/// From where on a search goes another way. Measured on 100,000 titles of mixed scripts.
enum SearchLimits {
  /// So many rows that are found, with so many bytes of text, are ordered by relevance, for which they are read: two
  /// microseconds for a title.
  static let ranked = (rows: 1000, bytes: 1 << 20)
  /// So many rows are read themselves while they are not indexed.
  static let left = 20_000
  /// So many terms of the index that begin with two characters, and with one, are looked for. A word with more of them is in
  /// so many rows that reading those until enough are found is quicker.
  static let terms = (two: 256, one: 64)
  /// So much of a word, and so many words, are looked for in the index; the rest, in the texts that were found.
  static let scalars = 64
  static let words = 32
}

/// What the index is asked for.
struct SearchTerms {
  /// An expression of FTS5; nil where there cannot be a row.
  let match: String?
  /// Whether the rows that are found have to be read for the rest.
  let isRough: Bool

  /// Nil where the index is of no help.
  ///
  /// - Parameter withShort: whether it is asked for words of one and two characters, too, by all terms that begin with them.
  init?(_ words: [SearchWord], _ index: SearchIndex, withShort: Bool = true) throws(RosterError) {
    var parts: [String] = []
    var isRough = false
    // The longest say the most.
    for (number, word) in words.sorted(by: { $0.scalars.count > $1.scalars.count }).enumerated() {
      guard number < SearchLimits.words else {
        isRough = true
        break
      }
      switch withShort || !SearchTerms.haveShort([word], index) ? try SearchTerms.part(word, index) : .unknown {
      case .exact(let part): parts.append(part)
      case .rough(let part):
        parts.append(part)
        isRough = true
      case .nowhere:
        match = nil
        self.isRough = false
        return
      case .unknown: isRough = true
      }
    }
    guard !parts.isEmpty else { return nil }
    match = parts.joined(separator: " AND ")
    self.isRough = isRough
  }

  /// Whether there is a word that no trigram is in.
  static func haveShort(_ words: [SearchWord], _ index: SearchIndex) -> Bool {
    index.declaration.kind == .substring && words.contains { $0.scalars.count < 3 }
  }

  /// Selects the rows as `roster_key`; nil where there cannot be one.
  func rows(_ index: SearchIndex) -> SQL? {
    guard let match else { return nil }
    var rows = SQL(text: "SELECT rowid AS roster_key FROM \(quoted(index.index)) WHERE \(quoted(index.index)) MATCH ")
    rows.append(SQLArgument(.text(match)))
    return rows
  }

  private enum Part {
    /// Finds the rows that have the word.
    case exact(String)
    /// Finds those and others.
    case rough(String)
    case nowhere
    case unknown
  }

  private static func part(_ word: SearchWord, _ index: SearchIndex) throws(RosterError) -> Part {
    guard !word.isExact else { return .unknown }
    switch index.declaration.kind {
    case .words: return part(ofWords: word)
    case .substring:
      // Where a text ends for the tokenizer, and what the engine itself puts there.
      guard !word.scalars.contains(where: { $0 == 0 || $0 == 0x1F }) else { return .unknown }
      guard word.scalars.count < 3 else {
        let start = LetterFolds.text(word.scalars.prefix(SearchLimits.scalars))
        return word.scalars.count > SearchLimits.scalars ? .rough(phrase(start)) : .exact(phrase(start))
      }
      let limit = word.scalars.count == 2 ? SearchLimits.terms.two : SearchLimits.terms.one
      guard let terms = try index.terms(beginning: LetterFolds.text(word.scalars), upTo: limit) else { return .unknown }
      return terms.isEmpty ? .nowhere : .exact("(\(terms.map(phrase).joined(separator: " OR ")))")
    }
  }

  /// The tokens of a word, next to each other, the last of which may be the beginning of one. FTS5 cuts those of more than
  /// 32 KB.
  private static func part(ofWords word: SearchWord) -> Part {
    let tokens = word.scalars.split { $0 & LetterFolds.separator != 0 }
    guard let last = word.scalars.last, let token = tokens.last, tokens.dropLast().allSatisfy({ $0.count < 8000 })
    else {
      return .unknown
    }
    let isOpen = last & LetterFolds.separator == 0 || token.count >= 8000
    let texts = (tokens.dropLast() + [token.prefix(8000)]).map { LetterFolds.text($0) }
    let part = phrase(texts.joined(separator: " ")) + (isOpen ? " *" : "")
    let isExact = tokens.count == 1 && word.beginsWord && token.count == word.scalars.count && token.count < 8000
    return isExact ? .exact(part) : .rough(part)
  }

  private static func phrase(_ text: String) -> String { delimited(text, by: "\"") }
}

extension SearchIndex {
  /// The tables of the rows of which the index does not know all.
  fileprivate func unread(hasLeft: Bool) throws(RosterError) -> [String] {
    let hasScanned = try connection.value("SELECT 1 FROM \(quoted(scanned)) LIMIT 1") != nil
    return (hasLeft ? [left] : []) + (hasScanned ? [scanned] : [])
  }

  /// The terms that begin with a text; nil where they are more than so many.
  fileprivate func terms(beginning text: String, upTo limit: Int) throws(RosterError) -> [String]? {
    guard let end = PredicateText.end(ofPrefix: text) else { return nil }
    let rows = try connection.rows(
      "SELECT term FROM \(quoted(terms)) WHERE term >= ? AND term < ? LIMIT ?",
      [SQLArgument(.text(text)), SQLArgument(.text(end)), SQLArgument(.integer(Int64(limit) + 1))])
    guard rows.count <= limit else { return nil }
    // What has a NUL ends there for FTS5's parser; its rows are read anyway.
    return rows.compactMap { row in
      if case .text(let term)? = row.first, !term.utf8.contains(0) { term } else { nil }
    }
  }
}
