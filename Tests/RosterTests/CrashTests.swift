import Foundation
import Testing

@testable import Roster
@testable import test_writer

@Suite("A killed writer", .serialized)
struct CrashTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How often a process is killed: `ROSTER_CRASH_ROUNDS`, else 25 times.
  static var rounds: Int {
    ProcessInfo.processInfo.environment["ROSTER_CRASH_ROUNDS"].flatMap(Int.init) ?? 25
  }

  @Test("loses no acknowledged write and leaves no partial one")
  func kill() throws {
    let url = folder.file("killed.db")
    var generator = SystemRandomNumberGenerator()
    var acknowledged = 0
    for round in 1...CrashTests.rounds {
      let writer = try WriterProcess(["transactions", url.path])
      // One that is killed at once may not have opened the file.
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        let line = try #require(try writer.line())
        acknowledged = max(acknowledged, try #require(Int(line)))
      }
      usleep(UInt32.random(in: 0...8000, using: &generator))
      writer.kill()
      for line in try writer.lines() { acknowledged = max(acknowledged, try #require(Int(line))) }
      guard FileManager.default.fileExists(atPath: url.path) else { continue }
      try checkWhole(url, acknowledged, "round \(round)")
    }
    #expect(acknowledged > CrashTests.rounds)
  }

  @Test("leaves an index for search that is right, or that knows which rows it is not of")
  func indexing() throws {
    let url = folder.file("indexed.db")
    func open() throws -> Store { try Store(at: url, records: Page.records, migrations: Page.migrations) }
    let first = try open()
    try first.write { (tx: inout Transaction) throws in
      for id in 0..<3000 { try tx.insert(Page(id: id, title: "布局 \(id) first")) }
    }
    try first.close()
    for round in 1...CrashTests.rounds {
      let writer = try WriterProcess(["index", url.path])
      _ = try #require(try writer.line())
      usleep(UInt32.random(in: 0...300_000))
      writer.kill()
      _ = try writer.lines()
      let store = try open()
      #expect(try store.check() == [], "round \(round)")
      let (all, found) = try store.read { (snapshot: inout Snapshot) throws in
        (
          try snapshot.fetch(Query<Page>()).filter { $0.title.contains("7 w") }.map(\.id),
          try snapshot.fetch(Query<Page>().matching("布局 \"7 w\"", phrases: true)).map(\.id).sorted()
        )
      }
      #expect(all == found, "round \(round)")
      if round == CrashTests.rounds { try store.checkIndex() }
      try store.close()
    }
  }

  private func checkWhole(_ url: URL, _ acknowledged: Int, _ round: Comment) throws {
    let store = try Store(at: url, records: Entry.records, migrations: Entry.migrations)
    let (stored, torn) = try store.read { snapshot in
      (
        try snapshot.fetch("SELECT number FROM batch ORDER BY number", as: Int.self),
        try snapshot.fetch(
          """
          SELECT b.number FROM batch b LEFT JOIN entry e ON e.batch = b.number GROUP BY b.number, b.size
          HAVING count(e.id) <> b.size OR sum(e.text LIKE '%.') <> iif(b.number < (SELECT max(number) FROM batch), b.size, 0)
          UNION ALL SELECT batch FROM entry WHERE batch NOT IN (SELECT number FROM batch)
          """, as: Int.self)
      )
    }
    #expect(torn == [], round)
    #expect(stored == Array(1...max(1, stored.count)).prefix(stored.count).map { $0 }, round)
    #expect(stored.count >= acknowledged, round)
    #expect(try store.check() == [], round)
    try store.close()
  }
}
