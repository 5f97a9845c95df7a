import Foundation
import Testing

@testable import Roster

/// Columns that cannot keep an order, and declarations that contradict themselves.
@Suite("The column of an order")
struct OrderSchemaTests {
  private func fault(_ position: String, _ more: String = "") throws -> String {
    let sql = """
      CREATE TABLE item (
        row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list TEXT, title TEXT NOT NULL,
        is_done INTEGER NOT NULL, rank INTEGER NOT NULL\(position)
      );
      \(more)
      """
    let error = try failure(.schemaMismatch) {
      try Store(inMemoryWith: [Item.self], migrations: [Migration(number: 1, name: "item", sql: sql)])
    }
    #expect(error.table == "item")
    return error.message
  }

  @Test("a column that is missing, unique, generated or of another type is refused by its name")
  func schema() throws {
    #expect(try fault("").contains("column position, which keeps the order, is missing"))
    for message in [
      try fault(", position INTEGER UNIQUE"), try fault(", position INTEGER, UNIQUE (list, position)"),
      try fault(", position INTEGER", "CREATE UNIQUE INDEX i ON item (list, position DESC);"),
      try fault(", Position INTEGER", "CREATE UNIQUE INDEX i ON item (POSITION) WHERE is_done;"),
    ] {
      #expect(message.contains("is in the UNIQUE index") && message.contains("which moves would violate"), "\(message)")
    }
    #expect(try fault(", position INTEGER AS (rank)").contains("position is generated and cannot be written"))
    #expect(try fault(", position TEXT").contains("position is TEXT and would not keep INTEGER values"))
    #expect(try fault(", position REAL").contains("position is REAL and would not keep INTEGER values"))
  }

  @Test("a column that takes no NULL does too: upserts and updates of records leave their positions")
  func notNull() throws {
    let sql = """
      CREATE TABLE item (
        row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list TEXT, title TEXT NOT NULL,
        is_done INTEGER NOT NULL, rank INTEGER NOT NULL, position INTEGER NOT NULL
      );
      """
    let store = try Store(inMemoryWith: [Item.self], migrations: [Migration(number: 1, name: "item", sql: sql)])
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<3 { try tx.upsert(Item(number, in: "a")) }
      try tx.upsert(Item(0, in: "a", rank: 7))
      #expect(try tx.numbers(in: "a") == [0, 1, 2])
      #expect(try tx.fetch(Item.self, id: .item(0))?.rank == 7)
      try tx.upsert(Item(1, in: nil))
      try tx.update(Item(0, in: nil))
      #expect(try tx.numbers(in: nil) == [1, 0])
    }
  }

  private struct Stored: Record {
    let id: UUID
    var position: Int
    static let table = Table(
      "item", Stored.init, Column("id", \.id), Column("position", \.position), order: .manual("Position"))
  }

  private struct Elsewhere: Record {
    let id: UUID
    var length: Int { id.uuidString.count }
    static let table = Table(
      "item", Elsewhere.init(id:), Column("id", \.id), order: .manual("position", within: \.length))
  }

  private struct Nameless: Record {
    let id: UUID
    static let table = Table("item", Nameless.init(id:), Column("id", \.id), order: .manual(""))
  }

  @Test(
    "an order in a column that a property stores, within what is no column, or without a name is a fault of the table")
  func declarations() throws {
    func message(_ type: any Record.Type) throws -> String {
      try failure(.invalidTable) { try Store(inMemoryWith: [type], migrations: Ordered.migrations) }.message
    }
    #expect(try message(Stored.self).contains("column Position keeps the order, and no property can store it"))
    #expect(try message(Elsewhere.self).contains("which is no column of the table"))
    #expect(try message(Nameless.self).contains("the column of the order has no name"))
  }
}
