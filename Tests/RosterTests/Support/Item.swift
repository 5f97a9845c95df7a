import Foundation
import Roster

/// A record whose order is kept by hand, in lists of which one has no name.
struct Item: Record, Hashable {
  let id: UUID
  var list: String?
  var title: String
  var isDone: Bool
  var rank: Int

  init(id: UUID, list: String?, title: String, isDone: Bool, rank: Int) {
    self.id = id
    self.list = list
    self.title = title
    self.isDone = isDone
    self.rank = rank
  }

  /// The item of a number, which its id and its title tell.
  init(_ number: Int, in list: String? = nil, isDone: Bool = false, rank: Int = 0) {
    self.init(id: .item(number), list: list, title: "item \(number)", isDone: isDone, rank: rank)
  }

  var number: Int { id.number }

  static let table = Table(
    "item", Item.init(id:list:title:isDone:rank:), Column("id", \.id), Column("list", \.list),
    Column("title", \.title), Column("is_done", \.isDone), Column("rank", \.rank),
    order: .manual("position", within: \.list))
}

/// An item, whose title is searched.
struct SearchedItem: Record, Hashable {
  let id: UUID
  var list: String?
  var title: String
  var isDone: Bool
  var rank: Int

  static let table = Table(
    "item", SearchedItem.init, Column("id", \.id), Column("list", \.list), Column("title", \.title),
    Column("is_done", \.isDone), Column("rank", \.rank), order: .manual("position", within: \.list),
    search: .substring(\.title))
}

/// A record of which all are one list in an order that is kept by hand.
struct Song: Record, Hashable {
  let id: Int
  var title: String

  static let table = Table(
    "song", Song.init, Column("id", \.id), Column("title", \.title), order: .manual("track"))
}

/// The schema of items and songs.
enum Ordered {
  static let records: [any Record.Type] = [Item.self, Song.self]

  static let migrations = [
    Migration(
      number: 1, name: "ordered",
      sql: """
        CREATE TABLE item (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list TEXT, title TEXT NOT NULL,
          is_done INTEGER NOT NULL, rank INTEGER NOT NULL, position INTEGER
        );
        CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT NOT NULL, track INTEGER);
        """)
  ]
}

extension UUID {
  /// An id that a test can name by a number. Ids do not sort as their numbers do.
  static func item(_ number: Int) -> UUID {
    let low = (UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8))
    return UUID(
      uuid: (low.0, low.1, UInt8(truncatingIfNeeded: number >> 16), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13))
  }

  var number: Int { Int(uuid.0) | Int(uuid.1) << 8 | Int(uuid.2) << 16 }
}

extension Store {
  /// A store of items and songs in a folder.
  static func ordered(in folder: TemporaryFolder, options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(
      at: folder.file("ordered.db"), records: Ordered.records, migrations: Ordered.migrations, options: options)
  }

  /// The same in memory, and without a log, so that all changes that SQLite counts are those of items and songs.
  static func orderedInMemory() throws -> Store {
    try Store(inMemoryWith: Ordered.records, migrations: Ordered.migrations, options: .unlogged)
  }
}

extension StoreAccess {
  /// The numbers of the items of a list, in their order.
  func numbers(in list: String?) throws -> [Int] {
    try fetch(Query<Item>().inManualOrder(within: list)).map(\.number)
  }

  /// The ids of the songs, in their order.
  func songs() throws -> [Int] { try fetch(Query<Song>().inManualOrder()).map(\.id) }
}
