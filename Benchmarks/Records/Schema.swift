import Foundation
import Roster

/// The tables of all workloads, which every file of a run has. What is derived from declarations, such as indexes, a file has
/// for those records that its store declares.
enum Schema {
  static let migrations = [
    Migration(
      number: 1, name: "bench",
      sql: """
        CREATE TABLE item (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list_id TEXT NOT NULL, title TEXT NOT NULL,
          note TEXT NOT NULL, is_done INTEGER NOT NULL, priority INTEGER NOT NULL, due TEXT
        );
        CREATE TABLE task (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list_id TEXT NOT NULL, title TEXT NOT NULL,
          note TEXT NOT NULL, is_done INTEGER NOT NULL, priority INTEGER NOT NULL, due TEXT, position INTEGER
        );
        CREATE TABLE row (id INTEGER PRIMARY KEY, title TEXT NOT NULL, position INTEGER);
        CREATE TABLE text (id INTEGER PRIMARY KEY, title TEXT NOT NULL, is_done INTEGER NOT NULL);
        """)
  ]

  static let all: [any Record.Type] = [BenchItem.self, BenchTask.self, BenchRow.self, BenchText.self]
}

extension Run {
  /// A store of some records. Where the disk is not what is measured, it does not wait for it.
  func open(_ url: URL, _ records: [any Record.Type], _ durability: StoreOptions.Durability = .full) throws -> Store {
    var options = StoreOptions()
    options.durability = durability
    return try Store(at: url, records: records, migrations: Schema.migrations, options: options)
  }

  /// Hand-written calls on a file, which wait for the disk as such a store does.
  func openRaw(_ url: URL, _ durability: StoreOptions.Durability = .full) throws -> RawSQLite {
    try RawSQLite(path: url.path, synchronous: durability.rawValue)
  }

  /// A file with nothing but the tables, and what the declarations of a record add.
  func emptyFile(_ record: any Record.Type) throws -> URL {
    try bench.fixtures.copy("\(record)") { try open($0, [record]).close() }
  }

  /// The same records in each run.
  func todos<R: BenchTodo>(_ type: R.Type) -> [R] { bench.fixtures.value("\(type) \(rows)") { R.make(rows) } }

  /// A file with as many of them as the run has rows.
  func file<R: BenchTodo>(of type: R.Type) throws -> URL {
    let records = todos(type)
    return try bench.fixtures.copy("\(type)-\(rows)") { url in
      let store = try open(url, [type], .normal)
      try store.write { tx in try tx.insert(records) }
      try store.close()
    }
  }

  /// A file with one list of rows, which are numbered from 1.
  func rowFile() throws -> URL {
    try bench.fixtures.copy("BenchRow-\(rows)") { url in
      let store = try open(url, [BenchRow.self], .normal)
      try store.write { tx in
        for id in 1...rows { try tx.insert(BenchRow(id: Int64(id), title: "Row \(id)")) }
      }
      try store.close()
    }
  }
}
