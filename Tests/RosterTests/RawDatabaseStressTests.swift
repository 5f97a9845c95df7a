import Foundation
import Testing

@testable import Roster

@Suite("A look at a database beside its writers")
struct RawDatabaseStressTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var url: URL { folder.file("t.db") }

  private func make(_ statements: String) throws {
    try StoreFile.create(url.path)
    try Connection(path: url.path, mode: .readWrite).executeScript(statements) { error, _, _ in error }
  }

  @Test(
    "while a process opens, writes and closes over and over, each look is of one state, or says that it may not be",
    arguments: ["WAL", "DELETE"])
  func churn(mode: String) throws {
    try make("PRAGMA journal_mode = \(mode); CREATE TABLE t (a); INSERT INTO t VALUES (1), (1)")
    let writer = try WriterProcess(["churn", url.path, "400"])
    #expect(try writer.line() == "begun")
    var last: Int64 = 2
    var looks = 0
    var isOver = false
    while !isOver {
      isOver = looks > 20 && !writer.isRunning
      do {
        let database = try RawDatabase(at: url)
        let count = try database.snapshot { () throws -> Int64 in
          guard case .integer(let sum)? = try database.value("SELECT sum(a) FROM t"),
            case .integer(let count)? = try database.value("SELECT count(*) FROM t")
          else { return -1 }
          // Each transaction adds two rows of 1.
          #expect(sum == count && count % 2 == 0)
          return count
        }
        #expect(count >= last)
        last = count
        looks += 1
      } catch let error as RosterError {
        // Closed in WAL mode, and written to meanwhile: that cannot be kept from happening, and is told. A journal of the
        // other mode is hot for whoever looks between the writer's lock and its end.
        #expect(error.code == .busy, "\(error)")
      }
    }
    #expect(try writer.lines().last == "done")
    #expect(looks > 20 && last == 802)
    // Who closes it during a look is not the last to have it open, and leaves the log to the next one.
    let beside = mode == "WAL" ? ["t.db-shm", "t.db-wal"] : []
    #expect(Set(try folder.names()).isSubset(of: ["t.db"] + beside))
    #expect(try RawDatabase(at: url).value("SELECT count(*) FROM t") == .integer(802))
    try Connection(path: url.path, mode: .readWrite).execute("INSERT INTO t VALUES (1)")
    #expect(try folder.names() == ["t.db"])
  }

  @Test("a store of this process keeps its locks when a look beside it ends")
  func locks() throws {
    let store = try Store(at: url)
    try store.write { _ = try $0.execute("CREATE TABLE t (a)") }
    do {
      let database = try RawDatabase(at: url)
      #expect(try database.snapshot { try database.tables().contains { $0.name == "t" } })
    }
    // Only a process without a competitor can leave WAL mode.
    let other = try WriterProcess(["execute", url.path], environment: ["STATEMENTS": "PRAGMA journal_mode = DELETE"])
    let line = try other.line()
    #expect(line?.contains("busy") == true || line?.contains("locked") == true, "\(line ?? "")")
    // It has ended by itself.
    _ = try other.lines()
    try store.write { _ = try $0.execute("INSERT INTO t VALUES (1)") }
    #expect(try RawDatabase(at: url).facts().isInWALMode)
    try store.close()
  }

  @Test("a database in UTF-16 is read, and its names and texts are what they are")
  func utf16() throws {
    try make(
      "PRAGMA encoding = 'UTF-16le'; CREATE TABLE \"布局\" (\"a\u{301}\" TEXT); INSERT INTO \"布局\" VALUES ('𝄞 é')")
    let database = try RawDatabase(at: url)
    let table = try #require(try database.tables().first)
    #expect(table.name == "布局")
    #expect(try database.facts().encoding == "UTF-16le")
    var rows: [[RawValue]] = []
    try database.forEachRow(of: table, try database.columns(of: table)) { rows.append($0) }
    #expect(rows == [[.text("𝄞 é")]])
  }

  @Test("arguments have to be those that the statement takes")
  func arguments() throws {
    try make("CREATE TABLE t (a)")
    let database = try RawDatabase(at: url)
    #expect(try database.describe("SELECT :a AS x, ?, @b").parameters == ["a", nil, "b"])
    #expect(
      try database.rows("SELECT :a, :a, @b", .named(["a": .integer(1), "b": .null])) == [
        [.integer(1), .integer(1), .null]
      ])
    _ = try failure(.sql) { try database.rows("SELECT :a", .named(["b": .null])) }
    _ = try failure(.sql) { try database.rows("SELECT :a", .named(["a": .null, "b": .null])) }
    _ = try failure(.sql) { try database.rows("SELECT ?", .none) }
    _ = try failure(.readOnly) { try database.rows("DELETE FROM t") }
    _ = try failure(.readOnly) { try database.transaction {} }
    _ = try failure(.readOnly) { try database.vacuum() }
    #expect(try database.describe("EXPLAIN DELETE FROM t").isReadOnly)
    #expect(try !database.describe("DELETE FROM t").isReadOnly)
  }

  @Test("any bytes of a text and of a blob are bound and read as they are")
  func bytes() throws {
    try make("CREATE TABLE t (a)")
    let database = try RawDatabase(at: url, access: .writing)
    let values: [RawValue] = [
      .text([0, 0xFF, 0x41]), .blob([]), .blob([0, 1]), .text([]), .real(.infinity), .integer(.min), .null,
    ]
    for value in values { try database.forEachRow("INSERT INTO t VALUES (?)", .positional([value])) { _ in } }
    #expect(try database.rows("SELECT a FROM t ORDER BY rowid").map(\.first) == values)
    #expect(values[0].string == nil && values[3].string == "" && RawValue.text("é").string == "é")
  }

  @Test("the log is counted to its last commit")
  func frames() throws {
    try make("CREATE TABLE t (a)")
    #expect(try RawDatabase(at: url).facts().logFrames == nil)
    let writer = try WriterProcess(
      ["execute", url.path],
      environment: ["STATEMENTS": "PRAGMA journal_mode = WAL;\nINSERT INTO t VALUES (1);\nINSERT INTO t VALUES (2)"])
    #expect(try writer.line() == "done")
    let facts = try RawDatabase(at: url).facts()
    #expect(facts.logFrames == 2 && facts.logSize == Int64(32 + 2 * (4096 + 24)))
    try writer.go()
    _ = try writer.lines()
  }
}
