import Foundation
import Testing

@testable import todo_db

@Suite("import and export")
struct ImportExportTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func lines(of path: String) throws -> [String] {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.isBlank }
  }

  @Test("a todo.txt file is stored line by line, and exported as it was")
  func todoTxt() throws {
    let fixture = TodoDB.fixture("tasks.todo.txt")
    let lines = try lines(of: fixture)
    #expect(try db.succeed("import", fixture).out == "Imported \(lines.count) todos from \(fixture).\n")
    #expect(try db.todos().count == lines.count)
    #expect(try db.succeed("export").lines == lines)
  }

  @Test("lines that only look like marks come back byte for byte, also in two spellings of one text")
  func todoTxtOddities() throws {
    let odd = Samples.todoTxtLines + ["a +Zo\u{E9} @Zo\u{E9}", "b +Zoe\u{301} @Zoe\u{301}", "Inbox +Inbox"]
    let file = try db.write(odd.joined(separator: "\r\n"), to: "odd.todo.txt")
    try db.succeed("import", file)
    let expected = odd.filter { !$0.isBlank }.map { $0 + "\n" }.joined()
    #expect(Array(try db.succeed("export").out.utf8) == Array(expected.utf8))
  }

  @Test("an edited todo keeps the rest of its line, and the others theirs")
  func editedLine() throws {
    let file = try db.write("(E) 2026-09-01 Call +work mum @phone rec:1w\nx (A)  odd   line\n", to: "a.txt")
    try db.succeed("import", file)
    let id = try #require(try db.todos().first?["id"] as? String)
    try db.succeed("edit", id, "--due", "2026-10-08")
    #expect(
      try db.succeed("export").lines == [
        "(E) 2026-09-01 Call mum rec:1w +work @phone due:2026-10-08", "x (A)  odd   line",
      ])
    try db.succeed("edit", id, "--due", "none")
    #expect(try db.succeed("export").lines.first == "(E) 2026-09-01 Call +work mum @phone rec:1w")
  }

  @Test("a CSV file with a byte order mark, CRLF and quoted line breaks is read and written back")
  func csv() throws {
    let fixture = TodoDB.fixture("tasks.csv")
    try db.succeed("import", fixture)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture))
    let drafts = try ParsedFile(Array(bytes), .csv).drafts
    // Listed list by list, in the order in which the file names them.
    let lists = drafts.map(\.list).withoutRepeats
    let listed = lists.flatMap { list in drafts.filter { $0.list == list } }
    #expect(try db.titles() == listed.map(\.title))
    #expect(try db.todos().map { $0["note"] as? String } == listed.map(\.note))
    let export = try db.succeed("export", "--format", "csv").out
    let other = try TodoDB()
    let file = try other.write(export, to: "export.csv")
    try other.succeed("import", file)
    #expect(try other.succeed("export", "--format", "csv").out == export)
    func records(_ db: TodoDB) throws -> NSArray {
      try db.todos().map { $0.filter { $0.key != "id" } } as NSArray
    }
    #expect(try records(other) == records(db))
  }

  @Test("lists are exported in their order, taking turns as in the file that they came from")
  func order() throws {
    let file = try db.write("a +x\nb +y\nc +x\nd 家\ne +y\nf +x\n", to: "a.txt")
    try db.succeed("import", file)
    #expect(try db.titles() == ["a", "c", "f", "b", "e", "d 家"])
    #expect(try db.succeed("export").lines == ["a +x", "b +y", "c +x", "d 家", "e +y", "f +x"])
    try db.succeed("move", "--list", "x", "--from", "2", "--to", "0")
    let moved = ["f +x", "b +y", "a +x", "d 家", "e +y", "c +x"]
    #expect(try db.succeed("export").lines == moved)
    #expect(
      try db.succeed("export", "--format", "csv").lines.dropFirst().map { $0.prefix(1) } == moved.map { $0.prefix(1) })
    let json = try #require(try TodoDB.json(db.succeed("export", "--json").out) as? [[String: Any]])
    #expect(json.map { $0["index"] as? Int } == [0, 0, 1, 0, 1, 2])
    // Imported elsewhere, every list is in the same order, and what is imported later comes last.
    let other = try TodoDB()
    try other.succeed("import", try other.write(moved.joined(separator: "\n"), to: "moved.txt"))
    #expect(try other.titles() == ["f", "a", "c", "b", "e", "d 家"])
    try other.succeed("import", try other.write("g +y\nh +x\n", to: "more.txt"))
    #expect(try other.titles("--list", "x") == ["f", "a", "c", "h"])
    #expect(try other.titles("--list", "y") == ["b", "e", "g"])
    #expect(try other.succeed("export").lines == moved + ["g +y", "h +x"])
  }

  @Test("CSV cells stay text, and what was not read is named")
  func csvNotices() throws {
    let file = try db.write("Title,Colour,title,Notes\n00601,red,x,\"\"\n", to: "a.csv")
    let outcome = try db.run("import", file)
    #expect(outcome.code == 0)
    #expect(outcome.out == "Imported 1 todo from \(file).\n")
    #expect(outcome.err.contains("todo-db: the column “Colour” is not known, and was not imported\n"))
    #expect(outcome.err.contains("“title” says the same as “Title”"))
    #expect(try db.titles() == ["00601"])
    let json = try TodoDB.object(db.run("--json", "import", file).out)
    #expect(json["added"] as? Int == 1)
    #expect((json["notices"] as? [String])?.count == 2)
  }

  @Test("a ragged CSV file names the line and leaves nothing, unless asked to skip")
  func ragged() throws {
    let fixture = TodoDB.fixture("ragged.csv")
    let outcome = try db.run("import", fixture)
    #expect(outcome.code == 1)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains("\n  line 5: 2 fields where the header has 6\n"))
    #expect(outcome.err.contains("--skip-bad"))
    #expect(!FileManager.default.fileExists(atPath: db.database.path))
    try db.succeed("init")
    #expect(try db.run("import", fixture).code == 1)
    #expect(try db.todos().isEmpty)
    let skipping = try db.run("import", fixture, "--skip-bad")
    #expect(skipping.code == 0)
    #expect(skipping.err == "todo-db: left out: line 5: 2 fields where the header has 6\n")
    #expect(try db.todos().count == 3)
  }

  @Test("a file whose ending tells no format needs one on the command line")
  func format() throws {
    let file = try db.write("one\ntwo\n", to: "tasks.list")
    let outcome = try db.run("import", file)
    #expect(outcome.code == 2)
    #expect(outcome.err.contains("give --format"))
    try db.succeed("import", file, "--format", "todotxt")
    #expect(
      try db.run("import", "-", "--format", "todotxt", input: "three").out
        == "Imported 1 todo from standard input.\n")
    #expect(try db.titles() == ["one", "two", "three"])
  }

  @Test("what cannot be read is refused with the reason")
  func unreadable() throws {
    let missing = try db.run("import", db.file("missing.csv").path)
    #expect(missing.code == 1)
    #expect(
      missing.err == "todo-db: \(db.file("missing.csv").path) could not be read: No such file or directory\n")
    #expect(try db.run("import", db.folder.path, "--format", "csv").code == 1)
    try Data([0x61, 0xFF, 0x0A]).write(to: db.file("latin.txt"))
    let latin = try db.run("import", db.file("latin.txt").path)
    #expect(latin.code == 1)
    #expect(latin.err.contains("\n  line 1: not UTF-8 text; save the file as UTF-8 and try again\n"))
    #expect(!FileManager.default.fileExists(atPath: db.database.path))
  }

  @Test("export to a file replaces it whole, keeps its permissions, and says how many")
  func output() throws {
    try db.succeed("add", "a", "--note", "n")
    let file = try db.write("old", to: "out.csv")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    #expect(
      try db.succeed("export", "--format", "csv", "--output", file).out == "Exported 1 todo to \(file).\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
    #expect(try lines(of: file).first?.hasPrefix("Title,Notes,") == true)
    let link = db.file("link.csv").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let json = try TodoDB.object(db.succeed("--json", "export", "--output", link).out)
    #expect(json["exported"] as? Int == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    #expect(try lines(of: file).first?.hasPrefix("[{\"id\": ") == true)
    #expect(try db.succeed("export", "--format", "json", "--output", "/dev/null").code == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: db.folder.path)
    #expect(names.filter { $0.contains("partial") }.isEmpty)
  }

  @Test("export refuses to write where it cannot, and onto the database itself")
  func badOutput() throws {
    try db.succeed("add", "a")
    let bytes = try db.bytes()
    let outcome = try db.run("export", "--output", db.database.path)
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("is the database itself"))
    #expect(try db.bytes() == bytes)
    #expect(try db.run("export", "--output", db.folder.path).code == 1)
    #expect(try db.run("export", "--output", db.file("no/where").path).code == 1)
  }

  @Test("what a format has no place for is named on standard error")
  func losses() throws {
    let id = try db.add("a", "--note", "n", "--list", "My list", "--due", "2026-10-08T10:00")
    let outcome = try db.run("export")
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.err == """
        todo-db: the export lacks what todo.txt has no place for:
          notes of 1 todo
          times of day of 1 todo
          spaces in the list and tag names of 1 todo

        """)
    #expect(try db.succeed("export", "--format", "csv").lines.count == 2)
    #expect(try db.todo(id)["list"] as? String == "My list")
  }

  @Test("a dry run leaves no trace, whatever an opening would have put right")
  func dryRun() throws {
    let db = try TodoDB()
    _ = try db.add("a")
    _ = try db.add("b")
    let path = try db.write("foo\n", to: "in.txt")
    func contents() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: db.folder.path).filter { $0.hasPrefix("t.db") }
      return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: db.file($0))) })
    }
    for change in [
      [], ["DROP TABLE roster_checked"], ["DROP INDEX roster_order_todo", "UPDATE todo SET position = NULL"],
      ["DROP TRIGGER roster_feed_insert_todo"], ["DROP TABLE roster_search_todo_left"],
    ] {
      for sql in change { try db.changeFromOutside(sql) }
      let before = try contents()
      let outcome = try db.run("import", path, "--dry-run")
      #expect(outcome.code == 0 && outcome.out.contains("Would import 1 todo") && outcome.err.isEmpty, "\(outcome)")
      #expect(try contents() == before, "\(change)")
    }
  }
}
