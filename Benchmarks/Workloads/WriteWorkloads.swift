import Foundation
import Roster

extension Workload {
  /// Records that are changed, against the same statements by C calls.
  static var writes: [Workload] {
    let sizes = [10_000, 100_000]
    return [
      Workload("transactions", "100 transactions that write one row each, and wait for the disk") { run in
        let files = (try run.file(of: BenchItem.self), try run.file(of: BenchItem.self))
        let (store, raw) = (try run.open(files.0, [BenchItem.self]), try run.openRaw(files.1))
        let items = run.todos(BenchItem.self)
        func ids(_ round: Int) -> [UUID] {
          var dice = BenchDice(seed: UInt64(round))
          return dice.some(100, below: items.count).map { items[$0].id }
        }
        var rounds = run.rounds
        rounds.minimum = max(rounds.minimum, 5)
        try await run.race(
          Lane("Roster") { round in
            // A note of its own each time: SQLite writes no page that stays as it is, and waits for no disk then.
            let (ids, note) = (ids(round), "Round \(round)")
            return [
              try seconds {
                for id in ids {
                  try store.write { tx in
                    try tx.update(Query<BenchItem>().filter(sql: "id = \(id)"), .set(\.note, to: note))
                  }
                }
              }
            ]
          },
          against: Lane("C") { round in
            let ids = ids(round)
            return [try seconds { try raw.annotate(ids, "Round \(round)") }]
          },
          bar: .ratio(atMost: 1.3), rounds)
        try run.expectSame(store, raw)
      },
      Workload("update", "update all records, one by one in one transaction", sizes: sizes) { run in
        let files = (try run.file(of: BenchItem.self), try run.file(of: BenchItem.self))
        let (store, raw) = (try run.open(files.0, [BenchItem.self]), try run.openRaw(files.1))
        func items(_ round: Int) -> [BenchItem] {
          run.todos(BenchItem.self).map { item in
            var item = item
            item.title += " \(round)"
            item.isDone.toggle()
            return item
          }
        }
        try await run.race(
          Lane("Roster") { round in
            let items = items(round)
            return [try seconds { try store.write { tx in for item in items { try tx.update(item) } } }]
          },
          against: Lane("C") { round in
            let items = items(round)
            return [try seconds { try raw.update(items) }]
          })
        try run.expectSame(store, raw)
      },
      Workload("delete", "delete every second record by its id in one transaction", sizes: sizes) { run in
        let ids = run.todos(BenchItem.self).enumerated().filter { $0.offset % 2 == 0 }.map(\.element.id)
        var (store, raw): (Store?, RawSQLite?) = (nil, nil)
        try await run.race(
          Lane("Roster") { _ in
            let own = try run.open(run.file(of: BenchItem.self), [BenchItem.self])
            store = own
            return [
              try seconds { try own.write { tx in for id in ids { try tx.delete(BenchItem.self, id: id) } } }
            ]
          },
          against: Lane("C") { _ in
            let own = try run.openRaw(run.file(of: BenchItem.self))
            raw = own
            return [try seconds { try own.delete(ids) }]
          })
        guard let store, let raw else { return }
        try run.expectSame(store, raw)
        try run.expect(try raw.fetchAll().count == run.rows - ids.count)
      },
    ]
  }
}

extension Run {
  /// Stops where the two files don't hold the same records.
  fileprivate func expectSame(_ store: Store, _ raw: RawSQLite) throws {
    try expect(try store.read { try $0.fetch(Query<BenchItem>()) } == raw.fetchAll())
  }
}
