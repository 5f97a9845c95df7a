import Foundation
import Roster

/// A record that items refer to by the name of their list.
struct Folder: Record, Hashable {
  let id: String
  var title: String

  static let table = Table(
    "folder", Folder.init, Column("id", \.id), Column("title", \.title), order: .manual("position"))

  static let migration = Migration(
    number: 2, name: "folder",
    sql: """
      CREATE TABLE folder (row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, position INTEGER);
      """)
}

/// Random transactions on items, and on the folders and songs that they may refer to.
struct RandomChanges {
  private static let names: [String?] = ["a", "列表", nil]
  private var nextNumber = 0

  /// One change, as a part of a transaction.
  mutating func change(_ tx: inout Transaction, _ dice: inout SeededGenerator) throws {
    if dice.below(10) == 0 { return try parents(&tx, &dice) }
    let names = RandomChanges.names
    let all = try tx.fetch("SELECT id FROM item ORDER BY rowid", as: UUID.self)
    let name = names[dice.below(names.count)]
    guard all.count > 4, let id = all.randomElement(using: &dice), all.count < 60 || dice.below(3) > 0 else {
      if all.count >= 60 { return try _ = tx.delete(Query<Item>().filter(sql: "rank = \(dice.below(5))")) }
      nextNumber += 1
      return try tx.insert(Item(nextNumber, in: name, isDone: dice.below(2) == 0, rank: dice.below(5)))
    }
    switch dice.below(12) {
    case 0, 1, 2:
      nextNumber += 1
      let place: ListPlace<UUID> = [.start, .end, .index(0)].randomElement(using: &dice) ?? .end
      try tx.insert(Item(nextNumber, in: name, isDone: dice.below(2) == 0, rank: dice.below(5)), at: place)
    case 3, 4:
      try tx.move(Item.self, ids: all.shuffled(using: &dice).prefix(1 + dice.below(3)), to: .start, within: name)
    case 5: try tx.move(Item.self, ids: [id], to: .after(all[dice.below(all.count)]))
    case 6: try tx.delete(Item.self, id: id)
    case 7: try tx.update(Query<Item>().filter(sql: "id = \(id)"), .set(\.isDone, to: dice.below(2) == 0))
    case 8: try tx.update(Query<Item>().filter(sql: "id = \(id)"), .set(\.rank, to: dice.below(5)))
    case 9:
      try tx.update(Query<Item>().filter(sql: "rank = \(dice.below(5))"), .set(\.title, to: "布局 \(dice.below(9))"))
    case 10:
      guard let item = try tx.fetch(Item.self, id: id) else { return }
      try tx.delete(Item.self, id: id)
      try tx.insert(item)
    default:
      _ = try? tx.savepoint { (tx: inout Transaction) throws in
        try tx.delete(Query<Item>())
        throw CancellationError()
      }
    }
  }

  private func parents(_ tx: inout Transaction, _ dice: inout SeededGenerator) throws {
    let song = dice.below(5)
    let folder = ["a", "列表"][dice.below(2)]
    switch dice.below(8) {
    case 0: try tx.delete(Song.self, id: song)
    case 1, 2: if try !tx.exists(Song.self, id: song) { try tx.insert(Song(id: song, title: "new"), at: .start) }
    case 3: try tx.update(Query<Song>().filter(sql: "id = \(song)"), .set(\.title, to: "song \(dice.below(3))"))
    case 4: if try tx.exists(Song.self, id: song) { try tx.move(Song.self, ids: [song], to: .end) }
    case 5: try tx.delete(Folder.self, id: folder)
    case 6: try tx.upsert(Folder(id: folder, title: "folder \(dice.below(3))"))
    default: if try tx.exists(Folder.self, id: folder) { try tx.move(Folder.self, ids: [folder], to: .start) }
    }
  }

  /// A statement of another program.
  static func foreign(_ dice: inout SeededGenerator) -> String {
    let statements = [
      "UPDATE item SET position = NULL WHERE rank = 1", "UPDATE item SET position = 0 WHERE rank = 2",
      "UPDATE item SET title = title || '!' WHERE length(title) < 20", "UPDATE item SET list = 'a' WHERE rank = 3",
      "DELETE FROM item WHERE rank = 4 AND is_done", "UPDATE item SET position = 1.5 WHERE rank = 0",
      "UPDATE item SET position = 'x' WHERE rank = 1 AND is_done", "UPDATE item SET rank = rank",
      "REPLACE INTO item (id, list, title, is_done, rank) SELECT id, 'a', 'replaced', is_done, rank FROM item LIMIT 1",
      "INSERT INTO item (id, title, is_done, rank) SELECT lower(substr(id, 1, 9) || hex(randomblob(2)) || substr(id, 14)), "
        + "'foreign', 0, 1 FROM item LIMIT 1",
    ]
    return statements[dice.below(statements.count)]
  }
}
