import Foundation

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
