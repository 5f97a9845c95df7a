import Foundation
import Roster

/// A consumer with a name, which writes down each change of an entry that it hears of, in the transaction that also stores
/// how far it has read.
enum Mirror {
  static let name = "mirror"

  static let migrations =
    Entry.migrations + [
      Migration(
        number: 3, name: "heard",
        sql: """
          CREATE TABLE heard (
            number INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, kind TEXT NOT NULL, entry INTEGER NOT NULL, version INTEGER
          );
          """)
    ]

  static func store(at url: URL) throws -> Store {
    try Store(at: url, records: Entry.records, migrations: migrations)
  }

  /// Hears of what has not been heard of, and returns how many changes that are. `amid` is called when half is written down.
  static func hear(in store: Store, amid: () -> Void = {}) throws -> Int {
    try store.write { tx in
      let start = try tx.feedCursor()
      let batch = try tx.changes(since: tx.feedCursor(of: name) ?? start)
      guard !batch.isReset else { throw POSIXError(.EILSEQ) }
      for (index, change) in batch.changes.enumerated() {
        if index == batch.changes.count / 2 { amid() }
        guard case .integer(let id) = change.id else { throw POSIXError(.EILSEQ) }
        // The place of an entry is the number of the times that it was changed.
        try tx.execute(
          """
          INSERT INTO heard (sequence, kind, entry, version)
          VALUES (\(change.sequence), \(change.kind.rawValue), \(id), (SELECT place FROM entry WHERE id = \(id)))
          """)
      }
      try tx.setFeedCursor(batch.cursor, of: name)
      return batch.changes.count
    }
  }

  /// Hears of changes until the process is killed, and says when it is amid and after a batch.
  static func hearForever(in store: Store) throws {
    while true {
      let count = try hear(in: store) {
        say("amid")
        usleep(.random(in: 0...2000))
      }
      if count > 0 { say("after") } else { usleep(500) }
    }
  }
}
