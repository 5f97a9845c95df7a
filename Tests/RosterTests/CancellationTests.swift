import Dispatch
import Foundation
import Testing

@testable import Roster

@Suite("Cancellation", .serialized)
struct CancellationTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(
      at: folder.file("c.db"),
      migrations: [
        Migration(
          number: 1, name: "pair",
          sql: "CREATE TABLE pair (one INTEGER, two INTEGER); INSERT INTO pair VALUES (0, 0);")
      ])
  }

  private func pair() async throws -> [SQLiteValue] {
    try await store.read { try $0.rows("SELECT one, two FROM pair")[0] }
  }

  /// A gate that a closure inside a transaction stands at.
  private final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    func stand() {
      reached.signal()
      opened.wait()
    }
    func isReached() async throws { try await onThread { self.reached.wait() } }
    func open() { opened.signal() }
  }

  private static let endless = SQL(
    stringLiteral: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")

  @Test("a write cancelled in its middle is rolled back, and the next one is not interrupted")
  func middle() async throws {
    for _ in 0..<20 {
      let gate = Gate()
      let task = Task { [store] in
        try await store.write { tx in
          try tx.execute("UPDATE pair SET one = one + 1")
          gate.stand()
          // Whatever it does of this, nothing is kept.
          _ = try? tx.execute("UPDATE pair SET two = 100")
        }
      }
      try await gate.isReached()
      task.cancel()
      gate.open()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await store.write { _ = try $0.execute("UPDATE pair SET one = one + 1, two = two + 1") }
    }
    #expect(try await pair() == [.integer(20), .integer(20)])
  }

  @Test("a statement that runs for ever is interrupted, in a write and in a read")
  func running() async throws {
    let started = Gate()
    for isWrite in [true, false] {
      let task = Task { [store] in
        if isWrite {
          try await store.write { tx in
            try tx.execute("UPDATE pair SET one = 100")
            started.stand()
            _ = try tx.rows(CancellationTests.endless)
          }
        } else {
          try await store.read { try CancellationTests.readWithoutEnd(&$0, from: started) }
        }
      }
      try await started.isReached()
      started.open()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await pair() == [.integer(0), .integer(0)])
      try await store.write { _ = try $0.execute("UPDATE pair SET one = 0") }
    }
  }

  private static func readWithoutEnd(_ snapshot: inout Snapshot, from started: Gate) throws {
    _ = try snapshot.rows("SELECT 1")
    started.stand()
    _ = try snapshot.rows(endless)
  }

  @Test("a statement is interrupted also where it was cancelled in the moment in which it began")
  func beginning() async throws {
    for round in 0..<500 {
      let started = Gate()
      let task = Task { [store] in
        try await store.read { try CancellationTests.readWithoutEnd(&$0, from: started) }
      }
      try await started.isReached()
      started.open()
      for _ in 0..<(round % 50) * 20 { _ = started }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    // What comes next on the connection is not interrupted.
    #expect(try store.check() == [])
  }

  @Test("one cancelled before its turn never begins")
  func waiting() async throws {
    let gate = Gate()
    let first = Task { [store] in
      try await store.write { tx in
        gate.stand()
        try tx.execute("UPDATE pair SET one = one + 1")
      }
    }
    try await gate.isReached()
    let ran = Shared(false)
    await withThrowingTaskGroup { group in
      group.addTask { [store] in
        try await store.write { tx in
          ran.change { $0 = true }
          try tx.execute("UPDATE pair SET two = 100")
        }
      }
      group.cancelAll()
      gate.open()
      await #expect(throws: CancellationError.self) { try await group.next() }
    }
    try await first.value
    #expect(!ran.value)
    #expect(try await pair() == [.integer(1), .integer(0)])
  }

  @Test("one that waits for another process's lock gives up its wait")
  func locked() async throws {
    var options = StoreOptions()
    options.busyTimeout = .seconds(600)
    let store = try Store(at: folder.file("c.db"), migrations: store.migrator.migrations, options: options)
    let other = Gate()
    let holder = Task { [store = self.store] in try await store.write { _ in other.stand() } }
    try await other.isReached()
    let task = Task { try await store.write { _ = try $0.execute("UPDATE pair SET one = 100") } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // Also where the wait has begun.
    let begun = Task { try await store.write { _ = try $0.execute("UPDATE pair SET one = 100") } }
    for _ in 0..<1000 { await Task.yield() }
    begun.cancel()
    await #expect(throws: CancellationError.self) { try await begun.value }
    other.open()
    try await holder.value
    try await store.write { _ = try $0.execute("UPDATE pair SET one = one + 1, two = two + 1") }
    #expect(try await pair() == [.integer(1), .integer(1)])
  }

  @Test("one cancelled after its commit has its value")
  func committed() async throws {
    let task = Task { [store] in try await store.write { try $0.execute("UPDATE pair SET one = 1, two = 1") }
    }
    let changed = try await task.value
    task.cancel()
    #expect(changed == 1)
    #expect(try await pair() == [.integer(1), .integer(1)])
    // And where the task goes on to write after it was cancelled, it is refused.
    let cancelled = Task { [store] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.write { try $0.execute("UPDATE pair SET one = 2") }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test("of a thousand writes cancelled at random, those that returned are stored and no other")
  func random() async throws {
    var stored: Int64 = 0
    var cancelled = 0
    for round in 0..<1000 {
      let task = Task { [store] in
        try await store.write { tx in
          try tx.execute("UPDATE pair SET one = one + 1")
          if round % 3 == 0 {
            _ = try tx.rows("SELECT count(*) FROM json_each('[\(SQL(stringLiteral: "1,2,3"))]')")
          }
          try tx.execute("UPDATE pair SET two = two + 1")
        }
      }
      let reader = Task { [store] in try await store.read { try $0.rows("SELECT one, two FROM pair")[0] } }
      for _ in 0..<Int.random(in: 0...30) { await Task.yield() }
      task.cancel()
      if round % 2 == 0 { reader.cancel() }
      do {
        try await task.value
        stored += 1
      } catch is CancellationError { cancelled += 1 }
      if let seen = try? await reader.value { #expect(seen[0] == seen[1]) }
    }
    #expect(try await pair() == [.integer(stored), .integer(stored)])
    #expect(stored + Int64(cancelled) == 1000)
    #expect(try store.check() == [])
  }
}
