import Foundation
import Testing
import TodoModel

@testable import todo_db

/// What lies at the edges of what a format can say.
@Suite("dates and titles at the edges of formats") struct DatesAndTitlesTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private static let outOfRange: [(TaskFormat, String, String)] = [
    (
      .ical,
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:b\n"
        + "DUE;TZID=Asia/Tokyo:00000101T000000\nEND:VTODO\nEND:VCALENDAR\n", "line 5: DUE is “00000101T000000”"
    ),
    (
      .ical,
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:b\n"
        + "COMPLETED;TZID=America/New_York:99991231T235959\nEND:VTODO\nEND:VCALENDAR\n",
      "line 5: COMPLETED is “99991231T235959”"
    ),
    (.csv, "Title,Due\na,\nb,0000-01-01T00:00+09:00\n", "line 3: Due is “0000-01-01T00:00+09:00”"),
    (.csv, "Title,Created\na,\nb,9999-12-31T23:00-05:00\n", "line 3: Created is “9999-12-31T23:00-05:00”"),
    (
      .ndjson, "{\"title\": \"a\"}\n{\"title\": \"b\", \"due\": \"9999-12-31T23:59:59.999999999Z\"}\n",
      "line 2: due is “9999-12-31T23:59:59.999999999Z”"
    ),
    (
      .json, "[{\"title\": \"a\"},\n{\"title\": \"b\", \"completed\": \"0000-01-01T00:00+00:01\"}]\n",
      "line 2: completed is “0000-01-01T00:00+00:01”"
    ),
  ]

  @Test("a date that is in no year from 0 to 9999 in UTC is one bad item, which names its line", arguments: outOfRange)
  func yearsInUTC(format: TaskFormat, text: String, fault: String) throws {
    let file = try db.write(text, to: "a")
    let message = "\(fault); it must be in the years 0 to 9999, also in UTC\n"
    for isDryRun in [true, false] {
      let outcome =
        try isDryRun
        ? db.run("import", file, "--format", format.rawValue, "--skip-bad", "--dry-run")
        : db.run("import", file, "--format", format.rawValue, "--skip-bad")
      #expect(outcome.code == 0 && outcome.err == "todo-db: left out: " + message, "\(outcome)")
      #expect(outcome.out.hasSuffix("1 new, 1 skipped.\n"), "\(outcome)")
    }
    #expect(try db.titles() == ["a"])
    let strict = try db.run("import", file, "--format", format.rawValue)
    #expect(strict.code == 1 && strict.err.contains(message))
  }

  @Test("the first and the last second that a date can have are imported")
  func edges() throws {
    let file = try db.write("Title,Due\na,0000-01-01T09:00+09:00\nb,9999-12-31T23:59:59Z\n", to: "a.csv")
    try db.succeed("import", file)
    #expect(try db.todos().map { $0["due"] as? String } == ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
  }

  private func entry(_ title: String, due: String? = nil) -> TodoEntry {
    let due = due.flatMap { DueDate($0) }
    let todo = Todo(
      listID: UUID(), title: title, isDone: false, due: due?.date, dueHasTime: due?.hasTime ?? false)
    return TodoEntry(todo: todo, list: "Inbox", tags: [])
  }

  @Test("a due time of midnight is a time, which todo.txt and Taskwarrior have no place for")
  func midnight() throws {
    for format in [TaskFormat.todotxt, .taskwarrior] {
      #expect(RenderedFile.entries([entry("a", due: "2026-10-08T00:00Z")], format).losses == [.timeOfDay: 1])
      #expect(RenderedFile.entries([entry("a", due: "2026-10-08")], format).losses.isEmpty)
    }
    #expect(RenderedFile.entries([entry("a", due: "2026-10-08T00:00Z")], .markdown).losses == [.dueDate: 1])
    for format in [TaskFormat.csv, .json, .ical] {
      let export = RenderedFile.entries([entry("a", due: "2026-10-08T00:00Z")], format)
      let read = try ParsedFile(export.text, format)
      #expect(export.losses.isEmpty && read.drafts.first?.dueHasTime == true)
    }
  }

  @Test("a title of control characters alone has their signs in a calendar, which imports it again")
  func controlCharacters() throws {
    for (title, read) in [
      ("\u{1}\u{7F}", "␁␡"), (" \u{1B}\n", " ␛␊"), ("a\u{1}b", "ab"), ("\u{1},", ","), ("\\\u{1}", "\\"),
    ] {
      let export = RenderedFile.entries([entry(title)], .ical)
      #expect(try ParsedFile(export.text, .ical).drafts.map(\.title) == [read], "\(export.text)")
      #expect(export.losses == [.controlCharacter: 1])
    }
  }

  @Test("an export through a symbolic link to no file makes the file, and leaves the link")
  func danglingLink() throws {
    try db.succeed("import", db.write("a\n", to: "a.txt"))
    let files = FileManager.default
    try files.createDirectory(at: db.file("folder"), withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: db.file("link.txt").path, withDestinationPath: "folder/second.txt")
    try files.createSymbolicLink(
      atPath: db.file("folder/second.txt").path, withDestinationPath: db.file("target.txt").path)
    for output in ["link.txt", db.file("link.txt").path] {
      try db.succeed("export", "--output", output)
      #expect(try String(contentsOf: db.file("target.txt"), encoding: .utf8) == "a\n")
      #expect(try files.destinationOfSymbolicLink(atPath: db.file("link.txt").path) == "folder/second.txt")
      try files.removeItem(at: db.file("target.txt"))
    }
    try files.createSymbolicLink(atPath: db.file("round.txt").path, withDestinationPath: "round.txt")
    #expect(try db.run("export", "--output", "round.txt").code == 1)
    #expect(try files.destinationOfSymbolicLink(atPath: db.file("round.txt").path) == "round.txt")
  }
}
