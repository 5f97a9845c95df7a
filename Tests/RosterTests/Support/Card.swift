import Foundation
import Roster

/// A record with a unique name, and an order that is kept by hand.
struct Card: Record, Hashable {
  let id: UUID
  var name: String
  var size: Int?

  static let table = Table(
    "card", Card.init, Column("id", \.id), Column("name", \.name), Column("size", \.size), order: .manual("position"))

  static let migrations = [
    Migration(
      number: 1, name: "card",
      sql: """
        CREATE TABLE deck (id INTEGER PRIMARY KEY);
        CREATE TABLE card (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, size INTEGER, position INTEGER,
          deck INTEGER REFERENCES deck (id) ON DELETE CASCADE
        );
        """)
  ]

  init(id: UUID, name: String, size: Int?) {
    self.id = id
    self.name = name
    self.size = size
  }

  init(_ name: String, size: Int? = nil) { self.init(id: UUID(), name: name, size: size) }
}

extension Store {
  /// A store of cards in a folder.
  static func cards(in folder: TemporaryFolder, options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(at: folder.file("cards.db"), records: [Card.self], migrations: Card.migrations, options: options)
  }
}

extension StoreOptions {
  /// Those of a store without a log of changes.
  static var unlogged: StoreOptions {
    var options = StoreOptions()
    options.keepsChangeLog = false
    return options
  }
}
