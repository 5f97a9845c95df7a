import Foundation
import Roster

extension Workload {
  /// Pages deep into a list.
  static var pages: [Workload] {
    [
      Workload(
        "page-order", "50 rows after a random one, in the order kept by hand", sizes: sweep,
        quick: [1000, 10_000, 100_000], isFlat: true,
        chart: ChartPlace(family: .pages, variant: "in manual order, Roster", baseline: "in manual order, C")
      ) { run in
        let (store, raw) = try run.openTasks()
        let tasks = run.todos(BenchTask.self)
        let query = Query<BenchTask>().inManualOrder(within: tasks[0].listID).limit(50)
        try await run.page(
          tasks, { task in try store.read { try $0.fetch(query.after(task)) } }, { try raw.page(after: $0, limit: 50) })
      },
      Workload(
        "page-key", "50 rows after a random one, in the order of insertion", sizes: sweep,
        quick: [1000, 10_000, 100_000], isFlat: true,
        chart: ChartPlace(family: .pages, variant: "by key, Roster", baseline: "by key, C")
      ) { run in
        let url = try run.file(of: BenchItem.self)
        let (store, raw) = (try run.open(url, [BenchItem.self]), try run.openRaw(url))
        let query = Query<BenchItem>().limit(50)
        try await run.page(
          run.todos(BenchItem.self), { item in try store.read { try $0.fetch(query.after(item)) } },
          { try raw.page(after: $0, limit: 50) })
      },
    ]
  }
}

extension Run {
  /// Reads the same file by both.
  func openTasks() throws -> (Store, RawSQLite) {
    let url = try file(of: BenchTask.self)
    return (try open(url, [BenchTask.self], .normal), try openRaw(url, .normal))
  }

  fileprivate func page<R: BenchTodo & Equatable>(
    _ records: [R], _ own: @escaping (R) throws -> [R], _ raw: @escaping (R) throws -> [R]
  ) async throws {
    var (found, rawFound): ([R], [R]) = ([], [])
    /// Of all rows but the last ones, so that each page is full.
    func starts(_ round: Int) -> [R] {
      var dice = BenchDice(seed: UInt64(round))
      return (0..<20).map { _ in records[dice.below(records.count - 50)] }
    }
    try await race(
      Lane("Roster") { round in
        found = []
        return try starts(round).map { record in try seconds { found += try own(record) } }
      },
      against: Lane("C") { round in
        rawFound = []
        return try starts(round).map { record in try seconds { rawFound += try raw(record) } }
      })
    try expect(found == rawFound && found.count == 1000)
  }
}
