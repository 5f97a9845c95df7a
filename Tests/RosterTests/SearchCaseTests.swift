import Testing

@testable import Roster

@Suite("Search: cases from the field")
struct SearchCaseTests {
  @Test(
    "a part of a text finds it, in every script and from one character on",
    arguments: [
      ("布局", [1, 2]), ("itgc", [3]), ("亚", [4]), ("习S", [1]), ("局", [1, 2]), ("学", [1]), ("SWIFT", [1]),
      ("ui布", [1]), ("学习 布局", [1]), ("布局 学习", [1]), ("a", []), ("G", [3]), ("亚 德", [4]), ("后", [3]),
    ])
  func parts(_ typed: String, _ ids: [Int]) throws {
    let store = try Store.docs("学习SwiftUI布局", "布局", "重跑gen-itgc后", "德玛西亚")
    #expect(try store.ids(typed).sorted() == ids)
  }

  @Test(
    "typed text is text",
    arguments: [
      "\"", "*", "-", "(", ")", "AND", "OR NOT", "NOT", "NEAR(", "^", "title:", "'", "%", "_", "🔴", "\u{301}", "\u{0}",
      "a\u{0}b", "\\", ";", "--", "{t0}:", "+", "\"a\" OR \"b\"", "\u{1F}", "\u{FEFF}",
      String(repeating: "長い", count: 5000), String(repeating: "x ", count: 300),
    ])
  func text(_ typed: String) throws {
    let store = try Store.docs("plain", "with \(typed) inside", typed, "x")
    let oracle = SearchOracle(typed)
    let titles = ["plain", "with \(typed) inside", typed, "x"]
    let wanted = titles.indices.filter { oracle.matches(titles[$0]) }.map { $0 + 1 }
    #expect(wanted.contains(2) && wanted.contains(3))
    #expect(try store.ids(typed).sorted() == wanted)
    #expect(try store.ids(typed, phrases: true).count <= 4)
  }

  @Test("a blank query means all rows", arguments: ["", " ", "\n\t ", "\u{3000}"])
  func blank(_ typed: String) throws {
    let store = try Store.docs("one", "two", "three")
    #expect(try store.ids(typed) == [1, 2, 3])
    #expect(try store.read { try $0.count(Query<Doc>().matching(typed)) } == 3)
    #expect(try store.ids("\"\" \" \"", phrases: true) == [1, 2, 3])
  }

  @Test("a toggle notes no row to be indexed, and neither does writing all columns as they are")
  func toggle() throws {
    let store = try Store.docs("one", "two")
    try store.write { tx in
      guard var doc = try tx.fetch(Doc.self, id: 1) else { return }
      doc.isDone.toggle()
      try tx.update(doc)
      try tx.move(Doc.self, ids: [2], to: .start)
      try tx.update(Query<Doc>(), .set(\.isDone, to: true))
      #expect(try tx.fetch("SELECT count(*) FROM roster_search_doc_left", as: Int.self) == [0])
      try tx.execute("UPDATE doc SET title = 'eins' WHERE id = 1")
      #expect(try tx.fetch("SELECT count(*) FROM roster_search_doc_left", as: Int.self) == [1])
      #expect(try tx.fetch(Query<Doc>().matching("eins")).map(\.id) == [1])
      #expect(try tx.fetch(Query<Doc>().matching("one")) == [])
    }
    #expect(try store.ids("eins") == [1])
    #expect(try store.ids("one") == [])
    try store.checkIndex()
  }

  @Test("a short word beside a long one is not ignored")
  func shortWord() throws {
    let store = try Store.docs("quick fox", "the quick one is ok", "ok", "quickok")
    #expect(try store.ids("quick ok").sorted() == [2, 4])
    #expect(try store.ids("ok quick").sorted() == [2, 4])
    #expect(try store.ids("quick o k").sorted() == [1, 2, 4])
    #expect(try store.ids("quick zz") == [])
  }

  @Test("symbols count, and a title finds itself")
  func symbols() throws {
    let titles = ["C++ notes", "C# notes", "Don't stop (now)", "Don’t stop", "🔴 urgent", "🟢 fine", "50% off", "a_b"]
    let store = try Store(inMemoryWith: [Doc.self], migrations: Doc.migrations)
    try store.write { (tx: inout Transaction) throws in
      for (index, title) in titles.enumerated() { try tx.insert(Doc(id: index + 1, title: title)) }
    }
    #expect(try store.ids("C#") == [2])
    #expect(try store.ids("c+") == [1])
    #expect(try store.ids("🔴") == [5])
    #expect(try store.ids("%") == [7])
    #expect(try store.ids("a_b") == [8])
    for (index, title) in titles.enumerated() { #expect(try store.ids(title) == [index + 1], "\(title)") }
  }

  @Test("é as one scalar and as two find each other by words, and are two by parts")
  func composed() throws {
    let (composed, decomposed) = ("caf\u{E9} au lait", "cafe\u{301} au lait")
    let store = try Store.docs(composed, decomposed)
    #expect(try store.ids("caf\u{E9}") == [1])
    #expect(try store.ids("cafe\u{301}") == [2])
    #expect(try store.ids("caf").sorted() == [1, 2])
    let words = try Store(inMemoryWith: [Prose.self], migrations: Doc.migrations)
    try words.write { (tx: inout Transaction) throws in
      try tx.insert([Prose(id: 1, title: composed), Prose(id: 2, title: decomposed), Prose(id: 3, title: "tea")])
    }
    for typed in ["caf\u{E9}", "cafe\u{301}", "CAFE", "ca", "LAIT café"] {
      #expect(try words.read { try $0.fetch(Query<Prose>().matching(typed)).map(\.id).sorted() } == [1, 2], "\(typed)")
    }
    #expect(try words.read { try $0.fetch(Query<Prose>().matching("afe")) } == [])
  }

  @Test("what is quoted is one word, where phrases are asked for")
  func phrases() throws {
    let store = try Store.docs("quick brown fox", "brown quick fox", "say \"quick brown\"")
    #expect(try store.ids("quick brown").sorted() == [1, 2, 3])
    #expect(try store.ids("\"quick brown\"", phrases: true).sorted() == [1, 3])
    #expect(try store.ids("\"quick brown\"").sorted() == [3])
    #expect(try store.ids("fox \"quick brown", phrases: true).sorted() == [1])
  }
}
