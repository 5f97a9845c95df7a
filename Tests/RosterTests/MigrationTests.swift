import Foundation
import Testing

@testable import Roster

@Suite("Migrations")
struct MigrationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var url: URL { folder.file("app.db") }

  private func open(_ texts: String..., access: StoreOptions.Access = .readWrite) throws -> Store {
    try open(
      texts.enumerated().map { Migration(number: $0.offset + 1, name: "step", sql: $0.element) },
      access: access)
  }

  private func open(_ migrations: [Migration], access: StoreOptions.Access = .readWrite) throws -> Store {
    var options = StoreOptions()
    options.access = access
    return try Store(at: url, migrations: migrations, options: options)
  }

  private func schema(_ store: Store) throws -> [String] {
    try store.read {
      try $0.fetch(
        "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'roster%' ORDER BY name", as: String.self)
    }
  }

  private let first = "CREATE TABLE a (x INTEGER PRIMARY KEY);\n"

  /// Expects an error, and that the file's bytes and the folder are as before.
  private func unchanged<T>(_ code: RosterError.Code, _ body: () throws -> T) throws -> RosterError {
    let before = try folder.contents()
    let error = try failure(code, body)
    #expect(try folder.contents() == before)
    #expect(error.path == url.path)
    return error
  }

  @Test("a pragma that a migration sets does not stay with the store")
  func pragma() throws {
    let store = try open(
      "CREATE TABLE a (x CHECK (x > 0)); PRAGMA ignore_check_constraints = ON; PRAGMA recursive_triggers = OFF;")
    let error = try failure(.checkViolation) { try store.write { try $0.execute("INSERT INTO a VALUES (-1)") } }
    #expect(error.sqliteCode != nil)
    #expect(try store.write { try $0.fetch("PRAGMA recursive_triggers", as: Int.self) } == [1])
    #expect(try store.write { try $0.fetch("PRAGMA foreign_keys", as: Int.self) } == [1])
  }

  @Test("a failing statement leaves nothing, and the error names file, statement and line")
  func third() throws {
    try open(first).close()
    let second = """
      -- two tables
      CREATE TABLE b (y);

      CREATE TABLE c (z); INSERT INTO nowhere
        VALUES (1);
      CREATE TABLE d (z);
      CREATE TABLE e (z);
      """
    let error = try failure(.migrationFailed) { _ = try open(first, second) }
    #expect(error.message == "Migration 0002_step.sql, statement 3, line 4: no such table: nowhere")
    #expect(error.sql?.hasPrefix("INSERT INTO nowhere") == true)
    let store = try open(first)
    #expect(try schema(store) == ["a"])
    #expect(try store.migrationStatus().map(\.state) == [.applied])
  }

  @Test("the line is that of the fault, whatever the line endings", arguments: ["\n", "\r\n", "\r"])
  func line(ending: String) throws {
    let lines = [
      "CREATE TABLE b (y);", "/* one", "   two */", "CREATE TABLE c (", "  x TEXT,", "  y TEXT NOT oops,",
      "  z);",
    ]
    let error = try failure(.migrationFailed) { _ = try open(first, lines.joined(separator: ending)) }
    #expect(error.message.hasPrefix("Migration 0002_step.sql, statement 2, line 6: "), "\(error)")
  }

  @Test(
    "an edited, a missing, an out-of-order migration and a newer database are four errors, and change nothing"
  )
  func distinct() throws {
    let step = { (number: Int, sql: String) in Migration(number: number, name: "n\(number)", sql: sql) }
    let (one, three, five) = (step(1, first), step(3, "CREATE TABLE c (x)"), step(5, "CREATE TABLE e (x)"))
    try open([one, three]).close()
    let edited = try unchanged(.migrationEdited) {
      _ = try open([one, step(3, "CREATE TABLE c (x, y)"), five])
    }
    #expect(edited.message.contains("0003_n3.sql was edited"))
    #expect(try unchanged(.migrationMissing) { _ = try open([three, five]) }.message.contains("0001_n1.sql"))
    let late = try unchanged(.migrationOutOfOrder) {
      _ = try open([one, step(2, "CREATE TABLE b (x)"), three, five])
    }
    #expect(late.message.contains("0002_n2.sql"))
    let newer = try unchanged(.fromNewerVersion) { _ = try open([one]) }
    #expect(newer.message.contains("0003_n3.sql"))
    for access in [StoreOptions.Access.readOnly] {
      _ = try failure(.migrationEdited) {
        _ = try open([one, step(3, "CREATE TABLE d (x)")], access: access)
      }
      _ = try failure(.migrationMissing) { _ = try open([three], access: access) }
      let store = try open([one], access: access)
      #expect(try schema(store) == ["a", "c"])
      _ = try failure(.readOnly) { try store.write { try $0.execute("DELETE FROM a") } }
    }
    let store = try open([one, three, five])
    #expect(try store.migrationStatus().map(\.number) == [1, 3, 5])
  }

  @Test("line endings and a byte-order mark are no edit")
  func endings() throws {
    let text = "CREATE TABLE t (x);\nINSERT INTO t VALUES ('a\nb');\n"
    try open(text).close()
    for other in [text.replacing("\n", with: "\r\n"), text.replacing("\n", with: "\r"), "\u{FEFF}" + text] {
      try open(other).close()
    }
    _ = try failure(.migrationEdited) { _ = try open(text + " ") }
  }

  @Test(
    "what runs is the text as it is: the newlines in its literals survive", arguments: ["\n", "\r\n", "\r"])
  func raw(ending: String) throws {
    let store = try open("\u{FEFF}CREATE TABLE t (x);\(ending)INSERT INTO t VALUES ('a\(ending)b');\(ending)")
    #expect(try store.read { try $0.rows("SELECT x FROM t") } == [[.text("a\(ending)b")]])
  }

  @Test("statements end where the parser says")
  func statements() throws {
    let store = try open(
      """
      CREATE TABLE t (x TEXT DEFAULT ';', y); -- a comment; with a semicolon
      CREATE TRIGGER r AFTER INSERT ON t BEGIN
        UPDATE t SET y = CASE WHEN new.x = ';' THEN 'semi;colon' ELSE 'END' END WHERE rowid = new.rowid;
        SELECT CASE WHEN new.x = 'bad' THEN RAISE(ABORT, 'no; never') END;
      END;
      ;; /* ; */ ;
      INSERT INTO t (y) VALUES (''';'''); INSERT INTO t (x) VALUES ("e;f") -- no semicolon at the end;
      """.replacing("\"e;f\"", with: "'e;f'"))
    #expect(
      try store.read { try $0.rows("SELECT x, y FROM t ORDER BY rowid") }
        == [[.text(";"), .text("semi;colon")], [.text("e;f"), .text("END")]])
    #expect(try schema(store) == ["r", "t"])
  }

  @Test("a migration without a statement is applied")
  func blank() throws {
    let store = try open("", " \n", "-- later\n", "/* unfinished", ";", "\u{FEFF}")
    #expect(try store.migrationStatus().map(\.state) == Array(repeating: .applied, count: 6))
  }

  @Test(
    "what ends the transaction or leaves the database is refused, wherever it stands",
    arguments: [
      "COMMIT", "COMMIT;", "ROLLBACK", "BEGIN", "BEGIN IMMEDIATE", "END", "end transaction", "SAVEPOINT s",
      "RELEASE s",
      "ROLLBACK TO s", "/* */ Commit", "ATTACH ':memory:' AS other", "DETACH main", "\u{FEFF}COMMIT",
    ])
  func control(statement: String) throws {
    try open(first).close()
    let error = try failure(.migrationInvalid) {
      _ = try open(first, "CREATE TABLE b (x);\nINSERT INTO b VALUES (1);\n\(statement)")
    }
    #expect(
      error.message.hasPrefix("Migration 0002_step.sql, statement 3, line 3: it begins or ends"), "\(error)")
    _ = try failure(.migrationInvalid) { _ = try open(first, "\(statement)") }
    #expect(try schema(open(first)) == ["a"])
  }

  @Test(
    "a text with a NUL is refused, wherever it stands",
    arguments: ["\0", "CREATE TABLE b (x);\0CREATE TABLE c (x);", "SELECT 'a\0b'"])
  func nul(text: String) throws {
    try open(first).close()
    _ = try failure(.migrationFailed) { _ = try open(first, text) }
    #expect(try schema(open(first)) == ["a"])
  }

  @Test("VACUUM cannot run in a migration's transaction, and the error says so")
  func vacuum() throws {
    let error = try failure(.migrationFailed) { _ = try open(first, "VACUUM") }
    #expect(error.message.contains("cannot VACUUM from within a transaction"))
  }

  @Test("of several, those before the failing one stay")
  func several() throws {
    _ = try failure(.migrationFailed) {
      _ = try open(first, "CREATE TABLE b (x)", "oops", "CREATE TABLE d (x)")
    }
    let status = try Store.migrationStatus(
      at: url,
      migrations: ["", "", "", ""].enumerated().map {
        Migration(number: $0.offset + 1, name: "x", sql: $0.element)
      })
    #expect(status.map(\.state) == [.edited, .edited, .pending, .pending])
    #expect(try schema(open(first, "CREATE TABLE b (x)")) == ["a", "b"])
  }

  @Test("numbers are from 1 and unique")
  func numbers() throws {
    _ = try failure(.migrationInvalid) { _ = try open([Migration(number: 0, name: "zero", sql: "")]) }
    _ = try failure(.migrationInvalid) {
      _ = try open([Migration(number: 1, name: "a", sql: ""), Migration(number: 1, name: "b", sql: "")])
    }
    #expect(try folder.names() == [])
  }
}
