/// A word that texts have to have: text, never syntax.
struct SearchWord: Hashable, Sendable {
  /// Folded, but for one of nothing but diacritics where those are dropped.
  let scalars: [UInt32]
  /// Whether it is compared scalar by scalar as it stands.
  let isExact: Bool
  /// Whether it has to be where a word of the text begins.
  let beginsWord: Bool

  private init?(_ typed: some StringProtocol, _ kind: SearchDeclaration.Kind) {
    guard !typed.isEmpty else { return nil }
    let folded = LetterFolds.of(kind).fold(typed)
    isExact = folded.isEmpty
    scalars = isExact ? typed.unicodeScalars.map(\.value) : folded
    beginsWord = kind == .words && !isExact && (scalars.first ?? 0) & LetterFolds.separator == 0
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

  /// The first place where the word is in a text from an index on, given the text's scalars: folded, unless the word is exact.
  func firstMatch(in text: [UInt32], from start: Int = 0) -> Range<Int>? {
    let length = scalars.count
    guard let first = scalars.first, start <= text.count - length else { return nil }
    for index in start...(text.count - length) where text[index] == first {
      if beginsWord, index > 0, text[index - 1] & LetterFolds.separator == 0 { continue }
      var offset = 1
      while offset < length, text[index + offset] == scalars[offset] { offset += 1 }
      if offset == length { return index..<(index + length) }
    }
    return nil
  }
}
