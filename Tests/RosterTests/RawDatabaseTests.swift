import Foundation
import Testing

@testable import Roster

/// What lies in a folder, to the byte and the time of the last write.
private struct Traces: Equatable, CustomStringConvertible {
  private var files: [String: [String]] = [:]

  init(of folder: TemporaryFolder) throws {
    for name in try folder.names() {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)
      let facts = [FileAttributeKey.systemFileNumber, .size, .posixPermissions, .modificationDate]
      files[name] =
        facts.map { "\(attributes[$0].map { "\($0)" } ?? "")" }
        + [(attributes[.modificationDate] as? Date).map { "\($0.timeIntervalSinceReferenceDate)" } ?? ""]
        + [Digest.of(try Data(contentsOf: folder.file(name)))]
    }
  }

  var description: String { "\(files.keys.sorted()) \(files)" }
}

private enum Digest {
  /// FNV-1a over all bytes.
  static func of(_ data: Data) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash)
  }
}

/// A database as another program has left it, or has it open.
enum LyingDatabase: String, CaseIterable, CustomTestStringConvertible {
  case rollback, rollbackOpen, rollbackWriting, walClosed, walOpen, walWritten, walKilled, walKilledWithoutMemory
  case walCopiedAlone, walEmptyLog

  var testDescription: String { rawValue }

  /// Whether there has to be a process that has it open.
  var isOpen: Bool { [.rollbackOpen, .rollbackWriting, .walOpen, .walWritten].contains(self) }

  /// The rows that are committed; nil where they cannot be read without changing something.
  var rows: Int { self == .walCopiedAlone ? 1 : 3 }

  static let make = "CREATE TABLE t (a);\nINSERT INTO t VALUES (1)"
  static let wal = "PRAGMA journal_mode = WAL;\n\(make);\nPRAGMA wal_checkpoint(TRUNCATE)"
  static let more = "INSERT INTO t VALUES (2);\nINSERT INTO t VALUES (3)"

  /// Makes it at a path, and returns the process that has it open.
  func make(at url: URL, in folder: TemporaryFolder) throws -> WriterProcess? {
    try StoreFile.create(url.path)
    try Connection(path: url.path, mode: .readWrite).execute("PRAGMA user_version = 1")
    func start(_ command: String, _ statements: String...) throws -> WriterProcess {
      let process = try WriterProcess(
        [command, url.path], environment: ["STATEMENTS": statements.joined(separator: ";\n")])
      #expect(try process.line() == "done")
      return process
    }
    func end(_ process: WriterProcess) throws {
      try process.go()
      _ = try process.lines()
    }
    switch self {
    case .rollback: try end(start("execute", Self.make, Self.more))
    case .rollbackOpen: return try start("execute", Self.make, Self.more)
    case .rollbackWriting:
      try end(start("execute", Self.make, Self.more))
      return try start("begin", "INSERT INTO t VALUES (4)")
    case .walClosed: try end(start("execute", Self.wal, Self.more))
    case .walOpen: return try start("execute", Self.wal, Self.more, "PRAGMA wal_checkpoint(TRUNCATE)")
    case .walWritten: return try start("execute", Self.wal, Self.more)
    case .walKilled: try start("execute", Self.wal, Self.more).killAndWait()
    case .walKilledWithoutMemory:
      try start("execute", Self.wal, Self.more).killAndWait()
      try FileManager.default.removeItem(atPath: url.path + "-shm")
    case .walCopiedAlone:
      try start("execute", Self.wal, Self.more).killAndWait()
      for suffix in ["-shm", "-wal"] { try FileManager.default.removeItem(atPath: url.path + suffix) }
    case .walEmptyLog:
      try start("execute", Self.wal, Self.more, "PRAGMA wal_checkpoint(TRUNCATE)").killAndWait()
      try FileManager.default.removeItem(atPath: url.path + "-shm")
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path + "-wal")
      #expect(attributes[.size] as? Int == 0)
    }
    return nil
  }
}

@Suite("A look at any database")
struct RawDatabaseTests {
  let folder: TemporaryFolder
  var url: URL { folder.file("any thing?.db") }

  init() throws { folder = try TemporaryFolder() }

  private func inspect(_ sql: String, asNobody: Bool = false) throws -> [String] {
    try WriterProcess(
      (asNobody ? ["--as-nobody"] : []) + ["inspect", url.path], environment: ["STATEMENTS": sql]
    ).lines()
  }

  @Test("it sees all that is committed, and leaves every file as it was", arguments: LyingDatabase.allCases)
  func traces(kind: LyingDatabase) throws {
    let other = try kind.make(at: url, in: folder)
    let before = try Traces(of: folder)
    let lines = try inspect("SELECT count(*), sum(a) FROM t")
    #expect(
      lines.first
        == (kind.rows == 1
          ? "[Roster.RawValue.integer(1), Roster.RawValue.integer(1)]"
          : "[Roster.RawValue.integer(3), Roster.RawValue.integer(6)]"),
      "\(lines)")
    #expect(try Traces(of: folder) == before)
    let isStill: Set<LyingDatabase> = [.walClosed, .walKilledWithoutMemory, .walCopiedAlone, .walEmptyLog]
    #expect(lines.last == (isStill.contains(kind) ? "as it lies" : "by its locks"))
    // What had it open goes on as before.
    if let other {
      try other.go()
      _ = try other.lines()
    }
    let writer = try Connection(path: url.path, mode: .readWrite)
    try writer.execute("INSERT INTO t VALUES (5)")
    #expect(try writer.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test(
    "in a folder that cannot be written to it sees the same, and leaves the same", arguments: LyingDatabase.allCases)
  func sealed(kind: LyingDatabase) throws {
    let other = try kind.make(at: url, in: folder)
    for name in try folder.names() { try folder.setPermissions(0o444, of: name) }
    try folder.setPermissions(0o555)
    defer { try? folder.setPermissions(0o755) }
    let before = try Traces(of: folder)
    let lines = try inspect("SELECT count(*) FROM t", asNobody: true)
    #expect(lines.first == "[Roster.RawValue.integer(\(kind.rows))]", "\(lines)")
    #expect(try Traces(of: folder) == before)
    try other?.go()
  }

  @Test("a transaction that was cut off is not read past: the file is refused, and stays with its journal")
  func hotJournal() throws {
    _ = try LyingDatabase.rollback.make(at: url, in: folder)
    let fill =
      "INSERT INTO t SELECT randomblob(900) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i FROM n)"
    let process = try WriterProcess(["begin", url.path], environment: ["STATEMENTS": "UPDATE t SET a = 9;\n\(fill)"])
    #expect(try process.line() == "done")
    process.killAndWait()
    #expect(try folder.names().contains("any thing?.db-journal"))
    let before = try Traces(of: folder)
    let lines = try inspect("SELECT count(*) FROM t")
    #expect(lines.first?.contains("A transaction was cut off") == true, "\(lines)")
    #expect(try Traces(of: folder) == before)
  }

  @Test("a log that ends in a transaction without its commit is read to the last commit")
  func unfinished() throws {
    _ = try LyingDatabase.walClosed.make(at: url, in: folder)
    let fill =
      "INSERT INTO t SELECT randomblob(900) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i FROM n)"
    let process = try WriterProcess(["begin", url.path], environment: ["STATEMENTS": fill])
    #expect(try process.line() == "done")
    // While it writes, and after it was killed, with the shared memory and without.
    for step in 0..<3 {
      if step == 1 { process.killAndWait() }
      if step == 2 { try FileManager.default.removeItem(atPath: url.path + "-shm") }
      let before = try Traces(of: folder)
      #expect(try inspect("SELECT count(*) FROM t").first == "[Roster.RawValue.integer(3)]")
      #expect(try Traces(of: folder) == before)
    }
  }

  @Test("a snapshot stays one state while another process commits")
  func isolated() throws {
    let process = try #require(try LyingDatabase.walWritten.make(at: url, in: folder))
    let database = try RawDatabase(at: url)
    try database.snapshot {
      #expect(try database.value("SELECT count(*) FROM t") == .integer(3))
      let writer = try WriterProcess(
        ["execute", url.path], environment: ["STATEMENTS": "INSERT INTO t VALUES (4);\nPRAGMA wal_checkpoint(PASSIVE)"])
      #expect(try writer.line() == "done")
      try writer.go()
      _ = try writer.lines()
      #expect(try database.value("SELECT count(*) FROM t") == .integer(3))
    }
    #expect(try database.value("SELECT count(*) FROM t") == .integer(4))
    try process.go()
  }

  @Test("where there are no locks to hold others by, a write meanwhile is told")
  func written() throws {
    _ = try LyingDatabase.walClosed.make(at: url, in: folder)
    let database = try RawDatabase(at: url)
    #expect(database.isReadAsItLies)
    #expect {
      try database.snapshot {
        let writer = try WriterProcess(["execute", url.path], environment: ["STATEMENTS": "INSERT INTO t VALUES (4)"])
        #expect(try writer.line() == "done")
        try writer.go()
        _ = try writer.lines()
      }
    } throws: {
      ($0 as? RosterError)?.code == .busy
    }
    #expect(try folder.names() == ["any thing?.db"])
  }

  @Test(
    "no statement changes anything",
    arguments: [
      "INSERT INTO t VALUES (9)", "CREATE TABLE u (a)", "PRAGMA user_version = 7", "PRAGMA journal_mode = DELETE",
      "PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "VACUUM INTO 'copy.db'", "ATTACH 'other.db' AS o", "BEGIN IMMEDIATE",
      "REINDEX", "ANALYZE", "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "PRAGMA journal_size_limit = 0",
      "PRAGMA incremental_vacuum", "PRAGMA locking_mode = NORMAL", "PRAGMA optimize",
    ],
    [LyingDatabase.rollback, .walClosed, .walKilled, .walKilledWithoutMemory])
  func statements(sql: String, kind: LyingDatabase) throws {
    _ = try kind.make(at: url, in: folder)
    let before = try Traces(of: folder)
    do {
      let database = try RawDatabase(at: url)
      // Some say that they can't, some do nothing.
      try? database.forEachRow(sql) { _ in }
      try? database.forEachRow("DELETE FROM t") { _ in }
    }
    #expect(try Traces(of: folder) == before)
  }

  @Test("what is no database is refused")
  func others() throws {
    for (bytes, code) in [
      (Data(), RosterError.Code.notADatabase), (Data("SQLite format 3".utf8), .notADatabase),
      (Data(repeating: 7, count: 5_000), .notADatabase),
    ] {
      try bytes.write(to: url)
      _ = try failure(code) { try RawDatabase(at: url) }
      #expect(try Data(contentsOf: url) == bytes)
    }
    _ = try failure(.noSuchFile) { try RawDatabase(at: folder.file("none")) }
    #expect(try folder.names() == ["any thing?.db"])
  }
}
