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
    let folder = try Bench.makeFolder()
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
      "append all, one time: Roster \(Bench.text([append], 3)), C \(Bench.text([appendRaw], 3)), ratio \(Bench.ratio([append], [appendRaw], 2))"
    )

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

    print("move the last row to the front: \(Bench.text(moves, 3))")
    print(
      "one row updated in a transaction: Roster \(Bench.text(updates, 3)), ratio of the move \(Bench.ratio(moves, updates, 2))"
    )
    print("the same in C: \(Bench.text(rawUpdates, 3)), ratio of the move \(Bench.ratio(moves, rawUpdates, 2))")
    print(
      "the move by an UPDATE of all rows, in C: \(Bench.text(shifts, 3)), ratio to the move \(Bench.ratio(shifts, moves, 2))"
    )
    print("the index of the last row: \(Bench.text(ranks, 3))")
  }
}
