import Foundation
import Roster

/// What is measured of search: a title of mixed scripts, and whether it is done.
struct BenchText: Record, Equatable {
  let id: Int64
  var title: String
  var isDone: Bool

  static let schema = "CREATE TABLE text (id INTEGER PRIMARY KEY, title TEXT NOT NULL, is_done INTEGER NOT NULL);"
  static let migrations = [Migration(number: 1, name: "text", sql: schema)]

  static let table = Table(
    "text", BenchText.init, Column("id", \.id), Column("title", \.title), Column("is_done", \.isDone),
    search: .substring(\.title))
}

/// The same table without a declared search: with none, or with an index that triggers keep, as it is done by hand.
struct BenchPlainText: Record {
  let id: Int64
  var title: String
  var isDone: Bool

  static let table = Table(
    "text", BenchPlainText.init, Column("id", \.id), Column("title", \.title), Column("is_done", \.isDone))

  /// After the documentation of FTS5. https://www.sqlite.org/fts5.html#external_content_tables
  static let byHand = [
    "CREATE VIRTUAL TABLE by_hand USING fts5(title, content = 'text', content_rowid = 'id', tokenize = 'trigram')",
    """
    CREATE TRIGGER by_hand_insert AFTER INSERT ON text BEGIN
      INSERT INTO by_hand (rowid, title) VALUES (new.id, new.title);
    END
    """,
    """
    CREATE TRIGGER by_hand_delete AFTER DELETE ON text BEGIN
      INSERT INTO by_hand (by_hand, rowid, title) VALUES ('delete', old.id, old.title);
    END
    """,
    """
    CREATE TRIGGER by_hand_update AFTER UPDATE ON text BEGIN
      INSERT INTO by_hand (by_hand, rowid, title) VALUES ('delete', old.id, old.title);
      INSERT INTO by_hand (rowid, title) VALUES (new.id, new.title);
    END
    """,
  ]
}

/// Titles of several scripts, whose words and characters are as unevenly frequent as those of languages are.
struct BenchTexts {
  private var dice: BenchDice
  private let english: [String]
  private let hanzi = (0..<2500).map { String(Unicode.Scalar(UInt32(0x4E00 + $0 * 7)) ?? "一") }
  private let kana = (0..<80).map { String(Unicode.Scalar(UInt32(0x3042 + $0)) ?? "あ") }
  private let hangul = (0..<800).map { String(Unicode.Scalar(UInt32(0xAC00 + $0 * 13)) ?? "가") }
  private let emoji = ["🔴", "✅", "🎉", "👍🏽", "📎", "🚀", "👩‍👩‍👧", "🇩🇪"]

  init(seed: UInt64) {
    var dice = BenchDice(seed: seed)
    let (starts, vowels, ends) = (
      Array("bcdfghklmnprstvw"), Array("aeiou"), ["", "n", "r", "s", "t", "ng", "st", "ck", "y"]
    )
    english = (0..<4000).map { rank in
      (0...(rank < 100 ? 0 : 1 + Int.random(in: 0...1, using: &dice))).map { _ in
        "\(starts.randomElement(using: &dice) ?? "b")\(vowels.randomElement(using: &dice) ?? "a")\(ends.randomElement(using: &dice) ?? "")"
      }.joined()
    }
    self.dice = dice
  }

  /// One of them, the first ones most often: the rank of a word times its frequency is about the same for all.
  private mutating func pick(_ words: [String]) -> String {
    let place = exp(Double.random(in: 0..<1, using: &dice) * log(Double(words.count)))
    return words[min(Int(place), words.count) - 1]
  }

  mutating func title() -> String {
    func run(_ count: ClosedRange<Int>, _ dice: inout BenchDice) -> Int { Int.random(in: count, using: &dice) }
    var parts: [String] = []
    for _ in 0..<run(1...3, &dice) {
      switch run(0...9, &dice) {
      case 0...4:
        let words = (0..<run(2...5, &dice)).map { _ in pick(english) }
        parts.append(words.joined(separator: " ").capitalized)
      case 5...6: parts.append((0..<run(4...14, &dice)).map { _ in pick(hanzi) }.joined())
      case 7: parts.append((0..<run(3...10, &dice)).map { _ in pick(kana) }.joined() + pick(hanzi))
      case 8: parts.append((0..<run(2...8, &dice)).map { _ in pick(hangul) }.joined())
      default: parts.append("\(run(1...9999, &dice)) " + pick(emoji))
      }
    }
    return parts.joined(separator: " ")
  }

  /// A part of a title, of so many characters.
  mutating func part(of titles: [String], _ count: Int) -> String {
    while true {
      let characters = Array(titles[Int.random(in: titles.indices, using: &dice)])
      guard characters.count >= count else { continue }
      let start = Int.random(in: 0...(characters.count - count), using: &dice)
      let part = String(characters[start..<(start + count)])
      if part.first?.isWhitespace == false, part.last?.isWhitespace == false { return part }
    }
  }
}

/// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
struct BenchDice: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
