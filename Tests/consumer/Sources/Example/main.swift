import Foundation
import Roster

struct Note: Record {
  let id: UUID
  var text: String

  static let table = Table("note", Note.init, Column("id", \.id), Column("text", \.text))
}

let url = URL(fileURLWithPath: "notes.db")
let store = try Store(at: url, records: [Note.self], migrations: embeddedMigrations)

let note = Note(id: UUID(), text: "买牛奶 🥛")
try store.write { tx in
  try tx.insert(note)
}

let aboutMilk = Query<Note>()
  .filter(#Predicate { $0.text.contains("牛奶") })
  .sorted(by: SortDescriptor(\.text))
let notes = try store.read { try $0.fetch(aboutMilk) }
for note in notes {
  print(note.id, note.text)
}
