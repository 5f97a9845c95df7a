import Foundation
import Roster

extension Workload {
  /// What rows take up in memory and in the file.
  static var space: [Workload] {
    [
      Workload(
        "memory", "what is freed when a live list goes, against the array of its records",
        sizes: [10_000, 100_000, 1_000_000],
        quick: [10_000, 100_000]
      ) { run in
        let (store, raw) = try run.openTasks()
        let list = run.todos(BenchTask.self)[0].listID
        let query = Query<BenchTask>().inManualOrder(within: list)
        // Pages that SQLite keeps are in use before and after; only the list goes.
        let (live, shown) = try await liveListMemory(store.updates(of: query))
        let (array, fetched) = try await arrayMemory { try raw.fetchInOrder(list) }
        let (own, ownFetched) = try await arrayMemory { try store.read { try $0.fetch(query) } }
        try run.expect(shown == run.rows && fetched == run.rows && ownFetched == run.rows)
        // Each record takes up what its properties do at least, else something has kept what was to be measured.
        let least = Double(run.rows * MemoryLayout<BenchTask>.size)
        try run.expect([live, array, own].allSatisfy { $0 >= least }, "the records were not freed")
        run.report(
          Measurement(
            run.workload.id, rows: run.rows, ("live list", live / Double(run.rows)),
            against: ("array", array / Double(run.rows)), unit: "bytes a row"),
          run.rows >= 10_000 ? .ratio(atMost: 1.3) : nil)
        run.report(
          Measurement(
            "memory-fetch", rows: run.rows, ("fetched by Roster", own / Double(run.rows)),
            against: ("by C", array / Double(run.rows)), unit: "bytes a row"))
      },
      Workload("file", "the file, with the log of changes, against the table and the index of its ids") { run in
        let items = run.todos(BenchItem.self)
        var options = StoreOptions()
        options.keepsChangeLog = false
        let plain = try run.bench.fixtures.newFile()
        try Store(at: plain, records: [BenchItem.self], migrations: Schema.migrations, options: options).close()
        let raw = try run.openRaw(plain, .normal)
        try raw.insert(items)
        let own = try run.openRaw(run.file(of: BenchItem.self), .normal)
        try run.expect(try own.fetchAll() == raw.fetchAll())
        try run.reportFile("file", ("Roster", own), ("C, without a log", raw))
        let searched = try run.openRaw(run.searchedFile(), .normal)
        let byHand = try run.openRaw(run.triggerFile(), .normal)
        try run.expect(
          try searched.integer("SELECT count(*) FROM text") == byHand.integer("SELECT count(*) FROM text"))
        try run.reportFile("file-searched", ("Roster", searched), ("FTS5 by hand", byHand))
      },
    ]
  }

  /// The bytes that a live list gives back, and how many records it had.
  private static func liveListMemory(_ updates: ListUpdates<BenchTask>) async throws -> (Double, Int) {
    var iterator: ListUpdates<BenchTask>.Iterator? = updates.makeAsyncIterator()
    var records: ListRecords<BenchTask>? = try await iterator?.next()?.records
    let count = records?.count ?? 0
    let before = try await Heap.settledBytesInUse()
    iterator = nil
    records = nil
    return (try await before - Heap.settledBytesInUse(), count)
  }

  private static func arrayMemory(_ fetch: () throws -> [BenchTask]) async throws -> (Double, Int) {
    // As many as there are, without the room for more that an array grows by.
    var records = try fetch().map { $0 }
    let count = records.count
    let before = try await Heap.settledBytesInUse()
    records = []
    return (try await before - Heap.settledBytesInUse(), count)
  }
}

extension Run {
  fileprivate func reportFile(
    _ id: String, _ own: (String, RawSQLite), _ other: (String, RawSQLite)
  ) throws {
    func size(_ raw: RawSQLite) throws -> Double {
      try raw.run("VACUUM")
      return Double(try raw.integer("PRAGMA page_count") * raw.integer("PRAGMA page_size")) / Double(rows)
    }
    report(
      Measurement(
        id, rows: rows, (own.0, try size(own.1)), against: (other.0, try size(other.1)), unit: "bytes a row"))
  }
}
