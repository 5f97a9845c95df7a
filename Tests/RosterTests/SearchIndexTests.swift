import Foundation
import Testing

@testable import Roster

@Suite("The index for search")
struct SearchIndexTests {
  private let folder: TemporaryFolder
  private var url: URL { folder.file("docs.db") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ records: [any Record.Type] = [Doc.self], access: StoreOptions.Access = .readWrite) throws -> Store
  {
    var options = StoreOptions()
    options.access = access
    return try Store(at: url, records: records, migrations: Doc.migrations, options: options)
  }

  /// A connection as any program has one: without the engine's functions, and with SQLite's own settings.
  private func stock() throws -> Connection {
    let connection = try Connection(path: url.path, mode: .readWrite)
    connection.setBusyTimeout(.seconds(5))
    return connection
  }

  private func objects(_ store: Store) throws -> [String] {
    try store.read {
      try $0.fetch(
        "SELECT name FROM sqlite_schema WHERE name GLOB 'roster_search_*' ORDER BY name", as: String.self)
    }
  }

  private func left(_ store: Store) throws -> Int { try store.read { try $0.unindexedCount(Doc.self) } }

  @Test("rows that were there before it was declared are found at once, and indexed in the background")
  func declared() throws {
    do {
      let plain = try open([PlainDoc.self])
      try plain.write { (tx: inout Transaction) throws in
        for id in 0..<2500 { try tx.insert(PlainDoc(id: id, title: "学习 \(id) end")) }
      }
      #expect(try objects(plain) == [])
      try plain.close()
    }
    let store = try open()
    #expect(try store.ids("习 1234 END") == [1234])
    #expect(try store.ids("习 x") == [])
    var heard: [Int] = []
    try store.finishIndexing { left, total in
      heard.append(left)
      #expect(left <= total && total <= 2500)
    }
    #expect(heard.last == 0 && heard == heard.sorted(by: >))
    #expect(try left(store) == 0)
    #expect(try store.ids("习 1234 END") == [1234])
    try store.checkIndex()
    #expect(try store.check() == [])
  }

  @Test("another declaration makes another index, and none takes it away")
  func changed() throws {
    do {
      let store = try open()
      try store.write { (tx: inout Transaction) throws in try tx.insert(Doc(id: 1, title: "Café culture", body: "long"))
      }
      #expect(try store.ids("ulture") == [1])
      #expect(try objects(store).count == 13)
      try store.close()
    }
    do {
      let store = try open([Prose.self])
      let found = { (typed: String) in try store.read { try $0.fetch(Query<Prose>().matching(typed)).map(\.id) } }
      #expect(try found("ulture") == [])
      #expect(try found("cafe") == [1])
      try store.finishIndexing()
      #expect(try found("cafe LON") == [1])
      try store.close()
    }
    do {
      let store = try open([PlainDoc.self])
      #expect(try objects(store) == [])
      try store.close()
    }
    _ = try failure(.invalidTable) { try open([Doc.self, Prose.self]) }
    let store = try open([PlainDoc.self, Doc.self])
    #expect(try store.ids("ulture") == [1])
  }

  @Test("what a stock program writes is found by the next search, whatever way it writes")
  func foreign() throws {
    let store = try open()
    try store.write { (tx: inout Transaction) throws in
      for id in 1...5 { try tx.insert(Doc(id: id, title: "own \(id)", body: "布局")) }
    }
    let stock = try stock()
    func run(_ sql: String) throws { try stock.execute(sql) }
    try run("INSERT INTO doc (title) VALUES ('foreign 布局')")
    #expect(try store.ids("foreign") == [6])
    try run("UPDATE doc SET title = 'changed' WHERE id = 1")
    #expect(try store.ids("own").sorted() == [2, 3, 4, 5])
    #expect(try store.ids("changed") == [1])
    try run("REPLACE INTO doc (id, title) VALUES (2, 'replaced')")
    #expect(try store.ids("own").sorted() == [3, 4, 5])
    #expect(try store.ids("布局").sorted() == [1, 3, 4, 5, 6])
    try run("UPDATE OR REPLACE doc SET id = 3 WHERE id = 4")
    #expect(try store.ids("own 4") == [3])
    try run("UPDATE doc SET id = 40 WHERE id = 5")
    #expect(try store.ids("own 5") == [40])
    try run("INSERT OR IGNORE INTO doc (id, title) VALUES (3, 'ignored')")
    try run("INSERT INTO doc (id, title) VALUES (3, 'x') ON CONFLICT (id) DO UPDATE SET body = 'upserted'")
    #expect(try store.ids("upserted") == [3])
    #expect(try store.ids("ignored") == [])
    try store.finishIndexing()
    #expect(try left(store) == 0)
    try store.checkIndex()
    try run("DELETE FROM doc")
    #expect(try store.ids("o") == [])
    try store.finishIndexing()
    try store.checkIndex()
    #expect(try store.check() == [])
  }

  @MainActor @Test("what others have written is indexed without being asked for, after a search has come upon it")
  func soon() async throws {
    let store = try open()
    try stock().execute("INSERT INTO doc (title) VALUES ('foreign')")
    func find() throws -> [Int] { try store.ids("foreign") }
    func count() -> Int { (try? left(store)) ?? -1 }
    #expect(try find() == [1])
    try await eventually { count() == 0 }
    #expect(try find() == [1])
  }

  @Test("a store that only reads finds all, with rows that are not indexed, and without an index")
  func readOnly() throws {
    do {
      let store = try open()
      try store.write { (tx: inout Transaction) throws in
        try tx.insert([
          Doc(id: 1, title: "indexed 布局"), Doc(id: 2, title: "gone 布局"), Doc(id: 3, title: "nul \u{0} 布局"),
        ])
      }
      try store.close()
    }
    let stock = try stock()
    try stock.execute("INSERT INTO doc (title) VALUES ('left 布局')")
    try stock.execute("DELETE FROM doc WHERE id = 2")
    let store = try open(access: .readOnly)
    #expect(try store.ids("布局").sorted() == [1, 3, 4])
    #expect(try store.ids("left") == [4])
    #expect(try store.ids("gone") == [])
    #expect(try store.ids("\u{0}") == [3])
    #expect(try left(store) == 2)
    #expect(try store.check().map(\.kind) == [.nulInText, .missingPosition])
    _ = try failure(.readOnly) { try store.finishIndexing() }
    // As a file of an older version of the app, or after another program's migration.
    try stock.execute("DROP TRIGGER roster_search_doc_insert")
    #expect(try store.ids("布局").sorted() == [1, 3, 4])
    #expect(try left(store) == 3)
  }

  @Test("a table that another program has rebuilt is indexed anew")
  func rebuilt() throws {
    let store = try open()
    try store.write { (tx: inout Transaction) throws in try tx.insert(Doc(id: 1, title: "before")) }
    let stock = try stock()
    try stock.execute("CREATE TABLE other AS SELECT * FROM doc")
    try stock.execute("DROP TABLE doc")
    try stock.execute(Doc.schema)
    try stock.execute("INSERT INTO doc SELECT * FROM other")
    try stock.execute("UPDATE doc SET title = 'after'")
    #expect(try store.ids("after") == [1])
    #expect(try store.ids("before") == [])
    try store.write { (tx: inout Transaction) throws in try tx.insert(Doc(id: 2, title: "afterwards")) }
    #expect(try store.ids("after").sorted() == [1, 2])
    try store.finishIndexing()
    try store.checkIndex()
    #expect(try store.check().allSatisfy { [.missingPosition, .missingIndex].contains($0.kind) })
  }

  @Test("a migration may change and drop what is searched, and the index is made anew after it")
  func migrated() throws {
    do {
      let store = try open()
      try store.write { (tx: inout Transaction) throws in try tx.insert(Doc(id: 1, title: "old", body: "note")) }
      try store.close()
    }
    let rename = Migration(
      number: 2, name: "rename",
      sql: "ALTER TABLE doc DROP COLUMN body; ALTER TABLE doc ADD COLUMN body TEXT; UPDATE doc SET title = 'new';")
    let store = try Store(at: url, records: [Doc.self], migrations: Doc.migrations + [rename])
    #expect(try store.ids("note") == [])
    #expect(try store.ids("new") == [1])
    try store.finishIndexing()
    try store.checkIndex()
  }

  @Test("PRAGMA integrity_check knows nothing of a wrong index; check does, and repair mends it")
  func wrong() throws {
    let store = try open()
    try store.write { (tx: inout Transaction) throws in
      try tx.insert([Doc(id: 1, title: "one 布局"), Doc(id: 2, title: "two"), Doc(id: 3, title: "three")])
    }
    try store.write { (tx: inout Transaction) throws in
      // As a program that has dropped the triggers and put them back.
      let triggers = try tx.fetch(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'roster_search_*'",
        as: (String, String).self)
      for (name, _) in triggers { try tx.execute("DROP TRIGGER \(identifier: name)") }
      try tx.execute("UPDATE doc SET title = 'eins' WHERE id = 1")
      try tx.execute("DELETE FROM doc WHERE id = 2")
      try tx.execute("INSERT INTO doc (id, title, position) VALUES (4, 'four', 1000)")
      for (_, sql) in triggers { try tx.connection.execute(sql) }
    }
    #expect(try store.read { try $0.fetch("PRAGMA integrity_check", as: String.self) } == ["ok"])
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.wrongSearchIndex, .wrongSearchIndex, .wrongSearchIndex])
    #expect(problems.map(\.rowKey) == [1, 2, 4])
    #expect(try store.repair() == problems)
    #expect(try store.check() == [])
    #expect(try store.ids("eins") == [1])
    #expect(try store.ids("four") == [4])
    try store.checkIndex()
  }

  @MainActor
  @Test("a damaged index is told, made anew by repair, and after a search that comes upon it, which reads the texts")
  func damaged() async throws {
    let store = try open()
    func write(_ body: (inout Transaction) throws -> Void) throws { try store.write(body) }
    try write { tx in
      try tx.insert((1...50).map { Doc(id: $0, title: "title \($0) 布局") })
    }
    func damage() throws {
      let stock = try stock()
      try stock.execute("UPDATE roster_search_doc_index_data SET block = zeroblob(3) WHERE id > 10")
    }
    try damage()
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.wrongSearchIndex] && problems.map(\.rowKey) == [nil])
    #expect(try store.repair() == problems)
    #expect(try store.check() == [])
    #expect(try store.ids("布局 17") == [17])
    try damage()
    #expect(try store.ids("布局 17") == [17])
    func isSound() -> Bool { (try? store.check()) == [] }
    try await eventually { isSound() }
    #expect(try store.ids("布局 17") == [17])
  }

  @Test("a name that something else has is refused, and left alone")
  func taken() throws {
    do { try open([PlainDoc.self]).close() }
    try stock().execute("CREATE TABLE roster_search_doc_index (mine)")
    _ = try failure(.schemaMismatch) { try open() }
    #expect(try stock().value("SELECT count(*) FROM roster_search_doc_index") == .integer(0))
  }

  @Test("the index goes with a copy, and through a VACUUM")
  func copied() throws {
    let store = try open()
    try store.write { (tx: inout Transaction) throws in
      try tx.insert((1...200).map { Doc(id: $0, title: "title \($0) 布局") })
      try tx.delete(Query<Doc>().filter(sql: "id % 3 = 0"))
    }
    try store.vacuum()
    try store.checkIndex()
    try store.backup(to: folder.file("copy.db"))
    try store.vacuum(into: folder.file("compact.db"))
    for name in ["copy.db", "compact.db"] {
      let copy = try Store(at: folder.file(name), records: [Doc.self], migrations: Doc.migrations)
      #expect(try copy.ids("17 布局").sorted() == [17, 170, 172, 173, 175, 176, 178, 179])
      try copy.checkIndex()
    }
  }
}
