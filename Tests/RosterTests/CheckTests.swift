import Foundation
import Testing

@testable import Roster

@Suite("Checking a database")
struct CheckTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Puts bytes into a text column as another program may.
  private func insert(_ hex: String, rank: Int = 0, into store: Store) throws -> UUID {
    let id = UUID()
    try store.write { tx in
      try tx.execute(
        "INSERT INTO note (id, text, rank, created) VALUES (\(id), CAST(\(SQL(stringLiteral: "x'\(hex)'")) AS TEXT), \(rank), '2026-01-02 03:04:05')"
      )
    }
    return id
  }

  private func hex(_ store: Store, _ id: UUID) throws -> String? {
    let rows: [String] = try store.read {
      try $0.fetch("SELECT hex(text) FROM note WHERE id = \(id)", as: String.self)
    }
    return rows.first
  }

  @Test(
    "invalid UTF-8 reads with U+FFFD, is reported with its place, and stays when another field is updated",
    arguments: [
      ("61FF62", "a\u{FFFD}b", 1), ("FF", "\u{FFFD}", 0), ("E5AD", "\u{FFFD}", 0),
      ("616263C0AF", "abc\u{FFFD}\u{FFFD}", 3),
      ("EDA080", "\u{FFFD}\u{FFFD}\u{FFFD}", 0), ("F09F8E", "\u{FFFD}", 0),
      ("E5AD97F4908080", "字\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 3),
    ])
  func invalid(bytes: String, text: String, offset: Int) throws {
    let store = try Store.notes(in: folder)
    let id = try insert(bytes, rank: 1, into: store)
    var note = try #require(try store.read { try $0.fetch(Note.self, id: id) })
    #expect(note.text == text)
    let problem = Problem(
      kind: .invalidText, table: "note", rowKey: 1, column: "text",
      message: "the text is not valid UTF-8 at byte \(offset)")
    #expect(try store.check() == [problem])
    note.rank = 2
    try store.write { try $0.update(note) }
    #expect(try hex(store, id) == bytes)
    let old = note
    note.rank = 3
    try store.write { try $0.update(note, from: old) }
    note.rank = 4
    try store.write { try $0.upsert(note) }
    try store.write { _ = try $0.update(Query<Note>().filter(sql: "rank = 4"), .set(\.rank, to: 5)) }
    #expect(try hex(store, id) == bytes)
    #expect(try store.read { try $0.fetch(Note.self, id: id)?.rank } == 5)
    note.text = "repaired"
    try store.write { try $0.update(note) }
    #expect(try store.check() == [])
  }

  @Test("a NUL in a text is kept and reported")
  func nul() throws {
    let store = try Store.notes(in: folder)
    let id = try insert("61006200", into: store)
    #expect(try store.read { try $0.fetch(Note.self, id: id)?.text } == "a\0b\0")
    #expect(try store.check().map(\.kind) == [.nulInText])
    #expect(try store.check().map(\.message) == ["the text has a NUL character at byte 1"])
    let mine = Note("c\0d")
    try store.write { try $0.insert(mine) }
    #expect(try store.read { try $0.fetch(Note.self, id: mine.id) } == mine)
    #expect(try hex(store, mine.id) == "630064")
  }

  @Test("invalid text is found in tables without a record or a row id, and odd names don't matter")
  func foreignTables() throws {
    let store = try Store(
      at: folder.file("odd.db"),
      migrations: [
        Migration(
          number: 1, name: "odd",
          sql: """
            CREATE TABLE "[foo]/bar" ("a""b" TEXT, rowid TEXT);
            CREATE TABLE "Yesterday's list" (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
            CREATE VIEW both AS SELECT v FROM "Yesterday's list";
            CREATE TABLE made (x, y TEXT AS (x || 'y'));
            INSERT INTO "[foo]/bar" VALUES (CAST(x'FF' AS TEXT), 'z');
            INSERT INTO "Yesterday's list" VALUES ('k', CAST(x'6100' AS TEXT));
            INSERT INTO made VALUES (CAST(x'62C3' AS TEXT));
            """)
      ])
    let found = try store.check().map {
      "\($0.table ?? "-").\($0.column ?? "-") \($0.rowKey.map(String.init) ?? "-") \($0.kind)"
    }
    #expect(
      found == [
        "Yesterday's list.v - nulInText", "[foo]/bar.a\"b - invalidText", "made.x 1 invalidText",
        "made.y 1 invalidText",
      ])
  }

  @Test("text of a UTF-16 database with a lone surrogate is read and reported without a crash")
  func utf16() throws {
    let url = folder.file("wide.db")
    try Data().write(to: url)
    do {
      let connection = try Connection(path: url.path, mode: .readWrite)
      try connection.execute("PRAGMA encoding = 'UTF-16le'")
      try connection.execute("CREATE TABLE note (row_key INTEGER PRIMARY KEY, text TEXT)")
      try connection.execute(
        "INSERT INTO note (text) VALUES (CAST(x'610000D86200' AS TEXT)), (CAST(x'610000DC' AS TEXT)), ('字🎉')")
    }
    let store = try Store(at: url)
    let texts: [String] = try store.read {
      try $0.fetch("SELECT text FROM note ORDER BY row_key", as: String.self)
    }
    #expect(texts.count == 3)
    #expect(texts[0].hasPrefix("a"))
    #expect(texts[1] == "a\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(texts[2] == "字🎉")
    #expect(try store.check().map(\.rowKey) == [2])
  }

  @Test("a value in a spelling of another program is read, and reported, since no look-up finds it")
  func otherSpelling() throws {
    let store = try Store.notes(in: folder)
    let (upper, late) = (UUID(), UUID())
    try store.write { (tx: inout Transaction) throws in
      try tx.insert(Note("fine", rank: 1))
      try tx.execute("INSERT INTO note (id, text, created) VALUES (\(upper.uuidString), 'a', '2026-01-02 03:04:05')")
      try tx.execute("INSERT INTO note (id, text, created) VALUES (\(late), 'b', '2026-01-02T03:04:05Z')")
      #expect(try tx.fetch(Query<Note>()).map(\.id).suffix(2) == [upper, late])
      #expect(try tx.fetch(Note.self, id: upper) == nil)
    }
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.otherSpelling, .otherSpelling])
    #expect(problems.map(\.column) == ["id", "created"])
    #expect(problems.map(\.rowKey) == [2, 3])
    #expect(problems.map(\.recordID) == [nil, late.uuidString.lowercased()])
  }

  @Test("every column of a row that cannot be read is reported")
  func everyColumn() throws {
    let store = try Store.notes(in: folder)
    try store.write {
      try $0.execute("INSERT INTO note (id, text, rank, created) VALUES (\(UUID()), 'a', 'x', 'y')")
    }
    #expect(try store.check().map(\.column) == ["rank", "created"])
  }

  @Test("a row that is no value of its record, and one without its parent, are reported without their values")
  func rows() throws {
    let store = try Store.notes(in: folder)
    try store.write { tx in
      try tx.execute(
        "INSERT INTO note (id, text, created) VALUES ('no uuid', 'secret', '2026-01-02 03:04:05')")
      try tx.execute(
        "INSERT INTO note (id, text, rank, created) VALUES (\(UUID()), 'secret', 'high', '2026-01-02 03:04:05')"
      )
      try tx.execute("INSERT INTO note (id, text, created) VALUES (\(UUID()), 'secret', 'yesterday')")
      try tx.execute("CREATE TABLE child (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note (row_key))")
      try tx.execute("PRAGMA defer_foreign_keys = ON")
    }
    let other = try Connection(path: folder.file("notes.db").path, mode: .readWrite)
    try other.execute("INSERT INTO child VALUES (7, 99)")
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.foreignKey, .unreadableRow, .unreadableRow, .unreadableRow])
    #expect(problems.map(\.column) == [nil, "id", "rank", "created"])
    #expect(problems.map(\.rowKey) == [7, 1, 2, 3])
    #expect(problems[0].message == "the note it refers to does not exist")
    for problem in problems {
      for value in ["no uuid", "secret", "high", "yesterday"] {
        #expect(!problem.description.contains(value))
      }
    }
    for rank in ["id = 'no uuid'", "rank = 'high'", "created = 'yesterday'"] {
      let error = try failure(.typeMismatch) {
        _ = try store.read { try $0.fetch(Query<Note>().filter(sql: SQL(stringLiteral: rank))) }
      }
      #expect(error.table == "note")
      #expect(error.columns.count == 1)
    }
  }

  @Test("damage is reported and not a crash")
  func damage() throws {
    // The log has pages that hold nothing, whose damage is none.
    let store = try Store.notes(in: folder, options: .unlogged)
    try store.write { tx in for number in 0..<200 { try tx.insert(Note("note \(number)", rank: number)) } }
    try store.close()
    let url = folder.file("notes.db")
    let whole = try Data(contentsOf: url)
    var found = 0
    // Each page after the schema's in turn.
    for page in 1..<(whole.count / 4096) {
      var bytes = whole
      for index in stride(from: page * 4096 + 8, to: page * 4096 + 600, by: 3) {
        bytes[index] = UInt8(truncatingIfNeeded: index &* 37)
      }
      let broken = folder.file("broken\(page).db")
      try bytes.write(to: broken)
      do {
        let store = try Store(at: broken, records: [Note.self], migrations: Note.migrations, options: .unlogged)
        found += try store.check().contains { $0.kind == .damage } ? 1 : 0
      } catch let error as RosterError {
        #expect([.corrupt, .notADatabase].contains(error.code), "\(error)")
        found += 1
      }
    }
    #expect(found == whole.count / 4096 - 1)
  }
}
