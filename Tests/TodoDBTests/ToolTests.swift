import Foundation
import Roster
import Testing

@testable import todo_db

@Suite("The tool")
struct ToolTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test(
    "every command has help that names its options, and needs no database", arguments: CommandName.allCases)
  func help(name: CommandName) throws {
    let outcome = try db.start(TodoDB.executable, [name.rawValue, "--help"])
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    #expect(outcome.out.contains("With --json it prints "))
    for option in CommandTable.spec(name).options + CommandTable.globalOptions {
      #expect(outcome.out.contains(option.name))
    }
  }

  @Test("help and version are printed on standard output")
  func version() throws {
    let help = try db.start(TodoDB.executable, ["--help"])
    #expect(help.code == 0 && help.err.isEmpty)
    for name in CommandName.allCases { #expect(help.out.contains("\n  \(name.rawValue) ")) }
    let version = try db.start(TodoDB.executable, ["--version"])
    #expect(version.code == 0)
    #expect(version.out == "todo-db 0.1.0 (SQLite \(Store.sqliteVersion))\n")
  }

  @Test(
    "a wrong command line exits with 2 and says where to read on",
    arguments: [
      ([], "no command was given"), (["frobnicate"], "there is no command 'frobnicate'"),
      (["list", "--frobnicate"], "there is no option --frobnicate"), (["add"], "TITLE is missing"),
      (["list", "--limit", "x"], "it must be a whole number"),
      (["add", "a", "--due", "soon"], "it must be a day"),
      (["edit", "1"], "no option says what to change"),
      (["list", "--sort", "colour"], "it must be due, priority"),
    ])
  func usage(line: [String], message: String) throws {
    let outcome = try db.start(TodoDB.executable, line)
    #expect(outcome.code == 2)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains(message))
    #expect(outcome.err.contains("--help'"))
  }

  @Test("output that is no terminal has no colour")
  func colour() throws {
    let id = try db.add("a", "--due", "2020-01-01", "--priority", "high")
    for outcome in [
      try db.run("list"), try db.run("show", id), try db.run("show", "zz"), try db.run("check"),
    ] {
      #expect(!(outcome.out + outcome.err).contains("\u{1B}"))
    }
  }

  @Test("output that cannot be written is an error")
  func fullDevice() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try db.succeed("add", "a")
    let line = "'\(TodoDB.executable.path)' --db '\(db.database.path)' list >/dev/full"
    let outcome = try db.start(URL(fileURLWithPath: "/bin/sh"), ["-c", line])
    #expect(outcome.code == 1)
    #expect(outcome.err.hasPrefix("todo-db: the output could not be written: "))
  }
}

@Suite("JSON")
struct JSONTests {
  @Test("values are written in one line, an array's elements each in theirs")
  func text() {
    let object = JSON.object([("b", .number(-1)), ("a", .array([.null, .bool(true), .bool(false)]))])
    #expect(object.text == #"{"b": -1, "a": [null, true, false]}"#)
    #expect(JSON.array([object, .array([])]).text == "[\(object.text),\n []]")
    #expect(JSON.array([]).text == "[]")
    #expect(JSON.string(nil).text == "null")
  }

  @Test("any text is read back by another parser as it was")
  func strings() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let values = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        let limit: UInt32 = generator.chance(1, in: 2) ? 0xA0 : 0x1_1000
        return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) ?? "\u{2028}"
      }
      let text = String(String.UnicodeScalarView(values))
      let parsed = try TodoDB.json(JSON.array([.string(text)]).text) as? [String]
      #expect(
        parsed?.first?.unicodeScalars.elementsEqual(values) == true, "seed \(seed), \(text.debugDescription)")
    }
  }
}
