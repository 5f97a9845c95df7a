import Foundation
import Testing

@testable import Roster

@Suite("The schema of a database against the records")
struct SchemaTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func message(_ sql: String) throws -> RosterError {
    try failure(.schemaMismatch) {
      _ = try Store(
        at: folder.file("\(UUID()).db"), records: [Note.self],
        migrations: [Migration(number: 1, name: "note", sql: sql)])
    }
  }

  @Test("a missing column and a nullable one behind a property that cannot be nil are one error")
  func both() throws {
    let error = try message(
      "CREATE TABLE note (row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT, rank INTEGER)")
    #expect(
      error.message == """
        The database is not as the records declare it: note: column text can be NULL and its property cannot be nil; \
        note: column created is missing.
        """)
    #expect(error.table == "note")
  }

  @Test("each kind of mismatch is named")
  func kinds() throws {
    #expect(try message("CREATE TABLE other (x)").message.contains("note: there is no such table"))
    let error = try message(
      """
      CREATE TABLE note (
        id TEXT NOT NULL, text INTEGER NOT NULL, rank INTEGER NOT NULL,
        created TEXT NOT NULL GENERATED ALWAYS AS (text), extra TEXT NOT NULL)
      """)
    for part in [
      "column text is INTEGER and would not keep TEXT values",
      "column rank is NOT NULL and its property can be nil",
      "column created is generated", "column extra is NOT NULL without a default",
      "column id is the id and is not UNIQUE",
      "there is no INTEGER PRIMARY KEY",
    ] { #expect(error.message.contains(part), "\(part): \(error.message)") }
    #expect(
      try message("CREATE VIEW note AS SELECT 1 AS id, 2 AS text, 3 AS rank, 4 AS created").message.contains(
        "it is a view"))
    #expect(
      try message(
        "CREATE TABLE note (id TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL, rank INTEGER, created TEXT NOT NULL) WITHOUT ROWID"
      ).message.contains("WITHOUT ROWID"))
  }

  @Test("the same faults are found in a file that is opened to be read")
  func readOnly() throws {
    let sql = "CREATE TABLE note (row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT)"
    let migrations = [Migration(number: 1, name: "note", sql: sql)]
    try Store(at: folder.file("x.db"), migrations: migrations).close()
    var options = StoreOptions()
    options.access = .readOnly
    let error = try failure(.schemaMismatch) {
      _ = try Store(at: folder.file("x.db"), records: [Note.self], migrations: migrations, options: options)
    }
    #expect(error.message.contains("rank is missing"))
    #expect(error.message.contains("text can be NULL"))
  }
}
