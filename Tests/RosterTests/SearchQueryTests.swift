import Foundation
import Testing

@testable import Roster

@Suite("Searches as queries")
struct SearchQueryTests {
  private func store(_ docs: [Doc]) throws -> Store {
    let store = try Store(inMemoryWith: [Doc.self], migrations: Doc.migrations)
    try store.write { (tx: inout Transaction) throws in try tx.insert(docs) }
    return store
  }

  private func ids(_ store: Store, _ query: Query<Doc>) throws -> [Int] {
    try store.read { try $0.fetch(query).map(\.id) }
  }

  @Test("a search goes with a filter, a sort, an order kept by hand, a limit and an offset")
  func composed() throws {
    let store = try store(
      (1...40).map { Doc(id: $0, title: "布局 \($0 % 7)", isDone: $0 % 2 == 0, list: $0 % 3 == 0 ? "b" : "a") })
    try store.write { try $0.move(Doc.self, ids: [37], to: .start) }
    let hits = Query<Doc>().matching("布局 3")
    let wanted = [3, 10, 17, 24, 31, 38]
    #expect(try ids(store, hits).sorted() == wanted)
    #expect(try ids(store, hits.filter(#Predicate { $0.isDone })).sorted() == [10, 24, 38])
    #expect(try ids(store, hits.sorted(by: SortDescriptor(\.id, order: .reverse))) == wanted.reversed())
    #expect(try ids(store, hits.sorted(by: SortDescriptor(\.id)).limit(2).offset(1)) == [10, 17])
    #expect(try ids(store, Query<Doc>().matching("布局 2").inManualOrder(within: "a")) == [37, 2, 16, 23])
    #expect(try ids(store, hits.limit(2)).count == 2)
    #expect(try ids(store, hits.limit(100).filter(sql: "id > 20")).sorted() == [24, 31, 38])
    #expect(try ids(store, hits.matching("10")) == [])
    #expect(try ids(store, Query<Doc>().matching("布").matching("3 局")).sorted() == wanted)
    #expect(try store.read { try $0.count(hits.limit(4)) } == 4)
    #expect(try store.read { try $0.exists(hits) })
    #expect(try store.read { try !$0.exists(hits.matching("nowhere")) })
    #expect(try store.read { try $0.first(hits.sorted(by: SortDescriptor(\.id))) }?.id == 3)
  }

  @Test("what is found can be changed, moved and deleted as any query")
  func written() throws {
    let store = try store((1...9).map { Doc(id: $0, title: "title \($0 % 3)") })
    try store.write { tx in
      #expect(try tx.update(Query<Doc>().matching("E 1"), .set(\.title, to: "other")) == 3)
      #expect(try tx.fetch(Query<Doc>().matching("other")).map(\.id).sorted() == [1, 4, 7])
      try tx.move(Query<Doc>().matching("oth").sorted(by: SortDescriptor(\.id)), to: .end)
      #expect(try tx.delete(Query<Doc>().matching("title 2").limit(2)) == 2)
    }
    #expect(try ids(store, Query<Doc>().inManualOrder(within: "a").matching("o")) == [1, 4, 7])
    #expect(try ids(store, Query<Doc>().matching("title 2")).count == 1)
    try store.checkIndex()
  }

  @Test("the best come first: by how much of the text it is, and by the weights; ties are the latest first")
  func ranked() throws {
    let store = try store([
      Doc(id: 1, title: "layout and a good deal more of other words", body: nil),
      Doc(id: 2, title: "layout", body: nil),
      Doc(id: 3, title: "other", body: "layout"), Doc(id: 4, title: "layout", body: nil), Doc(id: 5, title: "none"),
    ])
    for _ in 0..<3 { #expect(try ids(store, Query<Doc>().matching("layout")) == [4, 2, 1, 3]) }
    #expect(try ids(store, Query<Doc>().matching("layout").limit(2)) == [4, 2])
    #expect(try ids(store, Query<Doc>().matching("layout").limit(2).offset(1)) == [2, 1])
    #expect(try ids(store, Query<Doc>().matching("layout").filter(sql: "id < 4").limit(1)) == [2])
  }

  @Test(
    "where very many are found the latest come first, page after page",
    arguments: ["title", "le", "t", "title 1", "e t"])
  func many(_ typed: String) throws {
    let store = try store((1...1500).map { Doc(id: $0, title: "title 1 \($0)") })
    let query = Query<Doc>().matching(typed)
    #expect(try ids(store, query.limit(3)) == [1500, 1499, 1498])
    #expect(try ids(store, query) == Array((1...1500).reversed()))
    #expect(try ids(store, query.after(Doc(id: 1499, title: "")).limit(2)) == [1498, 1497])
    #expect(try ids(store, query.filter(sql: "id % 2 = 1").limit(2)) == [1499, 1497])
    try store.write { try $0.execute("UPDATE doc SET title = title || char(0) WHERE id IN (1500, 7)") }
    #expect(try ids(store, query.limit(2)) == [1500, 1499])
    #expect(try store.read { try $0.count(query) } == 1500)
  }

  @Test("pages of what is ranked follow each other")
  func pages() throws {
    let store = try store((1...30).map { Doc(id: $0, title: String(repeating: "布局 ", count: $0 % 4 + 1) + "x") })
    let query = Query<Doc>().matching("布局")
    let all = try store.read { try $0.fetch(query) }
    var paged: [Doc] = []
    while let page = try store.read({ snapshot in
      let next = paged.last.map { query.after($0) } ?? query
      return try snapshot.fetch(next.limit(7))
    }) as [Doc]?, !page.isEmpty { paged += page }
    #expect(paged == all && all.count == 30)
    let stranger = Doc(id: 99, title: "")
    _ = try failure(.noSuchRecord) { try store.read { try $0.fetch(query.after(stranger)) } }
  }

  @Test("a search of what is not declared is an error that says so")
  func undeclared() throws {
    let store = try Store(inMemoryWith: [PlainDoc.self], migrations: Doc.migrations)
    let error = try failure(.cannotTranslate) { try store.read { try $0.fetch(Query<PlainDoc>().matching("x")) } }
    #expect(error.message.contains("search: .substring"))
    _ = try failure(.cannotTranslate) { try store.read { try $0.suggestions(PlainDoc.self, for: "x") } }
  }

  @Test("a declaration that cannot be is refused with all that is wrong with it")
  func faults() throws {
    let error = try failure(.invalidTable) { try Store(inMemoryWith: [Wrong.self], migrations: Doc.migrations) }
    for part in ["column is_done is searched", "no column of the table", "title twice", "more weights", "negative"] {
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  private struct Wrong: Record {
    let id: Int
    var title: String
    var isDone: Bool
    var other: String { title }

    static let table = Table(
      "doc", Wrong.init, Column("id", \.id), Column("title", \.title), Column("is_done", \.isDone),
      search: .substring(\.title, \.isDone, \.other, \.title, weights: [1, -1, 1, 1, 1]))
  }

  @Test("a page comes first, then the count")
  func page() async throws {
    let store = try store((1...300).map { Doc(id: $0, title: "布局 \($0)") })
    var found: [SearchPage<Doc>] = []
    for try await page in store.search(Query<Doc>().matching("布局").limit(20)) { found.append(page) }
    #expect(found.map(\.count) == [nil, 300])
    #expect(found.allSatisfy { $0.records.count == 20 })
    found = []
    for try await page in store.search(Query<Doc>().matching("布局 7").limit(100)) { found.append(page) }
    #expect(found.last?.count == found.last?.records.count)
  }

  @Test("tables and columns with odd names are searched")
  func names() throws {
    let schema = """
      CREATE TABLE "Yesterday's ""list"" x_data" (id INTEGER PRIMARY KEY, "rank" TEXT NOT NULL, "t0" TEXT, "a""b'c" TEXT);
      """
    let store = try Store(inMemoryWith: [Odd.self], migrations: [Migration(number: 1, name: "odd", sql: schema)])
    try store.write { (tx: inout Transaction) throws in
      try tx.insert([Odd(id: 1, rank: "first", t0: nil, other: "布局"), Odd(id: 2, rank: "布", t0: "局", other: nil)])
    }
    #expect(try store.read { try $0.fetch(Query<Odd>().matching("布局")).map(\.id) } == [1])
    #expect(
      try store.read { try $0.fetch(Query<Odd>().matching("局 布").filter(sql: "rank > 'a'")).map(\.id).sorted() } == [
        1, 2,
      ])
    try store.checkIndex()
    #expect(try store.check() == [])
  }

  private struct Odd: Record {
    let id: Int
    var rank: String
    var t0: String?
    var other: String?

    static let table = Table(
      "Yesterday's \"list\" x_data", Odd.init, Column("id", \.id), Column("rank", \.rank), Column("t0", \.t0),
      Column("a\"b'c", \.other), search: .substring(\.rank, \.t0, \.other))
  }
}
