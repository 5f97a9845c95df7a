import Foundation
import Testing
import TodoModel

@testable import todo_db

@Suite("check lists of Markdown") struct MarkdownTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test(
    "code ends at a fence of its kind that is at least as long, has nothing behind it and stands where it may",
    arguments: [
      ("```\n- [ ] code\n````\n- [ ] a\n", ["a"]), ("````\n```\n- [ ] code\n````\n- [ ] a\n", ["a"]),
      ("~~~\n```\n- [ ] code\n~~~~  \t\n- [ ] a\n", ["a"]),
      ("```sh\n- [ ] code\n``` x\n- [ ] code\n```\n- [ ] a\n", ["a"]),
      ("```\n- [ ] code\n    ```\n- [ ] code\n   ```\n- [ ] a\n", ["a"]), ("```a`b\n- [ ] a\n", ["a"]),
      ("``\n- [ ] a\n", ["a"]), ("~~~ `x`\n- [ ] code\n~~~\n- [ ] a\n", ["a"]), ("```\n\n```\n- [ ] a\n", ["a"]),
      ("```\u{301}\n- [ ] code\n```\n- [ ] a\n", ["a"]), ("- plain\n  ```\n  - [ ] code\n- [ ] a\n", ["a"]),
      ("- ```\n  - [ ] code\n  ```\n- [ ] a\n", ["a"]),
      ("10. x\n    ```\n    - [ ] code\n    ```\n    - [ ] a\n", ["a"]),
      ("- [ ] a\n```\n- [ ] code\n```\n- [ ] b\n", ["a", "b"]),
      ("- [ ] a\n  - [ ] b\n    - [ ] c\n    ```\n    - [ ] code\n    ```\n- [ ] d\n", ["a", "b", "c", "d"]),
    ] as [(String, [String])])
  func fences(text: String, titles: [String]) throws {
    let file = try ParsedFile(text, .markdown)
    #expect(file.drafts.map(\.title) == titles && !file.notices.contains { $0 != .otherText(lines: 1) }, "\(file)")
  }

  @Test("code without a closing fence takes in the rest of the file, which is said")
  func openFence() throws {
    let text = "- [ ] a\n\n````\n- [ ] code\n```\n- [ ] code\n"
    #expect(try ParsedFile(text, .markdown).notices == [.openFence(line: 3)])
    let outcome = try db.run("import", db.write(text, to: "a.md"))
    #expect(outcome.code == 0 && outcome.out.hasPrefix("Imported 1 todo "))
    #expect(
      outcome.err
        == "todo-db: line 3: the code that begins here has no closing fence, so that nothing below it was imported\n")
  }

  @Test("a line of very many bullets is read in a time that grows with its length")
  func manyBullets() throws {
    // Read again from each bullet on, this would take minutes.
    let text = String(repeating: "- ", count: 100_000) + "x\n- [ ] a\n"
    #expect(try ParsedFile(text, .markdown).drafts.map(\.title) == ["a"])
  }

  @Test("code in a note holds no items, and ends with the note")
  func codeInNotes() throws {
    let text =
      "- [ ] a\n  ```sh\n  - [ ] not a task\n  \\- [ ] b\n\n      deep\n  ```\n  more\n- [x] b\n  ~~~\n  - [ ] c\n- [ ] d\n"
    let file = try ParsedFile(text, .markdown)
    #expect(file.drafts.map(\.title) == ["a", "b", "d"] && file.notices.isEmpty)
    #expect(
      file.drafts.map(\.note) == [
        "```sh\n- [ ] not a task\n\\- [ ] b\n\n    deep\n```\nmore", "~~~\n- [ ] c", "",
      ])
    try db.succeed("import", db.write(text, to: "a.md"))
    #expect(try db.succeed("export", "--format", "markdown").out == "# Tasks\n\n## Inbox\n\n" + text)
    // Also where it is written anew.
    let id = try #require(try db.todos().first?["id"] as? String)
    try db.succeed("edit", id, "--title", "A")
    let edited = try db.succeed("export", "--format", "markdown").out
    #expect(edited == "# Tasks\n\n## Inbox\n\n" + text.replacing("- [ ] a\n", with: "- [ ] A\n"))
  }

  @Test("an indented item stays one after an item that ends in open code")
  func indentedAfterCode() throws {
    try db.succeed("import", db.write("- [ ] a\n  - [ ] b\n- [ ] c\n  ```\n  code\n", to: "a.md"))
    let ids = try db.todos().compactMap { $0["id"] as? String }
    try db.succeed("move", try #require(ids.last), "--start")
    try db.succeed("rm", try #require(ids.first))
    let export = try db.succeed("export", "--format", "markdown").out
    #expect(export.hasSuffix("- [ ] c\n  ```\n  code\n- [ ] b\n"))
    #expect(try ParsedFile(export, .markdown).drafts.map(\.title) == ["c", "b"])
  }

  @Test("a note of random lines is written as it is read, and what is read is written the same")
  func randomNotes() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "```", "````", "~~~", "- [ ] x", "- x", "1. ", "\\", "  ", "    ", "\t", "\n", "\n", "\n", "\r", "\r\n", "code",
      " ",
      "# h", "\u{2003}",
    ]
    var (exact, titles) = (0, 0)
    for _ in 0..<400 {
      let entries = (0..<3).map { number in
        TodoEntry(
          todo: Todo(
            listID: UUID(), title: "t\(number)", note: generator.some(8, of: parts).joined(), isDone: false),
          list: "Inbox", tags: [])
      }
      let export = RenderedFile.entries(entries, .markdown)
      let comment: Comment = "seed \(seed), \(export.text.debugDescription)"
      let read = try ParsedFile(export.text, .markdown)
      #expect(read.drafts.map(\.title) == ["t0", "t1", "t2"] && read.notices.isEmpty, comment)
      titles += read.drafts.count
      let same = zip(entries, read.drafts).filter { $0.todo.note.hasSameBytes(as: $1.note) }.count
      #expect(export.losses[.note] ?? 0 == 3 - same, comment)
      exact += same
      let again = read.drafts.map { draft in
        TodoEntry(
          todo: Todo(
            listID: UUID(), title: draft.title, note: draft.note, isDone: false, source: draft.source,
            sourceFormat: draft.storedSourceFormat), list: "Inbox", tags: [])
      }
      #expect(RenderedFile.entries(again, .markdown).text == export.text, comment)
    }
    #expect(exact > 300 && titles == 1200, "seed \(seed)")
  }
}
