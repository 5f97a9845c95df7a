import Foundation
import Testing

@testable import Roster

/// SQLite's own shell, where it is installed: it runs no triggers of a REPLACE, and knows nothing of this library.
private let stockShell = ["/usr/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// What a consumer hears of other processes, and of nobody but them.
@Suite("The change feed beside other processes", .serialized, .timeLimit(.minutes(2)))
struct FeedProcessTests {
  let folder: TemporaryFolder
  let store: Store
  let start: FeedCursor

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.cards(in: folder)
    try store.write { try $0.insert([Card("Ace", size: 1), Card("二", size: 2)]) }
    start = try store.read { try $0.feedCursor() }
  }

  /// Runs another process that does something with the file.
  private func other(_ words: String...) async throws {
    let path = folder.file("cards.db").path
    let lines = try await onThread { try WriterProcess([words[0], path] + words.dropFirst()).lines() }
    #expect(lines == ["done"])
  }

  private func shell(_ sql: String) async throws {
    let (path, file) = (try #require(stockShell), folder.file("cards.db").path)
    let status = try await onThread {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = [file, sql]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    #expect(status == 0)
  }

  @Test("reads, rollbacks and checkpoints are no batch, and one commit is one")
  func once() async throws {
    var iterator = store.changes(since: start).makeAsyncIterator()
    try await store.write { try $0.insert(Card("own")) }
    _ = try await iterator.next()
    // The first commit is noticed by its signal as well, in its time.
    try await Task.sleep(for: .milliseconds(1200))
    let signals = store.signal.count
    try await other("visit")
    try await other("visit")
    if stockShell != nil { try await shell("PRAGMA wal_checkpoint(PASSIVE)") }
    try await Task.sleep(for: .milliseconds(1200))
    #expect(store.signal.count == signals)
    if stockShell != nil { try await shell("PRAGMA wal_checkpoint(TRUNCATE)") }
    try await other("insert", "1")
    let batch = try #require(try await iterator.next())
    #expect(batch.changes.map(\.kind) == [.insert] && !batch.isReset)
    try await other("visit")
    try await other("insert", "5")
    var kinds: [RecordChange.Kind] = []
    while kinds.count < 5, let batch = try await iterator.next() { kinds += batch.changes.map(\.kind) }
    #expect(kinds == Array(repeating: .insert, count: 5))
  }

  @Test(
    "what a sqlite3 shell writes is heard of, whatever way it writes", .enabled(if: stockShell != nil),
    arguments: [
      ("INSERT INTO card (id, name) VALUES ('x', 'new')", ["insert"]),
      ("UPDATE card SET size = 9", ["update", "update"]),
      ("UPDATE card SET size = size", []),
      ("DELETE FROM card", ["delete", "delete"]),
      ("REPLACE INTO card (id, name) VALUES ('x', 'Ace')", ["delete", "insert"]),
      ("BEGIN; DELETE FROM card; INSERT INTO card (id, name) VALUES ('x', 'y'); ROLLBACK", []),
      ("BEGIN; UPDATE card SET size = 3; DELETE FROM card WHERE name = 'Ace'; COMMIT", ["delete", "update"]),
      ("VACUUM", []),
    ])
  func stock(sql: String, expected: [String]) async throws {
    var iterator = store.changes(since: start).makeAsyncIterator()
    try await shell(sql)
    try await store.write { try $0.insert(Card("last")) }
    var kinds: [String] = []
    var isLast = false
    while !isLast, let batch = try await iterator.next() {
      #expect(!batch.isReset)
      for change in batch.changes {
        guard case .text(let id) = change.id else { continue }
        let name = try await store.read { try $0.fetch("SELECT name FROM card WHERE id = \(id)", as: String.self) }
          .first
        if name == "last" { isLast = true } else { kinds.append(change.kind.rawValue) }
      }
    }
    #expect(kinds.sorted() == expected)
  }
}
