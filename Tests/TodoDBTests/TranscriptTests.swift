import Foundation
import Testing

@testable import todo_db

/// Each command as its users see it: on terminals of two widths, in a pipe, and as JSON.
@Suite("Every command on a terminal, piped and as JSON")
struct TranscriptTests {
  let db: TodoDB

  /// Todos of many scripts, in files of their own for each test.
  init() throws {
    db = try TodoDB()
    for (title, options) in [
      ("学习 SwiftUI 布局，写一个练习项目和更多的东西，直到一行放不下为止", ["--list", "家", "--priority", "high", "--due", "2026-12-05"]),
      ("👩‍👩‍👧 family call 🌸", ["--list", "家", "--tag", "电话", "--tag", "phone", "--note", "两行\n备注 🎉"]),
      ("Renew the passport, before it's too late to travel anywhere at all this year", ["--due", "2026-10-08T14:30"]),
      ("é and e\u{301}, สวัสดี, مرحبا", ["--priority", "low", "--tag", "x"]),
    ] {
      let line = ["--db", db.database.path, "add"] + options + ["--", title]
      #expect(try db.start(TodoDB.executable, line).code == 0)
    }
    try db.succeed("done", try #require(try db.todos().last?["id"] as? String))
    try FileManager.default.copyItem(at: db.database, to: db.file("copy.db"))
    try db.succeed("edit", try #require(try db.todos().first?["id"] as? String), "--priority", "medium")
    _ = try db.write("(A) 买牛奶 🥛 +家 due:2026-12-05\n", to: "in.txt")
  }

  private struct Line {
    var words: [String]
    var code: Int32 = 0
    /// Whether it prints what is as wide as it is, such as SQL, a path or a sentence.
    var isFree = false
    /// What it has no JSON document for: a format that was asked for.
    var hasJSON = true
  }

  /// `ID` is the id of the second todo.
  private static let lines: [String: [Line]] = [
    "init": [Line(words: ["init"], isFree: true)],
    "add": [Line(words: ["add", "订花 🌸", "--due", "+3d", "--list", "家"], isFree: true)],
    "list": [
      Line(words: ["list"]), Line(words: ["list", "--sections", "state"]),
      Line(words: ["list", "--open", "--sort", "due"]),
    ],
    "search": [Line(words: ["search", "布局"]), Line(words: ["search", "备注"])],
    "suggest": [Line(words: ["suggest", "f"])],
    "show": [Line(words: ["show", "ID"], isFree: true)],
    "edit": [Line(words: ["edit", "ID", "--note", "", "--due", "tomorrow"], isFree: true)],
    "move": [
      Line(words: ["move", "ID", "--start"], isFree: true),
      Line(words: ["move", "--from", "1", "--to", "0", "--list", "家"], isFree: true),
    ],
    "sort": [Line(words: ["sort", "--by", "title"])],
    "done": [Line(words: ["done", "ID"]), Line(words: ["done", "--all", "--list", "家"])],
    "reopen": [Line(words: ["reopen", "--all"])],
    "rm": [Line(words: ["rm", "ID"])],
    "clear-done": [Line(words: ["clear-done", "--yes"])],
    "lists": [Line(words: ["lists"]), Line(words: ["lists", "rename", "家", "家 🏠"])],
    "tags": [Line(words: ["tags"]), Line(words: ["tags", "rm", "电话"])],
    "import": [Line(words: ["import", "in.txt"]), Line(words: ["import", "in.txt", "--dry-run"])],
    "export": [
      Line(words: ["export"], isFree: true),
      Line(words: ["export", "--format", "ndjson"], isFree: true, hasJSON: false),
      Line(words: ["export", "--format", "markdown"], isFree: true, hasJSON: false),
    ],
    "changes": [Line(words: ["changes"]), Line(words: ["changes", "--since", "1"])],
    "migrate": [Line(words: ["migrate"]), Line(words: ["migrate", "status"])],
    "check": [Line(words: ["check"])],
    "help": [Line(words: ["help"]), Line(words: ["help", "schema"])],
    "completions": [Line(words: ["completions", "bash"], isFree: true)],
    "man": [Line(words: ["man"], isFree: true)],
    "info": [Line(words: ["info"], isFree: true)],
    "tables": [Line(words: ["tables"])],
    "schema": [Line(words: ["schema", "todo"], isFree: true)],
    "query": [
      Line(words: ["query", "SELECT id, title, note, due FROM todo"]),
      Line(words: ["query", "SELECT title FROM todo", "--format", "markdown"], isFree: true, hasJSON: false),
    ],
    "explain": [Line(words: ["explain", "SELECT * FROM todo ORDER BY title"], isFree: true)],
    "stats": [Line(words: ["stats"])],
    "dump": [Line(words: ["dump"], isFree: true), Line(words: ["dump", "todo", "--format", "table"], hasJSON: false)],
    "diff": [Line(words: ["diff", "copy.db"], code: 1, isFree: true)],
    "backup": [Line(words: ["backup", "backup-N.db"], isFree: true)],
    "vacuum": [Line(words: ["vacuum"], isFree: true)],
    "tail": [Line(words: ["tail"])],
    // It goes on until it is ended, and has tests of its own.
    "watch": [],
  ]

  @Test("there are lines for every command")
  func all() {
    #expect(Set(TranscriptTests.lines.keys) == Set(CommandName.allCases.map(\.rawValue)))
    for (name, lines) in TranscriptTests.lines where name != "watch" { #expect(!lines.isEmpty, "\(name)") }
  }

  /// The words of a line, in a database that no line before it has changed.
  private func prepared(_ line: Line, run: Int) throws -> [String] {
    let path = db.file("run-\(run).db")
    try FileManager.default.copyItem(at: db.database, to: path)
    let id = try #require(try db.todos().first { ($0["tags"] as? [String])?.contains("电话") == true }?["id"] as? String)
    let words = line.words.map { $0 == "ID" ? String(id.prefix(8)) : $0.replacing("-N.db", with: "-\(run).db") }
    return ["--db", path.lastPathComponent] + words
  }

  @Test("piped, it is text without escapes that ends in a line feed", arguments: CommandName.allCases)
  func piped(name: CommandName) throws {
    for (run, line) in (TranscriptTests.lines[name.rawValue] ?? []).enumerated() {
      let outcome = try start(try prepared(line, run: run))
      #expect(outcome.code == line.code, "\(line.words): \(outcome)")
      for text in [outcome.out, outcome.err] {
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" }, "\(line.words)")
        #expect(text.isEmpty || text.utf8.last == UInt8(ascii: "\n"), "\(line.words)")
      }
    }
  }

  @Test("on a terminal, lines fit its width, whatever the script", arguments: CommandName.allCases, [80, 40])
  func terminal(name: CommandName, width: Int) throws {
    for (run, line) in (TranscriptTests.lines[name.rawValue] ?? []).enumerated() {
      let terminal = try PseudoTerminal(width: width, height: 24)
      let tool = try RunningTool(
        TodoDB.executable, try prepared(line, run: run), in: db.folder, on: terminal, isColoured: true)
      let (text, code) = try tool.end()
      #expect(code == line.code, "\(line.words): \(text)")
      let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(!plain.contains("\u{1B}"), "\(line.words): \(plain)")
      guard !line.isFree else { continue }
      for row in plain.split(whereSeparator: \.isNewline) {
        #expect(String(row).displayWidth <= width, "\(line.words) at \(width): \(row)")
      }
    }
  }

  @Test("with --json it is one document, whose keys the help tells", arguments: CommandName.allCases)
  func json(name: CommandName) throws {
    for (run, line) in (TranscriptTests.lines[name.rawValue] ?? []).enumerated() where line.hasJSON {
      let outcome = try start(try prepared(line, run: run) + ["--json"])
      #expect(outcome.code == line.code, "\(line.words): \(outcome)")
      let document = try JSONSerialization.jsonObject(with: Data(outcome.out.utf8))
      // The columns of a statement are its user's.
      if name == .query || name == .dump { continue }
      let help = CommandTable.spec(name).json + CommandTable.spec(.list).json
      let words = Set(help.split { !$0.isLetter && !$0.isNumber }.map(String.init))
      for key in TranscriptTests.keys(of: document) { #expect(words.contains(key), "\(line.words): \(key)") }
    }
  }

  private static func keys(of value: Any) -> Set<String> {
    if let array = value as? [Any] { return array.reduce(into: []) { $0.formUnion(keys(of: $1)) } }
    guard let object = value as? [String: Any] else { return [] }
    return object.values.reduce(into: Set(object.keys)) { $0.formUnion(keys(of: $1)) }
  }

  private func start(_ words: [String]) throws -> TodoDB.Outcome {
    try db.start(URL(fileURLWithPath: "/usr/bin/env"), ["-C", db.folder.path, TodoDB.executable.path] + words)
  }
}
