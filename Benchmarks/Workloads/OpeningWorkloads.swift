import Foundation
import Roster

extension Workload {
  /// A file opened, by a store that declares everything.
  static var opening: [Workload] {
    [
      Workload(
        "open", "open a file with all records declared, against one prepared query in C", sizes: sweep,
        quick: [1000, 10_000], isFlat: true,
        chart: ChartPlace(family: .opening, variant: "opened, Roster", baseline: "opened, C")
      ) { run in
        let files = (try run.fullFile(), try run.fullFile())
        var (store, raw): (Store?, RawSQLite?) = (nil, nil)
        try await run.race(
          Lane("Roster") { _ in
            try store?.close()
            return [try seconds { store = try run.open(files.0, Schema.all) }]
          },
          against: Lane("C") { _ in
            raw?.close()
            return [
              try seconds {
                let connection = try run.openRaw(files.1)
                raw = connection
                _ = try connection.fetchInOrder(run.list, limit: 1)
              }
            ]
          },
          bar: .ratio(atMost: 2), run.shortRounds)
        let query = Query<BenchTask>().inManualOrder(within: run.list)
        let first = try await store?.read { try $0.first(query) }
        try run.expect(try first != nil && first == raw?.fetchInOrder(run.list, limit: 1).first)
        try run.expect(try await store?.read { try $0.count(Query<BenchText>()) } == run.rows)
      },
      Workload(
        "first-screen", "open a file and fetch the first 50 rows of a list", sizes: sweep, quick: [1000, 10_000],
        isFlat: true,
        chart: ChartPlace(family: .opening, variant: "first 50 rows, Roster", baseline: "first 50 rows, C")
      ) { run in
        let files = (try run.fullFile(), try run.fullFile())
        let query = Query<BenchTask>().inManualOrder(within: run.list).limit(50)
        var (found, rawFound): ([BenchTask], [BenchTask]) = ([], [])
        try await run.race(
          Lane("Roster") { _ in
            var store: Store?
            let time = try seconds {
              let own = try run.open(files.0, Schema.all)
              store = own
              found = try own.read { try $0.fetch(query) }
            }
            try store?.close()
            return [time]
          },
          against: Lane("C") { _ in
            var raw: RawSQLite?
            let time = try seconds {
              let own = try run.openRaw(files.1)
              raw = own
              rawFound = try own.fetchInOrder(run.list, limit: 50)
            }
            raw?.close()
            return [time]
          }, bar: nil, run.shortRounds)
        try run.expect(found == rawFound && found == Array(run.todos(BenchTask.self).prefix(50)))
      },
    ]
  }
}

extension Run {
  fileprivate var list: UUID { todos(BenchTask.self)[0].listID }

  /// A file with rows in each table, indexed for search.
  fileprivate func fullFile() throws -> URL {
    let (tasks, titles) = (todos(BenchTask.self), titles())
    return try bench.fixtures.copy("all-\(rows)") { url in
      let store = try open(url, Schema.all, .normal)
      try store.write { tx in
        try tx.insert(tasks)
        for (id, title) in titles.enumerated() {
          try tx.insert(BenchText(id: Int64(id), title: title, isDone: false))
        }
      }
      try store.finishIndexing()
      try store.close()
    }
  }

  /// Many rounds of what takes less than a millisecond.
  fileprivate var shortRounds: Rounds {
    var rounds = rounds
    rounds.minimum = 20
    rounds.maximum = 200
    rounds.budget = min(rounds.budget, 2)
    return rounds
  }
}
