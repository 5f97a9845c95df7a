import Foundation
import Testing

@testable import Roster

@Suite("Live searches") @MainActor
struct LiveSearchTests {
  private func store(_ count: Int) throws -> Store {
    let store = try Store(inMemoryWith: [Doc.self], migrations: Doc.migrations)
    try store.write { (tx: inout Transaction) throws in
      try tx.insert((1...count).map { Doc(id: $0, title: "布局 \($0)", isDone: $0 % 2 == 0) })
    }
    return store
  }

  private func write(_ store: Store, _ body: (inout Transaction) throws -> Void) throws { try store.write(body) }

  private func fetch(_ store: Store, _ query: Query<Doc>) throws -> [Doc] { try store.read { try $0.fetch(query) } }

  @Test("a list of what is found is kept current as texts change, by the rows that changed")
  func maintained() async throws {
    let store = try store(30)
    let query = Query<Doc>().matching("布 1")
    #expect(try store.isMaintained(query))
    let list = LiveList(query, in: store)
    try await eventually { list.state.isLoaded }
    #expect(
      list.map(\.id)
        == [30, 31, 21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 1].filter { $0 <= 30 && "布局 \($0)".contains("1") })
    var changes = list.changes.makeAsyncIterator()
    var known = Array(list)
    try write(store) { tx in
      try tx.update(Query<Doc>().filter(sql: "id = 17"), .set(\.title, to: "gone"))
      try tx.update(Query<Doc>().filter(sql: "id = 2"), .set(\.title, to: "布 1"))
      try tx.insert(Doc(id: 100, title: "1 布"))
      try tx.update(Query<Doc>().filter(sql: "id = 11"), .set(\.isDone, to: true))
    }
    let batch = try #require(await changes.next())
    batch.apply(to: &known)
    #expect(known == Array(list))
    #expect(list.map(\.id) == [100, 21, 19, 18, 16, 15, 14, 13, 12, 11, 10, 2, 1])
    #expect(batch.insertions.count == 2 && batch.deletions.count == 1 && batch.updates.count == 1)
  }

  @Test("a limited list of what is found is as it is fetched, and changes with the texts")
  func limited() async throws {
    let store = try store(30)
    let query = Query<Doc>().matching("布局").limit(3)
    let list = LiveList(query, in: store)
    try await eventually { list.state.isLoaded }
    #expect(try Array(list) == fetch(store, query))
    try write(store) { tx in try tx.insert(Doc(id: 50, title: "布局")) }
    try await eventually { list.first?.id == 50 }
    #expect(try Array(list) == fetch(store, query))
  }

  @Test("a list shows another search as the user types, in one batch each, and stays current")
  func typing() async throws {
    let store = try store(200)
    let list = LiveList(Query<Doc>().inManualOrder(within: "a"), in: store)
    try await eventually { list.state.isLoaded }
    var changes = list.changes.makeAsyncIterator()
    var known = Array(list)
    for typed in ["布", "布局", "布局 1", "布局 17", "", "7"] {
      list.show(Query<Doc>().inManualOrder(within: "a").matching(typed))
      let wanted = try fetch(store, Query<Doc>().inManualOrder(within: "a").matching(typed))
      try await eventually { Array(list.records) == wanted }
      if known != wanted {
        let batch = try #require(await changes.next())
        batch.apply(to: &known)
      }
      #expect(known == wanted)
    }
    try write(store) { tx in try tx.update(Query<Doc>().filter(sql: "id = 70"), .set(\.title, to: "none")) }
    let batch = try #require(await changes.next())
    batch.apply(to: &known)
    #expect(known == Array(list) && !known.contains { $0.id == 70 })
    // Of several in a row the last one counts.
    for typed in ["1", "2", "3", "布局 199"] { list.show(Query<Doc>().matching(typed)) }
    try await eventually { list.map(\.id) == [199] }
  }

  @Test("a list in sections shows another search, with its sections kept")
  func sections() async throws {
    let store = try store(40)
    let list = SectionedLiveList(
      Query<Doc>().inManualOrder(within: "a"), sections: .by(\.isDone, ranked: [false, true], keepsEmpty: true),
      in: store)
    try await eventually { list.state.isLoaded }
    #expect(list.map(\.count) == [20, 20])
    var changes = list.changes.makeAsyncIterator()
    var known = list.map { Array($0) }
    for typed in ["布局 3", "布局 33", "nowhere", ""] {
      list.show(Query<Doc>().inManualOrder(within: "a").matching(typed))
      let batch = try #require(await changes.next())
      batch.apply(to: &known)
      let wanted = try fetch(store, Query<Doc>().inManualOrder(within: "a").matching(typed))
      #expect(known == list.map { Array($0) })
      #expect(known == [wanted.filter { !$0.isDone }, wanted.filter(\.isDone)])
    }
  }

  @Test("a search that the user has typed on from is interrupted")
  func interrupted() async throws {
    let folder = try TemporaryFolder()
    let store = try Store(at: folder.file("docs.db"), records: [Doc.self], migrations: Doc.migrations)
    // So slow a condition that the test would not end without the interruption.
    let slow = Query<Doc>().filter(
      sql: "(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n) > 0")
    try write(store) { tx in try tx.insert([Doc(id: 1, title: "布局"), Doc(id: 2, title: "x")]) }
    let list = LiveList(Query<Doc>().matching("x"), in: store)
    try await eventually { list.map(\.id) == [2] }
    list.show(slow.matching("布"))
    list.show(slow.matching("布局"))
    list.show(Query<Doc>().matching("布局"))
    try await eventually { list.map(\.id) == [1] }
    let search = Task { for try await _ in store.search(slow.matching("布")) {} }
    search.cancel()
    _ = await search.result
    #expect(try await store.read { try $0.count(Query<Doc>()) } == 2)
  }
}
