import Foundation
import Testing

@testable import Roster

/// Random moves in one list whose labels leave hardly any room, so that neighbours and ranges have to be relabelled.
@Suite("Lists with labels side by side")
struct OrderDenseTests {
  /// Labels that another program could have left, or long use.
  private static let positions: [SQL] = [
    "id", "\(KeptList.space.lowest) + id", "\(KeptList.space.highest) - 400 + id", "id / 3",
    "id * 2 + (id > 150) * 1000",
    "CASE WHEN id < 200 THEN \(KeptList.space.lowest) + id ELSE \(KeptList.space.highest) - 400 + id END",
    "CASE WHEN id % 50 = 7 THEN NULL WHEN id % 40 = 9 THEN id + 0.5 ELSE id END",
  ]

  @Test(
    "moves, inserts and deletions are those of an array, and every relabelling keeps the order",
    arguments: SeededGenerator.seeds)
  func random(seed: UInt64) throws {
    print("OrderDenseTests: ROSTER_SEED=\(seed)")
    var dice = SeededGenerator(seed: seed)
    let store = try Store.orderedInMemory()
    var large = 0
    try store.write { (tx: inout Transaction) throws in
      for (round, position) in OrderDenseTests.positions.enumerated() {
        try tx.delete(Query<Song>())
        try tx.insert((0..<300).map { (id: Int) in Song(id: id, title: "\(id % 7)") })
        try tx.execute(SQL(text: "UPDATE song SET track = ") + position)
        var list = try tx.songs()
        for step in 0..<150 {
          let context = "seed \(seed), round \(round), step \(step)"
          let before = tx.connection.totalChanges
          let written = try change(&tx, &list, &dice, next: 300 + step)
          let found = try tx.songs()
          try requireQuickly(found == list, context)
          if let written {
            expectQuickly(tx.connection.totalChanges - before == written, context)
            if written > LabelSpace.nearest + 1 { large += 1 }
          }
        }
        try tx.reverse(Song.self)
        #expect(try tx.songs() == list.reversed())
      }
    }
    #expect(try store.check() == [])
    // Else the test misses what it is for.
    #expect(large > 0, "seed \(seed)")
  }

  /// One random change, to both. Returns how many rows a move told that it wrote.
  private func change(
    _ tx: inout Transaction, _ list: inout [Int], _ dice: inout SeededGenerator, next: Int
  ) throws -> Int? {
    let anchor = list[dice.below(list.count)]
    let place = list.firstIndex(of: anchor) ?? 0
    switch dice.below(8) {
    case 0:
      try tx.insert(Song(id: next, title: ""), at: .after(anchor))
      list.insert(next, at: place + 1)
    case 1:
      try tx.insert(Song(id: next, title: ""), at: .before(anchor))
      list.insert(next, at: place)
    case 2:
      try tx.delete(Song.self, id: anchor)
      list.remove(at: place)
    case 3:
      let end = min(place + 1 + dice.below(40), list.count)
      let destination = dice.below(list.count + 1)
      let offsets = IndexSet(place..<end)
      list = ListMoveTests.moved(list, offsets, to: destination)
      return try tx.move(fromOffsets: offsets, toOffset: destination, in: Query<Song>().inManualOrder())
    default:
      // Many at once, or a few, from anywhere.
      let moving = Array(list.shuffled(using: &dice).prefix(dice.below(3) == 0 ? 1 + dice.below(30) : 1))
      let rest = list.filter { !moving.contains($0) }
      let index = dice.below(2) == 0 ? dice.below(rest.count + 1) : list[..<place].count { !moving.contains($0) }
      let isIndex = dice.below(2) == 0
      let target = isIndex ? index : list[..<place].count { !moving.contains($0) }
      list = rest[..<target] + moving + rest[target...]
      return try tx.move(Song.self, ids: moving, to: isIndex ? .index(index) : .before(anchor))
    }
    return nil
  }
}
