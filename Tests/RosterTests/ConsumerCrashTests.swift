import Foundation
import Testing

@testable import Roster
@testable import test_writer

@Suite("A killed consumer", .serialized, .timeLimit(.minutes(10)))
struct ConsumerCrashTests {
  /// What the writer knows of an entry.
  private struct Written {
    var version = 0
    var isThere = true
  }

  private struct Heard {
    let kind: String
    let version: Int?
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("has heard of each change exactly once, however often it was killed between and amid its batches")
  func kill() throws {
    let url = folder.file("heard.db")
    let store = try Mirror.store(at: url)
    try store.write { try $0.setFeedCursor(try $0.feedCursor(), of: Mirror.name) }
    var generator = SeededGenerator()
    let stop = Shared(false)
    let outcome = Shared<Result<[Int: Written], any Error>>(.success([:]))
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [generator] in
      let result = Result { try ConsumerCrashTests.write(to: store, until: stop, generator) }
      outcome.change { $0 = result }
      done.signal()
    }
    var ends: [String: Int] = [:]
    for _ in 1...CrashTests.rounds {
      let consumer = try WriterProcess(["consume", url.path])
      // Up to twelve lines, half of which say that it is amid a batch.
      var last = "start"
      for _ in 0..<generator.below(13) { last = try #require(try consumer.line()) }
      usleep(UInt32(generator.below(1500)))
      consumer.kill()
      for line in try consumer.lines() { last = line }
      try #require(["start", "amid", "after"].contains(last), "\(last)")
      ends[last, default: 0] += 1
    }
    stop.change { $0 = true }
    done.wait()
    let written = try outcome.value.get()
    print("killed: \(ends.sorted { $0.key < $1.key }), entries: \(written.count), seed \(SeededGenerator.seed)")
    #expect(ends["amid"] != nil && ends["after"] != nil, "\(ends)")
    while try Mirror.hear(in: store) > 0 {}
    try compare(store, with: written)
  }

  /// Inserts, changes and deletes entries until it is told to stop, and returns what has become of each.
  private static func write(
    to store: Store, until stop: Shared<Bool>, _ generator: SeededGenerator
  ) throws -> [Int: Written] {
    var generator = generator
    var written: [Int: Written] = [:]
    while !stop.value || written.isEmpty {
      var next = written
      try store.write { tx in
        next = written
        for _ in 0...generator.below(3) {
          let id = next.count + 1
          next[id] = Written()
          try tx.insert(Entry(id: id, batch: 0, place: 0, text: "字\(id)"))
        }
        for _ in 0..<generator.below(4) {
          let id = max(1, next.count - generator.below(20))
          guard let entry = next[id], entry.isThere else { continue }
          if generator.below(4) == 0 {
            next[id]?.isThere = false
            try tx.delete(Entry.self, id: id)
          } else {
            next[id]?.version += 1
            try tx.update(Query<Entry>().filter(sql: "id = \(id)"), .set(\.place, to: entry.version + 1))
          }
        }
      }
      written = next
      usleep(UInt32(generator.below(2000)))
    }
    return written
  }

  private func compare(_ store: Store, with written: [Int: Written]) throws {
    let rows = try store.read {
      try $0.fetch(
        "SELECT sequence, kind, entry, version FROM heard ORDER BY number", as: (Int, String, Int, Int?).self)
    }
    try requireQuickly(Set(rows.map(\.0)).count == rows.count, "a change was heard of twice")
    try requireQuickly(zip(rows, rows.dropFirst()).allSatisfy { $0.0 < $1.0 }, "changes were heard of in another order")
    let heard = Dictionary(grouping: rows, by: \.2).mapValues { $0.map { Heard(kind: $0.1, version: $0.3) } }
    try requireQuickly(Set(heard.keys).isSubset(of: written.keys), "something was heard of that was not written")
    for (id, entry) in written {
      let heard = heard[id] ?? []
      let context = "entry \(id): \(heard), which is \(entry)"
      // One that was deleted before it was heard of is not heard of at all.
      guard let first = heard.first, let last = heard.last else {
        try requireQuickly(!entry.isThere, context)
        continue
      }
      let kinds = ["insert"] + heard.dropFirst().dropLast(entry.isThere ? 0 : 1).map { _ in "update" }
      try requireQuickly(heard.map(\.kind) == kinds + (entry.isThere ? [] : ["delete"]), context)
      let versions = heard.compactMap(\.version)
      try requireQuickly(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 }, context)
      try requireQuickly(first.version != nil && last.version == (entry.isThere ? entry.version : nil), context)
    }
    #expect(try store.check() == [])
    let alive = written.values.filter(\.isThere).count
    #expect(try store.read { try $0.count(Query<Entry>()) } == alive)
  }
}
