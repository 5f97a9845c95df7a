import Foundation
import Testing

@testable import Roster

@Suite("Store")
struct StoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("what was written is there after the file is opened again")
  func reopen() throws {
    let notes = [Note("一"), Note("two", rank: 2), Note("🇨🇳 three", rank: -3)]
    do {
      let store = try Store.notes(in: folder)
      try store.write { try $0.insert(notes) }
      #expect(try store.read { try $0.fetch(Query<Note>()) } == notes)
      try store.close()
    }
    let store = try Store.notes(in: folder)
    #expect(try store.read { try $0.fetch(Query<Note>()) } == notes)
    #expect(try store.check() == [])
  }

  @Test("a record is fetched, updated, upserted and deleted by its id")
  func byID() throws {
    let store = try Store.notes(in: folder)
    var note = Note("first", rank: 1)
    try store.write { tx in
      try tx.insert(note)
      note.text = "second"
      try tx.update(note)
      #expect(try tx.fetch(Note.self, id: note.id)?.text == "second")
      var newer = note
      newer.rank = nil
      try tx.update(newer, from: note)
      #expect(try tx.fetch(Note.self, id: note.id) == newer)
      newer.text = "third"
      try tx.upsert(newer)
      #expect(try tx.fetch(Query<Note>()) == [newer])
      #expect(try tx.delete(Note.self, id: note.id))
      #expect(try !tx.delete(Note.self, id: note.id))
      try tx.upsert(newer)
      #expect(try tx.count(Query<Note>()) == 1)
    }
  }
}
