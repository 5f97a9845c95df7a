import Foundation
import Testing

@testable import todo_db

@Suite struct TodoTxtParsingTests {
  private func draft(_ line: String) -> TaskDraft? { TodoTxtLine(line)?.draft(source: nil, line: 1) }

  @Test("a line that is done carries both dates, its list, tags, due day and priority")
  func complete() {
    let line = "x 2026-09-12 2026-09-10 Plan  the party +work @home +side @phone due:2026-09-15 pri:B"
    #expect(
      draft(line)
        == TaskDraft(
          title: "Plan  the party", isDone: true, priority: .medium, due: Samples.date("2026-09-15"),
          created: Samples.date("2026-09-10"), completed: Samples.date("2026-09-12"), list: "work",
          tags: ["+side", "home", "phone"]))
  }

  @Test(
    "priority is one capital letter in brackets at the very start",
    arguments: [
      ("(A) a", "a", DraftPriority.high), ("(B) a", "a", .medium), ("(C) a", "a", .low), ("(Z) a", "a", .low),
      ("(b) a", "(b) a", nil), ("(A)a", "(A)a", nil), (" (A) a", "(A) a", nil), ("a (A) b", "a (A) b", nil),
      ("(AB) a", "(AB) a", nil), ("(É) a", "(É) a", nil), ("(A) ", "(A)", nil), ("pri:A a", "pri:A a", nil),
      ("(A)\ta", "(A)\ta", nil),
    ] as [(String, String, DraftPriority?)])
  func priority(line: String, title: String, priority: DraftPriority?) {
    #expect(draft(line) == TaskDraft(title: title, priority: priority))
  }

  @Test(
    "only a small x and a space mean done",
    arguments: [
      ("x a", "a", true), ("X a", "X a", false), ("xylophone", "xylophone", false), (" x a", "x a", false),
      ("x", "x", false), ("x ", "x", false), ("x  2026-01-02 a", "2026-01-02 a", true),
      ("x (A)", "(A)", true), ("x\ta", "x\ta", false),
    ])
  func done(line: String, title: String, isDone: Bool) {
    #expect(draft(line) == TaskDraft(title: title, isDone: isDone))
  }

  @Test(
    "what only looks like a mark stays in the title",
    arguments: [
      "see http://e.org:80/ now", "mail b@e.org", "2+2 is 4", "rec:1w water plants", "due:soon",
      "due:2026-02-30",
      "2026-02-30 party", "2026-1-02 party", "a + b @ c", "Due:2026-01-02", "due:2026-01-02T10:00", "due:",
      "2026-01-02", "(A)", "a:b:c", ":x", "x:", "+", "@",
    ])
  func notMarks(line: String) {
    #expect(draft(line) == TaskDraft(title: line))
  }

  @Test("a line of marks alone keeps its text as title, so that no task is without one")
  func marksAlone() {
    #expect(draft("+work @home") == TaskDraft(title: "+work @home", list: "work", tags: ["home"]))
    #expect(draft("(B) @home") == TaskDraft(title: "@home", priority: .medium, tags: ["home"]))
    let due = Samples.date("2026-01-02")
    #expect(draft("due:2026-01-02") == TaskDraft(title: "due:2026-01-02", due: due))
  }

  @Test("the first due day counts, and a second stays in the title")
  func twoDueDays() {
    let due = Samples.date("2026-01-02")
    #expect(
      draft("a due:2026-01-02 b due:2026-03-04") == TaskDraft(title: "a b due:2026-03-04", due: due))
  }

  @Test("one date on a line that is done is the day it was completed")
  func oneDate() {
    let draft = draft("x 2026-09-12 a")
    #expect(draft?.completed == Samples.date("2026-09-12"))
    #expect(draft?.created == nil)
  }

  @Test("byte order mark, every kind of line ending, blank lines and no final newline are understood")
  func lineEndings() throws {
    let read = try ParsedFile(Array("\u{FEFF}one\r\n\n  \t\ntwo\rthree\n\r\n四".utf8), .todotxt)
    #expect(read.drafts.map(\.title) == ["one", "two", "three", "四"])
    #expect(read.drafts.map(\.line) == [1, 4, 5, 7])
    #expect(read.drafts.map(\.source) == ["one", "two", "three", "四"])
    #expect(try ParsedFile([], .todotxt).drafts.isEmpty)
    #expect(try ParsedFile([0xEF, 0xBB, 0xBF], .todotxt).drafts.isEmpty)
  }

  @Test("invalid UTF-8 is an error that names the line")
  func invalidUTF8() {
    let bytes = Array("good\n".utf8) + [0x61, 0xFF, 0x62, 0x0A]
    #expect(throws: ImportFailure([ImportProblem(line: 2, fact: .notUTF8)])) { try ParsedFile(bytes, .todotxt) }
  }
}

@Suite struct TodoTxtRenderingTests {
  private func line(_ draft: TaskDraft, defaultList: String? = nil) -> TodoTxtRendering {
    TodoTxtRendering(draft, defaultList: defaultList)
  }

  @Test("an export gives back the lines that were read, byte for byte")
  func sample() throws {
    let lines = Samples.todoTxtLines
    let read = try ParsedFile(Array(lines.joined(separator: "\n").utf8), .todotxt)
    let export = RenderedFile.todoTxt(read.drafts, defaultList: "Inbox")
    #expect(export.text == lines.filter { !$0.isBlank }.map { $0 + "\n" }.joined())
    #expect(export.losses.isEmpty)
  }

  @Test("another spelling of the same characters is written as it was read")
  func normalisation() throws {
    for text in ["Zoe\u{301} calls", "Zo\u{E9} calls", "a\u{2028}b", "a\u{85}b"] {
      let export = RenderedFile.todoTxt(try ParsedFile(Array(text.utf8), .todotxt).drafts)
      #expect(Array(export.text.utf8) == Array((text + "\n").utf8))
    }
  }

  @Test("a task that was marked as done keeps the rest of its line, and its letter")
  func doneLater() throws {
    var draft = try #require(
      try ParsedFile(Array("(E) 2026-09-01 Call +work mum @phone rec:1w".utf8), .todotxt).drafts.first)
    draft.isDone = true
    draft.completed = Samples.date("2026-09-30")
    #expect(line(draft).line == "x 2026-09-30 2026-09-01 Call +work mum @phone rec:1w pri:E")
    #expect(line(draft).losses.isEmpty)
  }

  @Test("a task that was reopened gets its priority back to the front")
  func reopened() throws {
    var draft = try #require(
      try ParsedFile(Array("x 2026-09-30 2026-09-01 Call +work pri:B mum".utf8), .todotxt).drafts.first)
    draft.isDone = false
    draft.completed = nil
    #expect(line(draft).line == "(B) 2026-09-01 Call +work mum")
  }

  @Test("an edited task is composed from its fields")
  func edited() throws {
    var draft = try #require(
      try ParsedFile(Array("(D) Call +work mum @phone due:2026-01-02".utf8), .todotxt).drafts.first)
    draft.title = "Write to dad"
    draft.tags = ["mail", "+family"]
    draft.due = nil
    #expect(line(draft).line == "(D) Write to dad +work @mail +family")
    draft.priority = .high
    #expect(line(draft).line == "(A) Write to dad +work @mail +family")
    draft.list = nil
    #expect(line(draft).line == "(A) Write to dad @mail @+family")
  }

  @Test("the default list is no project")
  func defaultList() throws {
    #expect(line(TaskDraft(title: "a", list: "Inbox"), defaultList: "Inbox").line == "a")
    let draft = try #require(try ParsedFile(Array("a +Inbox".utf8), .todotxt).drafts.first)
    #expect(line(draft, defaultList: "Inbox").line == "a +Inbox")
  }

  @Test("a title that looks like marks is laid out so that it reads back as it is")
  func titlesLikeMarks() {
    #expect(line(TaskDraft(title: "x marks the spot")).line == " x marks the spot")
    #expect(line(TaskDraft(title: "(A) grade")).line == " (A) grade")
    #expect(line(TaskDraft(title: "2026-01-02 party", priority: .high)).line == "(A)  2026-01-02 party")
    #expect(line(TaskDraft(title: "2026-01-02 party", isDone: true)).line == "x  2026-01-02 party")
    let due = Samples.date("2026-03-04")
    #expect(line(TaskDraft(title: "due:2026-01-02 a", due: due)).line == "due:2026-03-04 due:2026-01-02 a")
  }

  @Test("what has no place in a line is counted, and the line stays one line")
  func losses() {
    let noon = Samples.date("2026-01-02T12:00")
    let drafts = [
      TaskDraft(title: "one\r\n(A) two\n\nthree", note: "n"),
      TaskDraft(title: "due at noon", note: "m", due: noon, dueHasTime: true),
      TaskDraft(title: "names", list: "My list", tags: ["a\nb"]),
      TaskDraft(title: "done", isDone: true, created: Samples.date("2026-01-02")),
      TaskDraft(title: "open", completed: Samples.date("2026-01-02")),
      TaskDraft(title: "call @bob"),
      TaskDraft(title: "never", due: .distantFuture.addingTimeInterval(1e12)),
    ]
    let export = RenderedFile.todoTxt(drafts)
    #expect(
      export.text
        == """
        one (A) two three
        due at noon due:2026-01-02
        names +My_list @a_b
        x done
        open
        call @bob
        never

        """)
    #expect(
      export.lossMessages == [
        "notes of 2 todos", "times of day of 1 todo", "line breaks in the titles of 1 todo",
        "spaces in the list and tag names of 1 todo", "creation dates of 1 todo",
        "completion dates of 1 todo",
        "dates before the year 0 or after 9999 of 1 todo",
        "the exact titles of 1 todo, which the format reads as something else",
      ])
  }

  @Test("a source of several lines is not believed")
  func hostileSource() {
    #expect(line(TaskDraft(title: "a", source: "a\nx b")).line == "a")
    #expect(line(TaskDraft(title: "a", source: "  ")).line == "a")
  }

  private static let pieces = [
    "x", "X", "(A)", "(D)", "(b)", "2026-01-02", "2026-02-30", "+work", "+side", "@home", "@+odd", "+", "@",
    "due:2026-05-06", "due:x", "pri:B", "pri:bb", "http://e.org:80/", "写作", "👩‍👩‍👧", "a", "", "\t", "\u{301}",
    "\u{3000}",
  ]

  @Test("any line that is read is written back as it was")
  func anyLine() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let text = generator.some(8, of: Self.pieces).joined(separator: " ")
      let read = try ParsedFile(Array(text.utf8), .todotxt)
      #expect(read.drafts.count == (text.isBlank ? 0 : 1), "seed \(seed), \(text.debugDescription)")
      #expect(read.drafts.allSatisfy { !$0.title.isBlank }, "seed \(seed), \(text.debugDescription)")
      let export = RenderedFile.todoTxt(read.drafts)
      #expect(export.text == read.drafts.map { _ in text + "\n" }.joined(), "seed \(seed)")
    }
  }

  @Test("any task without reported losses reads back as it was, also after a change")
  func anyDraft() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let days: [Date?] = [nil, Samples.date("2026-01-02"), Samples.date("2025-12-31")]
    let names = ["work", "home", "+side", "+", "@x", "家", "due:2026-01-02"]
    var exact = 0
    for _ in 0..<3_000 {
      var title = generator.some(4, of: Self.pieces).joined(separator: " ").trimmed
      if title.isEmpty { title = "t" }
      let source =
        generator.chance(1, in: 2) ? generator.some(6, of: Self.pieces).joined(separator: " ") : nil
      let isDone = Bool.random(using: &generator)
      let draft = TaskDraft(
        title: title, isDone: isDone,
        priority: ([nil] + DraftPriority.allCases).randomElement(using: &generator) ?? nil,
        due: days.randomElement(using: &generator) ?? nil,
        created: days.randomElement(using: &generator) ?? nil,
        completed: isDone ? days.randomElement(using: &generator) ?? nil : nil,
        list: generator.chance(1, in: 2) ? names.randomElement(using: &generator) : nil,
        tags: generator.some(3, of: names).withoutRepeats, source: source)
      let export = RenderedFile.todoTxt([draft])
      let read = try #require(try ParsedFile(Array(export.text.utf8), .todotxt).drafts.first)
      #expect(export.text.filter(\.isNewline).count == 1, "seed \(seed)")
      guard export.losses.isEmpty else { continue }
      exact += 1
      var expected = draft
      expected.source = read.source
      expected.tags.sort()
      var found = read
      found.tags.sort()
      #expect(found == expected, "seed \(seed), line \(export.text.debugDescription)")
    }
    #expect(exact > 1_000, "seed \(seed)")
  }
}
