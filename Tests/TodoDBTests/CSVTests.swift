import Foundation
import Testing

@testable import todo_db

@Suite struct CSVReadingTests {
  private func records(_ text: String) throws -> [CSVRecord] {
    var parser = CSVParser()
    return try parser.feed(text.utf8) + parser.finish()
  }

  @Test("quotes, commas and line endings inside quotes are text, and lines are counted through them")
  func quoting() throws {
    let text = "\u{FEFF}a,\"b,\"\"c\"\"\"\r\n\"one\r\ntwo\rthree\nfour\",\r\"\",x\n\n\r\n\"last\""
    #expect(
      try records(text) == [
        CSVRecord(line: 1, fields: ["a", "b,\"c\""]),
        CSVRecord(line: 2, fields: ["one\r\ntwo\rthree\nfour", ""]),
        CSVRecord(line: 6, fields: ["", "x"]),
        CSVRecord(line: 9, fields: ["last"]),
      ])
  }

  @Test("an empty file has no records, and a byte order mark alone is an empty file")
  func empty() throws {
    #expect(try records("") == [])
    #expect(try records("\u{FEFF}") == [])
    #expect(try records("\r\n\n\r") == [])
    #expect(try records(",") == [CSVRecord(line: 1, fields: ["", ""])])
    #expect(throws: ImportFailure(line: 1, .noHeader)) { try ParsedTable("\u{FEFF}\n".utf8) }
  }

  @Test("bytes may arrive in pieces of any size")
  func pieces() throws {
    let bytes = Array("\u{FEFF}a,\"b\"\"\r\n\"\r\n写,👩‍👩‍👧\r\n".utf8)
    let whole = [CSVRecord(line: 1, fields: ["a", "b\"\r\n"]), CSVRecord(line: 3, fields: ["写", "👩‍👩‍👧"])]
    for size in 1...bytes.count {
      var parser = CSVParser()
      var found: [CSVRecord] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        found += try parser.feed(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(try found + parser.finish() == whole)
    }
  }

  @Test(
    "a misplaced quote is an error that names the line on which its record began",
    arguments: [
      ("a,b\nc,d\"e\n", 2, ImportProblem.Fact.quoteInsideField), ("a,b\n1,\"x\ny\"z\n", 2, .textAfterQuote),
      ("a,b\n1,\"x\" \n", 2, .textAfterQuote), ("a,b\r\n1,2\r\n\"x\r\ny,", 3, .openQuote),
      ("\"", 1, .openQuote),
      ("a, \"b\"\n", 1, .quoteInsideField),
    ])
  func misplacedQuotes(text: String, line: Int, fact: ImportProblem.Fact) {
    #expect(throws: ImportFailure(line: line, fact)) { try ParsedTable(text.utf8) }
  }

  @Test("invalid UTF-8 is an error that names the line")
  func invalidUTF8() {
    let bytes = Array("Title\nok\n".utf8) + [0x22, 0x0A, 0xC3, 0x22, 0x0A]
    #expect(throws: ImportFailure(line: 3, .notUTF8)) { try ParsedTable(bytes) }
    #expect(throws: ImportFailure(line: 1, .notUTF8)) { try ParsedTable([0xEF, 0xBB, 0x41] as [UInt8]) }
  }

  @Test("every ragged record is named with its line and field count, or skipped when asked")
  func ragged() throws {
    let text = "Title,Notes\r\na,\"x\r\ny\"\r\nb\r\nc,d\r\ne,f,g\r\n"
    let problems = [
      ImportProblem(line: 4, fact: .ragged(found: 1, wanted: 2)),
      ImportProblem(line: 6, fact: .ragged(found: 3, wanted: 2)),
    ]
    #expect(throws: ImportFailure(problems)) { try ParsedFile(text, .csv) }
    let file = try ParsedFile(text, .csv, skipBad: true)
    #expect(file.drafts.map(\.line) == [2, 5])
    #expect(file.problems == problems)
    #expect(
      problems.map(\.message) == [
        "line 4: 1 field where the header has 2", "line 6: 3 fields where the header has 2",
      ])
  }

  @Test("duplicate and missing column names are made distinct and reported")
  func headers() throws {
    let table = try ParsedTable("Title,Title,Title 2,, Title\n".utf8)
    #expect(table.header == ["Title", "Title 3", "Title 2", "Column 4", "Title 4"])
    #expect(
      table.notices == [
        .renamedColumn(from: "Title", to: "Title 3"), .unnamedColumn(named: "Column 4"),
        .renamedColumn(from: "Title", to: "Title 4"),
      ])
    #expect(try ParsedTable("Title,Title\n".utf8).header == ["Title", "Title 2"])
  }

  @Test("any fields are read back as they were written")
  func anyFields() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "\"", ",", "\r", "\n", "\r\n", " ", "\u{FEFF}", "a", "写", "👩‍👩‍👧", "\u{301}", "\0", "00601", ";",
    ]
    for _ in 0..<2_000 {
      let rows = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in generator.some(4, of: pieces).joined() }
      }
      let text = rows.map { CSVWriter.line($0) }.joined()
      let read = try records(text).map(\.fields)
      // Compared byte by byte: Swift's == takes composed and decomposed characters for the same.
      let same =
        read.count == rows.count
        && zip(read, rows).allSatisfy { found, wanted in
          found.count == wanted.count && zip(found, wanted).allSatisfy { $0.hasSameBytes(as: $1) }
        }
      #expect(same, "seed \(seed), \(text.debugDescription)")
    }
  }
}

@Suite struct CSVTasksTests {
  private func parse(_ text: String) throws -> ParsedFile { try ParsedFile(text, .csv) }

  @Test("a file as a spreadsheet writes it is read field by field")
  func sample() throws {
    let read = try parse(Samples.tasksCSV)
    #expect(read.notices.isEmpty)
    #expect(read.drafts.map(\.line) == [2, 4, 5, 6, 7, 8, 9])
    #expect(
      read.drafts.first
        == TaskDraft(
          title: "Renew the bike (rear wheel)", note: "两行\n备注", priority: .high, list: "Inbox", line: 2))
    #expect(
      read.drafts.last
        == TaskDraft(
          title: "00601", note: "tab\there", isDone: true, due: Samples.date("2026-10-04"), list: "Inbox",
          line: 9))
  }

  @Test("an export gives the same tasks on import")
  func sampleRoundTrip() throws {
    var drafts = try parse(Samples.tasksCSV).drafts
    let export = RenderedFile.csv(drafts)
    #expect(export.losses.isEmpty)
    #expect(
      export.text.hasPrefix("Title,Notes,Completed,Priority,Due Date,List,Tags,Created,Completed At,ID\r\n"))
    #expect(export.text.contains("👩‍👩‍👧 family call,\"trailing space \",false,,,swift,,,,\r\n"))
    #expect(try parse(export.text).drafts == drafts)
    drafts.removeAll()
    #expect(try parse(RenderedFile.csv(drafts).text).drafts.isEmpty)
  }

  @Test("columns are known by several names, in any case and order")
  func headings() throws {
    let text =
      "project,IS DONE,due_date,note,TITLE,Completed At,created,tags,priority\n"
      + "home,YES,2026-01-02T10:00+01:00,n,t,2026-01-03,2026-01-01T08:00,a b,High\n"
    let read = try parse(text)
    #expect(read.notices.isEmpty)
    #expect(
      read.drafts == [
        TaskDraft(
          title: "t", note: "n", isDone: true, priority: .high, due: Samples.date("2026-01-02T09:00Z"),
          dueHasTime: true,
          created: Samples.date("2026-01-01T08:00Z"), completed: Samples.date("2026-01-03"), list: "home",
          tags: ["a", "b"], line: 2)
      ])
  }

  @Test("columns that are not imported are named")
  func unknownColumns() throws {
    let read = try parse("Title,Colour,Notes,Note,Title\na,red,n,m,b\n")
    #expect(read.drafts == [TaskDraft(title: "a", note: "n", line: 2)])
    #expect(
      read.notices == [
        .renamedColumn(from: "Title", to: "Title 2"), .unknownColumn("Colour"),
        .secondColumn("Note", first: "Notes"),
        .unknownColumn("Title 2"),
      ])
  }

  @Test("a file without a Title column is refused, and its header is shown")
  func noTitle() {
    let error = #expect(throws: ImportFailure.self) { try parse("Name;Notes\na;b\n") }
    #expect(
      error?.problems.map(\.message) == [
        "line 1: no column is named Title; the header has “Name;Notes” (--map COLUMN=title says which one is)"
      ])
  }

  @Test("all cells that cannot be read are reported at once, with line and column")
  func badValues() {
    let text = "Title,Priority,Due,Done\n\"a\nb\",urgent,2026-13-01,maybe\n \u{3000},low,,\n"
    let error = #expect(throws: ImportFailure.self) { try parse(text) }
    #expect(
      error?.problems == [
        ImportProblem(
          line: 2, fact: .badValue(column: "Priority", value: "urgent", wanted: "high, medium, low or none")),
        ImportProblem(line: 2, fact: .badValue(column: "Due", value: "2026-13-01", wanted: DueDate.syntax)),
        ImportProblem(line: 2, fact: .badValue(column: "Done", value: "maybe", wanted: "true or false")),
        ImportProblem(line: 4, fact: .blankTitle),
      ])
    #expect(
      error?.problems.first?.message == "line 2: Priority is “urgent”; it must be high, medium, low or none")
  }

  @Test("an empty cell and one of two quotes are the same")
  func emptyCells() throws {
    let header = "Title,Notes,Completed,Priority,Due,List,Tags,Created,Completed At\n"
    let bare = try parse(header + "a,,,,,,,,\n")
    #expect(bare.drafts == [TaskDraft(title: "a", line: 2)])
    let quoted = try parse(header + "\"a\"" + String(repeating: ",\"\"", count: 8) + "\n")
    #expect(quoted == bare)
  }

  @Test("tags may be separated by spaces or semicolons, and one with a space survives")
  func tags() throws {
    let read = try parse("Title,Tags\na,x y  x\nb,one two; three ;\nc,;\n")
    #expect(read.drafts.map(\.tags) == [["x", "y"], ["one two", "three"], []])
    #expect(try parse(RenderedFile.csv(read.drafts).text).drafts == read.drafts)
    #expect(RenderedFile.csv([TaskDraft(title: "a", tags: ["x;y"])]).losses == [.tagName: 1])
  }

  @Test("a day of completion alone means done, but never against what the file says")
  func completionAlone() throws {
    #expect(try parse("Title,Completed At\na,2026-01-02\nb,\n").drafts.map(\.isDone) == [true, false])
    #expect(try parse("Title,Completed,Completed At\na,no,2026-01-02\n").drafts.map(\.isDone) == [false])
  }

  @Test("any tasks are read back as they were written")
  func anyDrafts() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let texts = ["a", "写作", "\"q\"", ",", " ", "\r\n", "\n", "👩‍👩‍👧", "=1+1", "e\u{301}"]
    let dates: [DueDate?] = [
      nil, DueDate("2026-01-02"), DueDate("2026-01-02T00:00"), DueDate("2026-01-02T03:04:05.678Z"),
    ]
    for _ in 0..<500 {
      let drafts = (0..<3).map { index in
        let due = dates.randomElement(using: &generator) ?? nil
        return TaskDraft(
          title: "t" + generator.some(3, of: texts).joined(), note: generator.some(3, of: texts).joined(),
          isDone: Bool.random(using: &generator),
          priority: ([nil] + DraftPriority.allCases).randomElement(using: &generator) ?? nil, due: due?.date,
          dueHasTime: due?.hasTime ?? false, created: (dates.randomElement(using: &generator) ?? nil)?.date,
          completed: (dates.randomElement(using: &generator) ?? nil)?.date,
          list: ["Inbox", "学习", "My list", nil].randomElement(using: &generator) ?? nil,
          tags: generator.some(3, of: ["x", "+y", "two words", "家"]).withoutRepeats)
      }
      let export = RenderedFile.csv(drafts)
      #expect(export.losses.isEmpty, "seed \(seed)")
      var found = try parse(export.text).drafts
      for index in found.indices { found[index].line = 1 }
      #expect(found == drafts, "seed \(seed), \(export.text.debugDescription)")
    }
  }
}
