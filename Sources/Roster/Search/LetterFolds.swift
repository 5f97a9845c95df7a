/// What a tokenizer of FTS5 makes of each scalar, so that a scan of a text finds what the index does.
struct LetterFolds: Sendable {
  /// That nothing is left of the scalar: it is a diacritic.
  static let dropped: UInt32 = .max
  /// Set where the scalar is no part of a word.
  static let separator: UInt32 = 0x8000_0000

  private let table: [UInt32]

  /// By its value: what it becomes, with the mark of a separator, or nothing.
  subscript(scalar: UInt32) -> UInt32 {
    scalar < UInt32(table.count) ? table[Int(scalar)] : scalar & ~LetterFolds.separator
  }

  /// Of the tokenizer that a kind of search has.
  static func of(_ kind: SearchDeclaration.Kind) -> LetterFolds {
    switch kind {
    case .substring: trigram
    case .words: unicode61
    }
  }

  /// The folded scalars of a text, without those of which nothing is left.
  ///
  /// - Complexity: O(*n*) in the scalars.
  func fold(_ text: some StringProtocol) -> [UInt32] {
    text.unicodeScalars.compactMap { scalar in
      let folded = self[scalar.value]
      return folded == LetterFolds.dropped ? nil : folded
    }
  }

  /// The text of folded scalars.
  static func text(_ scalars: some Sequence<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(Unicode.Scalar(scalar & ~separator) ?? "\u{FFFD}") }
    return String(text)
  }

  // MARK: trigram

  /// The case folding of `trigram`, in which every scalar is a letter: by the simple mappings of Unicode 6.1, and by a letter
  /// more here and there than a lower-casing, ς as σ, ſ as s. Made once, in some tens of milliseconds; above 2^17 no
  /// letter has a case. https://www.sqlite.org/fts5.html#the_trigram_tokenizer
  private static let trigram = LetterFolds(
    table: (0..<0x2_0000 as Range<UInt32>).map { value in
      if let other = others[value] { return other }
      guard let scalar = Unicode.Scalar(value), isOld(scalar) else { return value }
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      guard lower.count == 1, let first = lower.first, isOld(first) else { return value }
      return first.value
    })

  /// What a lower-casing leaves as it is.
  private static let others: [UInt32: UInt32] = [
    0xB5: 0x3BC, 0x17F: 0x73, 0x345: 0x3B9, 0x3C2: 0x3C3, 0x3D0: 0x3B2, 0x3D1: 0x3B8, 0x3D5: 0x3C6, 0x3D6: 0x3C0,
    0x3F0: 0x3BA, 0x3F1: 0x3C1, 0x3F5: 0x3B5, 0x1E9B: 0x1E61, 0x1FBE: 0x3B9, 0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD,
  ]

  private static func isOld(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.age.map { $0.major < 6 || $0.major == 6 && $0.minor <= 1 } ?? false
  }

  // MARK: unicode61

  static let tokenizer61 = "unicode61 remove_diacritics 2"

  /// What `unicode61` makes of each scalar depends on tables of the library, which it is asked for here, once.
  private static let unicode61: LetterFolds = (try? asked()) ?? LetterFolds(table: trigram.table)

  /// Each scalar stands between two letters: it is dropped, or a letter, or parts the two.
  private static func asked() throws(RosterError) -> LetterFolds {
    let connection = try Connection(path: ":memory:", mode: .memory)
    try connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = '\(tokenizer61)')")
    try connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')")
    // Above the second plane there are letters, but for the tags and selectors of the fourteenth.
    let scalars = [1..<0xD800, 0xE000..<0x2_0000, 0xE_0000..<0xE_0200].flatMap { (range: Range<UInt32>) in Array(range)
    }
    var table = (0..<0xE_0200 as Range<UInt32>).map { $0 }
    table[0] = separator
    for start in stride(from: 0, to: scalars.count, by: 4096) {
      let part = scalars[start..<min(start + 4096, scalars.count)]
      let text = part.map { LetterFolds.text([0x71, $0, 0x7A]) }.joined(separator: " ")
      try connection.execute("DELETE FROM texts")
      try connection.execute("INSERT INTO texts (text) VALUES (?)", [SQLArgument(.text(text))])
      let rows = try connection.rows("SELECT term FROM terms ORDER BY offset")
      var terms = rows.map { row -> [Unicode.Scalar] in
        if case .text(let term)? = row.first { Array(term.unicodeScalars) } else { [] }
      }[...]
      for scalar in part {
        guard let term = terms.popFirst() else { break }
        if term.count == 1 {
          table[Int(scalar)] = scalar | separator
          _ = terms.popFirst()
        } else {
          table[Int(scalar)] = term.count == 2 ? dropped : term[1].value
        }
      }
    }
    return LetterFolds(table: table)
  }
}
