/// A word that texts have to have: text, never syntax.
struct SearchWord: Hashable, Sendable {
  /// Folded, but for one of nothing but diacritics where those are dropped.
  let scalars: [UInt32]
  /// Whether it is compared scalar by scalar as it stands.
  let isExact: Bool
  /// Whether it has to be where a word of the text begins.
  let beginsWord: Bool
  /// For each scalar, how much of the word's beginning ends with it.
  ///
  /// Knuth, Morris, Pratt, "Fast pattern matching in strings", 1977: no text is read twice, however it repeats itself.
  private let borders: [Int]

  private init?(_ typed: some StringProtocol, _ kind: SearchDeclaration.Kind) {
    guard !typed.isEmpty else { return nil }
    let folded = LetterFolds.of(kind).fold(typed)
    isExact = folded.isEmpty
    scalars = isExact ? typed.unicodeScalars.map(\.value) : folded
    beginsWord = kind == .words && !isExact && (scalars.first ?? 0) & LetterFolds.separator == 0
    borders = SearchWord.borders(of: scalars)
  }

  private static func borders(of scalars: [UInt32]) -> [Int] {
    var borders = Array(repeating: 0, count: scalars.count)
    var length = 0
    for index in scalars.indices.dropFirst() {
      while length > 0, scalars[index] != scalars[length] { length = borders[length - 1] }
      if scalars[index] == scalars[length] { length += 1 }
      borders[index] = length
    }
    return borders
  }

  /// The words of what a user has typed, each once, in their order.
  static func words(of requests: [SearchRequest], _ kind: SearchDeclaration.Kind) -> [SearchWord] {
    var known: Set<SearchWord> = []
    return requests.flatMap(split).compactMap { SearchWord($0, kind) }.filter { known.insert($0).inserted }
  }

  /// At white space, but for what is quoted.
  private static func split(_ request: SearchRequest) -> [Substring] {
    let scalars = request.text.unicodeScalars
    var parts: [Substring] = []
    var start = scalars.startIndex
    var isQuoted = false
    for index in scalars.indices {
      let isMark = request.phrases && scalars[index] == "\""
      guard isMark || scalars[index].properties.isWhitespace && !isQuoted else { continue }
      parts.append(request.text[start..<index])
      start = scalars.index(after: index)
      if isMark { isQuoted.toggle() }
    }
    parts.append(request.text[start...])
    // A quotation of spaces alone is none.
    return parts.filter { part in !part.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
  }

  /// Calls `body` with each place where the word is in a text, given the text's scalars: folded, unless the word is exact.
  /// Places may overlap. It ends where `body` returns false.
  ///
  /// - Complexity: O(*n*) in the text.
  func forEachMatch(in text: [UInt32], _ body: (Range<Int>) -> Bool) {
    let length = scalars.count
    guard let first = scalars.first, text.count >= length else { return }
    var matched = 0
    var index = 0
    while index < text.count {
      // Most texts have little of a word, and are passed over quickly.
      if matched == 0, text[index] != first {
        index += 1
        continue
      }
      while matched > 0, text[index] != scalars[matched] { matched = borders[matched - 1] }
      if text[index] == scalars[matched] { matched += 1 }
      index += 1
      guard matched == length else { continue }
      matched = borders[length - 1]
      let start = index - length
      if beginsWord, start > 0, text[start - 1] & LetterFolds.separator == 0 { continue }
      guard body(start..<index) else { return }
    }
  }

  /// Whether the word is in a text.
  func isIn(_ text: [UInt32]) -> Bool {
    var isFound = false
    forEachMatch(in: text) { _ in
      isFound = true
      return false
    }
    return isFound
  }
}
