import Foundation
import Roster

/// A step of one list whose order is kept by hand, which several processes move and insert in.
struct Step: Record {
  let id: UUID
  var writer: Int

  static let table = Table(
    "step", Step.init, Column("id", \.id), Column("writer", \.writer), order: .manual("position"))

  static let records: [any Record.Type] = [Step.self]

  static let migrations = [
    Migration(
      number: 1, name: "row",
      sql: """
        CREATE TABLE step (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, writer INTEGER NOT NULL, position INTEGER
        );
        """)
  ]

  /// Moves and inserts at random for so many seconds, each in its transaction, and returns how many rows were inserted.
  static func moveAndInsert(in store: Store, seconds: Int) throws -> Int {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    let writer = Int(ProcessInfo.processInfo.processIdentifier)
    var added = 0
    while clock.now < end {
      try store.write { tx in
        let ids = try tx.fetch(Query<Step>().inManualOrder()).map(\.id)
        if ids.count < 4 || Int.random(in: 0..<4) == 0 {
          try tx.insert(
            Step(id: UUID(), writer: writer), at: [.start, .end, .index(ids.count / 2)].randomElement() ?? .end)
          added += 1
        } else {
          let moving = Array(ids.shuffled().prefix(Int.random(in: 1...3)))
          let anchor = ids.randomElement() ?? moving[0]
          let places: [ListPlace<UUID>] = [.before(anchor), .after(anchor), .start, .end, .index(0)]
          try tx.move(Step.self, ids: moving, to: places.randomElement() ?? .start)
        }
      }
    }
    return added
  }
}
