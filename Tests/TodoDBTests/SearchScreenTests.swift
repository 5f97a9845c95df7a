import Foundation
import Roster
import Testing
import TodoModel

@testable import todo_db

@Suite("search on a terminal")
struct SearchScreenTests {
  private static let (mark, dim, end) = ("\u{1B}[1;4m", "\u{1B}[2m", "\u{1B}[0m")
  private let style = Style(isEnabled: true)

  /// The lines that a command prints on a terminal.
  private func lines(_ db: TodoDB, _ arguments: [String], width: Int, isColoured: Bool = true) throws -> [String] {
    let terminal = try PseudoTerminal(width: width, height: 24)
    let tool = try RunningTool(
      TodoDB.executable, ["--db", db.database.path] + arguments, in: db.folder, on: terminal, isColoured: isColoured)
    let (out, code) = try tool.end()
    #expect(code == 0)
    return out.split(separator: "\r\n").map(String.init)
  }

  /// What is left of a line without its colours.
  private func plain(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  @Test("hits are marked, whatever the width leaves of the titles, and no line is wider", arguments: [80, 40])
  func marks(width: Int) throws {
    let db = try TodoDB()
    _ = try db.add("学习SwiftUI布局 🧪", "--due", "2099-12-01", "--list", "Book", "--tag", "家")
    _ = try db.add("👩‍👩‍👧 plan a day with all of the neighbours, and 布局", "--priority", "low")
    let note = String(repeating: "白色的🌸", count: 20) + "布局" + String(repeating: "去年的那家店", count: 20)
    let done = try db.add("订花", "--note", note, "--list", "Book")
    try db.succeed("done", done)
    let lines = try lines(db, ["search", "布局"], width: width)
    #expect(lines.count == 5)
    for line in lines { #expect(plain(line).displayWidth <= width, "\(line)") }
    let all = lines.joined(separator: "\n")
    #expect(all.contains("学习SwiftUI\(Self.mark)布局\(Self.end) 🧪"))
    // What is cut away has its mark on the ellipsis.
    #expect(all.contains("\(Self.mark)…\(Self.end)") && all.contains("👩‍👩‍👧 plan a day"))
    let below = try #require(lines.first { plain($0).hasPrefix("          …") })
    #expect(below.contains("\(Self.end)\(Self.mark)布局\(Self.end)\(Self.dim)"))
    // As narrow as 40, the columns of less use go.
    #expect(all.contains("TAGS") == (width == 80) && all.contains("PRIORITY") == (width == 80))
    let uncoloured = try self.lines(db, ["search", "布局"], width: width, isColoured: false)
    #expect(uncoloured == lines.map(plain))
    let listed = try self.lines(db, ["list", "--search", "布局"], width: width)
    #expect(listed.joined().contains("学习SwiftUI\(Self.mark)布局\(Self.end) 🧪"))
    #expect(try self.lines(db, ["suggest", "学"], width: width).last?.contains("\(Self.mark)学\(Self.end)习") == true)
  }

  @Test("places are those of the whole text, however it is cut")
  func cut() {
    func marked(_ text: String, _ word: String, width: Int) -> String {
      style.apply(
        .plain, to: text.truncated(toWidth: width), highlights: Query<Todo>().matching(word).places(in: text), of: text
      )
      .replacing(Self.mark, with: "<").replacing(Self.end, with: ">")
    }
    #expect(marked("a\u{1B}[1mb c", "b", width: 20) == "a␛[1m<b> c")
    #expect(marked("写作练习", "作练", width: 8) == "写<作练>习")
    #expect(marked("写作练习", "作练", width: 6) == "写<作…>")
    #expect(marked("写作练习", "习", width: 6) == "写作<…>")
    #expect(marked("写作练习", "写", width: 6) == "<写>作…")
    #expect(marked("👩‍👩‍👧👩‍👩‍👧x", "👧", width: 3) == "<👩‍👩‍👧…>")
    #expect(marked("cafe\u{301} e", "e", width: 9) == "caf<e\u{301}> <e>")
    #expect(marked("a\r\nb\r\n", "b", width: 9) == "a␍␊<b>␍␊")
    #expect(marked("abc", "c", width: 1) == "<…>")
    #expect(marked("abc", "c", width: 0) == "")
    #expect(Style.plain.apply(.plain, to: "abc", highlights: [0..<1], of: "abc") == "abc")
  }

  @Test("of columns that have no room at their narrowest, those of less use go first")
  func columns() {
    var table = TextTable([
      .init("ID"), .init("PRIORITY", leaving: 1), .init("TITLE", minimumWidth: 6), .init("TAGS", leaving: 0),
    ])
    table.append(["3f", "high", "写作练习项目", "家"])
    #expect(table.lines(width: 30).last == "3f  high      写作练习…   家")
    #expect(table.lines(width: 22).last == "3f  high      写作练…")
    #expect(table.lines(width: 12).last == "3f  写作练…")
    #expect(table.lines(width: 3).last == "3f  写作…")
  }

  @Test("a line of the note fits, has what was found in it, and no line break")
  func notes() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let parts = ["写", "a", " ", "\n", "👩‍👩‍👧", "e\u{301}", "\r\n", "word", "\u{1B}", "。"]
    let query = Query<Todo>().matching("布x")
    for _ in 0..<500 {
      let (before, after) = (generator.some(80, of: parts).joined(), generator.some(80, of: parts).joined())
      let todo = Todo(listID: UUID(), title: "t", note: before + "布x" + after)
      let found = FoundTodo(TodoEntry(todo: todo, tags: []), by: query)
      let width = Int.random(in: 32...120, using: &generator)
      let line = try #require(found.noteLine(query, width: width, style: style))
      let trace = Comment(rawValue: "seed \(seed), \(width): \(line.debugDescription) of \(todo.note.debugDescription)")
      #expect(plain(line).displayWidth <= width, trace)
      #expect(line.contains("\(Self.mark)布x"), trace)
      #expect(!plain(line).contains { $0.isNewline }, trace)
    }
  }
}
