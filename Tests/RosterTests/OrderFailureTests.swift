import Foundation
import Testing

@testable import Roster

/// Operations on lists that fail half-way, in a transaction that goes on.
@Suite("Failures in the middle of a move")
struct OrderFailureTests {
  let store: Store

  init() throws {
    store = try Store.orderedInMemory()
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<6 { try tx.insert(Item(number, in: number < 4 ? "a" : "b", rank: number)) }
      // The labels leave no room, so that others are written before the rows themselves.
      try tx.execute("UPDATE item SET position = row_key")
    }
  }

  private func state(_ tx: inout Transaction) throws -> [[SQLiteValue]] {
    try tx.rows("SELECT * FROM item ORDER BY row_key")
  }

  /// Expects that `body` fails, and that what it wrote before is undone.
  private func fails(_ code: RosterError.Code, _ body: (inout Transaction) throws -> Void) throws {
    try store.write { (tx: inout Transaction) throws in
      let before = try state(&tx)
      _ = try failure(code) { try body(&tx) }
      #expect(try state(&tx) == before)
      try tx.insert(Item(9, in: "a"))
      #expect(try tx.numbers(in: "a") == [0, 1, 2, 3, 9])
      try tx.delete(Item.self, id: .item(9))
    }
  }

  @Test("a row that may not be moved keeps the others where they were")
  func trigger() throws {
    try store.write { tx in
      try tx.execute(
        "CREATE TRIGGER t BEFORE UPDATE ON item WHEN OLD.rank = 2 BEGIN SELECT RAISE(ABORT, 'fixed'); END")
    }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in
      try tx.move(Item.self, ids: [.item(3), .item(2)], to: .start)
    }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in
      try tx.move(Item.self, ids: [.item(1), .item(2)], to: .before(.item(5)))
    }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in
      try tx.move(fromOffsets: [0, 2], toOffset: 4, in: Query<Item>().inManualOrder(within: "a"))
    }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in try tx.reverse(Item.self, within: "a") }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in
      try tx.update(Query<Item>().inManualOrder(), .set(\.list, to: "b"))
    }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in try tx.update(Item(2, in: "b")) }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in try tx.upsert(Item(2, in: "b")) }
    // The neighbour is in the way of the new row.
    try fails(.constraintViolation) { (tx: inout Transaction) throws in
      try tx.insert((10..<14).map { (number: Int) in Item(number, in: "a") }, at: .before(.item(2)))
    }
  }

  @Test("of new rows that are stored together all are, or none, and the others keep their positions")
  func inserts() throws {
    try fails(.uniqueViolation) { (tx: inout Transaction) throws in
      try tx.insert([Item(7, in: "a"), Item(8, in: "a"), Item(5, in: "a")], at: .after(.item(1)))
    }
    try fails(.uniqueViolation) { (tx: inout Transaction) throws in try tx.insert(Item(5, in: "a"), at: .index(2)) }
    try fails(.uniqueViolation) { (tx: inout Transaction) throws in try tx.insert(Item(5, in: "a")) }
  }

  @Test("a row that may not be deleted keeps the others that were to go with it")
  func deletions() throws {
    try store.write { tx in
      try tx.execute(
        "CREATE TRIGGER t BEFORE DELETE ON item WHEN OLD.rank = 2 BEGIN SELECT RAISE(ABORT, 'fixed'); END")
    }
    try fails(.constraintViolation) { (tx: inout Transaction) throws in
      try tx.delete(atOffsets: [0, 1, 2], in: Query<Item>().inManualOrder(within: "a"))
    }
  }

  @Test("what an app's triggers put at the end of a list stays before the next row that is appended")
  func triggers() throws {
    try store.write { (tx: inout Transaction) throws in
      try tx.execute(
        """
        CREATE TRIGGER t AFTER INSERT ON item WHEN NEW.rank = 7 BEGIN
          INSERT INTO item (id, list, title, is_done, rank, position)
          VALUES ('00000000-0000-0000-0000-000000000000', NEW.list, '', 0, 0, NEW.position + 5000000000);
        END
        """)
      try tx.insert([Item(10, in: "a"), Item(11, in: "a", rank: 7), Item(12, in: "a")])
      #expect(try tx.numbers(in: "a") == [0, 1, 2, 3, 10, 11, 0, 12])
      try tx.execute("UPDATE item SET position = 9000000000000 WHERE row_key = 1")
      try tx.insert(Item(13, in: "a"))
      #expect(try tx.numbers(in: "a").suffix(2) == [0, 13])
    }
  }
}
