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
}
