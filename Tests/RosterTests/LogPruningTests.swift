import Foundation
import Testing

@testable import Roster

/// What of the log of changes is kept, and for whom.
@Suite("Pruning the change log")
struct LogPruningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let day: Int64 = 24 * 60 * 60 * 1000
  private static let month = LogRetention(count: 1_000_000, age: .seconds(30 * 24 * 60 * 60))
  private static let start: Int64 = 1_790_000_000_000

  private func insert(_ names: String..., in store: Store) throws {
    try store.write { tx in for name in names { try tx.insert(Card(name)) } }
  }

  private func sequences(_ store: Store) throws -> [Int] {
    try store.read { try $0.fetch("SELECT seq FROM roster_log ORDER BY seq", as: Int.self) }
  }

  private func notes(_ store: Store) throws -> [Int] {
    try store.read { try $0.fetch("SELECT seq FROM roster_log_time ORDER BY seq", as: Int.self) }
  }

  /// Looks after the log as a store does at a time, in days.
  private func maintain(_ store: Store, at days: Int64, _ retention: LogRetention = month) throws {
    let now = LogPruningTests.start + days * LogPruningTests.day
    try store.writing().run { try ChangeLog(connection: $0).maintain(retention, now: now) }
  }

  private var plain: StoreOptions {
    var options = StoreOptions()
    options.changeLogAge = nil
    return options
  }

  @Test("rows go when they are known to be older than the age, and their consumers are told")
  func age() throws {
    let store = try Store.cards(in: folder, options: plain)
    let cursors = try (0..<4).map { number in
      let cursor = try store.read { try $0.feedCursor() }
      try insert("card \(number)", in: store)
      try maintain(store, at: Int64(number) * 10)
      return cursor
    }
    #expect(try sequences(store) == [1, 2, 3, 4])
    #expect(try notes(store) == [2, 3, 4])
    // The first row was there by day 0, the second by day 10.
    try maintain(store, at: 39)
    #expect(try sequences(store) == [1, 2, 3, 4])
    try maintain(store, at: 40)
    #expect(try sequences(store) == [2, 3, 4])
    #expect(try store.read { try $0.changes(since: cursors[0]) }.isReset)
    #expect(try store.read { try $0.changes(since: cursors[1]) }.isReset)
    #expect(try store.read { try $0.changes(since: cursors[2]) }.changes.count == 2)
    try maintain(store, at: 1000)
    #expect(try sequences(store) == [4])
    #expect(try notes(store) == [])
    #expect(try store.read { try $0.changes(since: cursors[3]) }.isReset)
    let present = try store.read { try $0.feedCursor() }
    #expect(
      try store.read { try $0.changes(since: present) } == ChangeBatch(changes: [], cursor: present, isReset: false))
    try insert("more", in: store)
    #expect(try store.read { try $0.changes(since: present) }.changes.count == 1)
  }

  @Test("the time is noted no more often than it is of use, and not while nothing is written")
  func notes() throws {
    let store = try Store.cards(in: folder, options: plain)
    try maintain(store, at: 0)
    #expect(try notes(store) == [])
    for day in 0..<30 {
      try insert("card \(day)", in: store)
      try maintain(store, at: Int64(day))
    }
    // Every two days, as a sixteenth of 30 is less than two.
    #expect(try notes(store) == Array(stride(from: 1, to: 30, by: 2)))
    try maintain(store, at: 30)
    let noted = try notes(store)
    for day in 31..<59 { try maintain(store, at: Int64(day)) }
    #expect(try notes(store).isSubset(of: noted))
    let without = LogRetention(count: 1_000_000, age: nil)
    try maintain(store, at: 1000, without)
    #expect(try sequences(store).last == 30 && (try sequences(store).count > 1))
  }

  @Test("a clock that was set back or forward for a while takes no row that is young")
  func clock() throws {
    let store = try Store.cards(in: folder, options: plain)
    try insert("a", in: store)
    try maintain(store, at: 4000)
    try insert("b", in: store)
    try maintain(store, at: 0)
    try insert("c", in: store)
    try maintain(store, at: 20)
    #expect(try sequences(store) == [1, 2, 3])
    try maintain(store, at: 30)
    #expect(try sequences(store) == [2, 3])
    try maintain(store, at: 50)
    #expect(try sequences(store) == [3])
    try store.write { _ = try $0.execute("INSERT INTO roster_log_time VALUES (900, \(Int64.min))") }
    try insert("d", in: store)
    try maintain(store, at: 51)
    #expect(try sequences(store).last == 4)
    #expect(try store.read { try $0.feedCursor() }.sequence == 4)
  }

  @Test("what a consumer with a name has not read is kept at any age, until the log is pruned in spite of it")
  func unread() throws {
    let store = try Store.cards(in: folder, options: plain)
    try insert("a", "b", in: store)
    let cursor = try store.read { try $0.feedCursor() }
    try store.write { try $0.setFeedCursor(cursor, of: "mirror") }
    try insert("c", "d", "e", in: store)
    try maintain(store, at: 0)
    try maintain(store, at: 100)
    #expect(try sequences(store) == [2, 3, 4, 5])
    #expect(try store.write { try $0.pruneChangeLog(keeping: 1) } == 0)
    #expect(try store.read { try $0.changes(since: cursor) }.changes.count == 3)
    #expect(try store.write { try $0.pruneChangeLog(keeping: 1, evenUnread: true) } == 2)
    #expect(try sequences(store) == [4, 5])
    #expect(
      try store.read { snapshot in try snapshot.feedCursor(of: "mirror").map { try snapshot.changes(since: $0) } }?
        .isReset == true)
  }

  @Test("so many rows as asked for are kept, whatever is asked for")
  func count() throws {
    let store = try Store.cards(in: folder, options: plain)
    try insert("a", "b", "c", "d", "e", in: store)
    let kept: [(count: Int, left: [Int])] = [
      (.max, [1, 2, 3, 4, 5]), (5, [1, 2, 3, 4, 5]), (3, [2, 3, 4, 5]), (0, [5]), (-7, [5]),
    ]
    for (count, left) in kept {
      try store.write { _ = try $0.pruneChangeLog(keeping: count) }
      #expect(try sequences(store) == left, "\(count)")
    }
    let unlogged = try Store(at: folder.file("plain.db"))
    _ = try failure(.misuse) { try unlogged.write { try $0.pruneChangeLog(keeping: 1) } }
    #expect(try store.check() == [])
  }

  @Test("a store looks after the age when it is written to, and not when it is opened")
  func opening() throws {
    var store = try Store.cards(in: folder)
    try insert("a", in: store)
    try insert("b", in: store)
    #expect(try notes(store) == [1])
    let old = SQL(stringLiteral: "UPDATE roster_log_time SET time = time - \(31 * LogPruningTests.day)")
    try store.write { _ = try $0.execute(old) }
    try store.close()
    let before = try Data(contentsOf: folder.file("cards.db"))
    try Store.cards(in: folder).close()
    #expect(try Data(contentsOf: folder.file("cards.db")) == before)
    store = try Store.cards(in: folder)
    try insert("c", in: store)
    #expect(try notes(store) == [3])
    try store.write { _ = try $0.execute(old) }
    try store.close()
    store = try Store.cards(in: folder)
    try insert("d", in: store)
    #expect(try sequences(store) == [3, 4] && notes(store) == [4])
    var options = StoreOptions()
    options.changeLogAge = .zero
    store = try Store.cards(in: folder, options: options)
    for name in ["e", "f", "g"] { try insert(name, in: store) }
    #expect(try sequences(store).count <= 2)
  }

  @Test("a log from before there were times keeps its rows, its consumers and its cursors")
  func upgraded() throws {
    // As they were made then.
    let former = Migration(
      number: 2, name: "log",
      sql: """
        CREATE TABLE roster_log (
          seq INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, source TEXT NOT NULL, row_key INTEGER, record_id
        );
        CREATE TABLE roster_feed (id INTEGER PRIMARY KEY CHECK (id = 1), epoch TEXT NOT NULL, pruned INTEGER NOT NULL);
        CREATE TABLE roster_consumer (name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
        INSERT INTO roster_feed VALUES (1, 'former', 1);
        INSERT INTO roster_consumer VALUES ('mirror', 1);
        """)
    let migrations = Card.migrations + [former]
    let url = folder.file("cards.db")
    try Store(at: url, migrations: migrations, options: .unlogged).close()
    do {
      let connection = try Connection(path: url.path, mode: .readWrite)
      for table in try LoggedTable.tables(of: [Card.self], on: connection) { try table.makeTriggers(on: connection) }
      for (place, name) in ["a", "b", "c"].enumerated() {
        let id = UUID.item(place).uuidString.lowercased()
        try connection.execute(
          "INSERT INTO card (id, name, position) VALUES ('\(id)', '\(name)', \(1000 * place))")
      }
      try connection.execute("DELETE FROM roster_log WHERE seq = 1")
    }
    var options = StoreOptions()
    options.access = .readOnly
    let reader = try Store(at: url, records: [Card.self], migrations: migrations, options: options)
    let cursor = FeedCursor(epoch: "former", sequence: 1)
    #expect(try reader.read { try $0.changes(since: cursor) }.changes.count == 2)
    try reader.close()
    let store = try Store(at: url, records: [Card.self], migrations: migrations)
    #expect(try sequences(store) == [2, 3])
    #expect(try notes(store) == [])
    let batch = try store.read { try $0.changes(since: cursor) }
    #expect(batch.changes.map(\.kind) == [.insert, .insert] && !batch.isReset)
    #expect(try store.read { try $0.feedCursor(of: "mirror") } == cursor)
    #expect(try store.check() == [])
  }
}

extension [Int] {
  fileprivate func isSubset(of other: [Int]) -> Bool { Set(self).isSubset(of: other) }
}
