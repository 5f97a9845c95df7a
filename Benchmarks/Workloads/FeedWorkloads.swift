import Foundation
import Roster

extension Workload {
  /// The log of changes, and what comes from another process.
  static var feed: [Workload] {
    [
      Workload(
        "feed-read", "the last 1,000 changes of a log", sizes: [10_000, 100_000, 1_000_000], quick: [10_000, 100_000],
        isFlat: true
      ) { run in
        var options = StoreOptions()
        options.durability = .normal
        options.changeLogLimit = 2_000_000
        let url = try run.emptyFile(BenchItem.self)
        let store = try Store(at: url, records: [BenchItem.self], migrations: Schema.migrations, options: options)
        let items = run.todos(BenchItem.self)
        try await store.write { tx in try tx.insert(items) }
        let raw = try run.openRaw(url, .normal)
        let last = try raw.integer("SELECT max(seq) FROM roster_log")
        let cursor = try await store.read { try $0.feedCursor(at: last - 1000) }
        var batch: ChangeBatch?
        var rows: [String: RawSQLite.LogRow] = [:]
        try await run.race(
          .timed("Roster") { _ in batch = try store.read { try $0.changes(since: cursor) } },
          against: .timed("C") { _ in rows = try raw.changes(since: last - 1000) })
        let found = batch?.changes ?? []
        try run.expect(
          found.count == 1000 && rows.count == 1000
            && found.allSatisfy { change in
              guard case .text(let id) = change.id, let row = rows[id] else { return false }
              return row.seq == change.sequence && row.rowKey == change.rowKey && change.kind == .insert
            })
      },
      Workload("notice", "a change that another process makes, commit to events") { run in
        let url = try run.file(of: BenchItem.self)
        let store = try run.open(url, [BenchItem.self])
        let times = try await ForeignWrites.latencies(
          of: store, ForeignWrites.Job(path: url.path, commits: run.isQuick ? 40 : 200))
        run.report(
          Measurement(run.workload.id, rows: run.rows, ("Roster", Samples(times)), against: nil), .value(atMost: 10))
      },
      Workload("notice-idle", "what a list costs while nothing happens") { run in
        let store = try run.open(run.file(of: BenchItem.self), [BenchItem.self])
        let updates = store.updates(of: Query<BenchItem>())
        let task = Task {
          var count = 0
          for try await _ in updates { count += 1 }
          return count
        }
        // The list is loaded by then.
        try await Task.sleep(for: .milliseconds(500))
        let interval = run.isQuick ? 1.5 : 10.0
        let before = processorTime()
        try await Task.sleep(for: .seconds(interval))
        let used = (processorTime() - before) / interval
        task.cancel()
        try run.expect(try await task.value == 1, "there were events")
        run.report(
          Measurement(
            run.workload.id, rows: run.rows, ("Roster", used * 1000), unit: "ms of a processor each second"),
          .value(atMost: 1))
      },
    ]
  }
}

/// The seconds that this process has had of all processors.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
