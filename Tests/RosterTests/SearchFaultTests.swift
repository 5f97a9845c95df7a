import Foundation
import Testing

@testable import Roster

@Suite("Search: faults that were found")
struct SearchFaultTests {
  private let folder: TemporaryFolder
  private var url: URL { folder.file("docs.db") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ migrations: [Migration] = Doc.migrations) throws -> Store {
    try Store(at: url, records: [Doc.self], migrations: migrations)
  }

  private func stock(_ statements: String...) throws {
    let connection = try Connection(path: url.path, mode: .readWrite)
    connection.setBusyTimeout(.seconds(5))
    for statement in statements {
      if ["BEGIN", "COMMIT"].contains(statement) {
        try connection.control(statement)
      } else {
        try connection.execute(statement)
      }
    }
  }

  private func insert(_ store: Store, _ titles: String...) throws {
    try store.write { (tx: inout Transaction) throws in
      for (index, title) in titles.enumerated() { try tx.insert(Doc(id: index + 1, title: title)) }
    }
  }

  @Test("what another program has named like a part of an index stays, through openings and migrations")
  func others() throws {
    try open().close()
    try stock(
      "CREATE TABLE roster_search_history (row_key INTEGER PRIMARY KEY, q TEXT)",
      "INSERT INTO roster_search_history (q) VALUES ('mine')", "CREATE VIRTUAL TABLE roster_search_mine USING fts5(x)",
      "CREATE VIEW roster_search_view AS SELECT row_key AS roster_key FROM roster_search_history",
      "CREATE TABLE roster_search_my_left (row_key INTEGER PRIMARY KEY, is_indexed INTEGER, note TEXT)",
      "INSERT INTO roster_search_my_left (note) VALUES ('mine')",
      "CREATE TABLE roster_search_gone_scanned (row_key INTEGER PRIMARY KEY, x)")
    let store = try open(Doc.migrations + [Migration(number: 2, name: "more", sql: "CREATE TABLE more (x);")])
    let names = try store.read {
      try $0.fetch("SELECT name FROM sqlite_schema WHERE name GLOB 'roster_search_*'", as: String.self)
    }
    for name in ["history", "mine", "view", "my_left", "gone_scanned"] {
      #expect(names.contains("roster_search_\(name)"), "\(name)")
    }
    #expect(try store.read { try $0.fetch("SELECT note FROM roster_search_my_left", as: String.self) } == ["mine"])
  }

  @Test("a wrong entry is found by check wherever it is among the terms", arguments: 1...3)
  func wrongRow(_ id: Int) throws {
    let store = try open()
    try insert(store, "aaa first", "bbb second", "ccc third")
    let sql = try store.read {
      try $0.fetch("SELECT sql FROM sqlite_schema WHERE name = 'roster_search_doc_update'", as: String.self)
    }
    try stock("DROP TRIGGER roster_search_doc_update", "UPDATE doc SET title = 'zzz stale' WHERE id = \(id)", sql[0])
    #expect(try store.ids("zzz") == [])
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.wrongSearchIndex] && problems.map(\.rowKey) == [Int64(id)])
    #expect(try store.repair() == problems)
    #expect(try store.ids("zzz") == [id])
  }

  @Test("rows that were noted and are not any more are found by check")
  func forgotten() throws {
    let store = try open()
    try insert(store, "aaa first", "bbb second", "ccc third")
    try stock("UPDATE doc SET title = 'x' WHERE id = 2", "DELETE FROM roster_search_doc_left")
    #expect(try store.check().map(\.rowKey) == [2])
    try store.repair()
    #expect(try store.check() == [])
    #expect(try store.ids("x") == [2])
  }

  @Test("a REPLACE that puts a default in the place of NULL is noticed, and nothing is deleted for another's text")
  func defaults() throws {
    let schema = """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, slug TEXT NOT NULL UNIQUE DEFAULT 'none');
      """
    let store = try Store(
      at: url, records: [Slugged.self], migrations: [Migration(number: 1, name: "doc", sql: schema)])
    try store.write { (tx: inout Transaction) throws in
      try tx.insert([Slugged(id: 1, title: "stale one", slug: "none"), Slugged(id: 2, title: "stale two", slug: "two")])
    }
    try stock(
      "INSERT OR REPLACE INTO doc (id, title, slug) VALUES (3, 'three', NULL)",
      "INSERT INTO doc (id, title, slug) VALUES (1, 'innocent', 's')")
    try store.finishIndexing()
    #expect(try store.read { try $0.count(Query<Slugged>().matching("stale")) } == 1)
    try stock("UPDATE OR REPLACE doc SET slug = NULL WHERE id = 2")
    try store.finishIndexing()
    #expect(try store.read { try $0.count(Query<Slugged>().matching("three")) } == 0)
    #expect(try store.write { try $0.delete(Query<Slugged>().matching("stale")) } == 1)
    #expect(try store.read { try $0.fetch(Query<Slugged>()).map(\.title) } == ["innocent"])
    #expect(try store.check() == [])
    // The feed has heard of what went, too.
    let changes = try store.read { try $0.changes(since: $0.firstFeedCursor()) }.changes
    #expect(Set(changes.map(\.id)) == [.integer(1)])
  }

  private struct Slugged: Record {
    let id: Int
    var title: String
    var slug: String

    static let table = Table(
      "doc", Slugged.init, Column("id", \.id), Column("title", \.title), Column("slug", \.slug),
      search: .substring(\.title))
  }

  @Test(
    "an index whose stored content is damaged is made anew, and neither writes, nor opening, nor repair fail for it",
    arguments: [
      "DELETE FROM roster_search_doc_index_data", "DROP TABLE roster_search_doc_index_data",
      "DELETE FROM roster_search_doc_index_config",
      "UPDATE roster_search_doc_index_config SET v = 99 WHERE k = 'version'",
      "DROP TABLE roster_search_doc_index_config", "DROP TABLE roster_search_doc_index_idx",
      "UPDATE roster_search_doc_index_data SET block = zeroblob(2)", "DELETE FROM roster_search_doc_index_idx",
    ])
  func damaged(_ damage: String) throws {
    for way in ["write", "repair", "migrate", "declare", "search"] {
      try? FileManager.default.removeItem(at: url)
      do {
        let store = try open()
        try insert(store, "one 布局", "two", "three")
        try store.close()
      }
      try stock(damage)
      var store = try open()
      switch way {
      case "write":
        // Here SQLite undoes the transaction, and the next one finds an index that is new.
        if damage == "DROP TABLE roster_search_doc_index_idx" {
          _ = try failure(.sql) { try store.write { _ = try $0.execute("UPDATE doc SET title = 'x' WHERE id = 1") } }
        }
        try store.write { _ = try $0.execute("UPDATE doc SET title = 'eins 布局' WHERE id = 1") }
        try store.write { _ = try $0.execute("UPDATE doc SET title = 'one 布局' WHERE id = 1") }
      case "repair": try store.repair()
      case "migrate":
        try store.close()
        store = try open(Doc.migrations + [Migration(number: 2, name: "more", sql: "CREATE TABLE more (x);")])
      case "declare":
        try store.close()
        let other = try Store(at: url, records: [Prose.self], migrations: Doc.migrations)
        #expect(try other.read { try $0.fetch(Query<Prose>().matching("on")).map(\.id) } == [1], "\(damage)")
        try other.close()
        store = try open()
      default:
        let ids = try store.ids("布局")
        // A search of an index that says that it is empty cannot know.
        if !damage.contains("zeroblob") { #expect(ids == [1], "\(damage)") }
        try store.repair()
      }
      try store.finishIndexing()
      #expect(try store.ids("布局") == [1], "\(way): \(damage)")
      #expect(try store.check() == [], "\(way): \(damage)")
      try store.checkIndex()
      try store.close()
    }
  }

  @Test("another program rebuilds the table, and renames others, as is done with SQLite")
  func rebuilt() throws {
    let store = try open()
    try insert(store, "one", "two")
    try stock(
      "BEGIN",
      "CREATE TABLE new_doc (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, is_done INTEGER NOT NULL "
        + "DEFAULT 0, list TEXT NOT NULL DEFAULT 'a', position INTEGER, more TEXT)",
      "INSERT INTO new_doc (id, title) SELECT id, title || ' 布局' FROM doc", "DROP TABLE doc",
      "ALTER TABLE new_doc RENAME TO doc", "COMMIT", "CREATE TABLE o (x)", "ALTER TABLE o RENAME COLUMN x TO y",
      "ALTER TABLE o RENAME TO p")
    #expect(try store.ids("two 布局") == [2])
    try store.write { (tx: inout Transaction) throws in try tx.insert(Doc(id: 3, title: "three 布局")) }
    #expect(try store.ids("布局").count == 3)
    try store.finishIndexing()
    try store.checkIndex()
    #expect(try store.check().allSatisfy { [.missingPosition, .missingIndex].contains($0.kind) })
  }

  @Test(
    "an SQL condition may name the integer key, beside a search as without one",
    arguments: ["rowid", "oid", "_rowid_", "id"])
  func rowIDs(_ name: String) throws {
    let store = try open()
    try store.write { (tx: inout Transaction) throws in
      for id in 1...1500 { try tx.insert(Doc(id: id, title: "布局 \(id % 2 == 0 ? "even" : "rare")")) }
    }
    let query = Query<Doc>().filter(sql: SQL(text: "\(name) > 1400 AND list = 'a'"))
    #expect(try store.read { try $0.fetch(query.matching("布局").limit(2)).map(\.id) } == [1500, 1499])
    #expect(try store.read { try $0.count(query.matching("rare")) } == 50)
    #expect(try store.read { try $0.fetch(query.matching("rare")).count } == 50)
  }

  @Test("words longer than FTS5 keeps them, and bytes that are no UTF-8, are found as they are counted")
  func long() throws {
    let store = try Store(at: url, records: [Prose.self], migrations: Doc.migrations)
    let long = String(repeating: "a", count: 32768)
    try store.write { (tx: inout Transaction) throws in
      try tx.insert([
        Prose(id: 1, title: long + "b"), Prose(id: 2, title: long + "c"), Prose(id: 3, title: "x " + long),
      ])
      try tx.execute("INSERT INTO doc (id, title) VALUES (4, CAST(x'FEFF80BEFF' AS TEXT))")
    }
    func check(_ typed: String, _ ids: [Int]) throws {
      let query = Query<Prose>().matching(typed)
      #expect(try store.read { try $0.fetch(query).map(\.id).sorted() } == ids)
      #expect(try store.read { try $0.count(query) } == ids.count)
    }
    try check(long + "x", [])
    try check(long + "c", [2])
    try check(long, [1, 2, 3])
    try check(long + " x", [3])
    try check("\u{FFFD}", [4])
    try store.close()
    let parts = try open()
    for typed in ["\u{FFFD}", "\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"] {
      #expect(try parts.read { try $0.count(Query<Doc>().matching(typed)) } == parts.ids(typed).count)
    }
  }

  @Test("texts that repeat themselves take no longer than others")
  func repetitive() {
    let (word, text) = (String(repeating: "a", count: 20_000), String(repeating: "a", count: 400_000))
    #expect(Query<Doc>().matching(word).highlights(in: text) == [text.startIndex..<text.endIndex])
    #expect(Query<Doc>().matching(word + "b").highlights(in: text) == [])
    let places = Query<Doc>().matching("a").snippet(of: String(repeating: "a b ", count: 20_000), length: 20_000)
    #expect(places.highlights.count == 5000)
  }
}
