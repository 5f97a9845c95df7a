import Foundation
import Testing

@testable import Roster

/// Lists on the main actor: what they show, when, and what consumers of their changes hear.
@Suite("Live lists", .serialized)
@MainActor
struct LiveListTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.ordered(in: folder)
    try store.write { tx in for number in 0..<5 { try tx.insert(Item(number, in: "a", isDone: number == 1)) } }
  }

  private let query = Query<Item>().inManualOrder(within: "a")

  private func loaded(_ query: Query<Item>) async throws -> LiveList<Item> {
    let list = LiveList(query, in: store)
    try await eventually { if case .loading = list.state { false } else { true } }
    return list
  }

  /// Without a pause in which the list could follow.
  private func deleteAtOnce(_ number: Int) throws {
    try store.write { _ = try $0.delete(Item.self, id: .item(number)) }
  }

  @Test("a list is loading, then loaded, and then follows its own writes, the store's, and other connections'")
  func follows() async throws {
    let list = LiveList(query, in: store)
    #expect(list.isEmpty)
    try await eventually { if case .loaded = list.state { true } else { false } }
    #expect(list.map(\.number) == [0, 1, 2, 3, 4])
    try await store.write { _ = try $0.move(Item.self, ids: [.item(4)], to: .start) }
    try await eventually { list.first?.number == 4 }
    #expect(list.map(\.number) == [4, 0, 1, 2, 3])
    let url = folder.file("ordered.db")
    try await onThread {
      let other = try Connection(path: url.path, mode: .readWrite)
      try other.execute("UPDATE item SET title = 'by another' WHERE title = 'item 2'")
    }
    try await eventually { list.contains { $0.title == "by another" } }
    list.move(fromOffsets: [0, 2], toOffset: 5)
    #expect(list.writeError == nil)
    #expect(list.map(\.number) == [0, 2, 3, 4, 1])
    list.remove(atOffsets: [1, 4])
    #expect(list.map(\.number) == [0, 3, 4])
    #expect(try await store.read { try $0.numbers(in: "a") } == [0, 3, 4])
    list.move(ids: [UUID.item(4)], to: .before(UUID.item(0)))
    #expect(list.map(\.number) == [4, 0, 3])
  }

  @Test("offsets are those of the list on screen, where it is filtered, and where the database is ahead of it")
  func filtered() async throws {
    let list = try await loaded(Query<Item>().filter(#Predicate { !$0.isDone }).inManualOrder(within: "a"))
    #expect(list.map(\.number) == [0, 2, 3, 4])
    list.move(fromOffsets: [3], toOffset: 1)
    #expect(list.map(\.number) == [0, 4, 2, 3])
    #expect(try await store.read { try $0.numbers(in: "a") } == [0, 1, 4, 2, 3])
    // Nothing on the main actor runs between these: the list shows what was before.
    try deleteAtOnce(0)
    list.remove(atOffsets: [1])
    #expect(list.map(\.number) == [2, 3])
    list.move(fromOffsets: [5], toOffset: 0)
    #expect((list.writeError as? RosterError)?.code == .outOfRange)
    #expect(list.map(\.number) == [2, 3])
  }

  @Test("a consumer gets what happened while it was busy as one batch, and the list is the list after it")
  func busy() async throws {
    let list = try await loaded(query)
    var records = Array(list)
    var iterator = list.changes.makeAsyncIterator()
    for number in 10..<310 { try await store.write { try $0.insert(Item(number, in: "a")) } }
    try await store.write { tx in
      try tx.delete(Item.self, id: .item(0))
      try tx.move(Item.self, ids: [.item(3)], to: .end)
      try tx.update(Query<Item>().filter(sql: "title = 'item 2'"), .set(\.title, to: "布局"))
    }
    try await eventually { list.last?.number == 3 }
    let batch = try #require(await iterator.next())
    #expect(
      batch.insertions.count == 300 && batch.deletions == [0] && batch.moves.count == 1 && batch.updates.count == 1)
    batch.apply(to: &records)
    #expect(records == Array(list))
  }

  @Test("batch after batch, old records and changes are the list, whatever the consumer does meanwhile")
  func batches() async throws {
    let list = try await loaded(Query<Item>().sorted(by: SortDescriptor(\.rank)))
    var records = Array(list)
    let store = store
    let writer = Task.detached {
      for number in 10..<110 {
        try await store.write { tx in
          try tx.insert(Item(number, in: "a", rank: number % 7))
          try tx.update(Query<Item>().filter(sql: "rank = \(number % 5)"), .set(\.rank, to: number % 3))
        }
      }
    }
    var seen = 0
    for await batch in list.changes {
      batch.apply(to: &records)
      #expect(records == Array(list))
      seen += batch.insertions.count
      if seen == 100 { break }
      if seen % 3 == 0 { try await Task.sleep(for: .milliseconds(3)) }
    }
    try await writer.value
    #expect(records.count == 105)
  }

  @Test("a write that changes nothing in the list has no batch")
  func nothing() async throws {
    let list = try await loaded(query)
    var iterator = list.changes.makeAsyncIterator()
    try await store.write { tx in
      try tx.insert(Item(50, in: "other"))
      try tx.update(Query<Item>(), .set(\.rank, to: 0))
      _ = try tx.move(fromOffsets: [1], toOffset: 2, in: query)
    }
    try await store.write { try $0.insert(Item(51, in: "a")) }
    let batch = try #require(await iterator.next())
    #expect(batch.insertions.map(\.record.number) == [51] && batch.updates.isEmpty && batch.moves.isEmpty)
  }

  @Test("a list keeps neither itself nor the store alive, and ends its consumers when it goes")
  func lifetime() async throws {
    weak var store: Store?
    weak var list: LiveList<Item>?
    var consumer: Task<Int, Never>?
    do {
      let held = try Store.ordered(in: folder)
      let heldList = LiveList(query, in: held)
      (store, list) = (held, heldList)
      try await eventually { if case .loaded = heldList.state { true } else { false } }
      let changes = heldList.changes
      consumer = Task { @MainActor in
        var count = 0
        for await _ in changes { count += 1 }
        return count
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    try await eventually { list == nil && store == nil }
    #expect(await consumer?.value == 0)
  }

  @Test("a query that cannot be run is a failed state, and a closed store leaves the list as it is")
  func failed() async throws {
    let list = try await loaded(Query<Item>().filter(sql: "no_such_column = 1"))
    guard case .failed(let error) = list.state else {
      Issue.record("The list is not in the failed state")
      return
    }
    #expect((error as? RosterError)?.code == .sql)
    let other = try await loaded(query)
    try store.close()
    #expect(other.count == 5)
    other.remove(atOffsets: [0])
    #expect((other.writeError as? RosterError)?.code == .closed && other.count == 5)
  }
}
