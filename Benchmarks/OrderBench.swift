import Foundation
import Roster

/// What is measured of an order that is kept by hand: a row that has nothing but a title and its place.
struct BenchRow: Record, Equatable {
  let id: Int64
  var title: String

  static let table = Table(
    "row", BenchRow.init, Column("id", \.id), Column("title", \.title), order: .manual("position"))

  static let migrations = [
    Migration(
      number: 1, name: "row",
      sql: "CREATE TABLE row (id INTEGER PRIMARY KEY, title TEXT NOT NULL, position INTEGER);")
  ]
}

/// Moves in one long list, against a transaction of one row, and against writing every row behind the place anew.
struct OrderBench {
  let rows: Int
  let rounds: Int

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("roster-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(
      at: folder.appendingPathComponent("roster.db"), records: [BenchRow.self], migrations: BenchRow.migrations)
    let rawURL = folder.appendingPathComponent("raw.db")
    try Store(at: rawURL, records: [BenchRow.self], migrations: BenchRow.migrations).close()
    let raw = try RawSQLite(path: rawURL.path)

    print("SQLite \(Store.sqliteVersion), one list of \(rows) rows, median of \(rounds) rounds, minimum in brackets")
    let items = (1...rows).map { BenchRow(id: Int64($0), title: "Row \($0)") }
    let append = try Bench.seconds { try store.write { tx in for item in items { try tx.insert(item) } } }
    let appendRaw = try Bench.seconds {
      try raw.insert(titles: items.map { ($0.id, $0.title) }) { Int64($0) << 32 }
    }
    print(
      "append all, one time: Roster \(text([append])), C \(text([appendRaw])), ratio \(ratio([append], [appendRaw]))")

    var moves: [Double] = []
    var updates: [Double] = []
    var rawUpdates: [Double] = []
    var shifts: [Double] = []
    var ranks: [Double] = []
    var written = 0
    for round in 0..<rounds {
      let last = Int64(rows - round)
      let isUpdateFirst = round.isMultiple(of: 2)
      func update() throws {
        updates.append(
          try Bench.seconds {
            try store.write { tx in
              _ = try tx.update(Query<BenchRow>().filter(sql: "id = \(last)"), .set(\.title, to: "Round \(round)"))
            }
          })
      }
      if isUpdateFirst { try update() }
      moves.append(
        try Bench.seconds { written += try store.write { try $0.move(BenchRow.self, ids: [last], to: .start) } })
      if !isUpdateFirst { try update() }
      rawUpdates.append(try Bench.seconds { try raw.retitle(last, "Round \(round)") })
      shifts.append(try Bench.seconds { try raw.shiftAll(last) })
      var index: Int?
      ranks.append(try Bench.seconds { index = try store.read { try $0.index(of: last - 1, in: BenchRow.self) } })
      guard index == rows - 1 else { throw BenchFailure("rank: \(index ?? -1) in place of \(rows - 1)") }
    }
    guard written == rounds else { throw BenchFailure("\(rounds) moves wrote \(written) rows") }
    let order = try store.read { try $0.fetch(Query<BenchRow>().inManualOrder()) }.map(\.id)
    guard try raw.order() == order else { throw BenchFailure("the two orders are not the same") }

    print("move the last row to the front: \(text(moves))")
    print("one row updated in a transaction: Roster \(text(updates)), ratio of the move \(ratio(moves, updates))")
    print("the same in C: \(text(rawUpdates)), ratio of the move \(ratio(moves, rawUpdates))")
    print("the move by an UPDATE of all rows, in C: \(text(shifts)), ratio to the move \(ratio(shifts, moves))")
    print("the index of the last row: \(text(ranks))")
  }

  private func text(_ values: [Double]) -> String {
    "\(Bench.format(Bench.median(values) * 1000, 3)) ms [\(Bench.format((values.min() ?? 0) * 1000, 3))]"
  }

  private func ratio(_ values: [Double], _ others: [Double]) -> String {
    Bench.format(Bench.median(values) / max(Bench.median(others), .leastNormalMagnitude), 2)
  }
}
