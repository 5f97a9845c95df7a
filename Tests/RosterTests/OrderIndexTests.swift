import Foundation
import Testing

@testable import Roster

/// What opening a store does for the orders that its records declare: their indexes, and places for rows without one.
@Suite("The index of an order, and adoption")
struct OrderIndexTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Items of which only some properties matter to an app, and which keep no order.
  private struct Title: Record, Hashable {
    let id: UUID
    var title: String
    static let table = Table("item", Title.init, Column("id", \.id), Column("title", \.title))
  }

  /// Items in an order within their ranks.
  private struct Ranked: Record, Hashable {
    let id: UUID
    var rank: Int
    static let table = Table(
      "item", Ranked.init, Column("id", \.id), Column("rank", \.rank), order: .manual("position", within: \.rank))
  }

  /// Items in one order over all.
  private struct Plain: Record, Hashable {
    let id: UUID
    static let table = Table("item", Plain.init(id:), Column("id", \.id), order: .manual("position"))
  }

  // The two that store too little for an insert find their columns with defaults.
  private static let migrations = [
    Migration(
      number: 1, name: "item",
      sql: """
        CREATE TABLE item (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list TEXT, title TEXT NOT NULL DEFAULT '',
          is_done INTEGER NOT NULL DEFAULT 0, rank INTEGER NOT NULL DEFAULT 0, position INTEGER
        );
        """)
  ]

  private func open(_ records: any Record.Type...) throws -> Store {
    try Store(at: folder.file("items.db"), records: records, migrations: OrderIndexTests.migrations)
  }

  private func indexes(_ store: Store) throws -> [String] {
    try store.read {
      try $0.fetch(
        "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name", as: String.self)
    }
  }

  private let scoped = #"CREATE INDEX "roster_order_item" ON "item" ("list", "position")"#

  /// Writes as another program does: through a connection of its own.
  private func foreign(_ statements: String...) throws {
    let connection = try Connection(path: folder.file("items.db").path, mode: .readWrite)
    for statement in statements { try connection.execute(statement) }
  }

  @Test("a new database has the index, opening it again changes nothing, and neither adopts a row")
  func made() throws {
    var store = try open(Item.self)
    #expect(try indexes(store) == [scoped])
    #expect(store.adoptions == [])
    try store.write { try $0.insert([Item(1, in: "a"), Item(2, in: nil)]) }
    try store.close()
    let before = try folder.contents()
    store = try open(Item.self)
    #expect(store.adoptions == [])
    try store.close()
    #expect(try folder.contents() == before)
    let memory = try Store.orderedInMemory()
    #expect(memory.adoptions == [])
    #expect(try indexes(memory).count == 2)
  }

  @Test(
    "positions that other software left as NULLs, duplicates, gaps and what are no integers are made distinct, once")
  func adopted() throws {
    try open().close()
    let positions = [
      ("a", "NULL"), ("a", "7"), ("a", "7"), ("a", "100"), ("a", "NULL"), ("a", "-3"), ("b", "1"), ("b", "2"),
      (nil, "5"), (nil, "'x'"), (nil, "4.5"), ("c", "9223372036854775807"), ("c", "x'00'"), ("c", "0"),
    ]
    for (number, (list, position)) in positions.enumerated() {
      try foreign(
        "INSERT INTO item (id, list, position) VALUES ('\(UUID.item(number))', \(list.map { "'\($0)'" } ?? "NULL"), \(position))"
          .lowercased()
      )
    }
    let store = try open(Item.self)
    // Of the first list three keep their positions, of the second both; of the others one each.
    #expect(store.adoptions == [OrderAdoption(table: "item", rows: 3 + 0 + 2 + 2)])
    #expect(try store.read { try $0.numbers(in: "a") } == [5, 1, 2, 3, 0, 4])
    #expect(try store.read { try $0.numbers(in: "b") } == [6, 7])
    #expect(try store.read { try $0.numbers(in: nil) } == [10, 8, 9])
    #expect(try store.read { try $0.numbers(in: "c") } == [13, 11, 12])
    #expect(try store.check() == [])
    let kept = try store.read { try $0.fetch("SELECT position FROM item WHERE list = 'b'", as: Int.self) }
    #expect(kept == [1, 2])
    #expect(try open(Item.self).adoptions == [])
  }

  @Test("an index that was dropped, is another or has another name is made anew, and rows are adopted then")
  func rebuilt() throws {
    let store = try open(Item.self)
    try store.write { tx in for number in 0..<4 { try tx.insert(Item(number, in: "a")) } }
    try store.close()
    for statements in [
      ["DROP INDEX roster_order_item"],
      ["DROP INDEX roster_order_item", "CREATE INDEX roster_order_item ON item (position)"],
      ["DROP INDEX roster_order_item", #"CREATE INDEX "roster_order_items" ON "item" (list, position)"#],
      [#"CREATE INDEX "roster_order_old" ON "item" (rank)"#],
    ] {
      for statement in statements { try foreign(statement) }
      try foreign("UPDATE item SET position = 0 WHERE list = 'a'")
      let store = try open(Item.self)
      #expect(try indexes(store) == [scoped], "\(statements)")
      #expect(store.adoptions == [OrderAdoption(table: "item", rows: 3)], "\(statements)")
      #expect(try store.read { try $0.numbers(in: "a") } == [0, 1, 2, 3], "\(statements)")
      try store.close()
    }
    // An index of the user's own stays.
    try foreign("CREATE INDEX mine ON item (list, position)")
    #expect(try indexes(open(Item.self)).count == 2)
  }

  @Test("without the index lists are in order and moves work; check says that it is missing, and repair makes it")
  func missing() throws {
    let store = try open(Item.self)
    try store.write { tx in for number in 0..<4 { try tx.insert(Item(number, in: "a")) } }
    try foreign("DROP INDEX roster_order_item")
    try store.write { _ = try $0.move(Item.self, ids: [.item(3)], to: .before(.item(1))) }
    #expect(try store.read { try $0.numbers(in: "a") } == [0, 3, 1, 2])
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.missingIndex])
    #expect(problems.map(\.kind.isRepairable) == [true])
    #expect(try store.repair() == problems)
    #expect(try indexes(store) == [scoped])
    #expect(try store.check() == [])
    #expect(try store.repair() == [])
  }

  @Test("another declaration makes another index; a table that keeps no order any more has none")
  func redeclared() throws {
    let store = try open(Item.self)
    try store.write { tx in
      for number in 0..<6 { try tx.insert(Item(number, in: number < 3 ? "a" : "b", rank: number % 2)) }
    }
    try store.close()
    let ranked = try open(Ranked.self)
    #expect(try indexes(ranked) == [#"CREATE INDEX "roster_order_item" ON "item" ("rank", "position")"#])
    // Of the rows of a rank, one of each list had the same label.
    let order = try ranked.read { try $0.fetch(Query<Ranked>().inManualOrder(within: 0)).map(\.id.number) }
    #expect(order == [0, 4, 2])
    try ranked.close()
    let plain = try open(Plain.self)
    #expect(try indexes(plain) == [#"CREATE INDEX "roster_order_item" ON "item" ("position")"#])
    #expect(try plain.check() == [])
    try plain.close()
    let titles = try open(Title.self)
    #expect(try indexes(titles) == [])
    #expect(titles.adoptions == [])
  }

  @Test("a record that reads a table without its order leaves the index to the one that has it")
  func twoRecords() throws {
    for records in [[Item.self, Title.self], [Title.self, Item.self]] as [[any Record.Type]] {
      let store = try Store(
        at: folder.file("items.db"), records: records, migrations: OrderIndexTests.migrations)
      #expect(try indexes(store) == [scoped])
      #expect(try store.check() == [])
      try store.close()
      let before = try folder.contents()
      try Store(at: folder.file("items.db"), records: records, migrations: OrderIndexTests.migrations).close()
      #expect(try folder.contents() == before)
    }
  }

  @Test("check names each row that has no place of its own, and repair gives it one and leaves the order")
  func repaired() throws {
    let store = try open(Item.self)
    try store.write { tx in for number in 0..<7 { try tx.insert(Item(number, in: number < 5 ? "a" : nil)) } }
    try foreign(
      "UPDATE item SET position = NULL WHERE row_key = 2", "UPDATE item SET position = 0 WHERE row_key IN (4, 6)",
      "UPDATE item SET position = 'x' WHERE row_key = 3", "UPDATE item SET position = -9e18 WHERE row_key = 7",
      "UPDATE item SET position = -9223372036854775808 WHERE row_key = 5")
    let order = try store.read { (snapshot: inout Snapshot) throws in
      (try snapshot.numbers(in: "a"), try snapshot.numbers(in: nil))
    }
    #expect(order.0 == [4, 0, 3, 2, 1] && order.1 == [6, 5])
    let problems = try store.check()
    #expect(
      problems.map { "\($0.rowKey ?? 0) \($0.kind.rawValue)" }.sorted() == [
        "2 missingPosition", "3 invalidPosition", "4 duplicatePosition", "5 invalidPosition", "7 invalidPosition",
      ])
    #expect(problems.allSatisfy { $0.table == "item" && $0.column == "position" && $0.kind.isRepairable })
    #expect(problems.first { $0.rowKey == 2 }?.recordID == "\(UUID.item(1))".lowercased())
    #expect(try store.repair().count == 5)
    #expect(try store.check() == [])
    #expect(try store.read { try $0.numbers(in: "a") } == order.0)
    #expect(try store.read { try $0.numbers(in: nil) } == order.1)
  }
}
