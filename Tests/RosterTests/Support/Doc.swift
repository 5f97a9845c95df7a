import Foundation

@testable import Roster

/// A record whose texts are searched by any part.
struct Doc: Record, Hashable {
  let id: Int
  var title: String
  var body: String?
  var isDone = false
  var list = "a"

  static let table = Table(
    "doc", Doc.init, Column("id", \.id), Column("title", \.title), Column("body", \.body), Column("is_done", \.isDone),
    Column("list", \.list), order: .manual("position", within: \.list),
    search: .substring(\.title, \.body, weights: [4, 1]))

  static let schema = """
    CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, is_done INTEGER NOT NULL DEFAULT 0,
      list TEXT NOT NULL DEFAULT 'a', position INTEGER);
    """
  static let migrations = [Migration(number: 1, name: "doc", sql: schema)]
}

/// The same table, whose texts are searched by their words.
struct Prose: Record, Hashable {
  let id: Int
  var title: String
  var body: String?

  static let table = Table(
    "doc", Prose.init, Column("id", \.id), Column("title", \.title), Column("body", \.body),
    search: .words(\.title, \.body))
}

/// The same table, of which nothing is searched.
struct PlainDoc: Record, Hashable {
  let id: Int
  var title: String

  static let table = Table("doc", PlainDoc.init, Column("id", \.id), Column("title", \.title))
}

extension Store {
  /// A store in memory with documents of these titles, with ids from 1.
  static func docs(_ titles: String...) throws -> Store {
    let store = try Store(inMemoryWith: [Doc.self], migrations: Doc.migrations)
    try store.write { (tx: inout Transaction) throws in
      for (index, title) in titles.enumerated() { try tx.insert(Doc(id: index + 1, title: title, body: nil)) }
    }
    return store
  }

  /// The ids of the documents that a text finds, in the order in which they come.
  func ids(_ text: String, phrases: Bool = false) throws -> [Int] {
    try read { try $0.fetch(Query<Doc>().matching(text, phrases: phrases)).map(\.id) }
  }

  /// What FTS5 says of its own index, once nothing is left to be indexed. It throws where something is wrong.
  func checkIndex() throws {
    try write { tx in
      for search in searches {
        let index = SearchIndex(search, on: tx.connection)
        try index.catchUp()
        try tx.connection.execute(
          "INSERT INTO \(quoted(index.index)) (\(quoted(index.index)), rank) VALUES ('integrity-check', 1)")
      }
    }
  }
}

/// Texts of many scripts, of few letters each, so that parts of one are often found in others.
struct MixedTexts {
  private static let alphabets: [[String]] = [
    ["a", "b", "B", "é", "e\u{301}", "ß", "İ", "ı", "ſ", "K", "Å"], ["学", "习", "布", "局", "𠀀"], ["か", "ア", "ー", "語"],
    ["한", "글", "ㅎ", "\u{1112}\u{1161}"], ["م", "ر", "\u{64E}", "ح"], ["ก", "\u{E34}", "\u{E48}", "น"],
    ["👍", "👍🏽", "👩‍👩‍👧", "🇩🇪", "🔴"], ["1", "2", "٣"], [" ", "-", "'", "\"", "*", "%", "_", "C#", "+"],
    (0...0x1F).compactMap { Unicode.Scalar($0).map { String($0) } }, ["Σ", "ς", "σ", "Ж", "ж", "Ⅷ", "ǅ"],
  ]

  /// A text of up to so many pieces, most of one or two scripts.
  static func text(upTo count: Int, _ dice: inout SeededGenerator) -> String {
    let first = alphabets[dice.below(alphabets.count)]
    let second = alphabets[dice.below(alphabets.count)]
    var text = ""
    for _ in 0..<dice.below(count + 1) {
      let letters = dice.below(3) > 0 ? first : second
      text += letters[dice.below(letters.count)]
    }
    return text
  }

  /// A part of a text, of so many scalars where it has them.
  static func part(of text: String, _ count: Int, _ dice: inout SeededGenerator) -> String {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count >= count, count > 0 else { return MixedTexts.text(upTo: count, &dice) }
    let start = dice.below(scalars.count - count + 1)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[start..<(start + count)])
    return String(part)
  }
}

/// What a search is to find, said as simply as can be.
struct SearchOracle {
  let words: [[UInt32]]
  let kind: SearchDeclaration.Kind

  init(_ typed: String, _ kind: SearchDeclaration.Kind = .substring) {
    self.kind = kind
    words = typed.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map {
      let folded = LetterFolds.of(kind).fold(Substring($0))
      return folded.isEmpty ? Array($0.map { $0.value | 0x4000_0000 }) : folded
    }
  }

  func matches(_ texts: String?...) -> Bool {
    words.allSatisfy { word in
      texts.contains { text in
        guard let text else { return false }
        let isExact = word.contains { $0 & 0x4000_0000 != 0 }
        let scalars = isExact ? text.unicodeScalars.map { $0.value | 0x4000_0000 } : LetterFolds.of(kind).fold(text)
        return scalars.indices.contains { start in
          guard scalars[start...].starts(with: word) else { return false }
          let isLetter = word[0] & LetterFolds.separator == 0
          return kind == .substring || isExact || !isLetter || start == 0
            || scalars[start - 1] & LetterFolds.separator != 0
        }
      }
    }
  }
}
