import Foundation
import Testing

@testable import todo_db

@Suite("import") struct ImportTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private static let sampleCounts: [(String, Int)] = [
    ("tasks.csv", 80), ("tasks.ics", 40), ("tasks.md", 60), ("tasks.todo.txt", 241), ("taskwarrior.json", 60),
  ]

  /// What a todo is, but for its id and its place.
  private func records(_ db: TodoDB, without left: Set<String> = []) throws -> NSArray {
    try db.todos().map { todo in todo.filter { !left.union(["id", "index"]).contains($0.key) } } as NSArray
  }

  @Test(
    "every sample is imported whole, and its export read into an empty database is the same", arguments: sampleCounts)
  func samples(name: String, count: Int) throws {
    let file = TodoDB.fixture("samples/\(name)")
    #expect(try db.succeed("import", file).out == "Imported \(count) todos from \(file).\n")
    for format in TaskFormat.allCases {
      let export = try db.run("export", "--format", format.rawValue)
      #expect(export.code == 0)
      let other = try TodoDB()
      let outcome = try other.run(
        "import", other.write(export.out, to: "e"), "--format", format.rawValue)
      #expect(outcome.code == 0 && outcome.err.isEmpty && outcome.out.hasPrefix("Imported \(count) "), "\(outcome)")
      // What the format has no place for, which the export has said.
      var left: Set<String> = []
      if format == .todotxt { left = ["note"] }
      if format == .todotxt, export.err.contains("times of day") { left.insert("due") }
      if format == .todotxt, export.err.contains("times of day") { left.formUnion(["created", "completed"]) }
      if format == .markdown { left = ["priority", "due", "tags", "created", "completed"] }
      #expect(export.err.isEmpty == left.isEmpty || !export.err.isEmpty || name != "taskwarrior.json", "\(export.err)")
      #expect(try records(other, without: left) == records(db, without: left), "\(name) as \(format)")
      // And once more, from what was imported: nothing is lost on the way any more.
      let second = try other.run("export", "--format", format.rawValue)
      #expect(second.out == export.out, "\(name) as \(format)")
    }
  }

  @Test("a sample nobody has changed is exported as it was", arguments: ["tasks.ics", "tasks.md", "taskwarrior.json"])
  func untouched(name: String) throws {
    let file = TodoDB.fixture("samples/\(name)")
    try db.succeed("import", file)
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    let format = name.hasSuffix("json") ? "taskwarrior" : name.hasSuffix("md") ? "markdown" : "ical"
    let export = try db.succeed("export", "--format", format).out
    // The calendar's own name for what made it is ours.
    func compared(_ text: String) -> [Substring] {
      text.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("PRODID:") }
    }
    #expect(compared(export) == compared(text))
  }

  @Test("case 30: a byte order mark, CRLF, quoted commas and line breaks are read; a ragged row is named and stops it")
  func case30() throws {
    let text = "\u{FEFF}Title,Notes\r\n\"a, b\",\"one\r\ntwo\"\r\nragged\r\nc,\r\n"
    let file = try db.write(text, to: "a.csv")
    let refused = try db.run("import", file)
    #expect(refused.code == 1 && refused.err.contains("line 4: 1 field where the header has 2"))
    #expect(!FileManager.default.fileExists(atPath: db.database.path))
    #expect(try db.run("import", file, "--skip-bad").code == 0)
    #expect(try db.titles() == ["a, b", "c"])
    #expect(try db.todos().first?["note"] as? String == "one\r\ntwo")
  }

  @Test("case 31: todo.txt comes back line for line, without its blank lines")
  func case31() throws {
    let lines = [
      "x 2026-09-12 2026-09-10 done +work @home due:2026-09-15 pri:B", "", "(A) 2026-01-01 open key:value", "last",
    ]
    try db.succeed("import", try db.write(lines.joined(separator: "\n"), to: "a.txt"))
    #expect(try db.succeed("export").lines == lines.filter { !$0.isEmpty })
  }

  @Test("case 33: JSON is one valid document whatever the texts hold, and no terminal sees progress or colour")
  func case33() throws {
    let title = "\"\\ \u{1}\u{2028}\u{FEFF} 写\u{301} \u{1F468}\u{200D}\u{1F469}"
    _ = try db.add(title)
    let text = (0..<5_000).map { "task \($0)\n" }.joined()
    let outcome = try db.run("import", db.write(text, to: "a.txt"))
    #expect(outcome.err.isEmpty && !outcome.out.contains("\u{1B}"))
    for format in ["json", "taskwarrior"] {
      let all = try #require(try TodoDB.json(db.succeed("export", "--format", format).out) as? [[String: Any]])
      let name = format == "json" ? "title" : "description"
      #expect(all.count == 5_001 && (all.first?[name] as? String)?.hasSameBytes(as: title) == true)
    }
    let head = try db.start(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "'\(TodoDB.executable.path)' --db '\(db.database.path)' export --format ndjson | head -n 1"])
    #expect(head.err.isEmpty && head.lines.count == 1)
  }

  @Test(
    "case 34: a second run of an import adds nothing where the format carries ids",
    arguments: ["json", "ndjson", "csv", "tsv", "taskwarrior", "ical"])
  func case34(format: String) throws {
    for title in ["a", "写", "c, d"] { _ = try db.add(title, "--tag", "x y", "--note", "n\nm", "--due", "2026-10-08") }
    let export = try db.run("export", "--format", format).out
    let file = try db.write(export, to: "e")
    let before = try db.bytes()
    #expect(try db.succeed("import", file, "--format", format, "--dry-run").out.contains("0 new, 3 unchanged"))
    #expect(
      try db.succeed("import", file, "--format", format).out == "Imported from \(file): 0 new, 3 unchanged.\n")
    #expect(try db.titles() == ["a", "写", "c, d"])
    #expect(before.count == (try db.bytes().count))
    let other = try TodoDB()
    for wanted in ["Imported 3 todos", "Imported from"] {
      #expect(try other.succeed("import", file, "--format", format).out.hasPrefix(wanted))
    }
    #expect(try other.todos().compactMap { $0["id"] as? String } == db.todos().compactMap { $0["id"] as? String })
  }

  @Test("case 34: a UID that is no UUID makes a second import an update, too")
  func case34UID() throws {
    let file = TodoDB.fixture("samples/tasks.ics")
    try db.succeed("import", file)
    #expect(try db.succeed("import", file).out == "Imported from \(file): 0 new, 40 unchanged.\n")
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    let changed = try db.write(text.replacing("SUMMARY:Book library books", with: "SUMMARY:Burn them"), to: "b.ics")
    let dry = try TodoDB.object(db.succeed("--json", "import", changed, "--dry-run").out)
    #expect(dry["updated"] as? Int == 1 && dry["dryRun"] as? Bool == true)
    #expect(try !db.titles().contains("Burn them"))
    #expect(try db.succeed("import", changed).out == "Imported from \(changed): 0 new, 1 updated, 39 unchanged.\n")
    #expect(try db.titles().contains("Burn them") && db.todos().count == 40)
  }

  @Test("case 34: an import that fails on the way leaves nothing, and no file that was made for it")
  func case34Failure() throws {
    let text = (0..<40_000).map { "task number \($0) with some more words that take their room\n" }.joined()
    let file = try db.write(text, to: "a.txt")
    // A file may grow to 512 KB, which is less than the todos need.
    let command =
      "trap '' XFSZ; ulimit -f 1024; exec '\(TodoDB.executable.path)' --db '\(db.database.path)' import '\(file)'"
    let outcome = try db.start(URL(fileURLWithPath: "/bin/sh"), ["-c", command])
    #expect(outcome.code == 1 && outcome.out.isEmpty, "\(outcome)")
    let left = try FileManager.default.contentsOfDirectory(atPath: db.folder.path).filter {
      $0.hasPrefix("t.db") || $0.contains("partial")
    }
    #expect(left.isEmpty)
  }

  @Test(
    "case 57: digits stay text, a duplicate header is renamed and reported, an empty cell and two quotes are the same")
  func case57() throws {
    let file = try db.write("Title,Notes,Title\n00601,\"\",x\n00602,,y\n", to: "a.csv")
    let outcome = try db.run("import", file)
    #expect(outcome.err.hasPrefix("todo-db: a second column “Title” is called “Title 2” here\n"))
    #expect(try db.titles() == ["00601", "00602"])
    #expect(try db.todos().map { $0["note"] as? String } == ["", ""])
  }

  @Test("case 58: what only looks like a mark of todo.txt is text, and comes back byte for byte")
  func case58() throws {
    let lines = ["(b) a", "X open", "xylophone", "see http://e.org:80/ now", "mail b@e.org 2+2"]
    try db.succeed("import", try db.write(lines.joined(separator: "\n"), to: "a.txt"))
    #expect(try db.titles("--open") == lines)
    #expect(
      try db.todos().allSatisfy {
        $0["priority"] is NSNull && $0["list"] as? String == "Inbox" && $0["tags"] as? [String] == []
      })
    #expect(try db.succeed("export").lines == lines)
  }

  @Test("a dry run writes nothing and makes no file")
  func dryRun() throws {
    let file = try db.write("a\nb\n", to: "a.txt")
    #expect(try db.succeed("import", file, "--dry-run").out == "Would import 2 todos from \(file).\n")
    #expect(!FileManager.default.fileExists(atPath: db.database.path))
    try db.succeed("init")
    let before = try db.bytes()
    try db.succeed("import", file, "--dry-run")
    #expect(try db.bytes() == before)
  }

  @Test("columns are what --map says, which counts before what their names suggest")
  func mapping() throws {
    let file = try db.write("Task\tTitle\tWhen=\tNo\na\tb\t2026-10-08\t7\n", to: "a.tsv")
    let outcome = try db.run(
      "import", file, "--map", "Task=title", "--map", "When==due", "--map", "Title=none", "--map", "No=id")
    #expect(outcome.code == 0 && outcome.err.isEmpty, "\(outcome)")
    let todo = try #require(try db.todos().first)
    #expect(todo["title"] as? String == "a" && todo["due"] as? String == "2026-10-08")
    #expect(
      try db.succeed(
        "import", file, "--map", "Task=title", "--map", "Title=none", "--map", "No=id", "--map", "When==none"
      ).out
        .contains("0 new, 1 unchanged"))
    let refused = try db.run("import", file, "--map", "Tusk=title")
    #expect(refused.code == 1)
    #expect(refused.err.contains("--map names the column “Tusk”, and the header has “Task”, “Title”, “When=”, “No”"))
  }

  @Test("TSV takes quotes inside a field as they are, and quotes what holds a tab")
  func tsv() throws {
    let file = try ParsedFile("Title\tNotes\n5\" pipe\t\"a\tb\"\n", .tsv)
    #expect(file.drafts.map(\.title) == ["5\" pipe"] && file.drafts.map(\.note) == ["a\tb"])
    let text = RenderedFile.csv(file.drafts, .tsv).text
    #expect(text.hasSuffix("\"5\"\" pipe\"\t\"a\tb\"\tfalse\t\t\t\t\t\t\t\r\n"))
    #expect(try ParsedFile(text, .tsv).drafts == file.drafts)
  }

  @Test("notes of Markdown come back whatever they look like, and code holds no items")
  func markdownNotes() throws {
    for note in ["- [ ] a", "\\- [x] b\n\n  indented\n# no heading", "1. [ ] x\n```\n- [ ] y\n```", "\\", "a\n\nb"] {
      _ = try db.add("t", "--note", note)
      let export = try db.run("export", "--format", "markdown").out
      let read = try ParsedFile(export, .markdown)
      #expect(read.drafts.last?.note == note && read.drafts.allSatisfy { $0.title == "t" }, "\(export)")
    }
    let code = try ParsedFile("## a #\n```\n- [ ] no\n```\n- [ ] yes\n", .markdown)
    #expect(code.drafts.map(\.title) == ["yes"] && code.drafts.map(\.list) == ["a"])
  }

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test("Python's csv and json modules read the exports", .enabled(if: python != nil))
  func otherReaders() throws {
    for title in ["a, \"b\"", "写\u{301}\n👩‍👩‍👧", "00601"] { _ = try db.add(title, "--note", "x\ty") }
    let script = """
      import csv, json, sys
      rows = [list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"))),
              list(csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8"), dialect="excel-tab"))]
      print(json.dumps([[[r["Title"], r["Notes"]] for r in part] for part in rows]
        + [[[t["title"], t["note"]] for t in json.load(open(sys.argv[3], encoding="utf-8"))],
           [[t["title"], t["note"]] for t in map(json.loads, open(sys.argv[4], encoding="utf-8"))]]))
      """
    let files = try ["csv", "tsv", "json", "ndjson"].map { format in
      try db.write(try db.succeed("export", "--format", format).out, to: "e.\(format)")
    }
    let python = URL(fileURLWithPath: try #require(Self.python))
    let outcome = try db.start(python, ["-c", script] + files)
    let read = try #require(try TodoDB.json(outcome.out) as? [[[String]]], "\(outcome)")
    let wanted = try db.todos().map { [$0["title"] as? String ?? "", $0["note"] as? String ?? ""] }
    #expect(read == Array(repeating: wanted, count: 4))
  }
}
