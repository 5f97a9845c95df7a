import Foundation
import Testing

@testable import Roster

/// Who hears of which changes, and when; what a cursor is good for.
@Suite("The change feed")
struct FeedTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The names of the cards in the next batches, until there are so many.
  private func names(_ count: Int, from iterator: inout ChangeFeed.Iterator, in store: Store) async throws -> [String] {
    var names: [String] = []
    while names.count < count, let batch = try await iterator.next() {
      for change in batch.changes {
        guard case .text(let id) = change.id else { continue }
        names += try await store.read { try $0.fetch("SELECT name FROM card WHERE id = \(id)", as: String.self) }
      }
    }
    return names
  }

  @Test("a consumer hears of writes by its own store, by another, and by a plain connection")
  func writers() async throws {
    let store = try Store.cards(in: folder)
    let start = try await store.read { try $0.feedCursor() }
    var iterator = store.changes(since: start).makeAsyncIterator()
    try await store.write { try $0.insert(Card("own")) }
    #expect(try await names(1, from: &iterator, in: store) == ["own"])
    let other = try Store.cards(in: folder)
    try await other.write { try $0.insert(Card("other")) }
    #expect(try await names(1, from: &iterator, in: store) == ["other"])
    let connection = try Connection(path: folder.file("cards.db").path, mode: .readWrite)
    try connection.execute("INSERT INTO card (id, name) VALUES ('x', 'plain')")
    #expect(try await names(1, from: &iterator, in: store) == ["plain"])
  }

  @Test("a consumer that waits is woken by a write of another connection")
  func woken() async throws {
    let store = try Store.cards(in: folder)
    let start = try await store.read { try $0.feedCursor() }
    let reader = Task {
      var iterator = store.changes(since: start).makeAsyncIterator()
      return try await names(3, from: &iterator, in: store)
    }
    let url = folder.file("cards.db")
    try await onThread {
      let connection = try Connection(path: url.path, mode: .readWrite)
      for name in ["one", "two", "three"] {
        usleep(100_000)
        try connection.execute("INSERT INTO card (id, name) VALUES ('\(name)', '\(name)')")
      }
    }
    #expect(try await reader.value == ["one", "two", "three"])
  }

  @Test("without a cursor a consumer hears of what comes after it began")
  func fromNow() async throws {
    let store = try Store.cards(in: folder)
    try await store.write { try $0.insert(Card("before")) }
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      var iterator = store.changes().makeAsyncIterator()
      begin.yield()
      return try await names(1, from: &iterator, in: store)
    }
    for await _ in began { break }
    let stop = Shared(false)
    let writer = Task {
      var number = 0
      while !stop.value {
        number += 1
        let card = Card("after \(number)")
        try await store.write { try $0.insert(card) }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    let heard = try await reader.value
    stop.change { $0 = true }
    try await writer.value
    #expect(heard.count == 1 && heard[0].hasPrefix("after"))
  }

  @Test("300 commits that come while a consumer is busy are one batch")
  func busy() async throws {
    let store = try Store.cards(in: folder)
    let start = try await store.read { try $0.feedCursor() }
    var iterator = store.changes(since: start).makeAsyncIterator()
    for number in 0..<300 { try await store.write { try $0.insert(Card("card \(number)")) } }
    let batch = try #require(try await iterator.next())
    #expect(batch.changes.count == 300)
    #expect(batch.cursor == (try await store.read { try $0.feedCursor() }))
  }

  @Test("the sequence ends where the task is cancelled, the store is closed or goes out of use")
  func ends() async throws {
    var store: Store? = try Store.cards(in: folder)
    let feed = try #require(store).changes()
    let cancelled = Task { () async throws -> Int in
      var count = 0
      for try await _ in feed { count += 1 }
      return count
    }
    let released = Task { () async throws -> Int in
      var count = 0
      for try await _ in feed { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(50))
    cancelled.cancel()
    #expect(try await cancelled.value == 0)
    store = nil
    #expect(try await released.value == 0)
    let other = try Store.cards(in: folder)
    let closed = Task { () async throws -> Int in
      var count = 0
      for try await _ in other.changes() { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(50))
    try other.close()
    #expect(try await closed.value == 0)
  }

  @Test("a consumer writes from inside its loop: that arrives as the next batch")
  func writesInside() async throws {
    let store = try Store.cards(in: folder)
    let start = try await store.read { try $0.feedCursor() }
    try await store.write { try $0.insert(Card("first")) }
    var sizes: [Int] = []
    for try await batch in store.changes(since: start) {
      sizes.append(batch.changes.count)
      if sizes.count == 3 { break }
      let round = sizes.count
      try await store.write { tx in for number in 0...round { try tx.insert(Card("\(round) \(number)")) } }
    }
    #expect(sizes == [1, 2, 3])
  }

  @Test("reads, rollbacks and checkpoints are no batch, and an idle store asks a few times a second at most")
  func idle() async throws {
    let store = try Store.cards(in: folder)
    var iterator = store.changes(since: try await store.read { try $0.feedCursor() }).makeAsyncIterator()
    try await store.write { try $0.insert(Card("a")) }
    _ = try await iterator.next()
    let waiting = iterator
    let batch = Task {
      var iterator = waiting
      return try await iterator.next()
    }
    try await Task.sleep(for: .milliseconds(1500))
    let notice = try #require(store.notice.withLock { $0 })
    let (signals, questions) = (store.signal.count, notice.questionCount)
    try await Task.sleep(for: .milliseconds(2000))
    #expect(notice.questionCount - questions <= 6)
    let url = folder.file("cards.db")
    try await onThread {
      let other = try Connection(path: url.path, mode: .readWrite)
      _ = try other.rows("SELECT * FROM card")
      try other.control("BEGIN IMMEDIATE")
      try other.execute("DELETE FROM card")
      try other.rollBack()
      _ = try other.rows("PRAGMA wal_checkpoint(PASSIVE)")
    }
    try await Task.sleep(for: .milliseconds(200))
    #expect(store.signal.count == signals)
    batch.cancel()
    #expect(try await batch.value == nil)
  }

  // MARK: Cursors

  @Test("a cursor is kept as JSON, and read on from after the store was opened again")
  func kept() throws {
    let store = try Store.cards(in: folder)
    let data = try JSONEncoder().encode(store.read { try $0.feedCursor() })
    try store.write { try $0.insert(Card("a")) }
    try store.close()
    let again = try Store.cards(in: folder)
    let cursor = try JSONDecoder().decode(FeedCursor.self, from: data)
    let batch = try again.read { try $0.changes(since: cursor) }
    #expect(batch.changes.map(\.kind) == [.insert] && !batch.isReset)
  }

  @Test("a cursor is made of a number of the log, and of none that it has not come to")
  func numbered() throws {
    let store = try Store.cards(in: folder)
    for name in ["a", "b", "c"] { try store.write { try $0.insert(Card(name)) } }
    #expect(try store.read { try $0.firstFeedCursor().sequence } == 0)
    #expect(try store.read { try $0.feedCursor(at: 3) == $0.feedCursor() })
    #expect(try store.read { try $0.changes(since: $0.feedCursor(at: 1)).changes.map(\.sequence) } == [2, 3])
    for number in [-1, 4, Int64.min, Int64.max] {
      _ = try failure(.outOfRange) { try store.read { try $0.feedCursor(at: number) } }
    }
    try store.close()
    var options = StoreOptions()
    options.changeLogLimit = 2
    let pruning = try Store.cards(in: folder, options: options)
    for name in ["d", "e", "f"] { try pruning.write { try $0.insert(Card(name)) } }
    let first = try pruning.read { try $0.firstFeedCursor() }
    #expect(first.sequence > 0)
    #expect(try pruning.read { try $0.changes(since: $0.feedCursor(at: 0)).isReset })
    let rest = try pruning.read { try $0.changes(since: first) }
    #expect(!rest.isReset && rest.changes.map(\.sequence) == Array(first.sequence + 1...6))
  }

  @Test("a cursor that the log does not reach back to, or of another log, is told to read anew")
  func reset() throws {
    var options = StoreOptions()
    options.changeLogLimit = 10
    let store = try Store.cards(in: folder, options: options)
    let old = try store.read { try $0.feedCursor() }
    for number in 0..<40 { try store.write { try $0.insert(Card("card \(number)")) } }
    let rows = try store.read { try $0.fetch("SELECT count(*) FROM roster_log", as: Int.self) }[0]
    #expect((10...20).contains(rows))
    let batch = try store.read { try $0.changes(since: old) }
    #expect(batch.isReset && batch.changes.isEmpty)
    #expect(batch.cursor == (try store.read { try $0.feedCursor() }))
    let other = try Store(inMemoryWith: [Card.self], migrations: Card.migrations)
    #expect(try other.read { try $0.changes(since: old) }.isReset)
    let ahead = FeedCursor(epoch: old.epoch, sequence: batch.cursor.sequence + 1)
    #expect(try store.read { try $0.changes(since: ahead) }.isReset)
  }

  @Test("the log is not pruned beyond what a consumer with a name has read")
  func consumers() throws {
    var options = StoreOptions()
    options.changeLogLimit = 10
    let store = try Store.cards(in: folder, options: options)
    try store.write { try $0.setFeedCursor(try $0.feedCursor(), of: "mirror") }
    for number in 0..<40 { try store.write { try $0.insert(Card("card \(number)")) } }
    let cursor = try #require(try store.read { try $0.feedCursor(of: "mirror") })
    let batch = try store.read { try $0.changes(since: cursor) }
    #expect(batch.changes.count == 40 && !batch.isReset)
    try store.write { try $0.setFeedCursor(batch.cursor, of: "mirror") }
    for number in 40..<80 { try store.write { try $0.insert(Card("card \(number)")) } }
    #expect(try store.read { try $0.changes(since: batch.cursor) }.changes.count == 40)
    #expect(try store.read { try $0.changes(since: cursor) }.isReset)
    #expect(try store.write { try $0.removeFeedConsumer("mirror") })
    #expect(try store.write { try !$0.removeFeedConsumer("mirror") })
    for number in 80..<120 { try store.write { try $0.insert(Card("card \(number)")) } }
    #expect(try store.read { try $0.changes(since: batch.cursor) }.isReset)
    #expect(try store.read { try $0.feedCursor(of: "mirror") } == nil)
    let foreign = FeedCursor(epoch: "other", sequence: 1)
    _ = try failure(.misuse) { try store.write { try $0.setFeedCursor(foreign, of: "mirror") } }
  }

  @Test("a file from before the log gets one; a table whose triggers were missing for a while is told to be read anew")
  func triggersMissing() throws {
    let plain = try Store(at: folder.file("cards.db"), migrations: Card.migrations)
    try plain.write { try $0.execute("INSERT INTO card (id, name) VALUES ('x', 'old')") }
    _ = try failure(.misuse) { try plain.read { try $0.feedCursor() } }
    try plain.close()
    let store = try Store.cards(in: folder)
    let start = try store.read { try $0.feedCursor() }
    #expect(try store.read { try $0.changes(since: start) }.isEmpty)
    try store.write { tx in
      try tx.execute("DROP TRIGGER roster_feed_delete_card")
      try tx.execute("DELETE FROM card")
    }
    try store.close()
    let again = try Store.cards(in: folder)
    #expect(try again.read { try $0.changes(since: start) }.isReset)
    let present = try again.read { try $0.feedCursor() }
    try again.write { try $0.insert(Card("new")) }
    #expect(try again.read { try $0.changes(since: present) }.changes.count == 1)
  }

  @Test("a migration may change the table's columns, and the feed says to read anew")
  func migrated() throws {
    let store = try Store.cards(in: folder)
    let start = try store.read { try $0.feedCursor() }
    try store.write { try $0.insert(Card("a")) }
    try store.close()
    let second = Migration(
      number: 2, name: "second",
      sql: "ALTER TABLE card RENAME COLUMN deck TO pile; ALTER TABLE card ADD COLUMN extra; UPDATE card SET extra = 1;")
    let again = try Store(
      at: folder.file("cards.db"), records: [Card.self], migrations: Card.migrations + [second])
    #expect(try again.read { try $0.changes(since: start) }.isReset)
    let present = try again.read { try $0.feedCursor() }
    try again.write { _ = try $0.execute("UPDATE card SET extra = 2") }
    #expect(try again.read { try $0.changes(since: present) }.changes.map(\.kind) == [.update])
  }
}
