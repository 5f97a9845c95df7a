import Foundation
import Testing

@testable import Roster
@testable import test_writer

/// What went wrong with orders kept by hand elsewhere, as users of other libraries reported it.
@Suite("Cases from the field: order")
struct OrderCaseTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.ordered(in: folder, options: .unlogged)
  }

  private func fill(_ numbers: some Sequence<Int>, _ list: String? = "a") throws {
    try store.write { try $0.insert(numbers.map { (number: Int) in Item(number, in: list) }) }
  }

  private func numbers(_ list: String? = "a") throws -> [Int] { try store.read { try $0.numbers(in: list) } }

  /// The positions of a list's rows, in the order of its numbers.
  private func positions(_ list: String? = "a") throws -> [Int64] {
    try store.read {
      try $0.fetch("SELECT position FROM item WHERE list IS \(list) ORDER BY row_key", as: Int64.self)
    }
  }

  @Test("five threads that append to one list at once get five places")
  func appends() async throws {
    let store = store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<5 {
        group.addTask {
          try await onThread {
            for turn in 0..<20 { try store.write { try $0.insert(Item(turn * 5 + thread, in: "a")) } }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(try positions()).count == 100)
    let found = try numbers()
    #expect(found.sorted() == Array(0..<100))
    // Each thread's own are in the order in which it appended them.
    for thread in 0..<5 { #expect(found.filter { $0 % 5 == thread } == Array(stride(from: thread, to: 100, by: 5))) }
    #expect(try store.check() == [])
  }

  @Test("a row that is dragged again and again while another process writes is not lost and not doubled")
  func dragged() throws {
    let url = folder.file("steps.db")
    let store = try Store(at: url, records: Step.records, migrations: Step.migrations)
    let mine = (0..<10).map { _ in Step(id: UUID(), writer: 0) }
    try store.write { try $0.insert(mine) }
    let other = try WriterProcess(["moves", url.path, "1"])
    try other.go()
    for turn in 0..<100 {
      try store.write { (tx: inout Transaction) throws in
        try tx.move(Step.self, ids: [mine[3].id], to: turn % 2 == 0 ? .start : .after(mine[turn % 10].id))
        let count = try tx.count(Query<Step>())
        let expected = turn % 2 == 0 ? 0 : nil
        let index = try #require(try tx.index(of: mine[3].id, in: Step.self))
        #expect(expected == nil || index == expected)
        #expect(try tx.fetch(Query<Step>().inManualOrder(), at: index)?.id == mine[3].id)
        #expect(try Set(tx.fetch(Query<Step>().inManualOrder()).map(\.id)).count == count)
      }
    }
    let lines = try other.lines()
    let added = try #require(lines.first.flatMap { Int($0.replacing("added ", with: "")) }, "\(lines)")
    let ids = try store.read { try $0.fetch(Query<Step>().inManualOrder()).map(\.id) }
    #expect(ids.count == 10 + added && Set(ids).count == ids.count && Set(ids).isSuperset(of: mine.map(\.id)))
    #expect(try store.check() == [])
  }

  @Test("two who both saw a row as the last and move it to the front leave the order of the second move")
  func sameLast() throws {
    try fill(0..<5)
    let other = try Store.ordered(in: folder)
    let last = try #require(try store.read { try $0.fetch(Query<Item>().inManualOrder(within: "a")).last })
    let same = try #require(try other.read { try $0.fetch(Query<Item>().inManualOrder(within: "a")).last })
    #expect(last == same)
    try store.write { _ = try $0.move(Item.self, ids: [last.id], to: .start) }
    try other.write { _ = try $0.move(Item.self, ids: [same.id], to: .start) }
    #expect(try numbers() == [4, 0, 1, 2, 3])
    // The last row is another by now.
    try other.write { _ = try $0.move(Item.self, ids: [.item(3), same.id], to: .start) }
    #expect(try numbers() == [3, 4, 0, 1, 2])
    #expect(try store.check() == [])
  }

  @Test("a row that moves to a list with the same labels violates nothing, and both lists keep their order")
  func sameLabels() throws {
    try fill(0..<4, "a")
    try fill(4..<8, "b")
    #expect(try positions("a") == positions("b"))
    try store.write { (tx: inout Transaction) throws in
      #expect(try tx.move(Item.self, ids: [.item(1)], to: .after(.item(5)), within: "b") == 1)
      // By an update it comes last.
      var item = try #require(try tx.fetch(Item.self, id: .item(0)))
      item.list = "b"
      try tx.update(item)
    }
    #expect(try numbers("a") == [2, 3])
    #expect(try numbers("b") == [4, 5, 1, 6, 7, 0])
    #expect(try store.check() == [])
  }

  @Test("offsets mean what list views mean by them, and a move that changes nothing writes nothing")
  func offsets() throws {
    let query = Query<Item>().inManualOrder(within: "a")
    for (offsets, destination, expected) in [
      ([0, 2], 5, [1, 3, 4, 0, 2]), ([3], 0, [3, 0, 1, 2, 4]), ([1], 1, [0, 1, 2, 3, 4]), ([1], 2, [0, 1, 2, 3, 4]),
    ] as [(IndexSet, Int, [Int])] {
      try store.write { _ = try $0.delete(Query<Item>()) }
      try fill(0..<5)
      let before = try positions()
      let written = try store.write { (tx: inout Transaction) throws in
        let changes = tx.connection.totalChanges
        let written = try tx.move(fromOffsets: offsets, toOffset: destination, in: query)
        #expect(tx.connection.totalChanges - changes == written)
        return written
      }
      #expect(try numbers() == expected)
      #expect(written == (expected == [0, 1, 2, 3, 4] ? 0 : offsets.count))
      #expect(try zip(positions(), before).count { $0 != $1 } == written)
    }
  }

  @Test(
    "10,000 inserts between the same two rows and 10,000 at the front leave the order right and the labels in bounds")
  func manyInserts() throws {
    try fill([0, 1])
    try store.write { (tx: inout Transaction) throws in
      for number in 2..<10_002 {
        try tx.insert(Item(number, in: "a"), at: number < 5_002 ? .before(.item(1)) : .after(.item(0)))
      }
      for number in 10_002..<20_002 { try tx.insert(Item(number, in: "a"), at: .start) }
    }
    let expected = (10_002..<20_002).reversed() + [0] + (5_002..<10_002).reversed() + (2..<5_002) + [1]
    #expect(try numbers() == expected)
    #expect(try positions().allSatisfy(KeptList.space.contains))
    #expect(try store.check() == [])
  }

  @Test("where another program sets every position to 0 the order is that of the integer keys, and the next move works")
  func zeros() throws {
    try fill([3, 1, 2, 0])
    try store.write { _ = try $0.move(Item.self, ids: [.item(0)], to: .start) }
    try Connection(path: folder.file("ordered.db").path, mode: .readWrite).execute("UPDATE item SET position = 0")
    #expect(try numbers() == [3, 1, 2, 0])
    #expect(try numbers() == numbers())
    try store.write { _ = try $0.move(fromOffsets: [3], toOffset: 1, in: Query<Item>().inManualOrder(within: "a")) }
    #expect(try numbers() == [3, 0, 1, 2])
    try store.write { try $0.insert(Item(4, in: "a"), at: .index(2)) }
    #expect(try numbers() == [3, 0, 4, 1, 2])
  }

  @Test("a row dragged while a filter is on leaves the hidden rows in their order")
  func filter() throws {
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<7 { try tx.insert(Item(number, in: "a", isDone: number % 2 == 1)) }
      let open = Query<Item>().filter(#Predicate { !$0.isDone }).inManualOrder(within: "a")
      #expect(try tx.fetch(open).map(\.number) == [0, 2, 4, 6])
      try tx.move(fromOffsets: [3], toOffset: 0, in: open)
      #expect(try tx.numbers(in: "a") == [6, 0, 1, 2, 3, 4, 5])
    }
  }

  @Test("where offsets are stale that is an error, also in another process's words, and a move by id works")
  func stale() throws {
    try fill(0..<4)
    let other = try Store.ordered(in: folder)
    let query = Query<Item>().inManualOrder(within: "a")
    let seen = try other.read { try $0.version(of: query) }
    try store.write { _ = try $0.move(fromOffsets: [0], toOffset: 4, in: query, ifUnchangedSince: seen) }
    _ = try failure(.listChanged) {
      try other.write { try $0.move(fromOffsets: [1], toOffset: 0, in: query, ifUnchangedSince: seen) }
    }
    // Offsets that are out of range by now are stale first of all.
    try store.write { _ = try $0.delete(Query<Item>().filter(sql: "list = 'a' AND id <> \(UUID.item(2))")) }
    _ = try failure(.listChanged) {
      try other.write { try $0.delete(atOffsets: [3], in: query, ifUnchangedSince: seen) }
    }
    try other.write { _ = try $0.move(Item.self, ids: [.item(2)], to: .end) }
    #expect(try numbers() == [2])
  }

  @Test("writing any other property leaves every position, whatever it is written by")
  func edits() throws {
    try fill(0..<6)
    try store.write { _ = try $0.move(Item.self, ids: [.item(4)], to: .start) }
    let before = try positions()
    try store.write { (tx: inout Transaction) throws in
      var item = try #require(try tx.fetch(Item.self, id: .item(1)))
      let old = item
      item.title = "updated"
      try tx.update(item)
      item.rank = 5
      try tx.update(item, from: old)
      item.isDone = true
      try tx.upsert(item)
      try tx.update(Query<Item>(), .set(\.rank, to: 3), .set(\.list, to: "a"))
      try tx.update(Query<Item>().inManualOrder(within: "a").limit(2), .set(\.isDone, to: true))
    }
    #expect(try positions() == before)
    #expect(try numbers() == [4, 0, 1, 2, 3, 5])
  }

  private struct Box: Record {
    let id: Int
    static let table = Table("box", Box.init(id:), Column("id", \.id))
  }

  private struct Thing: Record {
    let id: Int
    var box: Int
    static let table = Table(
      "thing", Thing.init, Column("id", \.id), Column("box", \.box), order: .manual("position"))
  }

  @Test("many deletions, and a cascade from a parent, leave the others in order, and the next one is the last")
  func deletions() throws {
    let sql = """
      CREATE TABLE box (id INTEGER PRIMARY KEY);
      CREATE TABLE thing (
        id INTEGER PRIMARY KEY, box INTEGER NOT NULL REFERENCES box ON DELETE CASCADE, position INTEGER
      );
      """
    let store = try Store(
      inMemoryWith: [Box.self, Thing.self], migrations: [Migration(number: 1, name: "boxes", sql: sql)])
    let query = Query<Thing>().inManualOrder()
    try store.write { (tx: inout Transaction) throws in
      for box in 0..<3 { try tx.insert(Box(id: box)) }
      for id in 0..<30 { try tx.insert(Thing(id: id, box: id % 3), at: id % 2 == 0 ? .end : .start) }
      var expected = try tx.fetch(query).map(\.id)
      try tx.insert(Thing(id: 30, box: 0))
      // The last one, whose label an append has just left.
      try tx.delete(Thing.self, id: 30)
      try tx.insert(Thing(id: 31, box: 1))
      try tx.delete(Box.self, id: 0)
      expected = (expected + [31]).filter { $0 % 3 != 0 }
      #expect(try tx.fetch(query).map(\.id) == expected)
      try tx.insert(Thing(id: 32, box: 2))
      #expect(try tx.fetch(query).map(\.id) == expected + [32])
      #expect(try tx.delete(Query<Thing>().filter(sql: "id < 20")) == 13)
      try tx.insert(Thing(id: 33, box: 1))
      #expect(try tx.fetch(query).map(\.id) == (expected + [32, 33]).filter { $0 >= 20 })
      try tx.delete(Query<Thing>())
      try tx.insert([Thing(id: 2, box: 1), Thing(id: 1, box: 1)])
      #expect(try tx.fetch(query).map(\.id) == [2, 1])
    }
    #expect(try store.check() == [])
  }

  @Test(
    "positions that other software filled with NULLs, duplicates and gaps are adopted when a store opens, and reported")
  func adopted() throws {
    try fill(0..<6)
    try store.close()
    let path = folder.file("ordered.db")
    let connection = try Connection(path: path.path, mode: .readWrite)
    try connection.execute("DROP INDEX roster_order_item")
    let cases =
      "CASE row_key WHEN 1 THEN NULL WHEN 2 THEN 9 WHEN 3 THEN NULL WHEN 4 THEN 9 WHEN 5 THEN -4000 ELSE 5 END"
    try connection.execute("UPDATE item SET position = \(cases)")
    let adopted = try Store.ordered(in: folder)
    #expect(adopted.adoptions == [OrderAdoption(table: "item", rows: 3)])
    #expect(try adopted.read { try $0.numbers(in: "a") } == [4, 5, 1, 3, 0, 2])
    #expect(try adopted.check() == [])
    let kept = try adopted.read { try $0.fetch("SELECT position FROM item WHERE row_key >= 4", as: Int.self) }
    #expect(kept == [9, -4000, 5])
  }
}
