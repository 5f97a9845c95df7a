import Foundation
import Testing

@testable import Roster

/// Faults that were found in the feed and in live lists.
@Suite("Faults of the feed")
struct FeedFaultTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: URL { folder.file("fault.db") }

  private struct Plain: Record, Hashable {
    let id: String
    var title: String
    static let table = Table("plain", Plain.init, Column("id", \.id), Column("title", \.title))
  }

  private static let create =
    "CREATE TABLE plain (row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL);"

  private func open(_ more: String = "", options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(
      at: path, records: [Plain.self],
      migrations: [Migration(number: 1, name: "one", sql: FeedFaultTests.create + more)], options: options)
  }

  private func outside(_ statements: String) throws {
    let other = try Connection(path: path.path, mode: .readWrite)
    try other.executeScript(statements, failed: { error, _, _ in error })
  }

  private func state(_ query: Query<Plain>, _ store: Store) throws -> ListState<Plain> {
    try store.read { try ListState(ListReader(query), on: $0.connection) }
  }

  /// Whether the list is what a fetch brings, after an update.
  private func isCurrent(_ state: inout ListState<Plain>, _ query: Query<Plain>, _ store: Store) throws -> Bool {
    let old = state
    let (new, fetched) = try store.read { (snapshot: inout Snapshot) throws in
      var state = old
      _ = try state.catchUp(on: snapshot.connection)
      return (state, try snapshot.fetch(query))
    }
    state = new
    return Array(new.content) == fetched
  }

  // MARK: The objects of the log

  @Test(
    "a table, view or trigger of others with a name of the log's is left as it is, and opening says so",
    arguments: [
      "CREATE TABLE roster_log (id INTEGER PRIMARY KEY, precious TEXT); INSERT INTO roster_log VALUES (1, 'gold');",
      "CREATE TABLE ROSTER_FEED (precious TEXT);", "CREATE TABLE roster_consumer (a);",
      "CREATE TABLE roster_log_time (a);",
      "CREATE VIEW roster_log AS SELECT 1 AS a;",
      "CREATE TABLE own (a); CREATE TRIGGER roster_feed_update_plain AFTER INSERT ON own BEGIN DELETE FROM own; END;",
    ])
  func namesTaken(sql: String) throws {
    let connection = try Connection(path: makeFile(), mode: .readWrite)
    try connection.executeScript(FeedFaultTests.create + sql, failed: { error, _, _ in error })
    let before = try connection.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
    let error = try failure(.schemaMismatch) { try Store(at: path, records: [Plain.self]) }
    #expect(error.message.contains("needs"))
    #expect(try connection.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name") == before)
    if sql.contains("gold") {
      #expect(try connection.value("SELECT precious FROM roster_log") == .text("gold"))
      try Store(at: path, records: [Plain.self], options: .unlogged).close()
    }
  }

  private func makeFile() throws -> String {
    try Data().write(to: path)
    return path.path
  }

  @Test("a log without a limit, and a state that somebody has spoiled, stop no write, and opening puts it right")
  func spoiled() throws {
    var options = StoreOptions()
    options.changeLogLimit = .max
    let store = try open(options: options)
    let start = try store.read { try $0.feedCursor() }
    for statement in [
      "UPDATE roster_feed SET pruned = -9223372036854775807 - 1", "UPDATE roster_feed SET epoch = x'00'",
      "DELETE FROM roster_feed",
    ] {
      try outside(statement)
      try store.write { try $0.upsert(Plain(id: "a", title: statement)) }
      _ = try failure(.corrupt) { try store.read { try $0.feedCursor() } }
      let again = try open()
      #expect(try again.read { try $0.changes(since: start) }.isReset)
      try again.close()
    }
    #expect(try store.read { try $0.fetch(Plain.self, id: "a")?.title } == "DELETE FROM roster_feed")
  }

  @Test("rows of the log that make no sense are passed over, and rows that somebody deleted are a reset")
  func garbage() throws {
    let store = try open()
    let start = try store.read { try $0.feedCursor() }
    try store.write { try $0.insert(Plain(id: "a", title: "a")) }
    try outside(
      "INSERT INTO roster_log (kind, source) VALUES ('abc', x'00'); INSERT INTO roster_log VALUES (NULL, 99, 'plain', 'x', 1.5)"
    )
    try store.write { try $0.insert(Plain(id: "b", title: "b")) }
    #expect(try store.read { try $0.changes(since: start) }.changes.map(\.id) == [.text("a"), .text("b")])
    try outside("DELETE FROM roster_log WHERE seq = 1")
    #expect(try store.read { try $0.changes(since: start) }.isReset)
  }

  @Test("triggers that go while the store is open come again, lists stay current, and consumers are told to read anew")
  func triggersGone() throws {
    let rebuild = """
      CREATE TABLE new (row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL);
      INSERT INTO new SELECT * FROM plain; DROP TABLE plain; ALTER TABLE new RENAME TO plain;
      """
    let dropped = ["insert", "update", "delete", "rekey", "replace", "overwrite"]
      .map { "DROP TRIGGER roster_feed_\($0)_plain;" }.joined()
    let store = try open()
    for (index, script) in [dropped, rebuild].enumerated() {
      var list = try state(Query(), store)
      let cursor = try store.read { try $0.feedCursor() }
      try outside(script + "INSERT INTO plain (id, title) VALUES ('x\(index)', 'by the shell');")
      #expect(try isCurrent(&list, Query(), store) && !list.isMaintained)
      try store.write { try $0.insert(Plain(id: "y\(index)", title: "own")) }
      #expect(try isCurrent(&list, Query(), store) && list.isMaintained)
      #expect(try store.read { try $0.changes(since: cursor) }.isReset)
      let present = try store.read { try $0.feedCursor() }
      try outside("DELETE FROM plain WHERE id = 'x\(index)'")
      #expect(try isCurrent(&list, Query(), store))
      #expect(try store.read { try $0.changes(since: present) }.changes.map(\.kind) == [.delete])
    }
  }

  @Test("a migration by a program with other records leaves this store's feed whole")
  func migratedByOther() async throws {
    let store = try open()
    let cursor = try await store.read { try $0.feedCursor() }
    var feed = store.changes(since: cursor).makeAsyncIterator()
    let migrations = [
      Migration(number: 1, name: "one", sql: FeedFaultTests.create),
      Migration(number: 2, name: "two", sql: "CREATE TABLE two (a);"),
    ]
    let url = path
    try await onThread { try Store(at: url, records: [], migrations: migrations).close() }
    // The reader that comes upon the other schema has the writer put it right, and that is a commit.
    #expect(try await feed.next()?.isReset == true)
    try await store.write { try $0.insert(Plain(id: "a", title: "a")) }
    #expect(try await feed.next()?.changes.map(\.kind) == [.insert])
  }

  @Test(
    "tables whose names could be taken for one another each have their triggers, and are not made anew at each opening")
  func names() throws {
    let sql = ["todo", "todo_update", "update_todo", "äpfel", "ÄPFEL"].map {
      "CREATE TABLE \"\($0)\" (id INTEGER PRIMARY KEY);"
    }
    func open() throws -> Store {
      try Store(
        at: path, records: [Named<N0>.self, Named<N1>.self, Named<N2>.self, Named<N3>.self, Named<N4>.self],
        migrations: [Migration(number: 1, name: "one", sql: sql.joined())])
    }
    let first = try open()
    try first.write { tx in
      try tx.insert(Named<N0>(id: 1))
      try tx.insert(Named<N3>(id: 2))
      try tx.insert(Named<N4>(id: 3))
    }
    let cursor = try first.read { try $0.feedCursor() }
    try first.close()
    let second = try open()
    #expect(try second.read { try $0.feedCursor() } == cursor)
    #expect(try second.isMaintained(Query<Named<N4>>()))
    try second.write { _ = try $0.delete(Query<Named<N4>>()) }
    #expect(try second.read { try $0.changes(since: cursor) }.changes.map(\.table) == ["ÄPFEL"])
  }

  private protocol TableName: Sendable, SendableMetatype { static var name: String { get } }
  private enum N0: TableName { static let name = "todo" }
  private enum N1: TableName { static let name = "todo_update" }
  private enum N2: TableName { static let name = "update_todo" }
  private enum N3: TableName { static let name = "äpfel" }
  private enum N4: TableName { static let name = "ÄPFEL" }

  private struct Named<Name: TableName>: Record {
    let id: Int
    static var table: Table<Named> { Table(Name.name, Named.init, Column("id", \.id)) }
  }

  // MARK: Lists that rows do not tell

  @Test(
    "what a REPLACE by other programs takes away is seen, whatever the unique index",
    arguments: [
      ("CREATE UNIQUE INDEX u ON plain (title COLLATE NOCASE);", true),
      ("CREATE UNIQUE INDEX u ON plain (lower(title));", false),
      ("CREATE UNIQUE INDEX u ON plain (title COLLATE NOCASE) WHERE id <> 'none';", false),
    ])
  func uniqueIndexes(index: String, isMaintained: Bool) throws {
    let store = try open(index)
    try store.write { try $0.insert(Plain(id: "a", title: "abc")) }
    var list = try state(Query(), store)
    #expect(list.isMaintained == isMaintained)
    try outside("PRAGMA recursive_triggers = OFF; INSERT OR REPLACE INTO plain (id, title) VALUES ('b', 'ABC')")
    #expect(try isCurrent(&list, Query(), store) && list.rows.count == 1)
  }

  @Test("a condition on the time of day, a view that becomes another, and texts in UTF-16 are fetched anew")
  func moments() throws {
    let store = try open("CREATE VIEW shown AS SELECT id, title FROM plain WHERE title < 'm';")
    for condition in ["title < datetime('now')", "title < current_timestamp", "abs(random()) >= 0"] {
      #expect(try !store.isMaintained(Query<Plain>().filter(sql: SQL(stringLiteral: condition))))
    }
    #expect(try store.isMaintained(Query<Plain>().filter(sql: "upper(title) = 'A' -- in either case")))
    try store.write { tx in for title in ["a", "z"] { try tx.insert(Plain(id: title, title: title)) } }
    let reader = try ListReader<Plain>(.sql("SELECT id, title FROM shown"))
    var list = try store.read { try ListState(reader, on: $0.connection) }
    #expect(list.content.map(\.id) == ["a"])
    try outside("DROP VIEW shown; CREATE VIEW shown AS SELECT id, title FROM plain WHERE title > 'm'")
    let old = list
    list = try store.read { (snapshot: inout Snapshot) throws in
      var list = old
      _ = try list.catchUp(on: snapshot.connection)
      return list
    }
    #expect(list.content.map(\.id) == ["z"])

    try store.close()
    try FileManager.default.removeItem(at: path)
    let wide = try Connection(path: makeFile(), mode: .readWrite)
    try wide.executeScript("PRAGMA encoding = 'UTF-16le';" + FeedFaultTests.create, failed: { error, _, _ in error })
    let other = try Store(at: path, records: [Plain.self])
    let sorted = Query<Plain>().sorted(by: SortDescriptor(\.title, comparator: .lexical))
    try other.write { tx in for title in ["a", "Ā", "🥛", "ą"] { try tx.insert(Plain(id: title, title: title)) } }
    var wideList = try state(sorted, other)
    try other.write { try $0.insert(Plain(id: "b", title: "aĀ")) }
    #expect(try isCurrent(&wideList, sorted, other) && !wideList.isMaintained)
  }

  @Test("ids that Swift takes for the same and the database does not are two")
  func exactIDs() throws {
    let store = try open()
    let (one, two) = ("é", "e\u{301}")
    try store.write { tx in for id in [one, two] { try tx.insert(Plain(id: id, title: "as it was")) } }
    let reader = try ListReader<Plain>(.sql("SELECT id, title FROM plain"))
    #expect(try store.read { try ListState(reader, on: $0.connection) }.rows.count == 2)
    var places = IDPlaces<Plain>()
    let list = try state(Query(), store)
    #expect(places.key(of: one, in: list.rows) == 1 && places.key(of: two, in: list.rows) == 2)
  }
}
