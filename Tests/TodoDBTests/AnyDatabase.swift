import Foundation
import Testing

@testable import Roster

/// A database of another program, made by statements on a connection that knows nothing of Roster's rules.
enum AnyDatabase {
  /// Everything that a name, a value and a table can be.
  static let odd = """
    CREATE TABLE "[foo]/bar" (a, "b""c", 'd''e' TEXT, "空 列", "e\u{301}" , "é");
    INSERT INTO "[foo]/bar" VALUES (1, 2.5, 'x', '布局 🥛', NULL, '');
    INSERT INTO "[foo]/bar" VALUES (x'00ff27', NULL, CAST(x'ff41' AS TEXT), CAST(x'610062' AS TEXT), x'', 'it''s "q"');
    INSERT INTO "[foo]/bar" VALUES (9223372036854775807, -9223372036854775808, 9e999, -9e999, 1e-320, 'a
    b|c*d');
    CREATE TABLE "Yesterday's list" (id TEXT PRIMARY KEY, v INT) WITHOUT ROWID;
    INSERT INTO "Yesterday's list" VALUES ('k', 1), ('K', 2);
    CREATE TABLE doubled (a INT, b INT AS (a * 2), c INT AS (a * 3) STORED) STRICT;
    INSERT INTO doubled (a) VALUES (4);
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, t -- a comment
    );
    INSERT INTO counted (t) VALUES ('one'), ('two');
    DELETE FROM counted WHERE id = 2;
    CREATE TABLE "comm--ent" (rowid, x);
    INSERT INTO "comm--ent" (_rowid_, rowid, x) VALUES (77, 'seven', 1);
    CREATE VIEW doubles AS SELECT * FROM doubled;
    CREATE VIEW broken AS SELECT * FROM gone;
    CREATE VIRTUAL TABLE texts USING fts5(t);
    INSERT INTO texts VALUES ('hello world');
    CREATE INDEX "an ""index" ON counted (t) WHERE t IS NOT NULL;
    CREATE TRIGGER copying AFTER INSERT ON counted BEGIN INSERT INTO doubled (a) VALUES (99); END;
    ANALYZE;
    PRAGMA user_version = 12;
    PRAGMA application_id = 34
    """

  static func make(_ sql: String, at url: URL) throws {
    try StoreFile.create(url.path)
    let connection = try Connection(path: url.path, mode: .readWrite)
    try run(sql, on: connection)
  }

  static func run(_ sql: String, on connection: Connection) throws {
    try connection.executeScript(sql) { error, number, _ in
      Issue.record("statement \(number): \(error)")
      return error
    }
  }

  /// Tables of a module and of a collation that nobody here has.
  static func addUnknown(to url: URL) throws {
    let connection = try Connection(path: url.path, mode: .readWrite)
    connection.standInForCollations(CollationNames())
    try run(
      """
      CREATE TABLE sorted (a TEXT COLLATE WEIRD, b);
      CREATE INDEX sorted_a ON sorted (a);
      INSERT INTO sorted VALUES ('x', 1), ('y', 2);
      CREATE TABLE keyed (a TEXT COLLATE WEIRD PRIMARY KEY, b) WITHOUT ROWID;
      INSERT INTO keyed VALUES ('q', 1);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
      VALUES ('table', 'foreign', 'foreign', 0, 'CREATE VIRTUAL TABLE "foreign" USING nosuchmodule(a)');
      PRAGMA writable_schema = OFF
      """, on: connection)
  }

  /// All rows of all ordinary tables with their numbers, to compare two databases by.
  static func content(of url: URL) throws -> [String: [[RawValue]]] {
    let database = try RawDatabase(at: url)
    var content: [String: [[RawValue]]] = [:]
    for table in try database.tables()
    where table.kind != .virtual && table.kind != .view && table.name != "sqlite_schema" {
      let columns = try database.columns(of: table)
      var rows: [[RawValue]] = []
      try database.forEachRow(of: table, columns) { rows.append($0) }
      content[table.name] = rows
    }
    content["schema"] = try database.schema().map { [.text($0.type), .text($0.name), .text($0.sql)] }
      .sorted { "\($0)" < "\($1)" }
    return content
  }
}

/// What lies in a folder: names, inodes, sizes, times and bytes.
struct FolderTraces: Equatable {
  private var files: [String: [String]] = [:]

  init(_ folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let url = folder.appendingPathComponent(name)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
      files[name] = [
        "\(attributes[.systemFileNumber] ?? "")", "\(time ?? 0)",
        try Data(contentsOf: url).base64EncodedString(),
      ]
    }
  }
}
