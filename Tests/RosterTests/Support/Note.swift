import Foundation
import Roster

/// The record of most tests: a UUID, text, an optional, a date.
struct Note: Record, Hashable {
  let id: UUID
  var text: String
  var rank: Int?
  var created: Date

  init(id: UUID, text: String, rank: Int?, created: Date) {
    self.id = id
    self.text = text
    self.rank = rank
    self.created = created
  }

  init(_ text: String, rank: Int? = nil) {
    self.init(
      id: UUID(), text: text, rank: rank, created: Date(timeIntervalSinceReferenceDate: 812_345_678.25))
  }

  static let table = Table(
    "note", Note.init(id:text:rank:created:), Column("id", \.id), Column("text", \.text),
    Column("rank", \.rank),
    Column("created", \.created))

  static let migrations = [
    Migration(
      number: 1, name: "note",
      sql: """
        CREATE TABLE note (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL CHECK (text <> 'forbidden'),
          rank INTEGER, created TEXT NOT NULL
        );
        """)
  ]
}

extension Store {
  /// A store of notes in a folder.
  static func notes(in folder: TemporaryFolder, options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(
      at: folder.file("notes.db"), records: [Note.self], migrations: Note.migrations, options: options)
  }
}
