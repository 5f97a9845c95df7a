import Testing

@testable import Roster

@Suite("Highlights, snippets and suggestions")
struct SearchTextTests {
  private func parts(_ typed: String, _ text: String, phrases: Bool = false) -> [String] {
    Query<Doc>().matching(typed, phrases: phrases).highlights(in: text).map { String(text[$0]) }
  }

  @Test(
    "highlights are the whole characters that were found, in the text's own spelling",
    arguments: [
      ("布局", "学习SwiftUI布局", ["布局"]), ("swift ui", "学习SwiftUI布局", ["SwiftUI"]),
      ("e", "cafe\u{301}s me", ["e\u{301}", "e"]),
      ("aa", "aaaa b aa", ["aaaa", "aa"]), ("👩", "x👩‍👩‍👧y", ["👩‍👩‍👧"]), ("👍", "👍🏽 👍", ["👍🏽", "👍"]),
      ("straße", "STRASSE straße", ["straße"]),
      ("ΣΟΦΟΣ", "ο σοφος", ["σοφος"]), ("x y", "y x", ["y", "x"]), ("zz", "none", []), ("", "none", []),
      ("\u{301}", "e\u{301}", ["e\u{301}"]),
    ])
  func highlights(_ typed: String, _ text: String, _ wanted: [String]) { #expect(parts(typed, text) == wanted) }

  @Test("by words, a diacritic hides nothing, and the middle of a word is not found")
  func words() {
    func parts(_ typed: String, _ text: String) -> [String] {
      Query<Prose>().matching(typed).highlights(in: text).map { String(text[$0]) }
    }
    #expect(parts("cafe", "Le CAFÉ, cafe\u{301}s decaf") == ["CAFÉ", "cafe\u{301}"])
    #expect(parts("afe", "café") == [])
    #expect(parts("C#", "C# and C++") == ["C#"])
  }

  @Test("highlights are where a scan of the texts finds something, and nowhere else", arguments: SeededGenerator.seeds)
  func random(_ seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let text = MixedTexts.text(upTo: 20, &dice)
      let typed = MixedTexts.part(of: text, 1 + dice.below(3), &dice)
      let query = Query<Doc>().matching(typed)
      let ranges = query.highlights(in: text)
      let oracle = SearchOracle(typed)
      let any = oracle.words.contains { word in SearchOracle(LetterFolds.text(word)).matches(text) && !word.isEmpty }
      expectQuickly(ranges.isEmpty == !any, "seed \(seed), typed \(typed), text \(text)")
      for (left, right) in zip(ranges, ranges.dropFirst()) {
        expectQuickly(left.upperBound < right.lowerBound, "seed \(seed)")
      }
      let snippet = query.snippet(of: text, length: 1 + dice.below(12))
      expectQuickly(snippet.highlights.isEmpty == ranges.isEmpty, "seed \(seed), typed \(typed), text \(text)")
      expectQuickly(
        snippet.highlights.allSatisfy {
          snippet.range.lowerBound <= $0.lowerBound && $0.upperBound <= snippet.range.upperBound
        },
        "seed \(seed)")
    }
  }

  @Test("a snippet is of the length asked for, with the places in it, and cut between words where that is near")
  func snippets() {
    let text = "The quick brown fox jumps over the lazy dog, and then the fox sleeps with another fox beside a river."
    func snippet(_ typed: String, _ length: Int) -> TextSnippet {
      Query<Doc>().matching(typed).snippet(of: text, length: length)
    }
    let fox = snippet("fox", 40)
    #expect(fox.highlights.count == 2 && fox.excerpt.count <= 40 && fox.isCutBefore && fox.isCutAfter)
    #expect(fox.highlights.allSatisfy { text[$0] == "fox" })
    #expect(snippet("fox", 200).excerpt == text[...])
    #expect(snippet("river", 20).excerpt.hasSuffix("a river."))
    #expect(snippet("nowhere", 19).excerpt == "The quick brown fox")
    #expect(snippet("", 9).excerpt == "The quick")
    #expect(Query<Doc>().matching("布").snippet(of: "", length: 10).excerpt == "")
    let chinese = String(repeating: "学习", count: 100) + "布局" + String(repeating: "学习", count: 100)
    let middle = Query<Doc>().matching("布局").snippet(of: chinese, length: 10)
    #expect(middle.excerpt.contains("布局") && middle.excerpt.count == 10)
  }

  @Test("suggestions are titles that begin with what is typed, then those that hold it, the most frequent first")
  func titles() throws {
    let store = try Store.docs(
      "Swift", "Learn Swift", "swift", "Swift UI", "学习 Swift", "学习 SwiftUI", "学习 Swift", "Other", "Learn Swift")
    func suggestions(_ typed: String, _ limit: Int = 10) throws -> [TextSuggestion] {
      try store.read { try $0.suggestions(Doc.self, for: typed, limit: limit) }
    }
    #expect(
      try suggestions("sw").map { $0.text.lowercased() } == [
        "swift", "swift ui", "learn swift", "学习 swift", "学习 swiftui",
      ])
    #expect(try suggestions("sw").map(\.count) == [2, 1, 2, 2, 1])
    #expect(try suggestions("学").map(\.text) == ["学习 Swift", "学习 SwiftUI"])
    #expect(try suggestions("learn s").map(\.text) == ["Learn Swift"])
    #expect(try suggestions("学", 1).map(\.text) == ["学习 Swift"])
    #expect(try suggestions("", 5) == [])
    #expect(try suggestions("zz", 5) == [])
    #expect(try suggestions("sw", 0) == [])
  }

  @Test("by words, they are words of the index that begin as the last one typed")
  func vocabulary() throws {
    let store = try Store(inMemoryWith: [Prose.self], migrations: Doc.migrations)
    try store.write { (tx: inout Transaction) throws in
      for (index, title) in ["Café au lait", "cafe noir", "Cafeteria", "decaf"].enumerated() {
        try tx.insert(Prose(id: index, title: title))
      }
    }
    let found = try store.read { try $0.suggestions(Prose.self, for: "un Caf") }
    #expect(found == [TextSuggestion(text: "cafe", count: 2), TextSuggestion(text: "cafeteria", count: 1)])
    #expect(try store.read { try $0.suggestions(Prose.self, for: "un ") } == [])
  }
}
