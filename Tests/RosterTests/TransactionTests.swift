import Foundation
import Testing

@testable import Roster

@Suite("Transactions")
struct TransactionTests {
  let folder: TemporaryFolder
  let store: Store

  private struct Oops: Error {}

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.notes(in: folder)
  }

  private func texts(_ store: Store) throws -> [String] {
    try store.read { try $0.fetch(Query<Note>()) }.map(\.text)
  }

  @Test("a write that throws leaves nothing, and its own error comes out")
  func rollback() async throws {
    try rollBackSync()
    await #expect(throws: Oops.self) {
      try await store.write { tx in
        _ = try tx.delete(Query<Note>())
        throw Oops()
      }
    }
    let rest = try texts(store)
    #expect(rest == ["kept"])
  }

  private func rollBackSync() throws {
    try store.write { try $0.insert(Note("kept")) }
    #expect(throws: Oops.self) {
      try store.write { tx in
        try tx.insert(Note("gone"))
        _ = try tx.update(Query<Note>(), .set(\.text, to: "changed"))
        throw Oops()
      }
    }
  }

  @Test("a failed statement whose error is caught undoes itself alone")
  func caught() throws {
    let note = Note("one")
    try store.write { tx in
      try tx.insert(note)
      _ = try failure(.uniqueViolation) { try tx.insert(note) }
      _ = try failure(.uniqueViolation) {
        try tx.execute(
          "INSERT INTO note (id, text, created) VALUES (\(UUID()), 'x', ''), (\(note.id), 'y', '')")
      }
      try tx.insert(Note("two"))
    }
    #expect(try texts(store) == ["one", "two"])
  }

  @Test("savepoints undo their own changes, at any depth")
  func savepoints() throws {
    try store.write { tx in
      try tx.insert(Note("0"))
      try tx.savepoint { tx in
        try tx.insert(Note("1"))
        #expect(throws: Oops.self) {
          try tx.savepoint { tx in
            try tx.insert(Note("2"))
            try tx.savepoint { try $0.insert(Note("3")) }
            throw Oops()
          }
        }
        let value = try tx.savepoint { tx in
          try tx.insert(Note("4"))
          return 42
        }
        #expect(value == 42)
      }
      #expect(throws: Oops.self) {
        try tx.savepoint { tx in
          _ = try tx.delete(Query<Note>())
          try tx.savepoint { try $0.insert(Note("5")) }
          throw Oops()
        }
      }
      try tx.insert(Note("6"))
    }
    #expect(try texts(store) == ["0", "1", "4", "6"])
  }

  @Test("every sequence of savepoints that end well or badly keeps what is to be kept", arguments: 0..<32)
  func everySavepoint(bits: Int) throws {
    // Bit n says whether the savepoint at depth n fails; each inserts its depth before and after the deeper one.
    func descend(_ depth: Int, _ tx: inout Transaction) throws -> [String] {
      guard depth < 5 else { return [] }
      let mark = "\(depth)"
      do {
        return try tx.savepoint { tx in
          try tx.insert(Note(mark))
          let inner = try descend(depth + 1, &tx)
          try tx.insert(Note(mark))
          if bits & (1 << depth) != 0 { throw Oops() }
          return [mark] + inner + [mark]
        }
      } catch is Oops { return [] }
    }
    let kept = try store.write { tx in try descend(0, &tx) }
    #expect(try texts(store) == kept)
  }

  static let control: [SQL] = [
    "COMMIT", "ROLLBACK", "BEGIN", "BEGIN IMMEDIATE", "END", "SAVEPOINT s", "RELEASE s", "ROLLBACK TO s",
    "ATTACH ':memory:' AS x", "DETACH main", "SAVEPOINT roster_0", "RELEASE roster_0", "ROLLBACK TO roster_0",
    " COMMIT ;",
  ]

  @Test("statements that begin or end transactions are refused, also those the engine itself has run")
  func refused() throws {
    try store.write { tx in try? tx.savepoint { _ in throw Oops() } }
    #expect(throws: Oops.self) { try store.write { _ in throw Oops() } }
    _ = try store.read { try $0.rows("SELECT 1") }
    for sql in TransactionTests.control {
      try store.write { tx in
        try tx.insert(Note("one"))
        try tx.savepoint { tx in
          _ = try failure(.notAuthorized) { try tx.execute(sql) }
          _ = try failure(.notAuthorized) { try tx.rows(sql) }
          _ = try failure(.notAuthorized) { try tx.fetch(sql, as: Int.self) }
        }
      }
      try store.read { snapshot in
        for _ in 0..<2 { _ = try failure(.notAuthorized) { try snapshot.rows(sql) } }
      }
    }
    #expect(try texts(store).count == TransactionTests.control.count)
    for sql: SQL in ["VACUUM", "VACUUM INTO 'x'"] {
      _ = try failure(.sql) { try store.write { try $0.execute(sql) } }
    }
    // The engine's own still work.
    try store.write { tx in try tx.savepoint { try $0.insert(Note("last")) } }
  }

  @Test("a text of two statements, of none, or with a NUL is refused before any of it runs")
  func texts() throws {
    for sql in [
      "DELETE FROM note; DELETE FROM note", "", "-- nothing", ";", "DELETE FROM note\0",
      "DELETE FROM note; oops",
    ] {
      try store.write { tx in
        try tx.insert(Note("kept"))
        _ = try failure(.sql) { try tx.execute(SQL(stringLiteral: sql)) }
      }
    }
    try store.write { _ = try $0.execute("UPDATE note SET text = 'changed' ; -- and no more\n ;") }
    #expect(Set(try texts(store)) == ["changed"])
  }

  // MARK: Nesting

  @Test("a write inside a write is an error and not a deadlock, also through another store or a read")
  func nestedWrite() throws {
    let other = try Store(at: folder.file("other.db"), records: [Note.self], migrations: Note.migrations)
    try store.write { tx in
      #expect(
        try failure(.misuse) { try store.write { _ in } }.message.contains("inside a write of the same store")
      )
      try store.read { _ in _ = try failure(.misuse) { try store.write { _ in } } }
      try other.write { inner in
        _ = try failure(.misuse) { try store.write { _ in } }
        try store.read { _ in _ = try failure(.misuse) { try store.write { _ in } } }
        try inner.insert(Note("other"))
      }
      _ = try failure(.misuse) { try store.close() }
      try tx.insert(Note("one"))
    }
    #expect(try texts(store) == ["one"])
    #expect(try texts(other) == ["other"])
  }

  @Test("a read inside a write sees what was committed, and one inside a read gets a snapshot of its own")
  func nestedRead() throws {
    try store.write { tx in
      try tx.insert(Note("one"))
      #expect(try texts(store) == [])
      #expect(try tx.count(Query<Note>()) == 1)
    }
    try store.read { outer in
      #expect(try outer.count(Query<Note>()) == 1)
      try store.write { try $0.insert(Note("two")) }
      try store.read { inner in
        #expect(try inner.count(Query<Note>()) == 2)
        let count = try store.read { try $0.count(Query<Note>()) }
        #expect(count == 2)
      }
      #expect(try outer.count(Query<Note>()) == 1)
    }
  }

  @Test("a write begun by a task from inside a write waits for its turn, and is no nested one")
  func taskInWrite() async throws {
    try await taskBegunInWrite().value
    try await taskBegunInRead().value
    let count = try await store.read { try $0.count(Query<Note>()) }
    #expect(count == 3)
  }

  private func taskBegunInWrite() throws -> Task<Void, any Error> {
    try store.write { [store] tx in
      try tx.insert(Note("one"))
      return Task { try TransactionTests.insert("two", store) }
    }
  }

  private func taskBegunInRead() throws -> Task<Void, any Error> {
    try store.read { [store] _ in Task { try TransactionTests.insert("three", store) } }
  }

  private static func insert(_ text: String, _ store: Store) throws {
    try store.write { try $0.insert(Note(text)) }
  }

  @Test("with one reader, a read that writes and a write that reads do not wait for each other")
  func crossed() async throws {
    var options = StoreOptions()
    options.readerCount = 1
    let store = try Store.notes(in: folder, options: options)
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          try await onThread {
            for _ in 0..<50 { try store.read { _ in try store.write { try $0.insert(Note("a")) } } }
          }
        }
        group.addTask {
          try await onThread {
            for _ in 0..<50 {
              try store.write { tx in
                try tx.insert(Note("b"))
                _ = try store.read { try $0.count(Query<Note>()) }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try await store.read { try $0.count(Query<Note>()) }
    #expect(count == 200)
  }

  @Test("a store in memory takes turns, and says so where a turn would wait for itself")
  func memory() throws {
    let store = try Store(inMemoryWith: [Note.self], migrations: Note.migrations)
    try store.write { try $0.insert(Note("one")) }
    #expect(try texts(store) == ["one"])
    try store.read { _ in
      _ = try failure(.misuse) { try store.read { _ in } }
      _ = try failure(.misuse) { try store.write { _ in } }
    }
    _ = try failure(.readOnly) { try store.read { try $0.rows("DELETE FROM note") } }
    #expect(try texts(store) == ["one"])
  }

  // MARK: Closing

  @Test("a closed store refuses everything, also what is asynchronous, and closing again does nothing")
  func closed() async throws {
    try refusesAfterClosing()
    _ = try await failure(.closed) { try await store.write { try $0.insert(Note("x")) } }
    _ = try await failure(.closed) { try await store.read { try $0.count(Query<Note>()) } }
    let names = try folder.names()
    #expect(names == ["notes.db"])
  }

  private func refusesAfterClosing() throws {
    try store.close()
    try store.close()
    _ = try failure(.closed) { try store.write { try $0.insert(Note("x")) } }
    _ = try failure(.closed) { try store.read { try $0.count(Query<Note>()) } }
    _ = try failure(.closed) { try store.check() }
    _ = try failure(.closed) { try store.backup(to: folder.file("copy.db")) }
    _ = try failure(.closed) { try store.vacuum() }
  }

  @Test("readers that wait when the store closes fail, and one that reads ends well")
  func closedWhileReading() async throws {
    var options = StoreOptions()
    options.readerCount = 1
    let store = try Store.notes(in: folder, options: options)
    let waiting = try closeWhileReading(store)
    _ = try await failure(.closed) { try await waiting.value }
  }

  private func closeWhileReading(_ store: Store) throws -> Task<Int, any Error> {
    try store.write { try $0.insert(Note("one")) }
    return try store.read { snapshot in
      let waiting = Task { try await store.read { try $0.count(Query<Note>()) } }
      try store.close()
      #expect(try snapshot.count(Query<Note>()) == 1)
      return waiting
    }
  }
}
