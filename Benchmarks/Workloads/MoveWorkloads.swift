import Foundation
import Roster

extension Workload {
  /// Rows moved in one long list.
  static var moves: [Workload] {
    [
      Workload(
        "move", "move one row to a random place, in a transaction", sizes: sweep, quick: [1000, 10_000, 100_000],
        isFlat: true,
        chart: ChartPlace(family: .moves, variant: "to a random place, Roster", baseline: "into a gap by hand, C")
      ) { run in
        let (store, raw) = try run.openRows()
        var written = 0
        var count = 0
        func moves(_ round: Int) -> [(Int64, Int64)] { run.places(20, round).map { ($0[0], $0[1]) } }
        try await run.race(
          Lane("Roster") { round in
            try moves(round).map { (id, place) in
              count += 1
              return try seconds {
                written += try store.write { try $0.move(BenchRow.self, ids: [id], to: .before(place)) }
              }
            }
          },
          against: Lane("C, gaps") { round in
            try moves(round).map { (id, place) in try seconds { try raw.move(id, before: place) } }
          })
        try run.expectSameOrder(store, raw)
        run.report(
          Measurement(
            "move/rows", rows: run.rows, ("Roster", Double(written) / Double(count)), unit: "rows written a move"),
          .value(atMost: 1.01))
      },
      Workload(
        "move-shift", "move the last row to the front, against an UPDATE of every row",
        sizes: sweep, quick: [1000, 10_000],
        chart: ChartPlace(family: .moves, variant: "to the front, Roster", baseline: "UPDATE of every row, C")
      ) { run in
        let (store, raw) = try run.openRows()
        func last(_ round: Int) -> Int64 { Int64(run.rows - round) }
        try await run.race(
          Lane("Roster") { round in
            [try seconds { _ = try store.write { try $0.move(BenchRow.self, ids: [last(round)], to: .start) } }]
          },
          against: Lane("C, shift all") { round in [try seconds { try raw.shiftAll(last(round)) }] })
        try run.expectSameOrder(store, raw)
      },
      Workload("move-many", "move 1,000 rows together to the end", sizes: [10_000, 100_000, 1_000_000]) { run in
        let (store, raw) = try run.openRows()
        func ids(_ round: Int) -> [Int64] { run.places(1, round, of: min(1000, run.rows / 2))[0] }
        var (written, count) = (0, 0)
        try await run.race(
          Lane("Roster") { round in
            let ids = ids(round)
            count += ids.count
            return [try seconds { written += try store.write { try $0.move(BenchRow.self, ids: ids, to: .end) } }]
          },
          against: Lane("C, gaps") { round in
            let ids = ids(round)
            return [try seconds { try raw.moveToEnd(ids) }]
          })
        try run.expectSameOrder(store, raw)
        run.report(
          Measurement(
            "move-many/rows", rows: run.rows, ("Roster", Double(written) / Double(count)),
            unit: "rows written for each"))
      },
      Workload("move-gap", "as many moves as there are rows, each into the gap that the one before has left", run: gap),
      Workload("rank", "the index of a row in the list", sizes: sweep, quick: [1000, 10_000]) { run in
        let (store, raw) = try run.openRows()
        var (found, rawFound): ([Int?], [Int?]) = ([], [])
        func ids(_ round: Int) -> [Int64] { run.places(20, round).map { $0[0] } }
        try await run.race(
          Lane("Roster") { round in
            try ids(round).map { id in
              try seconds { found.append(try store.read { try $0.index(of: id, in: BenchRow.self) }) }
            }
          },
          against: Lane("C") { round in
            try ids(round).map { id in try seconds { rawFound.append(try raw.index(of: id)) } }
          })
        try run.expect(found == rawFound && found.contains { $0 != 0 })
      },
    ]
  }

  /// Zigzag: each row goes between the one moved before and one of its neighbours, so that a gap is halved each time.
  private static func gap(_ run: Run) throws {
    let store = try run.open(run.rowFile(), [BenchRow.self], .normal)
    var dice = BenchDice(seed: 5)
    var (left, right) = (Int64(run.rows / 2), Int64(run.rows / 2 + 1))
    var counts: [Int] = []
    let time = try seconds {
      try store.write { tx in
        for step in 0..<run.rows {
          var id = Int64(1 + dice.below(run.rows))
          while id == left || id == right { id = Int64(1 + dice.below(run.rows)) }
          counts.append(try tx.move(BenchRow.self, ids: CollectionOfOne(id), to: .after(left)))
          if step.isMultiple(of: 2) { left = id } else { right = id }
        }
      }
    }
    let order = try store.read { try $0.fetch(Query<BenchRow>().inManualOrder()) }.map(\.id)
    let place = order.firstIndex(of: left)
    try run.expect(
      place.map { $0 + 1 < order.count && order[$0 + 1] == right } ?? false && Set(order).count == run.rows,
      "the rows are not where they were moved")
    run.report(
      Measurement(
        "move-gap", rows: run.rows, ("Roster, one move", Samples([time / Double(run.rows)])), against: nil))
    run.report(
      Measurement(
        "move-gap/rows", rows: run.rows, ("Roster", Double(counts.reduce(0, +)) / Double(counts.count)),
        unit: "rows written a move"), .value(atMost: 4))
    // More than 64 rows is what a rebalance writes, which the tests allow ten of in 100,000 moves. What the others write is
    // 64 at most by that, so that it has no bar of its own.
    let large = counts.count { $0 > 64 }
    run.report(
      Measurement(
        "move-gap/rebalances", rows: run.rows, ("Roster", Double(large) * 100_000 / Double(counts.count)),
        unit: "in 100,000 moves"), .value(atMost: 10))
    run.report(
      Measurement(
        "move-gap/worst", rows: run.rows, ("Roster", Double(counts.filter { $0 <= 64 }.max() ?? 0)),
        unit: "rows, outside of those"))
  }
}

extension Run {
  fileprivate func openRows() throws -> (Store, RawSQLite) {
    (try open(rowFile(), [BenchRow.self], .normal), try openRaw(rowFile(), .normal))
  }

  /// Different rows for each of a number of moves, the same ones in each run.
  fileprivate func places(_ count: Int, _ round: Int, of rows: Int = 2) -> [[Int64]] {
    var dice = BenchDice(seed: UInt64(1000 + round))
    return (0..<count).map { _ in dice.some(rows, below: self.rows).map { Int64($0 + 1) } }
  }

  fileprivate func expectSameOrder(_ store: Store, _ raw: RawSQLite) throws {
    let order = try store.read { try $0.fetch(Query<BenchRow>().inManualOrder()) }.map(\.id)
    try expect(try raw.order() == order && order.count == rows, "the two orders are not the same")
  }
}
