import Foundation
import Testing

@testable import Roster

/// What an opening leaves to the one before it, and what it never does.
@Suite("A schema that has been checked")
struct CheckedSchemaTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ records: any Record.Type..., options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(at: folder.file("docs.db"), records: records, migrations: Doc.migrations, options: options)
  }

  private func foreign(_ statements: String...) throws {
    let connection = try Connection(path: folder.file("docs.db").path, mode: .readWrite)
    for statement in statements { try connection.execute(statement) }
  }

  private func noted() throws -> Int {
    let connection = try Connection(path: folder.file("docs.db").path, mode: .readWrite)
    guard case .integer(let count)? = try connection.value("SELECT count(*) FROM roster_checked") else { return -1 }
    return Int(count)
  }

  private func isKnown(_ records: any Record.Type...) throws -> Bool {
    let connection = try Connection(path: folder.file("docs.db").path, mode: .readWrite)
    return try CheckedSchema(records: records, connection: connection).isKnown()
  }

  @Test("is noted by the first opening, and the next one writes nothing")
  func noting() throws {
    try open(Doc.self).close()
    #expect(try noted() == 1)
    #expect(try isKnown(Doc.self) && !isKnown(PlainDoc.self))
    let before = try folder.contents()
    try open(Doc.self).close()
    #expect(try folder.contents() == before)
  }

  @Test("lets a known file be opened with half of the statements, counted")
  func statements() throws {
    try open(Doc.self).close()
    func prepared() throws -> Int {
      let opening = StoreOpening(
        path: folder.file("docs.db").path, options: StoreOptions(), records: [Doc.self],
        migrator: try Migrator(Doc.migrations))
      return try opening.openWriter().0.statementsPrepared
    }
    let known = try prepared()
    try foreign("UPDATE roster_checked SET schema = schema + 1")
    let unknown = try prepared()
    #expect(known <= 16 && unknown > 24)
  }

  @Test(
    "is checked anew after every change of the schema by another program",
    arguments: [
      "DROP TRIGGER roster_feed_update_doc", "DROP INDEX roster_order_doc", "DROP TABLE roster_search_doc_left",
      "DROP TRIGGER roster_search_doc_insert", "DROP TABLE roster_log_time", "DROP TABLE roster_checked",
    ])
  func damage(sql: String) throws {
    let store = try open(Doc.self)
    try store.write { try $0.insert(Doc(id: 1, title: "布局", body: nil)) }
    try store.close()
    try foreign(sql)
    #expect(try !isKnown(Doc.self))
    let again = try open(Doc.self)
    #expect(try isKnown(Doc.self))
    try again.write { try $0.insert(Doc(id: 2, title: "学习 SwiftUI 布局", body: nil)) }
    #expect(try again.ids("布局").sorted() == [1, 2])
    #expect(try again.check().isEmpty)
    try again.close()
  }

  @Test("lets everything be made again that is gone at once, whatever the triggers write to")
  func allAtOnce() throws {
    let store = try open(Doc.self)
    try store.write { try $0.insert([Doc(id: 1, title: "布局", body: nil), Doc(id: 2, title: "b", body: nil)]) }
    try store.close()
    let parts = [
      "DROP INDEX roster_order_doc", "DROP TABLE roster_search_doc_left", "DROP TABLE roster_log",
      "DROP TABLE roster_feed",
      "DROP TRIGGER roster_feed_delete_doc", "DROP TABLE roster_log_time",
    ]
    for first in parts.indices {
      try foreign("UPDATE doc SET position = NULL")
      // Each of them last once: a statement that drops a table is checked against the triggers that are there.
      for part in parts[first...] + parts[..<first] { try? foreign(part) }
      let again = try open(Doc.self)
      #expect(again.adoptions.map(\.rows) == [2])
      #expect(try again.ids("布局") == [1])
      #expect(try again.check().isEmpty)
      try again.write { try $0.update(Doc(id: 2, title: "布", body: nil)) }
      #expect(try again.ids("布").sorted() == [1, 2])
      try again.close()
    }
  }

  @Test("names a column that another program has dropped, though the file was right before")
  func dropped() throws {
    try open(PlainDoc.self).close()
    try foreign("DROP TRIGGER roster_feed_update_doc", "ALTER TABLE doc RENAME COLUMN title TO name")
    let error = try failure(.schemaMismatch) { try open(PlainDoc.self) }
    #expect(error.message.contains("column title is missing"))
  }

  @Test("is noted for each declaration by itself, for up to sixteen")
  func declarations() throws {
    try open(Doc.self).close()
    try open(Doc.self, PlainDoc.self).close()
    #expect(try isKnown(Doc.self) && isKnown(Doc.self, PlainDoc.self))
    #expect(try !isKnown(PlainDoc.self, Doc.self))
    for number in 1...14 { try foreign("INSERT INTO roster_checked VALUES (\(number), 0)") }
    #expect(try noted() == 16)
    try open(PlainDoc.self, Doc.self).close()
    #expect(try noted() == 1)
    #expect(try isKnown(PlainDoc.self, Doc.self))
  }

  @Test("is not noted in a table of another program's with the name, and the file opens all the same")
  func foreignTable() throws {
    try open(Doc.self).close()
    try foreign("DROP TABLE roster_checked", "CREATE TABLE Roster_Checked (a)", "INSERT INTO Roster_Checked VALUES (1)")
    for _ in 1...2 {
      let store = try open(Doc.self)
      #expect(try store.read { try $0.fetch("SELECT a FROM roster_checked", as: Int.self) } == [1])
      try store.close()
    }
  }

  @Test("is not noted while another process writes, which the opening does not wait for")
  func beside() throws {
    try open(Doc.self).close()
    try foreign("DELETE FROM roster_checked")
    let other = try Connection(path: folder.file("docs.db").path, mode: .readWrite)
    try other.control("BEGIN IMMEDIATE")
    let begin = ContinuousClock.now
    var options = StoreOptions()
    options.busyTimeout = .seconds(60)
    let store = try open(Doc.self, options: options)
    #expect(ContinuousClock.now - begin < .seconds(30))
    #expect(try !isKnown(Doc.self))
    try other.control("COMMIT")
    try store.write { try $0.insert(Doc(id: 1, title: "a", body: nil)) }
    try store.close()
  }

  @Test("is left out of a file without a log, and by a store without records")
  func nothing() throws {
    try open(PlainDoc.self, options: .unlogged).close()
    #expect(try Set(names()) == ["doc", "roster_migrations"])
    try open(Doc.self).close()
    try foreign("DELETE FROM roster_checked")
    try open().close()
    #expect(try noted() == 0)
  }

  private func names() throws -> [String] {
    let connection = try Connection(path: folder.file("docs.db").path, mode: .readWrite)
    return try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap {
      if case .text(let name)? = $0.first { name } else { nil }
    }
  }

  @Test("is checked as before where its note is on a damaged page")
  func damagedPage() throws {
    let store = try open(Doc.self)
    try store.write { try $0.insert(Doc(id: 1, title: "布局", body: nil)) }
    try store.close()
    let connection = try Connection(path: folder.file("docs.db").path, mode: .readWrite)
    guard
      case .integer(let page)? = try connection.value(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'roster_checked'"),
      case .integer(let size)? = try connection.value("PRAGMA page_size")
    else { throw POSIXError(.EINVAL) }
    var bytes = try Data(contentsOf: folder.file("docs.db"))
    let start = Int((page - 1) * size)
    bytes.replaceSubrange(start..<(start + Int(size)), with: Data(repeating: 0xFF, count: Int(size)))
    // Another file, since this process has the old one's pages in mind.
    try bytes.write(to: folder.file("damaged.db"))
    let damaged = try Store(at: folder.file("damaged.db"), records: [Doc.self], migrations: Doc.migrations)
    #expect(try damaged.ids("布局") == [1])
    try damaged.write { try $0.insert(Doc(id: 2, title: "布", body: nil)) }
    try damaged.close()
  }

  /// A database that an older version has noted as right keeps what that version has derived. Where this fails, raise the
  /// version, and put the new number here.
  @Test("has another version when the SQL of what is derived is another")
  func version() throws {
    var hash = FNV1a()
    for (records, migrations) in [
      ([Doc.self] as [any Record.Type], Doc.migrations), ([Prose.self], Doc.migrations), ([Card.self], Card.migrations),
    ] {
      let store = try Store(inMemoryWith: records, migrations: migrations)
      let derived = try store.read {
        try $0.fetch("SELECT sql FROM sqlite_schema WHERE sql LIKE '%roster%' ORDER BY name", as: String.self)
      }
      for sql in derived { hash.mix(text: sql.utf8) }
    }
    #expect(CheckedSchema.version == 1)
    #expect(hash.value == 12_006_605_686_172_930_964)
  }
}
