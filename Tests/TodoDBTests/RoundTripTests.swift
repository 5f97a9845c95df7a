import Foundation
import Testing
import TodoModel

@testable import todo_db

/// Random tasks, written in a format and read again.
@Suite("round trips") struct RoundTripTests {
  private static let texts = [
    "a", "写作", "\"q\"", "\\", "\\n", ",", ";", ":", "  ", "\n", "👩‍👩‍👧", "e\u{301}", "\t", "- [ ] x", "#", "1. [x] y", "{",
    "BEGIN:VTODO", "END:VTODO",
  ]

  private func entry(_ generator: inout SeededGenerator) -> TodoEntry {
    func text(_ count: Int) -> String { generator.some(count, of: Self.texts).joined() }
    let dates = ["2026-01-02", "2026-01-02T03:04:05Z", "1969-12-31T23:59:59Z", nil].map { $0.flatMap { DueDate($0) } }
    let due = dates.randomElement(using: &generator) ?? nil
    let todo = Todo(
      listID: UUID(), title: "t" + text(4), note: text(6), isDone: .random(using: &generator),
      priority: ([nil] + Priority.allCases).randomElement(using: &generator) ?? nil, due: due?.date,
      dueHasTime: due?.hasTime ?? false, created: (dates.randomElement(using: &generator) ?? nil)?.date,
      completed: (dates.randomElement(using: &generator) ?? nil)?.date)
    return TodoEntry(
      todo: todo, list: ["Inbox", "学习", "My, list", "C #"].randomElement(using: &generator) ?? nil,
      tags: generator.some(3, of: ["x", "+y", "two words", "家", "a,b"]).withoutRepeats)
  }

  @Test(
    "any task is read back as it was written, unless the export says what it lacks",
    arguments: [TaskFormat.json, .ndjson, .taskwarrior, .ical, .csv, .tsv, .markdown])
  func anyTask(format: TaskFormat) throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    var exact = 0
    for _ in 0..<400 {
      let entry = entry(&generator)
      let export = RenderedFile.entries([entry], format)
      let comment: Comment = "seed \(seed), \(export.text.debugDescription)"
      let read = try ParsedFile(export.text, format)
      #expect(read.tasks.count == 1, comment)
      let task = try #require(read.tasks.first, comment)
      if format != .markdown { #expect(task.ids == [.uuid(entry.todo.id)], comment) }
      var lacking: DraftFields = []
      if format == .markdown { lacking = [.priority, .due, .tags, .created, .completed] }
      if export.losses[.note] != nil { lacking.insert(.note) }
      if export.losses[.title] != nil || export.losses[.lineBreakInTitle] != nil { lacking.insert(.title) }
      #expect(entry.draft.differences(from: task.draft).isSubset(of: lacking), comment)
      guard lacking.isDisjoint(with: [.title, .note]) else { continue }
      exact += 1
      // What was read is written as it was.
      let todo = Todo(
        id: entry.todo.id, listID: UUID(), title: task.draft.title, note: task.draft.note, isDone: task.draft.isDone,
        priority: task.draft.priority?.stored, due: task.draft.due, dueHasTime: task.draft.dueHasTime,
        created: task.draft.created, completed: task.draft.completed, source: task.draft.source,
        sourceFormat: task.draft.storedSourceFormat)
      let again = TodoEntry(todo: todo, list: task.draft.list ?? "Inbox", tags: task.draft.tags)
      #expect(RenderedFile.entries([again], format).text == export.text, comment)
    }
    #expect(exact > 100, "seed \(seed)")
  }
}
