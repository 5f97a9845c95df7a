import Foundation
import Testing

@testable import Roster

@Suite("Reads and writes inside each other, and closing")
struct NestingTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.notes(in: folder)
  }

  private func texts(_ store: Store) throws -> [String] {
    try store.read { try $0.fetch(Query<Note>()) }.map(\.text)
  }

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
      return Task { try NestingTests.insert("two", store) }
    }
  }

  private func taskBegunInRead() throws -> Task<Void, any Error> {
    try store.read { [store] _ in Task { try NestingTests.insert("three", store) } }
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

  @Test("closing waits for who reads, fails who waits to read, and leaves one file")
  func closedWhileReading() async throws {
    var options = StoreOptions()
    options.readerCount = 1
    // The suite's own would keep the file open.
    try self.store.close()
    let store = try Store.notes(in: folder, options: options)
    try await store.write { try $0.insert(Note("one")) }
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let count = onThread {
      try store.read { snapshot in
        begun.signal()
        end.wait()
        return try snapshot.count(Query<Note>())
      }
    }
    try await onThread { begun.wait() }
    let waiting = Task { try await store.read { try $0.count(Query<Note>()) } }
    async let closed: Void = onThread { try store.close() }
    _ = try await failure(.closed) { try await waiting.value }
    end.signal()
    try await closed
    let names = try folder.names()
    #expect(names == ["notes.db"])
    #expect(try await count == 1)
  }

  @Test("closing inside a read is an error, and the read goes on")
  func closedInsideRead() throws {
    try store.write { try $0.insert(Note("one")) }
    try store.read { (snapshot: inout Snapshot) throws in
      _ = try failure(.misuse) { try store.close() }
      #expect(try snapshot.count(Query<Note>()) == 1)
    }
    #expect(try store.read { try $0.count(Query<Note>()) } == 1)
  }
}
