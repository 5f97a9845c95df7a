/// What a user has typed, as the words that a text has to have: text, never syntax.
struct SearchText: Hashable, Sendable {
  /// The words, folded, each once, in the order in which they were typed. None where everything is meant.
  let words: [String]

  /// - Parameter phrases: whether what stands between two quotation marks is one word, spaces and all.
  init(_ typed: String, phrases: Bool = false) {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var isQuoted = false
    func end() {
      let text = SearchFold.text(String(word))
      if !text.isEmpty, !words.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { words.append(text) }
      word = String.UnicodeScalarView()
    }
    for scalar in typed.unicodeScalars {
      if phrases, scalar == "\"" {
        end()
        isQuoted.toggle()
      } else if scalar.properties.isWhitespace, !isQuoted {
        end()
      } else {
        word.append(scalar)
      }
    }
    end()
    self.words = words
  }

  /// Whether a text has a word, by their folded scalars.
  static func contains(_ text: String, _ word: String) -> Bool {
    let (text, word) = (SearchFold.scalars(of: text), SearchFold.scalars(of: word))
    guard let first = word.first, text.count >= word.count else { return word.isEmpty }
    for start in 0...(text.count - word.count) where text[start] == first {
      if text[start..<(start + word.count)].elementsEqual(word) { return true }
    }
    return false
  }
}
