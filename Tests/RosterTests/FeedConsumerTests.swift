import Foundation
import Testing

@testable import Roster

/// Consumers that write themselves, that are busy, and writes that are cancelled around them.
@Suite("Consumers of changes", .serialized, .timeLimit(.minutes(2)))
struct FeedConsumerTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.ordered(in: folder)
    try store.write { tx in for number in 0..<5 { try tx.insert(Item(number, in: "a")) } }
  }

  private let query = Query<Item>().inManualOrder(within: "a")

  private func insert(_ count: Int, from number: Int) async throws {
    try await store.write { tx in for number in number..<(number + count) { try tx.insert(Item(number, in: "a")) } }
  }

  @Test("one that writes from inside its loop over a list's states gets that as the next state")
  func writesInUpdates() async throws {
    var counts: [Int] = []
    for try await update in store.updates(of: query) {
      counts.append(update.records.count)
      #expect(update.changes.insertions.count == max(0, counts.count - 1))
      if counts.count == 4 { break }
      try await insert(counts.count, from: counts.count * 10)
    }
    #expect(counts == [5, 6, 8, 11])
  }

  @Test("one that writes from inside its loop over a live list's changes gets that as the next batch")
  @MainActor
  func writesInLiveList() async throws {
    let list = LiveList(query, in: store)
    while list.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    var records = Array(list)
    var batches: [[Int]] = []
    // Made before the first write, which the list may follow before this goes on.
    var iterator = list.changes.makeAsyncIterator()
    try await insert(1, from: 10)
    while let batch = await iterator.next() {
      batch.apply(to: &records)
      #expect(records == Array(list))
      batches.append([batch.insertions.count, batch.deletions.count, batch.moves.count])
      // By the store, by the list at once, and both.
      switch batches.count {
      case 1: try await insert(2, from: 20)
      case 2: list.move(fromOffsets: [0], toOffset: 3)
      case 3:
        list.remove(atOffsets: [1])
        try await insert(1, from: 30)
        while list.last?.number != 30 { try await Task.sleep(for: .milliseconds(2)) }
      default: break
      }
      if batches.count == 4 { break }
    }
    #expect(batches == [[1, 0, 0], [2, 0, 0], [0, 0, 1], [1, 1, 0]])
  }

  @Test("300 commits that come while one is amid a batch are its next batch, up to a state that can be read")
  func busy() async throws {
    let start = try await store.read { try $0.feedCursor() }
    let (heard, hear) = AsyncStream.makeStream(of: ChangeBatch.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let consumer = Task { [store] in
      var gates = gate.makeAsyncIterator()
      for try await batch in store.changes(since: start) {
        hear.yield(batch)
        await gates.next()
      }
    }
    var batches = heard.makeAsyncIterator()
    try await insert(1, from: 10)
    #expect(await batches.next()?.changes.count == 1)
    let other = try Store.ordered(in: folder)
    for number in 100..<400 {
      let writer = number % 2 == 0 ? store : other
      try await writer.write { try $0.insert(Item(number, in: "b")) }
    }
    open.yield()
    let batch = try #require(await batches.next())
    #expect(batch.changes.count == 300)
    #expect(batch.cursor == (try await store.read { try $0.feedCursor() }))
    open.yield()
    try await insert(2, from: 20)
    #expect(await batches.next()?.changes.count == 2)
    consumer.cancel()
    open.finish()
    try await consumer.value
  }

  @Test("writes that are cancelled at any moment are heard of exactly where they were stored")
  func cancelled() async throws {
    let start = try await store.read { try $0.feedCursor() }
    let (heard, hear) = AsyncStream.makeStream(of: [RecordChange].self)
    let consumer = Task { [store] in
      for try await batch in store.changes(since: start) { hear.yield(batch.changes) }
    }
    var generator = SeededGenerator()
    var stored = 0
    for number in 1000..<1300 {
      let task = Task { [store] in
        try await store.write { tx in
          for part in 0..<3 { try tx.insert(Item(number * 3 + part, in: "b", rank: number)) }
        }
      }
      for _ in 0..<generator.below(6) { await Task.yield() }
      if generator.below(2) == 0 { usleep(UInt32(generator.below(400))) }
      task.cancel()
      do {
        try await task.value
        stored += 1
      } catch is CancellationError {}
      // The connection is as good as before.
      if number % 50 == 0 { try await insert(1, from: number) }
    }
    // Cancelled when its write has returned: nothing is taken back.
    let after = Task { [store] in
      try await store.write { try $0.insert(Item(9000, in: "b")) }
      withUnsafeCurrentTask { $0?.cancel() }
      return Task.isCancelled
    }
    #expect(try await after.value)
    let last = UUID.item(9000).uuidString.lowercased()
    var ids: [SQLiteValue] = []
    for await changes in heard {
      ids += changes.map(\.id)
      if ids.contains(.text(last)) { break }
    }
    consumer.cancel()
    try await consumer.value
    let present = try await store.read { try $0.fetch("SELECT id FROM item WHERE row_key > 5", as: String.self) }
    #expect(Set(ids) == Set(present.map { .text($0) }) && ids.count == present.count)
    #expect(present.count == 3 * stored + 6 + 1, "\(stored) of 300 were stored; seed \(SeededGenerator.seed)")
  }
}
