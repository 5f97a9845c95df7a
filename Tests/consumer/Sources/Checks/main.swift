import Foundation
import Roster

nonisolated struct Note: Record, Equatable {
  let id: UUID
  var text: String

  static let table = Table("note", Note.init, Column("id", \.id), Column("text", \.text))
}

struct CheckFailed: Error {
  let what: String
}

func check(_ condition: Bool, _ what: String) throws {
  guard condition else { throw CheckFailed(what: what) }
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("roster-consumer-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appendingPathComponent("notes.db")

try check(embeddedMigrations.map(\.number) == [1, 2], "both migrations are embedded")
try check(embeddedMigrations.map(\.name) == ["notes", "first-note"], "with their names")

let added = Note(id: UUID(), text: "It's 5 o'clock: \"茶\" ☕️")
do {
  let store = try Store(at: file, records: [Note.self], migrations: embeddedMigrations)
  try store.write { tx in
    try tx.insert(added)
  }
}

// Opened again, as the app's next run would: the migrations are there already, and so is the note.
let store = try Store(at: file, records: [Note.self], migrations: embeddedMigrations)
let notes = try store.read { try $0.fetch(Query<Note>()) }
try check(notes.count == 2, "two notes are stored, not \(notes.count)")
try check(notes.contains(added), "a note comes back as it went in")
let migrated = "\"\"\"\\(id)\\n#\" 列表 👩‍👩‍👧\n\tsecond line"
try check(notes.contains { $0.text == migrated }, "the migration's text came through byte for byte")
try await checkLive(store)
print("consumer: stored and fetched \(notes.count) notes with its own migrations")
