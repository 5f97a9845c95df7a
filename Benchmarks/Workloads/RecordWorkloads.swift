import Foundation
import Roster

extension Workload {
  /// Records in and out, against the same statements by C calls.
  static var records: [Workload] {
    [
      Workload(
        "insert", "insert all records in one transaction", sizes: [1000, 10_000, 100_000], quick: [10_000, 100_000],
        chart: .versusC("insert")
      ) { run in
        let items = run.todos(BenchItem.self)
        var (own, raw): (URL?, URL?) = (nil, nil)
        try await run.race(
          Lane("Roster") { _ in
            let url = try run.emptyFile(BenchItem.self)
            let store = try run.open(url, [BenchItem.self])
            let time = try seconds { try store.write { tx in for item in items { try tx.insert(item) } } }
            try store.close()
            own = url
            return [time]
          },
          against: Lane("C") { _ in
            let url = try run.emptyFile(BenchItem.self)
            let connection = try run.openRaw(url)
            let time = try seconds { try connection.insert(items) }
            connection.close()
            raw = url
            return [time]
          },
          bar: run.versusC(1.15))
        for url in [own, raw].compactMap({ $0 }) {
          let connection = try run.openRaw(url)
          try run.expect(try connection.fetchAll() == items)
        }
      },
      Workload("fetch", "fetch all records", sizes: sweep, quick: [10_000, 100_000], chart: .versusC("fetch")) { run in
        let items = run.todos(BenchItem.self)
        let url = try run.file(of: BenchItem.self)
        let (store, raw) = (try run.open(url, [BenchItem.self]), try run.openRaw(url))
        // Emptied before each round, so that to free the records of the round before isn't measured.
        var (found, rawFound): ([BenchItem], [BenchItem]) = ([], [])
        try await run.race(
          Lane("Roster") { _ in
            found = []
            return [try seconds { found = try store.read { try $0.fetch(Query<BenchItem>()) } }]
          },
          against: Lane("C") { _ in
            rawFound = []
            return [try seconds { rawFound = try raw.fetchAll() }]
          },
          bar: run.versusC(1.15))
        try run.expect(found == items && rawFound == items)
      },
      Workload(
        "look-up", "fetch as many records by their ids", sizes: [1000, 10_000, 100_000], quick: [10_000, 100_000],
        chart: .versusC("look-up")
      ) { run in
        var dice = BenchDice(seed: 2)
        let ids = run.todos(BenchItem.self).map(\.id).shuffled(using: &dice)
        let url = try run.file(of: BenchItem.self)
        let (store, raw) = (try run.open(url, [BenchItem.self]), try run.openRaw(url))
        var (found, rawFound): ([BenchItem], [BenchItem]) = ([], [])
        try await run.race(
          Lane("Roster") { _ in
            found = []
            return [try seconds { found = try store.read { try $0.fetch(BenchItem.self, ids: ids) } }]
          },
          against: Lane("C") { _ in
            rawFound = []
            return [try seconds { rawFound = try raw.fetch(ids) }]
          },
          bar: run.versusC(1.3))
        try run.expect(found == rawFound && found.map(\.id) == ids)
      },
      Workload("filter", "fetch the urgent and open ones of all records, sorted by a date", sizes: sweep) { run in
        let url = try run.file(of: BenchItem.self)
        let (store, raw) = (try run.open(url, [BenchItem.self]), try run.openRaw(url))
        let query = Query<BenchItem>().filter(#Predicate { !$0.isDone && $0.priority == 1 })
          .sorted(by: SortDescriptor(\.due))
        var (found, rawFound): ([BenchItem], [BenchItem]) = ([], [])
        try await run.race(
          Lane("Roster") { _ in
            found = []
            return [try seconds { found = try store.read { try $0.fetch(query) } }]
          },
          against: Lane("C") { _ in
            rawFound = []
            return [try seconds { rawFound = try raw.fetchUrgent() }]
          })
        try run.expect(
          found == rawFound && found.count == run.todos(BenchItem.self).count { !$0.isDone && $0.priority == 1 })
      },
    ] + writes
  }
}

extension Run {
  /// A bar against C, which is for 100,000 rows and more.
  func versusC(_ limit: Double) -> Bar? { rows >= 100_000 ? .ratio(atMost: limit) : nil }
}

extension ChartPlace {
  static func versusC(_ name: String) -> ChartPlace {
    ChartPlace(family: .records, variant: "\(name), Roster", baseline: "\(name), C")
  }
}
