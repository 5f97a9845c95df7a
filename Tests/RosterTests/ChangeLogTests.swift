import Foundation
import Testing

@testable import Roster

/// What the log says after each way to write, by this library and by others.
@Suite("The change log")
struct ChangeLogTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.cards(in: folder)
  }

  private func cursor() throws -> FeedCursor { try store.read { try $0.feedCursor() } }

  private func changes(since cursor: FeedCursor) throws -> [String] {
    let batch = try store.read { try $0.changes(since: cursor) }
    #expect(!batch.isReset)
    return try batch.changes.map { change in
      guard case .text(let id) = change.id else { return "?" }
      let name = try store.read { try $0.fetch("SELECT name FROM card WHERE id = \(id)", as: String.self) }.first
      return "\(change.kind.rawValue) \(name ?? names[id] ?? id)"
    }
  }

  private var names: [String: String] {
    Dictionary(uniqueKeysWithValues: cards.map { ($0.id.uuidString.lowercased(), $0.name) })
  }

  private let cards = ["Ace", "二", "Three", "🃏"].map { Card(id: UUID(), name: $0, size: 1) }

  private func fill() throws -> FeedCursor {
    try store.write { try $0.insert(cards) }
    return try cursor()
  }

  @Test("an insert, an update, a move and a delete are each logged as what they are")
  func kinds() throws {
    let start = try cursor()
    try store.write { try $0.insert(cards) }
    #expect(try changes(since: start) == ["insert Ace", "insert 二", "insert Three", "insert 🃏"])
    let filled = try cursor()
    try store.write { tx in
      try tx.update(Card(id: cards[0].id, name: "Ace", size: 7))
      try tx.move(Card.self, ids: [cards[3].id], to: .start)
      try tx.delete(Card.self, id: cards[2].id)
    }
    #expect(try changes(since: filled) == ["update Ace", "move 🃏", "delete Three"])
    #expect(try changes(since: try cursor()) == [])
  }

  @Test("an update to what is there already is none, and one of another case is one")
  func noUpdate() throws {
    let start = try fill()
    try store.write { tx in
      try tx.update(cards[0])
      try tx.execute("UPDATE card SET name = name, size = size, position = position")
    }
    #expect(try changes(since: start) == [])
    try store.write { _ = try $0.execute("UPDATE card SET name = 'ACE' WHERE name = 'Ace'") }
    #expect(try changes(since: start) == ["update ACE"])
  }

  @Test("what came and went is nothing, and what went and came again is an update")
  func collapsed() throws {
    let start = try fill()
    try store.write { tx in
      let brief = Card(id: UUID(), name: "Brief", size: nil)
      try tx.insert(brief)
      try tx.update(Card(id: brief.id, name: "Brief", size: 3))
      try tx.delete(Card.self, id: brief.id)
      try tx.delete(Card.self, id: cards[1].id)
      try tx.insert(cards[1])
    }
    #expect(try changes(since: start) == ["update 二"])
  }

  @Test("an update and a move of one record are one update; an insert and its changes are one insert")
  func together() throws {
    let start = try fill()
    try store.write { tx in
      try tx.update(Card(id: cards[1].id, name: "二", size: 9))
      try tx.move(Card.self, ids: [cards[1].id], to: .end)
      let new = Card(id: UUID(), name: "New", size: nil)
      try tx.insert(new)
      try tx.update(Card(id: new.id, name: "New", size: 2))
      try tx.move(Card.self, ids: [new.id], to: .start)
    }
    #expect(try changes(since: start) == ["update 二", "insert New"])
  }

  @Test("rows that make room for another are not moved")
  func relabelled() throws {
    let start = try fill()
    try store.write { tx in _ = try tx.execute("UPDATE card SET position = rowid") }
    let dense = try cursor()
    #expect(try store.write { try $0.move(Card.self, ids: [cards[3].id], to: .after(cards[0].id)) } > 1)
    #expect(try changes(since: dense) == ["move 🃏"])
    let moved = try cursor()
    try store.write { _ = try $0.execute("UPDATE card SET position = 0") }
    let levelled = try cursor()
    try store.repair()
    #expect(try changes(since: levelled) == [])
    #expect(try changes(since: moved).count == 4)
    #expect(try changes(since: start).count == 4)
  }

  @Test(
    "every way to write is seen, also where a program does not run triggers for what a REPLACE deletes",
    arguments: [
      ("DELETE FROM card", ["delete Ace", "delete 二", "delete Three", "delete 🃏"]),
      ("INSERT OR IGNORE INTO card (id, name) VALUES ('x', 'Ace')", []),
      ("INSERT OR REPLACE INTO card (id, name) VALUES ('x', 'Ace')", ["delete Ace", "insert Ace"]),
      ("UPDATE OR REPLACE card SET name = 'Ace' WHERE name = 'Three'", ["delete Ace", "update Ace"]),
      ("UPDATE OR IGNORE card SET name = 'Ace' WHERE name = 'Three'", []),
      ("INSERT INTO card (id, name) VALUES ('x', 'Ace') ON CONFLICT DO UPDATE SET size = 5", ["update Ace"]),
      ("INSERT INTO card (id, name) VALUES ('x', 'Ace') ON CONFLICT DO NOTHING", []),
      ("REPLACE INTO card (row_key, id, name) VALUES (2, 'x', 'Other')", ["delete 二", "insert Other"]),
      ("UPDATE card SET row_key = 99 WHERE name = '二'", ["update 二"]),
      ("UPDATE card SET id = 'x' WHERE name = '二'", ["delete 二", "insert 二"]),
    ])
  func foreign(statement: String, expected: [String]) throws {
    for recursiveTriggers in ["OFF", "ON"] {
      let other = try TemporaryFolder()
      let path = other.file("cards.db")
      let store = try Store(at: path, records: [Card.self], migrations: Card.migrations)
      try store.write { try $0.insert(cards) }
      let start = try store.read { try $0.feedCursor() }
      let connection = try Connection(path: path.path, mode: .readWrite)
      try connection.execute("PRAGMA recursive_triggers = \(recursiveTriggers)")
      try connection.execute(statement)
      let batch = try store.read { try $0.changes(since: start) }
      let present = try store.read { try $0.fetch("SELECT id, name FROM card", as: (String, String).self) }
      let names = names.merging(present) { _, new in new }
      let found = batch.changes.map { change in
        guard case .text(let id) = change.id else { return "?" }
        return "\(change.kind.rawValue) \(names[id] ?? id)"
      }
      #expect(Set(found) == Set(expected) && found.count == expected.count, "recursive_triggers = \(recursiveTriggers)")
    }
  }

  @Test("what the app's own triggers write is seen, and so is a row that they keep from being written")
  func triggers() throws {
    let start = try fill()
    try store.write { tx in
      try tx.execute(
        "CREATE TRIGGER dealt AFTER INSERT ON deck BEGIN UPDATE card SET size = NEW.id WHERE name = 'Ace'; END")
      try tx.execute(
        "CREATE TRIGGER big AFTER UPDATE ON card WHEN NEW.size > 9 BEGIN DELETE FROM card WHERE name = '二'; END")
      try tx.execute(
        "CREATE TRIGGER kept BEFORE DELETE ON card WHEN OLD.name = 'Three' BEGIN SELECT raise(IGNORE); END")
    }
    try store.write { _ = try $0.execute("INSERT INTO deck VALUES (10)") }
    #expect(try Set(changes(since: start)) == ["update Ace", "delete 二"])
    let dealt = try cursor()
    try store.write { _ = try $0.execute("DELETE FROM card") }
    #expect(try changes(since: dealt) == ["delete Ace", "delete 🃏"])
  }

  @Test("cascades from a parent are seen, and what is rolled back is not")
  func cascades() throws {
    let start = try fill()
    try store.write { tx in
      try tx.execute("INSERT INTO deck VALUES (1)")
      try tx.execute("UPDATE card SET deck = 1 WHERE name <> 'Ace'")
    }
    #expect(try changes(since: start) == ["update 二", "update Three", "update 🃏"])
    let dealt = try cursor()
    _ = try? store.write { tx in
      _ = try tx.execute("DELETE FROM deck")
      throw CancellationError()
    }
    try store.write { tx in
      _ = try? tx.savepoint { tx in
        try tx.delete(Query<Card>())
        throw CancellationError()
      }
    }
    #expect(try changes(since: dealt) == [])
    try store.write { _ = try $0.execute("DELETE FROM deck") }
    #expect(try changes(since: dealt) == ["delete 二", "delete Three", "delete 🃏"])
  }
}
