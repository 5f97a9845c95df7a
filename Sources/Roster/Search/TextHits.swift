/// A part of a text with the places in it that a search has found.
public struct TextSnippet: Hashable, Sendable {
  /// The whole text.
  public let text: String
  /// The part, of whole characters.
  public let range: Range<String.Index>
  /// The places in the part, in their order, of whole characters, none touching another.
  public let highlights: [Range<String.Index>]

  /// The part as a text, without a mark where it was cut.
  public var excerpt: Substring { text[range] }
  /// Whether something of the text comes before the part.
  public var isCutBefore: Bool { range.lowerBound > text.startIndex }
  /// Whether something comes after it.
  public var isCutAfter: Bool { range.upperBound < text.endIndex }
}

extension Query {
  /// The places in a text that what is looked for is at, in their order: of whole characters, none touching another.
  ///
  /// ```swift
  /// let query = Query<Todo>().matching("布局")
  /// for range in query.highlights(in: todo.title) { … }
  /// ```
  ///
  /// Where a part of a character is found, as e is in é of two scalars, the whole character is the place. Empty where nothing
  /// is looked for, or found.
  /// - Complexity: O(*n* · *w*) in the text and the words.
  public func highlights(in text: String) -> [Range<String.Index>] {
    guard let declaration = R.table.search else { return [] }
    return TextHits.ranges(of: SearchWord.words(of: searches, declaration.kind), in: text, declaration.kind)
  }

  /// A part of a text of so many characters, where most of the places are, with the places in it.
  ///
  /// Where nothing is found in the text, it is its beginning. It begins and ends with whole words where that is near.
  /// - Complexity: O(*n* · *w*) in the text and the words.
  public func snippet(of text: String, length: Int = 60) -> TextSnippet {
    TextHits.snippet(of: text, highlights(in: text), length)
  }
}

/// Where words are in a text as a user sees it.
enum TextHits {
  /// - Returns: ranges of whole characters, in their order.
  static func ranges(
    of words: [SearchWord], in text: String, _ kind: SearchDeclaration.Kind
  ) -> [Range<String.Index>] {
    guard !words.isEmpty else { return [] }
    let folds = LetterFolds.of(kind)
    let view = text.unicodeScalars
    let exact = view.map(\.value)
    var folded: [UInt32] = []
    // The number of each folded scalar in the text.
    var numbers: [Int] = []
    for (number, scalar) in exact.enumerated() where folds[scalar] != LetterFolds.dropped {
      folded.append(folds[scalar])
      numbers.append(number)
    }
    var isHit = Array(repeating: false, count: exact.count)
    for word in words {
      var end = 0
      word.forEachMatch(in: word.isExact ? exact : folded) { place in
        for index in max(place.lowerBound, end)..<place.upperBound {
          isHit[word.isExact ? index : numbers[index]] = true
        }
        end = place.upperBound
        return true
      }
    }
    var ranges: [Range<String.Index>] = []
    var (number, index) = (0, text.startIndex)
    while index < text.endIndex {
      let next = text.index(after: index)
      let count = view.distance(from: index, to: next)
      if isHit[number..<(number + count)].contains(true) {
        if let last = ranges.last, last.upperBound == index {
          ranges[ranges.count - 1] = last.lowerBound..<next
        } else {
          ranges.append(index..<next)
        }
      }
      (number, index) = (number + count, next)
    }
    return ranges
  }

  static func snippet(of text: String, _ places: [Range<String.Index>], _ length: Int) -> TextSnippet {
    let length = max(1, length)
    let start = start(of: text, places, length)
    var end = text.index(start, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
    if end < text.endIndex, !text[end].isWhitespace, let gap = text[start..<end].lastIndex(where: \.isWhitespace) {
      // Not where the cut would take a place away, or much of the rest.
      let isNear = text.distance(from: gap, to: end) * 4 <= length
      if isNear, !places.contains(where: { $0.upperBound > gap && $0.lowerBound < end }) { end = gap }
    }
    let range = start..<end
    return TextSnippet(
      text: text, range: range, highlights: places.filter { $0.overlaps(range) }.map { $0.clamped(to: range) })
  }

  /// Before the place that most others come right after, with some of what comes before it.
  private static func start(of text: String, _ places: [Range<String.Index>], _ length: Int) -> String.Index {
    guard text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex).map({ $0 < text.endIndex }) ?? false
    else { return text.startIndex }
    // Each place by its characters: the window that begins with it, and how many it holds.
    var best: (place: String.Index, count: Int)?
    var offsets: [(start: Int, end: Int)] = []
    var (index, offset) = (text.startIndex, 0)
    for place in places {
      let start = offset + text.distance(from: index, to: place.lowerBound)
      (index, offset) = (place.upperBound, start + text.distance(from: place.lowerBound, to: place.upperBound))
      offsets.append((start, offset))
    }
    var last = 0
    for (number, place) in places.enumerated() {
      while last < offsets.count, offsets[last].end - offsets[number].start <= length { last += 1 }
      if last - number > best?.count ?? 0 { best = (place.lowerBound, last - number) }
    }
    guard let place = best?.place ?? places.first?.lowerBound else { return text.startIndex }
    // As much as the text's end leaves room for, and at least a quarter.
    let rest = text[place...].prefix(length).count
    let room = max(length / 4, length - rest)
    guard let early = text.index(place, offsetBy: -room, limitedBy: text.startIndex) else { return text.startIndex }
    guard early > text.startIndex, !text[text.index(before: early)].isWhitespace,
      let gap = text[early..<place].firstIndex(where: \.isWhitespace)
    else { return early }
    return text.index(after: gap)
  }
}
