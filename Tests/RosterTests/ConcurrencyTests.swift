import Foundation
import Testing

@testable import Roster

@Suite("Readers beside a writer", .serialized)
struct ConcurrencyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func accounts(readers: Int = 4) throws -> Store {
    var options = StoreOptions()
    options.readerCount = readers
    options.durability = .normal
    return try Store(
      at: folder.file("accounts.db"),
      migrations: [
        Migration(
          number: 1, name: "account",
          sql: """
            CREATE TABLE account (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO account SELECT i, 100 FROM n;
            CREATE TABLE version (number INTEGER NOT NULL);
            INSERT INTO version VALUES (0);
            """)
      ], options: options)
  }

  private static func transfer(_ tx: inout Transaction, _ number: Int) throws {
    try tx.execute("UPDATE account SET amount = amount - \(number) WHERE id = \(number % 50 + 1)")
    try tx.execute("UPDATE account SET amount = amount + \(number) WHERE id = \((number * 7 + 3) % 50 + 1)")
    try tx.execute("UPDATE version SET number = \(number)")
  }

  /// The state's number, twice, with the sum between: all of one snapshot.
  private static func look(_ snapshot: inout Snapshot) throws -> (Int, Int, Int) {
    let first: [Int] = try snapshot.fetch("SELECT number FROM version", as: Int.self)
    var sum = 0
    for id in 1...50 {
      let amounts: [Int] = try snapshot.fetch("SELECT amount FROM account WHERE id = \(id)", as: Int.self)
      sum += amounts[0]
    }
    let last: [Int] = try snapshot.fetch("SELECT number FROM version", as: Int.self)
    return (first[0], sum, last[0])
  }

  @Test(
    "eight threads that read while one writes see whole states, each not older than the last",
    arguments: [1, 4, 8])
  func threads(readers: Int) async throws {
    let store = try accounts(readers: readers)
    let isDone = Shared(false)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          try await onThread {
            var newest = 0
            repeat {
              let (first, sum, last) = try store.read { try ConcurrencyTests.look(&$0) }
              #expect(sum == 5000)
              #expect(first == last)
              #expect(first >= newest)
              newest = first
            } while !isDone.value
          }
        }
      }
      try await onThread {
        defer { isDone.change { $0 = true } }
        for number in 1...300 { try store.write { try ConcurrencyTests.transfer(&$0, number) } }
      }
      try await group.waitForAll()
    }
    let last = try await store.read { try ConcurrencyTests.look(&$0).0 }
    #expect(last == 300)
  }

  @Test(
    "asynchronous reads and writes from many tasks, more than there are readers, all end, and lose nothing")
  func tasks() async throws {
    let store = try accounts(readers: 2)
    try await withThrowingTaskGroup { group in
      for number in 1...64 {
        group.addTask {
          try await store.write { tx in
            let value: [Int] = try tx.fetch("SELECT number FROM version", as: Int.self)
            try tx.execute("UPDATE account SET amount = amount - 1 WHERE id = \(number % 50 + 1)")
            try tx.execute("UPDATE account SET amount = amount + 1 WHERE id = \(value[0] % 50 + 1)")
            try tx.execute("UPDATE version SET number = \(value[0] + 1)")
          }
        }
        group.addTask {
          let (first, sum, last) = try await store.read { try ConcurrencyTests.look(&$0) }
          #expect(sum == 5000)
          #expect(first == last)
        }
      }
      try await group.waitForAll()
    }
    let last = try await store.read { try ConcurrencyTests.look(&$0).0 }
    #expect(last == 64)
  }

  @Test("no more connections are opened than the limit, and they are used again")
  func limit() async throws {
    let opened = Shared(0)
    let path = folder.file("accounts.db").path
    try accounts().close()
    let pool = ReaderPool(limit: 3) { () throws(RosterError) in
      opened.change { $0 += 1 }
      let connection = try Connection(path: path, mode: .readOnly)
      // The first to read the log makes its index, and the others wait for that.
      connection.setBusyTimeout(.seconds(5))
      return connection
    }
    let inside = Shared((now: 0, most: 0))
    try await withThrowingTaskGroup { group in
      for _ in 0..<24 {
        group.addTask {
          try await onThread {
            for _ in 0..<20 {
              try pool.read { connection in
                inside.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                defer { inside.change { $0.now -= 1 } }
                let count = try connection.value("SELECT count(*) FROM account")
                #expect(count == .integer(50))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(opened.value <= 3)
    #expect(inside.value.most <= 3)
  }

  @Test("a reader that cannot be opened fails alone, and passes its turn on")
  func openFailure() async throws {
    let attempts = Shared(0)
    let path = folder.file("accounts.db").path
    try accounts().close()
    let pool = ReaderPool(limit: 1) { () throws(RosterError) in
      let attempt = attempts.change {
        $0 += 1
        return $0
      }
      if attempt % 3 != 0 { throw RosterError(.cannotOpen, "not this time") }
      return try Connection(path: path, mode: .readOnly)
    }
    let failures = Shared(0)
    try await withThrowingTaskGroup { group in
      for _ in 0..<12 {
        group.addTask {
          try await onThread {
            do {
              let value = try pool.read { try $0.value("SELECT 1") }
              #expect(value == .integer(1))
            } catch RosterError.Code.cannotOpen { failures.change { $0 += 1 } }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(failures.value == 2)
  }

  @Test("a long read does not keep a write from its commit, and sees the old state to its end")
  func longRead() throws {
    let store = try accounts()
    try store.read { snapshot in
      let before = try ConcurrencyTests.look(&snapshot)
      for number in 1...50 { try store.write { try ConcurrencyTests.transfer(&$0, number) } }
      #expect(try ConcurrencyTests.look(&snapshot) == before)
    }
    let after = try store.read { try ConcurrencyTests.look(&$0).0 }
    #expect(after == 50)
  }
}
