import Foundation
import Testing

@testable import Roster

@Suite("Raw SQL")
struct SQLTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.notes(in: folder)
  }

  @Test("what is interpolated is bound, whatever it holds")
  func bound() throws {
    let evil = "'; DROP TABLE note; --"
    let note = Note(evil, rank: 3)
    try store.write { try $0.insert([note, Note("other")]) }
    let sql: SQL =
      "SELECT * FROM \(Note.self) WHERE text = \(evil) AND rank IN (\([1, 3])) AND \(identifier: "id") = \(note.id)"
    #expect(sql.text == "SELECT * FROM \"note\" WHERE text = ? AND rank IN (?, ?) AND \"id\" = ?")
    #expect(sql.arguments.map(\.description) == ["?", "?", "?", "?"])
    #expect(try store.read { try $0.fetch(sql, as: Note.self) } == [note])
    let none: Int? = nil
    #expect(
      try store.read { try $0.fetch("SELECT text FROM note WHERE rank IS \(none)", as: String.self) } == ["other"])
    let part: SQL = "rank = \(3)"
    #expect(try store.read { try $0.fetch("SELECT count(*) FROM note WHERE \(part)", as: Int.self) } == [1])
  }

  @Test("rows become records by the names of their columns, tuples by their places, and values")
  func shapes() throws {
    let note = Note("x", rank: 3)
    try store.write { try $0.insert(note) }
    try store.read { (snapshot: inout Snapshot) throws in
      #expect(
        try snapshot.fetch("SELECT created, rank, 1 AS extra, text, id FROM note", as: Note.self) == [note])
      let rows = try snapshot.fetch("SELECT id, rank, rank + 0.5 FROM note", as: (UUID, Int?, Double).self)
      #expect(rows.count == 1)
      #expect(rows.first?.0 == note.id && rows.first?.1 == 3 && rows.first?.2 == 3.5)
      let first = try snapshot.fetch("SELECT rank FROM note", as: Int.self).first
      #expect(first == 3)
      #expect(try snapshot.rows("SELECT NULL, x'00', 'a' FROM note") == [[.null, .blob(Data([0])), .text("a")]])
    }
  }

  @Test(
    "faults of a statement are errors that show it",
    arguments: [
      ("SELECT nothing FROM note", RosterError.Code.sql), ("SELEKT 1", .sql), ("", .sql), ("-- only a comment", .sql),
      ("SELECT 1; SELECT 2", .sql), ("SELECT ?", .sql), ("SELECT 1, 2", .sql), ("SELECT 'x'", .typeMismatch),
      ("DELETE FROM note", .readOnly), ("BEGIN", .notAuthorized),
    ])
  func faults(text: String, code: RosterError.Code) throws {
    let error = #expect(throws: RosterError.self) {
      _ = try store.read { try $0.fetch(SQL(stringLiteral: text), as: Int.self) }
    }
    #expect(error?.code == code)
    #expect(error?.sql == text)
  }

  @Test("a result without a column of the record names the column")
  func missingColumn() throws {
    let error = #expect(throws: RosterError.self) {
      _ = try store.read { try $0.fetch("SELECT id, text, rank FROM note", as: Note.self) }
    }
    #expect(error?.columns == ["created"])
  }

  @Test("a cached statement whose table another connection has rebuilt reads the columns where they now are")
  func rebuilt() throws {
    let note = Note("x", rank: 3)
    try store.write { try $0.insert(note) }
    let connection = try Connection(path: folder.file("notes.db").path, mode: .readWrite)
    let sql: SQL = "SELECT * FROM note"
    #expect(try connection.fetch(sql, as: Note.self) == [note])
    #expect(throws: RosterError.self) { _ = try connection.fetchValues(sql, as: Int.self) }
    try store.write { (tx: inout Transaction) throws in
      try tx.execute("ALTER TABLE note RENAME TO old")
      try tx.execute(
        "CREATE TABLE note (created TEXT, extra, text TEXT, row_key INTEGER PRIMARY KEY, rank INTEGER, id TEXT)")
      try tx.execute("INSERT INTO note (created, text, rank, id) SELECT created, text, rank, id FROM old")
    }
    #expect(try connection.fetch(sql, as: Note.self) == [note])
  }

  @Test("a name with a quotation mark is one name, also where an accent stands behind the mark")
  func marks() throws {
    for name in ["a\"b", "a\"\u{301}; DROP TABLE note; --", "\"", "'\u{301}"] {
      let connection = try Connection(path: ":memory:", mode: .memory)
      try connection.execute("CREATE TABLE \(quoted(name)) (x DEFAULT \(literal(name)))")
      try connection.execute("INSERT INTO \(quoted(name)) DEFAULT VALUES")
      #expect(try connection.value("SELECT name FROM sqlite_schema") == .text(name))
      #expect(try connection.value("SELECT x FROM \(quoted(name))") == .text(name))
    }
  }
}
