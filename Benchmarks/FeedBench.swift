import Foundation
import Roster

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One toggle in a list that is kept current, from the commit to the events, against a fetch of the list and a comparison
/// by ids: the same record, query and change, in lists of several lengths.
struct FeedBench: Sendable {
  let rounds: Int

  /// The times of one list, in seconds.
  struct Times {
    var writesWithout: [Double] = []
    var writes: [Double] = []
    var events: [Double] = []
    var refetches: [Double] = []
    var rawRefetches: [Double] = []
  }

  private static let sizes = [10_000, 100_000, 1_000_000]

  func run() async throws {
    print("SQLite \(Store.sqliteVersion), one toggle in a list, \(rounds) rounds, median, minimum in brackets")
    var medians: [Int: Double] = [:]
    for size in FeedBench.sizes {
      let times = try await measure(size)
      medians[size] = Bench.median(times.events)
      print("\(size) rows:")
      print("  commit to events: \(Bench.text(times.events, 3))")
      print(
        "  fetch and compare: Roster \(Bench.text(times.refetches, 3)), ratio \(Bench.ratio(times.refetches, times.events, 0))"
      )
      print(
        "  the same by C calls: \(Bench.text(times.rawRefetches, 3)), ratio \(Bench.ratio(times.rawRefetches, times.events, 0))"
      )
      print("  the write: \(Bench.text(times.writes, 3)), without a list \(Bench.text(times.writesWithout, 3))")
    }
    let foreign = try await foreignWrites().sorted()
    print(
      "a commit of another process to events: \(Bench.format(Bench.median(foreign) * 1000, 3)) ms, 95th percentile "
        + "\(Bench.format(foreign[foreign.count * 95 / 100] * 1000, 3)) ms")
    if let few = medians[FeedBench.sizes[0]], let many = medians[FeedBench.sizes[2]] {
      print("commit to events, 1000000 rows against 10000: \(Bench.format(many / few, 2))")
    }
  }

  private func measure(_ size: Int) async throws -> Times {
    let folder = try Bench.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("roster.db")
    var options = StoreOptions()
    // The disk is not what is measured.
    options.durability = .normal
    let store = try Store(
      at: url, records: [BenchItem.self], migrations: BenchItem.migrations, options: options)
    let items = BenchItem.make(size)
    try await store.write { tx in for item in items { try tx.insert(item) } }
    let ids = (0..<(rounds * 2)).map { items[($0 &* 7919 &+ size / 2) % size].id }
    var times = Times()
    for id in ids.prefix(rounds) { times.writesWithout.append(try toggle(id, in: store)) }

    let query = Query<BenchItem>().sorted(by: SortDescriptor(\.title, comparator: .lexical))
    var updates = store.updates(of: query).makeAsyncIterator()
    guard var records = try await updates.next()?.records, records.count == size else {
      throw BenchFailure("the list has not \(size) rows")
    }
    for id in ids.suffix(rounds) {
      times.writes.append(try toggle(id, in: store))
      let start = ContinuousClock.now
      guard let update = try await updates.next() else { throw BenchFailure("the list has ended") }
      times.events.append(Bench.seconds(ContinuousClock.now - start))
      guard update.changes.updates.count == 1, let change = update.changes.updates.first,
        change.record.id == id, records[change.from].id == id
      else { throw BenchFailure("a toggle was \(update.changes)") }
      records = update.records
    }
    // In the order of the row keys, which costs nothing: the list's own order would have to be sorted.
    let raw = try RawSQLite(path: url.path)
    for round in 0..<max(3, min(rounds, 2_000_000 / size)) {
      let id = items[round].id
      let old = Array(records)
      _ = try toggle(id, in: store)
      var found: [Int] = []
      times.refetches.append(
        try Bench.seconds { found = FeedBench.compare(old, try store.read { try $0.fetch(Query<BenchItem>()) }) })
      guard found.count == 1, let index = found.first, old[index].id == id else {
        throw BenchFailure("fetch and compare found \(found)")
      }
      times.rawRefetches.append(try Bench.seconds { found = FeedBench.compare(old, try raw.fetchAll()) })
      guard found == [index], let update = try await updates.next() else { throw BenchFailure("C found \(found)") }
      records = update.records
    }
    return times
  }

  private func foreignWrites() async throws -> [Double] {
    let folder = try Bench.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("roster.db")
    let store = try Store(at: url, records: [BenchItem.self], migrations: BenchItem.migrations)
    let items = BenchItem.make(10_000)
    try await store.write { tx in for item in items { try tx.insert(item) } }
    return try await ForeignWrites.latencies(of: store, at: url)
  }

  /// The time of the write, in seconds.
  private func toggle(_ id: UUID, in store: Store) throws -> Double {
    // What the write before has set going is over by then.
    usleep(5_000)
    return try Bench.seconds {
      let count = try store.write { tx in
        try tx.execute("UPDATE item SET is_done = NOT is_done WHERE id = \(id)")
      }
      guard count == 1 else { throw BenchFailure("the row to toggle is not there") }
    }
  }

  /// The indices of the records that are others, by a dictionary of ids, where none came, went or moved.
  private static func compare(_ old: [BenchItem], _ new: [BenchItem]) -> [Int] {
    var places: [UUID: Int] = [:]
    places.reserveCapacity(old.count)
    for (index, item) in old.enumerated() { places[item.id] = index }
    var changed: [Int] = []
    for item in new {
      guard let index = places.removeValue(forKey: item.id) else { return [] }
      if old[index] != item { changed.append(index) }
    }
    return places.isEmpty ? changed : []
  }
}
