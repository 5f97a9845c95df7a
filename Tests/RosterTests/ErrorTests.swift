import Foundation
import Testing

@testable import Roster

@Suite("Errors")
struct ErrorTests {
  let folder: TemporaryFolder
  let store: Store

  private static let schema = Migration(
    number: 2, name: "constraints",
    sql: """
      CREATE TABLE pair (a TEXT, b TEXT, "odd, name" TEXT UNIQUE, UNIQUE (a, b));
      CREATE TABLE child (id INTEGER PRIMARY KEY, note INTEGER NOT NULL REFERENCES note (row_key));
      CREATE TABLE late (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note (row_key) DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE "a.b, c" ("d.e" INTEGER UNIQUE NOT NULL, f, "g, h", UNIQUE (f, "g, h"));
      CREATE TABLE strict (n INTEGER) STRICT;
      CREATE TABLE named (n INTEGER, CONSTRAINT small CHECK (n < 10));
      CREATE TRIGGER refuse BEFORE DELETE ON pair BEGIN SELECT RAISE(ABORT, 'pairs stay'); END;
      CREATE VIRTUAL TABLE words USING fts5 (text);
      """)

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(
      at: folder.file("e.db"), records: [Note.self], migrations: Note.migrations + [ErrorTests.schema])
  }

  private func fails(_ code: RosterError.Code, _ sqliteCode: Int32, _ sql: SQL) throws -> RosterError {
    let error = try failure(code) { try store.write { try $0.execute(sql) } }
    #expect(error.sqliteCode == sqliteCode, "\(error)")
    #expect(error.sql == sql.text)
    return error
  }

  @Test("each kind of constraint has its code, and the table and columns that SQLite tells")
  func constraints() throws {
    let note = Note("one")
    try store.write { tx in
      try tx.insert(note)
      try tx.execute("INSERT INTO pair VALUES ('x', 'y', 'z')")
      try tx.execute("INSERT INTO child VALUES (1, 1)")
    }
    let unique = try fails(.uniqueViolation, 2067, "INSERT INTO pair (a, b) VALUES ('x', 'y')")
    #expect(unique.table == "pair")
    #expect(unique.columns == ["a", "b"])
    let key = try fails(.uniqueViolation, 1555, "INSERT INTO child VALUES (1, 1)")
    #expect(key.table == "child")
    #expect(key.columns == ["id"])
    let null = try fails(.notNullViolation, 1299, "INSERT INTO child VALUES (2, NULL)")
    #expect(null.table == "child")
    #expect(null.columns == ["note"])
    let check = try fails(.checkViolation, 275, "INSERT INTO named VALUES (10)")
    #expect(check.message.contains("small"))
    let foreign = try fails(.foreignKeyViolation, 787, "INSERT INTO child VALUES (3, 99)")
    #expect(foreign.message.contains("FOREIGN KEY"))
    #expect(try fails(.constraintViolation, 1811, "DELETE FROM pair").message.contains("pairs stay"))
    _ = try fails(.constraintViolation, 3091, "INSERT INTO strict VALUES ('text')")
    _ = try fails(.typeMismatch, 20, "INSERT INTO child VALUES ('text', 1)")
    let odd = try fails(.uniqueViolation, 2067, "INSERT INTO pair (\"odd, name\") VALUES ('z')")
    #expect(odd.table == "pair")
    #expect(odd.columns == ["odd, name"])
    try store.write { _ = try $0.execute("INSERT INTO \(identifier: "a.b, c") VALUES (1, 2, 3)") }
    let dotted = try fails(.uniqueViolation, 2067, "INSERT INTO \(identifier: "a.b, c") VALUES (1, 0, 0)")
    #expect(dotted.table == "a.b, c")
    #expect(dotted.columns == ["d.e"])
    let comma = try fails(.uniqueViolation, 2067, "INSERT INTO \(identifier: "a.b, c") VALUES (2, 2, 3)")
    #expect(comma.table == "a.b, c")
    #expect(comma.columns == ["f", "g, h"])
  }

  @Test("a record's errors name its table and columns")
  func records() throws {
    let note = Note("one")
    try store.write { try $0.insert(note) }
    let unique = try failure(.uniqueViolation) { try store.write { try $0.insert(note) } }
    #expect(unique.table == "note")
    #expect(unique.columns == ["id"])
    #expect(
      try failure(.checkViolation) { try store.write { try $0.insert(Note("forbidden")) } }.table == "note")
    try store.write { try $0.execute("INSERT INTO child VALUES (1, 1)") }
    #expect(
      try failure(.foreignKeyViolation) { try store.write { try $0.delete(Note.self, id: note.id) } }.table
        == "note")
    #expect(try failure(.noSuchRecord) { try store.write { try $0.update(Note("none")) } }.table == "note")
  }

  @Test("a deferred foreign key fails the commit, with everything")
  func deferred() throws {
    let error = try failure(.foreignKeyViolation) {
      try store.write { tx in
        try tx.insert(Note("one"))
        try tx.execute("INSERT INTO late VALUES (1, 99)")
      }
    }
    #expect(error.sqliteCode == 787)
    #expect(try store.read { try $0.count(Query<Note>()) } == 0)
    try store.write { tx in
      try tx.execute("INSERT INTO late VALUES (1, 1)")
      try tx.insert(Note("one"))
    }
  }

  @Test("a fault of the statement has its place")
  func syntax() throws {
    let error = try failure(.sql) { try store.read { try $0.rows("SELECT 1, 字 FROM note WHERE oops") } }
    #expect(error.sqlOffset == 10)
    #expect(try failure(.sql) { try store.read { try $0.rows("SELEC 1") } }.sqlOffset == 0)
    _ = try failure(.sql) { try store.read { try $0.rows("SELECT ?") } }
  }

  @Test("no argument appears in any error's description")
  func privacy() throws {
    let secret = "s3cr3t'\"x: y"
    let note = Note(secret, rank: 987_654)
    try store.write { tx in
      try tx.insert(note)
      try tx.execute("INSERT INTO child VALUES (1, 1)")
    }
    let id = note.id.uuidString.lowercased()
    let attempts: [SQL] = [
      "INSERT INTO note (id, text, created) VALUES (\(note.id), \(secret), '')",
      "INSERT INTO child (id, note) VALUES (\(secret), 1)", "INSERT INTO child VALUES (2, \(987_654))",
      "INSERT INTO named VALUES (\(987_654))", "INSERT INTO strict VALUES (\(secret))",
      "SELECT json_extract('{}', \(secret))", "SELECT json_extract(\(secret), '$.a')",
      "SELECT json(\(secret))",
      "SELECT * FROM words WHERE words MATCH \(secret)",
      "SELECT * FROM words WHERE words MATCH \("s3cr3t: y")",
      "SELECT * FROM words WHERE words MATCH \("\"s3cr3t")",
      "SELECT * FROM words WHERE words MATCH \("(s3cr3t")",
      "SELECT 'a' LIKE 'b' ESCAPE \(secret)", "SELECT oops(\(secret))", "SELECT \(secret) FROM nowhere",
      "SELECT abs(\(Int64.min)), \(secret)", "SELECT zeroblob(\(Int64.max)), \(secret)",
      "SELECT text FROM note WHERE text = \(secret) OR oops",
    ]
    var codes: Set<RosterError.Code> = []
    for sql in attempts {
      let error = try #require(throws: RosterError.self, "\(sql.text)") {
        try store.write { try $0.rows(sql) }
      }
      codes.insert(error.code)
      try expectPrivate(error, id)
    }
    #expect(
      codes.isSuperset(of: [.uniqueViolation, .typeMismatch, .foreignKeyViolation, .checkViolation, .sql]))
    let mine: [(RosterError.Code, (inout Transaction) throws -> Void)] = [
      (.uniqueViolation, { try $0.insert(note) }),
      (.foreignKeyViolation, { _ = try $0.delete(Note.self, id: note.id) }),
      (.noSuchRecord, { try $0.update(Note(secret)) }),
      (.typeMismatch, { _ = try $0.fetch("SELECT \(secret)", as: Int.self) }),
      (.typeMismatch, { _ = try $0.fetch("SELECT \(secret)", as: UUID.self) }),
      (.typeMismatch, { _ = try $0.fetch("SELECT \(secret)", as: Date.self) }),
      (.sql, { _ = try $0.fetch("SELECT \(secret), 2", as: Int.self) }),
      (.sql, { _ = try $0.fetch("SELECT \(secret) AS text", as: Note.self) }),
    ]
    for (code, body) in mine {
      try expectPrivate(try failure(code) { try store.write { try body(&$0) } }, id)
    }
  }

  private func expectPrivate(_ error: RosterError, _ id: String) throws {
    for text in ["\(error)", String(reflecting: error), error.message, error.localizedDescription] {
      for value in ["s3cr3t", "x: y", "987654", id] { #expect(!text.contains(value), "\(text)") }
    }
    #expect("\(error)".contains(error.message))
  }

  @Test("what a message quotes of the statement itself stays")
  func kept() throws {
    let error = try failure(.sql) {
      try store.read { try $0.rows("SELECT json_extract('{}', 'oops') || \("x")") }
    }
    #expect(error.message.contains("'oops'"))
  }

  // MARK: Statements

  @Test("a statement is prepared once, however often it is used")
  func prepared() throws {
    let connection = try Connection(path: ":memory:", mode: .memory)
    try connection.execute("CREATE TABLE t (x)")
    let before = connection.statementsPrepared
    for number in 0..<100 {
      try connection.control("BEGIN")
      try connection.execute("INSERT INTO t VALUES (?)", [SQLArgument(.integer(Int64(number)))])
      _ = try connection.value("SELECT count(*) FROM t")
      try connection.control("COMMIT")
    }
    #expect(connection.statementsPrepared == before + 4)
  }

  @Test("the cache of statements has a limit, and one that is in use survives it")
  func limit() throws {
    let connection = try Connection(path: ":memory:", mode: .memory)
    let held = try connection.statement("SELECT 1 UNION ALL SELECT 2")
    #expect(try held.step())
    for number in 0..<(Connection.cacheLimit * 3) {
      #expect(try connection.value("SELECT \(number)") == .integer(Int64(number)))
      #expect(connection.cachedStatementCount <= Connection.cacheLimit)
    }
    #expect(try held.step())
    #expect(try held.cell(0).int64() == 2)
    #expect(try !held.step())
  }

  @Test("two users of one text get a statement each")
  func lent() throws {
    let connection = try Connection(path: ":memory:", mode: .memory)
    let text = "SELECT value FROM json_each('[1,2,3]')"
    let one = try connection.statement(text)
    #expect(try one.step())
    let two = try connection.statement(text)
    #expect(try two.step())
    #expect(try one.step())
    #expect(try one.cell(0).int64() == 2)
    #expect(try two.cell(0).int64() == 1)
  }

  @Test("a table changed by another connection is read with its new columns")
  func changedSchema() throws {
    let note = Note("one")
    try store.write { try $0.insert(note) }
    _ = try store.read { try $0.fetch(Query<Note>()) }
    let other = try Connection(path: folder.file("e.db").path, mode: .readWrite)
    other.setBusyTimeout(.seconds(5))
    try other.execute("ALTER TABLE note ADD COLUMN more TEXT DEFAULT 'm'")
    #expect(try store.read { try $0.fetch(Query<Note>()) } == [note])
    #expect(try store.read { try $0.rows("SELECT * FROM note") }.first?.count == 6)
    try store.write { try $0.insert(Note("two")) }
    _ = try failure(.notAuthorized) { try store.write { try $0.execute("COMMIT") } }
  }
}
