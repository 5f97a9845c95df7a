import Foundation
import Testing

@testable import Roster

@Suite("Migrations of a schema with data")
struct MigrationSchemaTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var url: URL { folder.file("app.db") }

  private let base = Migration(
    number: 1, name: "base",
    sql: """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE);
      CREATE INDEX parent_name ON parent (name);
      CREATE TRIGGER parent_named AFTER INSERT ON parent WHEN new.name = '' BEGIN SELECT RAISE(ABORT, 'no name'); END;
      INSERT INTO parent VALUES (1, 'one'), (2, 'two');
      INSERT INTO child VALUES (10, 1), (11, 1), (12, 2);
      """)

  private func open(_ more: String..., options: StoreOptions = StoreOptions()) throws -> Store {
    let steps = more.enumerated().map { Migration(number: $0.offset + 2, name: "more", sql: $0.element) }
    return try Store(at: url, migrations: [base] + steps, options: options)
  }

  @Test("rebuilding a parent keeps its children, though they cascade, and enforcement is back")
  func rebuild() throws {
    try open().close()
    let store = try open(
      """
      CREATE TABLE new_parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT NOT NULL DEFAULT '');
      INSERT INTO new_parent (id, name) SELECT id, name FROM parent;
      DROP TABLE parent;
      ALTER TABLE new_parent RENAME TO parent;
      CREATE INDEX parent_name ON parent (name);
      """)
    let rows: [[SQLiteValue]] = try store.read { try $0.rows("SELECT id, parent FROM child ORDER BY id") }
    #expect(rows == [[10, 1], [11, 1], [12, 2]].map { $0.map { .integer($0) } })
    #expect(try store.check() == [])
    #expect(
      try store.read {
        try $0.rows("SELECT sql LIKE '%REFERENCES parent (id)%' FROM sqlite_schema WHERE name = 'child'")
      } == [[.integer(1)]])
    let error = try failure(.foreignKeyViolation) {
      try store.write { try $0.execute("INSERT INTO child VALUES (13, 99)") }
    }
    #expect(error.sqliteCode == 787)
    try store.write { try $0.execute("DELETE FROM parent WHERE id = 1") }
    #expect(try store.read { try $0.rows("SELECT id FROM child") } == [[.integer(12)]])
  }

  @Test("enforcement is back after a failed migration, too, and in the same process")
  func enforcementAfterFailure() throws {
    _ = try failure(.migrationFailed) { _ = try open("DROP TABLE parent; oops") }
    let store = try open()
    _ = try failure(.foreignKeyViolation) {
      try store.write { try $0.execute("INSERT INTO child VALUES (13, 99)") }
    }
  }

  @Test("a migration that leaves rows without their parent is refused as a whole")
  func violation() throws {
    try open().close()
    let error = try failure(.migrationFailed) {
      _ = try open("CREATE TABLE x (y);", "DELETE FROM parent WHERE id = 1")
    }
    #expect(
      error.message
        == "Migration 0003_more.sql leaves rows that violate a foreign key: 2 of child without their parent.")
    #expect(error.table == "child")
    let store = try open("CREATE TABLE x (y);")
    #expect(try store.read { try $0.rows("SELECT count(*) FROM parent") } == [[.integer(2)]])
  }

  @Test("rows that had no parent before do not keep a migration from running")
  func oldViolation() throws {
    try open().close()
    do {
      let other = try Connection(path: url.path, mode: .readWrite)
      try other.execute("INSERT INTO child VALUES (50, 500)")
    }
    try open("CREATE TABLE x (y);").close()
    let error = try failure(.migrationFailed) {
      _ = try open("CREATE TABLE x (y);", "INSERT INTO child VALUES (51, 500)")
    }
    #expect(error.message.contains("2 of child without their parent"))
  }

  @Test("the status says of each migration how it stands, and when it was applied")
  func status() throws {
    let before = Date(timeIntervalSinceNow: -2)
    let store = try open("CREATE TABLE x (y);")
    let applied = try store.migrationStatus()
    #expect(applied.map(\.state) == [.applied, .applied])
    #expect(applied.map(\.name) == ["base", "more"])
    for status in applied {
      let at = try #require(status.appliedAt)
      #expect(at >= before && at <= Date())
    }
    try store.close()
    let given = [
      Migration(number: 1, name: "base", sql: "edited"), Migration(number: 3, name: "late", sql: ""),
      Migration(number: 4, name: "later", sql: ""),
    ]
    let bytes = try Data(contentsOf: url)
    #expect(
      try Store.migrationStatus(at: url, migrations: given).map(\.state) == [
        .edited, .missing, .pending, .pending,
      ])
    #expect(
      try Store.migrationStatus(at: url, migrations: []).map(\.state) == [
        .fromNewerVersion, .fromNewerVersion,
      ])
    #expect(try Data(contentsOf: url) == bytes)
    _ = try failure(.noSuchFile) { _ = try Store.migrationStatus(at: folder.file("no.db"), migrations: []) }
  }

  @Test("an existing database is copied before its first pending migration, and only then")
  func backup() throws {
    var options = StoreOptions()
    options.backupBeforeMigrating = folder.file("before.db")
    try open(options: options).close()
    try open(options: options).close()
    #expect(try folder.names() == ["app.db"])
    try open("DELETE FROM child; CREATE TABLE x (y);", options: options).close()
    #expect(try folder.names() == ["app.db", "before.db"])
    let copy = try Store(at: folder.file("before.db"), migrations: [base])
    #expect(try copy.read { try $0.rows("SELECT count(*) FROM child") } == [[.integer(3)]])
    #expect(try copy.check() == [])
    try copy.close()
    try open("DELETE FROM child; CREATE TABLE x (y);", options: options).close()
  }

  @Test("where a file lies in the backup's place, nothing is migrated and the file stays")
  func backupInTheWay() throws {
    try open().close()
    try Data("precious".utf8).write(to: folder.file("before.db"))
    let before = try folder.contents()
    var options = StoreOptions()
    options.backupBeforeMigrating = folder.file("before.db")
    let error = try failure(.fileExists) { _ = try open("CREATE TABLE x (y);", options: options) }
    #expect(error.path == folder.file("before.db").path)
    #expect(try folder.contents() == before)
  }

  @Test("a failed migration leaves the backup, and what was before")
  func backupOfFailure() throws {
    try open().close()
    var options = StoreOptions()
    options.backupBeforeMigrating = folder.file("before.db")
    _ = try failure(.migrationFailed) { _ = try open("DROP TABLE child; oops", options: options) }
    for name in ["app.db", "before.db"] {
      let store = try Store(at: folder.file(name), migrations: [base])
      #expect(try store.read { try $0.rows("SELECT count(*) FROM child") } == [[.integer(3)]])
    }
  }

  @Test("a table of the record's name that is another program's is an error, and stays")
  func foreignRecord() throws {
    try Data().write(to: url)
    do {
      let other = try Connection(path: url.path, mode: .readWrite)
      try other.execute("CREATE TABLE roster_migrations (version TEXT)")
      try other.execute("INSERT INTO roster_migrations VALUES ('x')")
    }
    let bytes = try Data(contentsOf: url)
    let error = try failure(.corrupt) { _ = try open() }
    #expect(error.table == "roster_migrations")
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test("a store in memory is migrated, too")
  func memory() throws {
    let store = try Store(inMemoryWith: [], migrations: [base])
    _ = try failure(.foreignKeyViolation) {
      try store.write { try $0.execute("INSERT INTO child VALUES (13, 99)") }
    }
    #expect(try store.migrationStatus().map(\.state) == [.applied])
    #expect(try store.check() == [])
    try store.backup(to: folder.file("copy.db"))
    try store.vacuum(into: folder.file("compact.db"))
    for name in ["copy.db", "compact.db"] {
      let copy = try Store(at: folder.file(name), migrations: [base])
      #expect(try copy.read { try $0.rows("SELECT count(*) FROM child") } == [[.integer(3)]])
    }
  }
}
