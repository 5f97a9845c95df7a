import Foundation
import Testing

@testable import Roster
@testable import todo_db

@Suite("Queries")
struct QueryTests {
  let db: TodoDB

  init() throws {
    db = try TodoDB()
    try AnyDatabase.make(AnyDatabase.odd, at: db.database)
  }

  @Test("JSON holds every value by one rule, and is valid")
  func json() throws {
    let out = try db.succeed("query", "SELECT * FROM \"[foo]/bar\"", "--json").out
    #expect(out.contains(#"{"a": {"blob": "00FF27"}, "b\"c": null, "d'e": {"text": "FF41"}, "空 列": "a\u0000b""#))
    #expect(out.contains(#""a": 9223372036854775807, "b\"c": -9223372036854775808, "d'e": "Inf"#))
    let rows = try #require(try TodoDB.json(out) as? [[String: Any]])
    #expect(rows.count == 3 && rows.first?["空 列"] as? String == "布局 🥛")
    #expect(
      try db.succeed("query", "SELECT 9e999 AS r, -9e999 AS s, 'Infinity' AS t", "--json").out
        == "[{\"r\": {\"real\": \"Infinity\"}, \"s\": {\"real\": \"-Infinity\"}, \"t\": \"Infinity\"}]\n")
    #expect(try db.succeed("query", "SELECT 1 WHERE 0", "--json").out == "[]\n")
    #expect(
      try db.succeed("query", "SELECT 1 AS a, 2 AS a, 3 AS a_2", "--format", "ndjson").out
        == "{\"a\": 1, \"a_3\": 2, \"a_2\": 3}\n")
  }

  @Test("CSV tells NULL from an empty text, and keeps bytes as they are")
  func csv() throws {
    let out = try db.start(
      TodoDB.executable,
      ["--db", db.database.path, "query", "SELECT NULL, '', 'a,b', 'q\"q', ' s', x'0A'", "--format", "csv"]
    ).out
    #expect(out.hasSuffix("\r\n,\"\",\"a,b\",\"q\"\"q\",\" s\",X'0A'\r\n"))
    #expect(RawValue.text([0xFF, 0x41, 0]).csv == [0xFF, 0x41, 0])
  }

  @Test("Markdown keeps a row in one line, and marks nothing")
  func markdown() throws {
    let out = try db.succeed("query", "SELECT \"é\" FROM \"[foo]/bar\" WHERE rowid = 3", "--format", "markdown").out
    #expect(out == "| é |\n| --- |\n| a<br>b\\|c\\*d |\n", "\(out)")
  }

  @Test("a table fits in the terminal, Chinese in two cells, and controls no terminal")
  func table() throws {
    let terminal = try PseudoTerminal(width: 40, height: 10)
    let wide =
      "SELECT '\(String(repeating: "布局", count: 30))' AS one, 'a' || char(27) || 'b' AS two, 12 AS n, NULL AS nil"
    let tool = try RunningTool(db, "query", wide, on: terminal)
    let (text, code) = try tool.end()
    #expect(code == 0)
    let lines = text.split { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    #expect(lines.count == 2 && lines.allSatisfy { $0.displayWidth <= 40 })
    #expect(lines.last?.contains("…") == true && lines.last?.contains("a␛b  12  NULL") == true, "\(lines)")
  }

  @Test("parameters are by place, or by name where the statement names them")
  func parameters() throws {
    func value(_ words: String...) throws -> String {
      try db.start(TodoDB.executable, ["--db", db.database.path, "query", "--format", "ndjson"] + words).out
    }
    #expect(try value("SELECT ? AS a, ? AS b", "--param", "1", "--param", "x=1") == "{\"a\": 1, \"b\": \"x=1\"}\n")
    #expect(
      try value("SELECT :a AS a, $b AS b, :a AS c", "--param", "b=x=y", "--param", ":a='1'")
        == "{\"a\": \"1\", \"b\": \"x=y\", \"c\": \"1\"}\n")
    #expect(
      try value(
        "SELECT ? AS a, ? AS b, ? AS c, ? AS d", "--param", "NULL", "--param", "X'00ff'", "--param=-2.5", "--param", "")
        == "{\"a\": null, \"b\": {\"blob\": \"00FF\"}, \"c\": -2.5, \"d\": \"\"}\n")
    #expect(
      try value("SELECT ?2 AS b, ?1 AS a, ?2 AS c", "--param", "5", "--param", "2=6")
        == "{\"b\": \"2=6\", \"a\": 5, \"c\": \"2=6\"}\n")
    #expect(try value("SELECT ?1 AS a", "--param", "5") == "{\"a\": 5}\n")
    #expect(
      try db.refusal("query", "SELECT ?2", "--param", "5").contains("has 2 parameters, and --param is given 1 time"))
    #expect(
      try db.refusal("query", "SELECT :a, ?", "--param", "a=5").contains("with names, a, and others by their places"))
    #expect(try db.refusal("query", "SELECT ?").contains("has 1 parameter, and --param is given 0 times"))
    #expect(try db.refusal("query", "SELECT :a", "--param", "b=1").contains("'b' names no parameter"))
    #expect(try db.refusal("query", "SELECT :a, :b", "--param", "a=1").contains("no value is given for b"))
    #expect(try db.refusal("query", "SELECT :a", "--param", "a=1", "--param", "a=2").contains("a is given twice"))
  }

  @Test("a value of --param is a number, NULL or a blob where it reads as one, else a text")
  func values() {
    let cases: [(String, RawValue)] = [
      ("12", .integer(12)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .real(9223372036854775808)),
      ("1e3", .real(1000)), (".5", .real(0.5)), ("nan", .text("nan")), ("inf", .text("inf")), ("1e999", .text("1e999")),
      ("'12'", .text("12")), ("''", .text("")), ("'", .text("'")), ("x'", .text("x'")), ("X'0'", .text("X'0'")),
      ("X'0G'", .text("X'0G'")), ("null", .text("null")), ("", .text("")), ("0x10", .text("0x10")),
      ("1 2", .text("1 2")),
    ]
    for (text, value) in cases { #expect(RawValue(parameter: text) == value, "\(text)") }
  }

  @Test("a statement that writes is refused without --write, and runs with it")
  func writing() throws {
    #expect(try db.refusal("query", "DELETE FROM counted").contains("was not run; --write lets it"))
    #expect(try db.refusal("query", "CREATE TABLE x (a)").contains("--write lets it"))
    #expect(try db.refusal("query", "PRAGMA user_version = 3").contains("--write lets it"))
    #expect(try db.succeed("query", "DELETE FROM counted", "--write").out == "1 row changed\n")
    #expect(
      try db.succeed("query", "INSERT INTO counted (t) VALUES (?) RETURNING id", "--param", "x", "--write", "--json")
        .out
        == "[{\"id\": 3}]\n")
    #expect(try db.succeed("query", "UPDATE counted SET t = 'y'", "--write", "--json").out == "{\"changed\": 1}\n")
  }

  @Test("several statements, and those that are more than a query, are refused with the place of the fault")
  func faults() throws {
    let several = try db.refusal("query", "SELECT 1;\nSELECT 2")
    #expect(
      several.contains("more than one SQL statement") && several.contains("in line 1, character 10"), "\(several)")
    #expect(try db.refusal("query", "SELECT\n  布, FROM x").contains("in line 2, character 6"))
    for command in ["query", "explain"] {
      let blank = try db.run(command, "  ")
      #expect(blank.code == 2 && blank.err.hasPrefix("todo-db: SQL is blank\nSee "), "\(blank)")
    }
    #expect(try db.refusal("query", " -- nothing").contains("holds no SQL statement"))
    for sql in ["BEGIN", "ATTACH 'x.db' AS x", "VACUUM", "SAVEPOINT s"] {
      for write in [[], ["--write"]] {
        let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "query", sql] + write)
        #expect(
          outcome.code == 1 && outcome.err.contains("runs one statement that stands for itself")
            || outcome.err.contains("--write lets it"), "\(outcome)")
      }
    }
  }

  @Test("an unknown collation is stood in for, and that is said")
  func collations() throws {
    try AnyDatabase.addUnknown(to: db.database)
    let outcome = try db.run("query", "SELECT a FROM sorted ORDER BY a DESC", "--format", "csv")
    #expect(outcome.code == 0 && outcome.out == "a\r\ny\r\nx\r\n")
    #expect(outcome.err.contains("the collation WEIRD is another program's"))
  }

  @Test("a reader that goes ends a long result quietly")
  func readerGoes() throws {
    let line =
      "'\(TodoDB.executable.path)' --db '\(db.database.path)' query 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n' --format ndjson | head -n 1"
    let outcome = try db.start(URL(fileURLWithPath: "/bin/sh"), ["-c", line])
    #expect(outcome.out == "{\"i\": 1}\n" && outcome.err.isEmpty)
  }

  @Test("- is a statement on standard input")
  func standardInput() throws {
    #expect(try db.run("query", "-", "--format", "csv", input: "SELECT '布局' AS a\n").out == "a\r\n布局\r\n")
    #expect(try db.run("explain", "-", input: "SELECT * FROM sqlite_schema").out.contains("sqlite_schema"))
    let line = "printf '\\377' | '\(TodoDB.executable.path)' --db '\(db.database.path)' query -"
    let outcome = try db.start(URL(fileURLWithPath: "/bin/sh"), ["-c", line])
    #expect(outcome.code == 1 && outcome.err.contains("standard input is no text in UTF-8"))
  }
}
