import Foundation
import Roster

/// A row of a batch. A batch is whole where it has the number of rows that its own row of `batch` says.
struct Entry: Record {
  let id: Int
  var batch: Int
  var place: Int
  var text: String

  static let table = Table(
    "entry", Entry.init, Column("id", \.id), Column("batch", \.batch), Column("place", \.place),
    Column("text", \.text))

  static let records: [any Record.Type] = [Entry.self]

  static let migrations = [
    Migration(
      number: 1, name: "entry",
      sql: """
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL
        );
        CREATE TABLE batch (number INTEGER PRIMARY KEY, size INTEGER NOT NULL);
        """),
    Migration(
      number: 2, name: "counter",
      sql: "CREATE TABLE counter (value INTEGER NOT NULL); INSERT INTO counter VALUES (0);"),
  ]

  /// Writes batches of one to nine rows until the process is killed, and prints the number of each that is stored.
  static func writeTransactions(to url: URL) throws {
    let store = try Store(at: url, records: records, migrations: migrations)
    var number = try store.read {
      try $0.fetch("SELECT coalesce(max(number), 0) FROM batch", as: Int.self)[0]
    }
    while true {
      number += 1
      let size = number % 9 + 1
      try store.write { tx in
        for place in 1...size {
          // Some rows are over a page long.
          let text = String(repeating: "字\(number)", count: place == 5 ? 2000 : 3)
          _ = try tx.insertAssigningID(Entry(id: 0, batch: number, place: place, text: text))
        }
        try tx.execute("INSERT INTO batch VALUES (\(number), \(size))")
        // Earlier rows change too, so that a torn write would show in the sum.
        try tx.execute("UPDATE entry SET text = text || '.' WHERE batch = \(number - 1)")
      }
      say("\(number)")
    }
  }

  /// Reads the counter, then writes what it read and one more.
  static func increment(_ store: Store) throws {
    try store.write { tx in
      let value = try tx.fetch("SELECT value FROM counter", as: Int.self)[0]
      try tx.execute("UPDATE counter SET value = \(value + 1)")
    }
  }
}
