/// Looks for words in texts themselves, without the index.
///
/// What it says of a text is what the index says of it: see ``LetterFolds``.
struct SearchScan {
  let words: [SearchWord]
  private let folds: LetterFolds
  private let needsExact: Bool

  init(_ words: [SearchWord], _ kind: SearchDeclaration.Kind) {
    self.words = words
    folds = LetterFolds.of(kind)
    needsExact = words.contains(where: \.isExact)
  }

  /// Room for the scalars of a text, to be used again for the next.
  struct Scratch {
    fileprivate var folded: [UInt32] = []
    fileprivate var exact: [UInt32] = []
  }

  /// Whether texts have all of the words, each in any of them.
  ///
  /// - Complexity: O(*n* · *w*) in the texts' bytes and the words.
  func matches(_ texts: some Sequence<UnsafeRawBufferPointer>, _ scratch: inout Scratch) -> Bool {
    var missing = words[...]
    for text in texts {
      decode(text, &scratch)
      missing.removeAll { word in word.isIn(word.isExact ? scratch.exact : scratch.folded) }
      if missing.isEmpty { return true }
    }
    return missing.isEmpty
  }

  /// How often each word is in the texts of a row that a statement stands on, by the weights of the columns, with the
  /// length of the texts in scalars and in bytes.
  ///
  /// A word that is only where the weight is nothing counts a little.
  func frequencies(
    _ statement: borrowing Statement, _ weights: [Double], _ scratch: inout Scratch
  ) -> (frequencies: [Double], length: Double, bytes: Int) {
    var frequencies = Array(repeating: 0.0, count: words.count)
    var (length, bytes) = (0, 0)
    for (column, weight) in weights.enumerated() {
      let isText: Void? = statement.cell(column).withText { text in
        bytes += text.count
        decode(UnsafeRawBufferPointer(text), &scratch)
      }
      guard isText != nil else { continue }
      length += scratch.folded.count
      for (number, word) in words.enumerated() {
        var end = 0
        word.forEachMatch(in: word.isExact ? scratch.exact : scratch.folded) { place in
          if place.lowerBound >= end {
            frequencies[number] += max(weight, 1e-9)
            end = place.upperBound
          }
          return true
        }
      }
    }
    return (frequencies, Double(length), bytes)
  }

  /// As FTS5 reads UTF-8, also where it is none.
  private func decode(_ bytes: UnsafeRawBufferPointer, _ scratch: inout Scratch) {
    scratch.folded.removeAll(keepingCapacity: true)
    scratch.exact.removeAll(keepingCapacity: true)
    var index = 0
    let count = bytes.count
    while index < count {
      var scalar = UInt32(bytes[index])
      index += 1
      if scalar >= 0xC0 {
        scalar &=
          scalar < 0xE0
          ? 0x1F : scalar < 0xF0 ? 0x0F : scalar < 0xF8 ? 0x07 : scalar < 0xFC ? 0x03 : scalar == 0xFD ? 1 : 0
        while index < count, bytes[index] & 0xC0 == 0x80 {
          scalar = scalar << 6 &+ UInt32(bytes[index] & 0x3F)
          index += 1
        }
        if scalar < 0x80 || scalar & 0xFFFF_F800 == 0xD800 || scalar & 0xFFFF_FFFE == 0xFFFE { scalar = 0xFFFD }
      }
      if needsExact { scratch.exact.append(scalar) }
      let folded = folds[scalar]
      if folded != LetterFolds.dropped { scratch.folded.append(folded) }
    }
  }
}
