import Foundation
import Testing

@testable import Roster

/// Lists, columns and schemas that are easily taken for others.
@Suite("Lists with odd values, columns and schemas")
struct OrderFaultTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String = "odd.db") -> URL { folder.file(name) }

  private func migration(_ number: Int = 1, _ sql: String) -> Migration {
    Migration(number: number, name: "m\(number)", sql: sql)
  }

  @Test("lists whose names differ only in how a character is spelled are two lists")
  func spelling() throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    let store = try Store.ordered(in: folder)
    try store.write { tx in
      for number in 1...2 { try tx.insert(Item(number, in: one)) }
      for number in 3...5 { try tx.insert(Item(number, in: two)) }
      // Appends in turn, which remember the last labels.
      try tx.insert(Item(6, in: one))
      try tx.insert(Item(7, in: two))
      #expect(try tx.numbers(in: one) == [1, 2, 6] && tx.numbers(in: two) == [3, 4, 5, 7])
      try tx.move(Item.self, ids: [.item(1)], to: .end, within: two)
      #expect(try tx.numbers(in: one) == [2, 6] && tx.numbers(in: two) == [3, 4, 5, 7, 1])
      try tx.move(Item.self, ids: [.item(1)], to: .before(.item(4)))
      try tx.update(Item(2, in: two))
      #expect(try tx.numbers(in: two) == [3, 1, 4, 5, 7, 2])
      let item = try #require(try tx.fetch(Item.self, id: .item(6)))
      var changed = item
      changed.list = two
      try tx.update(changed, from: item)
      #expect(try tx.numbers(in: one) == [] && tx.numbers(in: two) == [3, 1, 4, 5, 7, 2, 6])
    }
    #expect(try store.check() == [])
  }

  private struct Weighed: Record {
    let id: Int
    var weight: Double

    static let table = Table(
      "weighed", Weighed.init, Column("id", \.id), Column("weight", \.weight),
      order: .manual("position", within: \.weight))
  }

  @Test(
    "a list told by a whole number is found, whether the column stores 1 or 1.0",
    arguments: ["NUMERIC", "REAL", "INTEGER"])
  func numbers(type: String) throws {
    let sql = "CREATE TABLE weighed (id INTEGER PRIMARY KEY, weight \(type) NOT NULL, position INTEGER);"
    let store = try Store(at: file(), records: [Weighed.self], migrations: [migration(1, sql)])
    try store.write { tx in
      for id in 1...3 { try tx.insert(Weighed(id: id, weight: 1)) }
      try tx.insert(Weighed(id: 4, weight: 2.5))
      try tx.move(Weighed.self, ids: [1], to: .after(2), within: 1.0)
      try tx.move(Weighed.self, ids: [4], to: .start, within: 1.0)
      try tx.update(Weighed(id: 3, weight: 2.5))
    }
    let ids = try store.read { try $0.fetch(Query<Weighed>().inManualOrder()).map(\.id) }
    #expect(ids == [4, 2, 1, 3])
    #expect(try store.check() == [])
  }

  @Test("a list whose name is not valid UTF-8 is refused, and repair says only what it has put right")
  func invalidName() throws {
    let store = try Store.ordered(in: folder)
    try store.write { tx in
      for number in 1...3 { try tx.insert(Item(number, in: "a")) }
      try tx.execute("UPDATE item SET list = CAST(x'61ff' AS TEXT), position = 0")
    }
    _ = try failure(.typeMismatch) { try store.write { try $0.move(Item.self, ids: [.item(3)], to: .start) } }
    // Another property may be written all the same, and leaves the name as it is.
    try store.write { tx in
      var item = try #require(try tx.fetch(Item.self, id: .item(3)))
      item.rank = 9
      try tx.update(item)
      #expect(try tx.fetch("SELECT hex(list) || rank FROM item WHERE rank = 9", as: String.self) == ["61FF9"])
    }
    let repaired = Set(try store.repair())
    #expect(try repaired.isDisjoint(with: store.check()))
  }

  private struct Hidden: Record {
    let id: Int
    var rowid: Int

    static let table = Table(
      "hidden", Hidden.init, Column("id", \.id), Column("rowid", \.rowid), order: .manual("position"))
  }

  private struct RowIDOrder: Record {
    let id: Int
    static let table = Table("hidden", RowIDOrder.init, Column("id", \.id), order: .manual("rowid"))
  }

  @Test("a column named rowid that is not the key is refused, whatever it is for")
  func rowid() throws {
    let sql = "CREATE TABLE hidden (id INTEGER PRIMARY KEY, rowid INTEGER NOT NULL DEFAULT 0, position INTEGER);"
    for type in [Hidden.self, RowIDOrder.self] as [any Record.Type] {
      let error = try failure(.schemaMismatch) {
        try Store(inMemoryWith: [type], migrations: [migration(1, sql)])
      }
      #expect(error.message.contains("hides the integer key"))
    }
  }

  private struct Old: Record {
    let id: Int
    static let table = Table("task", Old.init, Column("id", \.id), order: .manual("position"))
  }

  private struct New: Record {
    let id: Int
    static let table = Table("todo", New.init, Column("id", \.id), order: .manual("position"))
  }

  @Test("a table may be renamed and another made under its name; the position of one may go", arguments: [true, false])
  func renamed(keepsOld: Bool) throws {
    let create = "CREATE TABLE todo (id INTEGER PRIMARY KEY, position INTEGER);"
    let first = try Store(at: file(), records: [New.self], migrations: [migration(1, create)])
    try first.write { tx in for id in 1...3 { try tx.insert(New(id: id), at: .start) } }
    try first.close()
    let records: [any Record.Type] = keepsOld ? [New.self, Old.self] : [New.self]
    let migrations = [migration(1, create), migration(2, "ALTER TABLE todo RENAME TO task; \(create)")]
    let second = try Store(at: file(), records: records, migrations: migrations)
    try second.write { tx in
      try tx.insert(New(id: 9))
      if keepsOld { try tx.move(Old.self, ids: [1], to: .start) }
    }
    #expect(
      try second.read { try $0.fetch("SELECT id FROM task ORDER BY position", as: Int.self) }
        == (keepsOld ? [1, 3, 2] : [3, 2, 1]))
    #expect(try second.check() == [])
    try second.close()
    // Without a migration: other software has renamed the table.
    let plain = try Connection(path: file().path, mode: .readWrite)
    try plain.executeScript("ALTER TABLE todo RENAME TO archive; \(create)", failed: { error, _, _ in error })
    let third = try Store(at: file(), records: records, migrations: migrations)
    try third.write { try $0.insert(New(id: 10)) }
    #expect(try third.check() == [])
    try third.close()
    let dropped = try Store(
      at: file(), migrations: migrations + [migration(3, "ALTER TABLE todo DROP COLUMN position;")])
    try dropped.close()
  }

  private struct Contrary: Record {
    let id: UUID
    static let table = Table("Item", Contrary.init, Column("id", \.id), order: .manual("position"))
  }

  @Test("two orders of one table are a fault of declaration")
  func contradiction() throws {
    let error = try failure(.invalidTable) {
      try Store(inMemoryWith: [Item.self, Contrary.self], migrations: Ordered.migrations)
    }
    #expect(error.message.contains("two orders"))
  }

  @Test("an index of the user's is kept, whatever its name")
  func userIndex() throws {
    let store = try Store.ordered(in: folder)
    try store.write { tx in
      try tx.execute("CREATE UNIQUE INDEX roster_order_item_title ON item (title)")
      try tx.execute("CREATE INDEX roster_order_rank ON item (rank)")
    }
    try store.close()
    let again = try Store.ordered(in: folder)
    let indexes = try again.read {
      try $0.fetch("SELECT name FROM sqlite_schema WHERE name GLOB 'roster_order_*' ORDER BY 1", as: String.self)
    }
    #expect(indexes == ["roster_order_item", "roster_order_item_title", "roster_order_rank", "roster_order_song"])
  }

  @Test("a collation of the column that tells the lists is refused, and a UNIQUE index on positions to those who write")
  func constraints() throws {
    let collated =
      "CREATE TABLE item (row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list TEXT COLLATE NOCASE, "
      + "title TEXT NOT NULL, is_done INTEGER NOT NULL, rank INTEGER NOT NULL, position INTEGER);"
    let error = try failure(.schemaMismatch) {
      try Store(inMemoryWith: [Item.self], migrations: [migration(1, collated)])
    }
    #expect(error.message.contains("NOCASE"))
    let store = try Store.ordered(in: folder)
    try store.write { tx in
      try tx.insert(Item(1, in: "a"))
      try tx.execute("CREATE UNIQUE INDEX harmless ON item (id, position)")
    }
    try store.close()
    let again = try Store.ordered(in: folder)
    try again.write { _ = try $0.execute("CREATE UNIQUE INDEX places ON item (list, position)") }
    try again.close()
    let refused = try failure(.schemaMismatch) { try Store.ordered(in: folder) }
    #expect(refused.message.contains("UNIQUE index places"))
    var options = StoreOptions()
    options.access = .readOnly
    let reading = try Store.ordered(in: folder, options: options)
    #expect(try reading.read { try $0.numbers(in: "a") } == [1])
  }

  @Test("a version of records is that of their query, also where an id is spelled otherwise in the database")
  func version() throws {
    let store = try Store.ordered(in: folder)
    try store.write { tx in
      for number in 1...3 { try tx.insert(Item(number, in: "a")) }
      try tx.execute("UPDATE item SET id = upper(id)")
    }
    let query = Query<Item>().inManualOrder(within: "a")
    let (records, version) = try store.read { (try $0.fetch(query), try $0.version(of: query)) }
    #expect(try ListVersion(of: records) == version)
  }
}
