import Foundation
import Testing

@testable import todo_db

/// Formats of other programs, from the bytes of a file to what is found in it and back.
@Suite("foreign formats") struct ForeignFormatTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func calendar(_ items: String...) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\n" + items.joined() + "END:VCALENDAR\n"
  }

  private func todo(_ lines: String...) -> String {
    (["BEGIN:VTODO", "SUMMARY:t"] + lines + ["END:VTODO", ""]).joined(separator: "\n")
  }

  private func found(_ text: String) throws -> TaskDraft {
    let file = try ParsedFile(text, .ical)
    return try #require(file.drafts.first)
  }

  @Test("case 32: folded lines, escaped commas and check boxes are read as they are meant")
  func case32() throws {
    let text = calendar(
      "BEGIN:VTODO\r\nSUMMARY:Bu\r\n y milk\\, eg\r\n\tgs \\; tea\r\nCATEGORIES:a\\,b,c\r\nEND:VTODO\r\n")
    let draft = try found(text)
    #expect(draft.title == "Buy milk, eggs ; tea")
    #expect(draft.tags == ["a,b", "c"])
    let list = try ParsedFile("# 家\n- [ ] 买牛奶\n1. [X] two\n   note\n* [x]\tthree\n- plain\n", .markdown)
    #expect(list.drafts.map(\.title) == ["买牛奶", "two", "three"])
    #expect(list.drafts.map(\.isDone) == [false, true, true])
    #expect(list.drafts.map(\.note) == ["", " note", ""])
    #expect(list.drafts.map(\.list) == ["家", "家", "家"])
    #expect(list.notices == [.otherText(lines: 1)])
  }

  @Test("case 59: a backslash before an n is no line break where another backslash stands before it")
  func case59Escapes() throws {
    #expect(try found(calendar(todo("DESCRIPTION:a\\\\n b\\nc\\Nd\\x"))).note == "a\\n b\nc\nd\\x")
    for text in ["a\\n", "\\", "\n", "a,b;c\\\\n\n,", "\\\n\\n", "e\u{301},\u{301}"] {
      let parts = CalendarText.parts(CalendarText.escaped(text), separatedBy: UInt8(ascii: ","))
      #expect(parts.count == 1 && parts[0].hasSameBytes(as: text))
    }
  }

  @Test("case 59: due dates have a zone, none, or no time, and time zone blocks have dates of their own")
  func case59Dates() throws {
    let zone =
      "BEGIN:VTIMEZONE\nTZID:Europe/Berlin\nBEGIN:STANDARD\nDTSTART:19961027T030000\nDUE:19990101\n"
      + "TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n"
    let dates: [(String, String)] = [
      ("DUE;TZID=Europe/Berlin:20260708T143000", "2026-07-08T12:30Z"),
      ("DUE;TZID=Europe/Berlin:20261208T143000", "2026-12-08T13:30Z"),
      ("DUE;TZID=\"Europe/Berlin\":20261208T143000", "2026-12-08T13:30Z"),
      ("DUE;TZID=/citadel.org/20210210_1/Europe/Berlin:20261208T143000", "2026-12-08T13:30Z"),
      // The hour that comes twice, and the one that the clocks skip.
      ("DUE;TZID=Europe/Berlin:20261025T023000", "2026-10-25T00:30Z"),
      ("DUE;TZID=Europe/Berlin:20260329T023000", "2026-03-29T01:30Z"),
      ("DUE;TZID=Asia/Shanghai:20261008T000000", "2026-10-07T16:00Z"), ("DUE:20261008T143000Z", "2026-10-08T14:30Z"),
      ("DUE:20261008T143000", "2026-10-08T14:30Z"), ("DUE;VALUE=DATE:20261008", "2026-10-08"),
      ("DUE:20261008", "2026-10-08"),
    ]
    for (line, wanted) in dates {
      let draft = try found(calendar(zone, todo(line)))
      let due = try #require(DueDate(wanted))
      #expect(draft.due == due.date && draft.dueHasTime == due.hasTime, "\(line) is \(String(describing: draft.due))")
    }
    let odd = calendar(
      "BEGIN:VTIMEZONE\nTZID:Our zone\nBEGIN:STANDARD\nTZOFFSETTO:+0530\nEND:STANDARD\nEND:VTIMEZONE\n",
      todo("DUE;TZID=Our zone:20261008T053000"))
    #expect(try found(odd).due == DueDate("2026-10-08T00:00Z")?.date)
  }

  @Test("case 59: a bad item of a calendar is reported while the rest goes in, and the exit code says so")
  func case59Bad() throws {
    let text = calendar(
      todo("UID:a"), todo("DUE:20261308"), "BEGIN:VTODO\nUID:b\nEND:VTODO\n", todo("no property"),
      todo("DUE;TZID=Nowhere/Land:20261008T100000"), todo("BEGIN:VALARM", "SUMMARY:alarm", "END:VALARM", "UID:c"),
      "BEGIN:VTODO\nSUMMARY:open\n", todo("UID:d"))
    let file = try db.write(text, to: "a.ics")
    let outcome = try db.run("import", file)
    #expect(outcome.code == 1)
    #expect(outcome.out == "Imported from \(file): 3 new, 5 skipped.\n")
    #expect(
      outcome.err == """
        todo-db: left out: line 7: DUE is “20261308”; it must be a date such as 20261008 or 20261008T143000Z
        todo-db: left out: line 11: the title is blank
        todo-db: left out: line 16: “no property” is no property; a line that goes on begins with a space
        todo-db: left out: line 18: the time zone “Nowhere/Land” is not known
        todo-db: left out: line 29: a VTODO that begins here and has no END:VTODO

        """)
    #expect(try db.titles() == ["t", "t", "t"])
    let again = try db.run("import", file, "--skip-bad", "--json")
    #expect(again.code == 0)
    let json = try TodoDB.object(again.out)
    #expect(json["unchanged"] as? Int == 3)
    #expect((json["problems"] as? [[String: Any]])?.compactMap { $0["line"] as? Int } == [7, 11, 16, 18, 29])
    let none = try TodoDB()
    #expect(try none.run("import", none.write("BEGIN:VCALENDAR\nBEGIN:VTODO\n", to: "b.ics")).code == 1)
    #expect(try none.run("import", none.write("hello\n", to: "c.ics")).err.contains("no calendar"))
    #expect(!FileManager.default.fileExists(atPath: none.database.path))
  }

  @Test("case 59: annotations of one time, unknown fields and both forms of depends outlive an edit of the title")
  func case59Fields() throws {
    let items = [
      #"{"uuid":"00000000-0000-4000-8000-000000000001","description":"a","status":"waiting","estimate":12345678901234567890.10,"depends":"00000000-0000-4000-8000-000000000002","#
        + #""annotations":[{"entry":"20260101T000000Z","description":"x"},{"entry":"20260101T000000Z","description":"y"}]}"#,
      #"{"uuid":"00000000-0000-4000-8000-000000000002","description":"b","status":"pending","depends":["00000000-0000-4000-8000-000000000001"],"priority":"urgent"}"#,
    ]
    let file = try db.write("[\n\(items.joined(separator: ",\n"))\n]\n", to: "tw.json")
    #expect(try db.succeed("import", file).out == "Imported 2 todos from \(file).\n")
    #expect(try db.todo("00000000-0000-4000-8000-000000000001")["note"] as? String == "x\ny")
    #expect(
      try db.succeed("export", "--format", "taskwarrior").out == "[\n\(items.joined(separator: ",\n"))\n]\n")
    try db.succeed("edit", "00000000-0000-4000-8000-000000000001", "--title", "A")
    try db.succeed("edit", "00000000-0000-4000-8000-000000000002", "--title", "B")
    let lines = try db.succeed("export", "--format", "taskwarrior").lines
    #expect(lines[1].contains("\"estimate\": 12345678901234567890.10, "))
    for kept in [
      "\"status\": \"waiting\"", "\"depends\": \"00000000-0000-4000-8000-000000000002\"",
      #"[{"entry":"20260101T000000Z","description":"x"},{"entry":"20260101T000000Z","description":"y"}]"#,
    ] { #expect(lines[1].contains(kept), "\(lines[1])") }
    #expect(lines[1].contains("\"description\": \"A\""))
    #expect(lines[2].contains("[\"00000000-0000-4000-8000-000000000001\"]") && lines[2].contains("\"urgent\""))
    #expect(try db.run("export", "--format", "csv").err.contains("fields of 2 todos that are another program's"))
  }

  @Test("case 59: of one uuid twice in a file the later counts, and the earlier is reported")
  func case59Twice() throws {
    let file = try db.write(
      """
      {"uuid":"00000000-0000-4000-8000-00000000000A","description":"first"}
      {"uuid":"00000000-0000-4000-8000-00000000000b","description":"other"}
      {"uuid":"00000000-0000-4000-8000-00000000000a","description":"second"}
      """, to: "tw.json")
    for wanted in ["2 new, 1 skipped", "0 new, 2 unchanged, 1 skipped"] {
      let outcome = try db.run("import", file, "--format", "taskwarrior")
      #expect(outcome.code == 0)
      #expect(outcome.out == "Imported from \(file): \(wanted).\n")
      #expect(
        outcome.err
          == "todo-db: line 1: the id “00000000-0000-4000-8000-00000000000a” stands again in line 3, which counts\n")
    }
    #expect(try db.titles() == ["other", "second"])
  }

  @Test("a task that Taskwarrior has deleted is left out and named")
  func deleted() throws {
    let file = try db.write(#"[{"description":"gone","status":"deleted"},{"description":"here"}]"#, to: "tw.json")
    let outcome = try db.run("import", file, "--format", "taskwarrior")
    #expect(outcome.code == 0)
    #expect(outcome.err == "todo-db: line 1: “gone” is deleted, and was not imported\n")
    #expect(try db.titles() == ["here"])
  }

  @Test("an edited calendar item keeps its other properties, its alarm, its zone and its UID")
  func editedCalendarItem() throws {
    let zone =
      "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19961027T030000\r\nTZOFFSETTO:+0100\r\n"
      + "END:STANDARD\r\nEND:VTIMEZONE\r\n"
    let items = ["a", "b"].map {
      "BEGIN:VTODO\r\nUID:\($0)@example.org\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:title \($0) that is long enough "
        + "for a fold which is\r\n  not where we would have put it\r\nDUE;TZID=Europe/Berlin:20261008T143000\r\n"
        + "X-COLOR:red\r\nBEGIN:VALARM\r\nDESCRIPTION:alarm\r\nEND:VALARM\r\nEND:VTODO\r\n"
    }
    let text = "BEGIN:VCALENDAR\r\n\(zone)\(items.joined())END:VCALENDAR\r\n"
    try db.succeed("import", try db.write(text, to: "a.ics"))
    let export = try db.succeed("export", "--format", "ical").out
    #expect(export.hasSuffix(zone + items.joined() + "END:VCALENDAR\r\n"))
    let id = try #require(try db.todos().first?["id"] as? String)
    try db.succeed("edit", id, "--title", "new, title", "--note", "n")
    let edited = try db.succeed("export", "--format", "ical").out
    #expect(
      edited.contains(
        "SUMMARY:new\\, title\r\nDUE;TZID=Europe/Berlin:20261008T143000\r\nX-COLOR:red\r\nDESCRIPTION:n\r\nBEGIN:VALARM"
      ))
    #expect(edited.contains("UID:a@example.org\r\n") && edited.contains(items[1]))
    #expect(try db.run("import", db.write(edited, to: "b.ics")).out.contains("0 new, 1 updated, 1 unchanged"))
    #expect(try db.run("import", db.write(edited, to: "b.ics")).out.contains("0 new, 2 unchanged"))
  }

  @Test("a line of a calendar is folded within 75 octets, and never inside a character's scalar")
  func folding() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let text = (0..<40).map { _ in ["a", "é", "写", "👩‍👩‍👧", " ", ",", "\\"].randomElement(using: &generator) ?? "" }
      let line = "SUMMARY:" + CalendarText.escaped(text.joined())
      let folded = CalendarText.folded(line)
      let lines = Array(TextLines(Array(folded.utf8)))
      #expect(lines.allSatisfy { $0.bytes.count <= 75 && $0.text != nil }, "seed \(seed)")
      var unfolded: [String?] = []
      UnfoldedLine.read(Array(folded.utf8)) { unfolded.append($0.text) }
      #expect(unfolded == [line], "seed \(seed)")
    }
    // Other programs do cut scalars.
    let bytes = Array("BEGIN:VTODO\nSUMMARY:写".utf8)
    let file = bytes.dropLast() + Array("\n ".utf8) + bytes.suffix(1) + Array("\nEND:VTODO\n".utf8)
    let draft = try #require(try ParsedFile(Array(file), .ical).drafts.first)
    #expect(draft.title == "写" && draft.source == "BEGIN:VTODO\nSUMMARY:写\nEND:VTODO")
  }

  @Test("JSON keeps what it doesn't know, to the last digit")
  func jsonFields() throws {
    let file = try db.write(
      #"[{"id": 7, "title": "a", "cost": 12345678901234567890.100, "deep": {"k": [1,  "x y", null]}}, {"title": "b\u00e9\ud83c\udf89"}]"#,
      to: "a.json")
    try db.succeed("import", file)
    #expect(try db.run("import", file).out == "Imported from \(file): 1 new, 1 unchanged.\n")
    let line = try db.succeed("export", "--format", "ndjson").lines[0]
    #expect(line.contains("\"externalID\": \"7\""))
    #expect(line.contains("\"cost\": 12345678901234567890.100, \"deep\": {\"k\":[1,\"x y\",null]}"))
    #expect(try db.titles() == ["a", "bé🎉", "bé🎉"])
  }

  @Test("what JSON does not say stays, and null takes a value away")
  func jsonUpdate() throws {
    let id = try db.add("a", "--note", "n", "--due", "2026-10-08", "--tag", "x", "--list", "L")
    let outcome = try db.run(
      "import", "-", "--format", "ndjson", input: "{\"id\": \"\(id.uppercased())\", \"title\": \"b\", \"due\": null}\n")
    #expect(outcome.out == "Imported from standard input: 0 new, 1 updated.\n")
    let todo = try db.todo(id)
    #expect(todo["title"] as? String == "b" && todo["note"] as? String == "n" && todo["list"] as? String == "L")
    #expect(todo["due"] is NSNull && todo["tags"] as? [String] == ["x"])
  }

  @Test(
    "what is no JSON is refused with its line, and a broken line of NDJSON may be skipped",
    arguments: [
      ("[{\"title\": \"a\"},\n{\"title\": \"b\"\n", 3, JSONFault.Fact.endOfFile),
      ("[{\"title\" 1}]", 1, .unexpected(0x31)),
      ("[{\"title\": \"a\nb\"}]", 1, .controlCharacter), ("[{\"title\": \"\\ud800\"}]", 1, .loneSurrogate),
      ("[{\"title\": \"\\q\"}]", 1, .badEscape), ("[{\"title\": -}]", 1, .badNumber), ("", 1, .endOfFile),
      ("[{\"title\": \"a\"}] x", 1, .unexpected(0x78)),
      (String(repeating: "[", count: 500_000), 1, .endOfFile),
    ])
  func badJSON(text: String, line: Int, fact: JSONFault.Fact) throws {
    #expect(throws: ImportFailure(line: line, .badJSON(fact))) { try ParsedFile(text, .json) }
    let lines = try ParsedFile("{\"title\": \"a\"}\n{\"title\" 1}\n\n[]\n{\"title\": \"b\"}\n", .ndjson, skipBad: true)
    #expect(lines.drafts.map(\.title) == ["a", "b"])
    #expect(lines.problems.map(\.line) == [2, 4])
  }
}
