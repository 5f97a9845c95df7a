import Foundation
import Testing

@testable import Roster

/// Faults that were found in live objects on the main actor.
@Suite("Faults of live lists", .serialized)
@MainActor
struct LiveFaultTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.ordered(in: folder)
    try store.write { tx in for number in 1...4 { try tx.insert(Item(number, in: "a")) } }
  }

  private func list() async throws -> LiveList<Item> {
    let list = LiveList(Query<Item>().inManualOrder(within: "a"), in: store)
    try await eventually { list.state.isLoaded }
    return list
  }

  @Test("own writes that meet with others' unheard ones have the list shown anew, moves that change nothing among them")
  func metOthers() async throws {
    for isHeard in [true, false] {
      let list = try await list()
      let screen = ChangeOrigin()
      var iterator = list.changes(ignoring: screen).makeAsyncIterator()
      try await store.write { _ = try $0.delete(Item.self, id: .item(2)) }
      if isHeard { try await eventually { list.count == 3 } }
      // On screen the last one was moved to the front of four.
      try await store.write(origin: screen) { tx in _ = try tx.move(Item.self, ids: [.item(4)], to: .start) }
      let batch = try #require(await iterator.next())
      #expect(batch.isReload && batch.deletions.isEmpty)
      var records = [Item(4), Item(1), Item(2), Item(3)]
      batch.apply(to: &records)
      #expect(records.map(\.number) == [4, 1, 3] && list.map(\.number) == [4, 1, 3])
      // From then on it is told row by row.
      try await store.write { _ = try $0.delete(Item.self, id: .item(1)) }
      #expect(await iterator.next()?.deletions == [1])
      try await store.write { tx in
        try tx.delete(Query<Item>())
        for number in 1...4 { try tx.insert(Item(number, in: "a")) }
      }
    }
    let list = try await list()
    let screen = ChangeOrigin()
    var iterator = list.changes(ignoring: screen).makeAsyncIterator()
    // The first one is gone, so that the move writes nothing.
    try await store.write { _ = try $0.delete(Item.self, id: .item(1)) }
    let written = try await store.write(origin: screen) { tx in try tx.move(Item.self, ids: [.item(2)], to: .start) }
    #expect(written == 0)
    #expect(await iterator.next()?.isReload == true)
  }

  @Test("own writes that make room among neighbours leave what the consumer knows right")
  func madeRoom() async throws {
    let screen = ChangeOrigin()
    let list = try await list()
    var iterator = list.changes(ignoring: screen).makeAsyncIterator()
    var numbers = [1, 2, 3, 4]
    for round in 0..<200 {
      let moved = numbers.removeLast()
      numbers.insert(moved, at: 1)
      let (id, next) = (UUID.item(moved), UUID.item(numbers[2]))
      try await store.write(origin: screen) { tx in _ = try tx.move(Item.self, ids: [id], to: .before(next)) }
      guard round % 20 == 19 else { continue }
      try await store.write { tx in try tx.insert(Item(100 + round, in: "other")) }
      try await store.write { tx in
        try tx.update(Query<Item>().filter(sql: "id = \(UUID.item(1))"), .set(\.rank, to: round))
      }
      let batch = try #require(await iterator.next())
      #expect(!batch.isReload && batch.old.map(\.number) == numbers && batch.updates.count == 1 && batch.moves.isEmpty)
    }
  }

  @Test("closing the store ends the consumers of live objects")
  func closed() async throws {
    let list = try await list()
    let record = LiveRecord(Item.self, id: .item(1), in: store)
    let sections = SectionedLiveList(Query<Item>(), sections: .by(\.isDone), in: store)
    try await eventually { record.value != nil && sections.state.isLoaded }
    var (one, two, three) = (
      list.changes.makeAsyncIterator(), record.changes.makeAsyncIterator(), sections.changes.makeAsyncIterator()
    )
    try store.close()
    #expect(await one.next() == nil)
    #expect(await two.next() == nil)
    #expect(await three.next() == nil)
    #expect(list.count == 4 && record.value?.number == 1)
  }

  @Test("a write through a list that cannot be read is stored, and is no error of the write")
  func unreadable() async throws {
    let list = try await list()
    try await store.write { tx in _ = try tx.execute("UPDATE item SET rank = 'high' WHERE title = 'item 2'") }
    try await eventually { if case .failed = list.state { true } else { false } }
    list[id: .item(1)]?.title = "stored"
    #expect(list.writeError == nil)
    #expect(try await store.read { try $0.fetch(Item.self, id: .item(1))?.title } == "stored")
    try await store.write { tx in _ = try tx.execute("UPDATE item SET rank = 1 WHERE title = 'item 2'") }
    try await eventually { list.state.isLoaded && list.first?.title == "stored" }
  }
}
