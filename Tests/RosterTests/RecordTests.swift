import Foundation
import Testing

@testable import Roster

/// An integer key that the database assigns.
private struct Entry: Record, Hashable {
  let id: Int64
  var text: String
  static let table = Table("entry", Entry.init, Column("id", \.id), Column("text", \.text))
}

/// A text key, and a column for each kind of conversion, under names that need quoting.
private struct Place: Record, Equatable {
  let id: String
  var seen: Date
  var left: Date?
  var owner: UUID
  var tags: [String]
  var size: Size?
  var label: String { id + "!" }

  struct Size: Codable, Equatable { var width: Int }

  static let table = Table(
    "a \"place\"", Place.init, Column("the id", \.id), Column("seen", \.seen, as: .unixTime),
    Column("left", \.left, as: .unixMilliseconds), Column("order", \.owner, as: .blob),
    Column("tags", \.tags, as: .json), Column("size", \.size, as: .json))

  static let migrations = [
    Migration(
      number: 1, name: "places",
      sql: """
        CREATE TABLE "a ""place\""" (
          n INTEGER PRIMARY KEY, "the id" TEXT NOT NULL UNIQUE, seen REAL NOT NULL, left INTEGER, "order" BLOB NOT NULL,
          tags TEXT NOT NULL, size TEXT
        );
        CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
        """)
  ]
}

/// A key that is stored otherwise than its type would be.
private struct Blob: Record, Equatable {
  let id: UUID
  var text: String?
  static let table = Table("blob", Blob.init, Column("id", \.id, as: .blob), Column("text", \.text))
}

@Suite("Records")
struct RecordTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("conversions, text keys and names that need quoting come back after reopening")
  func conversions() throws {
    let url = folder.file("p.db")
    let place = Place(
      id: "é 1", seen: Date(timeIntervalSince1970: 1_700_000_000.5), left: nil, owner: UUID(), tags: ["a", "布"],
      size: Place.Size(width: 3))
    var other = place
    other.left = Date(timeIntervalSince1970: 12.345)
    other.size = nil
    do {
      let store = try Store(at: url, records: [Place.self, Entry.self], migrations: Place.migrations)
      try store.write { try $0.insert(place) }
      try store.write { try $0.update(other, from: place) }
    }
    let store = try Store(at: url, records: [Place.self], migrations: Place.migrations)
    #expect(try store.read { try $0.fetch(Place.self, id: "é 1") } == other)
    #expect(try store.read { try $0.fetch(Query<Place>()) } == [other])
    let owner = other.owner
    #expect(try store.read { try $0.count(Query<Place>().filter(#Predicate { $0.owner == owner })) } == 1)
    let stored = try store.read { try $0.rows("SELECT seen, left, tags FROM \(Place.self)") }
    #expect(stored == [[.real(1_700_000_000.5), .integer(12_345), .text("[\"a\",\"布\"]")]])
  }

  @Test("the database assigns ids when asked, and the record comes back with its own")
  func assignedIDs() throws {
    let store = try Store(inMemoryWith: [Entry.self], migrations: Place.migrations)
    try store.write { (tx: inout Transaction) throws in
      #expect(try tx.insertAssigningID(Entry(id: 99, text: "a")) == Entry(id: 1, text: "a"))
      try tx.insert(Entry(id: 40, text: "b"))
      #expect(try tx.insertAssigningID(Entry(id: 40, text: "c")).id == 41)
      #expect(try tx.fetch(Query<Entry>()).map(\.text) == ["a", "b", "c"])
    }
    let error = #expect(throws: RosterError.self) {
      try store.write { _ = try $0.insertAssigningID(Entry(id: 0, text: "a")) }
    }
    #expect(error?.code == .uniqueViolation)
    #expect(error?.columns == ["text"])
  }

  @Test("a key under a conversion is found by it")
  func convertedKey() throws {
    let store = try Store(
      inMemoryWith: [Blob.self],
      migrations: [
        Migration(
          number: 1, name: "b", sql: "CREATE TABLE blob (n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, text TEXT)")
      ])
    let one = Blob(id: UUID(), text: "one")
    try store.write { (tx: inout Transaction) throws in
      try tx.insert([one, Blob(id: UUID(), text: nil)])
      #expect(try tx.fetch(Blob.self, id: one.id) == one)
      try tx.update(Blob(id: one.id, text: nil), from: one)
      #expect(try tx.fetch(Blob.self, id: one.id)?.text == nil)
      try tx.upsert(one)
      #expect(try tx.count(Query<Blob>()) == 2)
      #expect(try tx.delete(Blob.self, id: one.id))
    }
  }

  @Test("an update of a record that is gone is an error, of one that is unchanged writes nothing")
  func updates() throws {
    let store = try Store.notes(in: folder)
    let note = Note("x")
    for body in [
      { (tx: inout Transaction) in try tx.update(note) },
      { (tx: inout Transaction) in try tx.update(Note(id: note.id, text: "y", rank: 1, created: .now), from: note) },
    ] as [(inout Transaction) throws -> Void] {
      let error = #expect(throws: RosterError.self) { try store.write(body) }
      #expect(error?.code == .noSuchRecord)
      #expect(error?.table == "note")
    }
    try store.write { (tx: inout Transaction) throws in
      try tx.insert(note)
      let before = try tx.fetch("SELECT total_changes()", as: Int.self)
      try tx.update(note, from: note)
      #expect(try tx.fetch("SELECT total_changes()", as: Int.self) == before)
    }
    let error = #expect(throws: RosterError.self) { try store.write { try $0.update(Note("z"), from: note) } }
    #expect(error?.code == .misuse)
  }

  @Test("only the columns that changed are written")
  func partialUpdate() throws {
    let store = try Store.notes(in: folder)
    let old = Note("old", rank: 1)
    var mine = old
    mine.text = "new"
    try store.write { (tx: inout Transaction) throws in
      try tx.insert(old)
      // Somebody else has changed another column in the meantime.
      try tx.execute("UPDATE note SET rank = 7")
      try tx.update(mine, from: old)
      #expect(try tx.fetch(Note.self, id: old.id) == Note(id: old.id, text: "new", rank: 7, created: old.created))
    }
  }

  @Test("a declaration that contradicts itself is an error that lists everything")
  func faults() throws {
    struct Wrong: Record {
      let id: Int
      var a: String
      var b: String
      static let table = Table("wrong", { a, b in Wrong(id: 0, a: a, b: b) }, Column("A", \.a), Column("a", \.a))
    }
    let error = #expect(throws: RosterError.self) { _ = try Store(inMemoryWith: [Wrong.self]) }
    #expect(error?.code == .invalidTable)
    for part in ["primary key", "declared twice", "two columns store one property"] {
      #expect(error?.message.contains(part) == true)
    }
  }

  @Test("a value that is none of the record's type is an error that names table and column, not the value")
  func mismatch() throws {
    let store = try Store.notes(in: folder)
    try store.write { try $0.execute("INSERT INTO note (id, text, created) VALUES (\(UUID()), 'secret', 'yesterday')") }
    let error = #expect(throws: RosterError.self) { _ = try store.read { try $0.fetch(Query<Note>()) } }
    #expect(error?.code == .typeMismatch)
    #expect(error?.table == "note")
    #expect(error?.columns == ["created"])
    #expect(error.map { "\($0)".contains("yesterday") } == false)
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.unreadableRow])
    #expect(problems.map(\.column) == ["created"])
  }
}
