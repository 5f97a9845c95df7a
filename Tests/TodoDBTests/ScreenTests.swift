import Foundation
import Testing
import TodoModel

@testable import todo_db

@Suite("A list on a screen")
struct ScreenTests {
  private static let titles = [
    "Buy milk", "订花 🌸", "👩‍👩‍👧 家", "a\u{1B}[2Jb\nc", "é e\u{301}", "", "x", "写一个练习项目和更多的东西",
    "a title that goes on for longer than most screens are wide", "ｆｕｌｌ width", "🇨🇳🇵🇹", "สวัสดี",
  ]
  private let now = Date(timeIntervalSinceReferenceDate: 0)

  private func entry(_ title: String, isDone: Bool = false, tags: [String] = [], index: Int = 0) -> TodoEntry {
    TodoEntry(
      todo: Todo(listID: UUID(), title: title, isDone: isDone), list: "家 Garden", tags: tags, index: index)
  }

  private func screen(
    _ entries: [TodoEntry], _ drawing: inout WatchScreen, width: Int, height: Int, style: Style = .plain
  ) -> Screen {
    let shown = entries.prefix(WatchScreen.room(for: entries.count, height: height))
    return drawing.screen(
      Array(shown), of: entries.count,
      status: Report.watching(nil, .all, count: entries.count, done: entries.count { $0.todo.isDone }),
      overdue: Overdue(now: now), width: width, height: height, style: style)
  }

  @Test("what is written to a screen makes of it what drawing all anew does, whatever becomes of the list")
  func model() {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      var (width, height) = (Int.random(in: 1...100, using: &generator), Int.random(in: 1...14, using: &generator))
      var (entries, drawing, old) = ([TodoEntry](), WatchScreen(), Screen?.none)
      var grid = TerminalGrid(width: width, height: height)
      let style = Style(isEnabled: generator.chance(1, in: 2))
      for step in 0..<40 {
        change(&entries, &generator)
        if generator.chance(1, in: 10) {
          (width, height) = (Int.random(in: 1...100, using: &generator), Int.random(in: 1...14, using: &generator))
          if old.map({ ($0.width, $0.height) != (width, height) }) ?? true {
            grid = TerminalGrid(width: width, height: height)
          }
        }
        for index in entries.indices { entries[index].index = index }
        let new = screen(entries, &drawing, width: width, height: height, style: style)
        let update = new.update(from: old)
        grid.apply(update)
        var fresh = TerminalGrid(width: width, height: height)
        fresh.apply(new.update(from: nil))
        let trace = Comment(rawValue: "seed \(seed), step \(step), \(width) by \(height): \(update.debugDescription)")
        #expect(grid.cells == fresh.cells, trace)
        #expect(grid.faults == [] && fresh.faults == [], trace)
        #expect(new.update(from: new).isEmpty)
        if grid.cells != fresh.cells || !grid.faults.isEmpty { return }
        old = new
      }
    }
  }

  private func change(_ entries: inout [TodoEntry], _ generator: inout SeededGenerator) {
    let title = Self.titles.randomElement(using: &generator) ?? ""
    let place = Int.random(in: 0...entries.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1: entries.insert(entry(title, tags: generator.some(3, of: Self.titles)), at: place)
    case 2 where place < entries.count: entries.remove(at: place)
    case 3 where place < entries.count: entries[place].todo.isDone.toggle()
    case 4 where place < entries.count: entries[place].todo.title = title
    case 5: entries.shuffle(using: &generator)
    default: break
    }
  }

  @Test("a todo that is done is one row drawn, and the one of the counts")
  func toggle() {
    var drawing = WatchScreen()
    var entries = (0..<30).map { entry(Self.titles[$0 % Self.titles.count], index: $0) }
    let old = screen(entries, &drawing, width: 80, height: 24)
    var grid = TerminalGrid(width: 80, height: 24)
    grid.apply(old.update(from: nil))
    #expect(grid.drawn == Array(0..<24))
    grid.forgetDrawn()
    entries[7].todo.isDone = true
    let update = screen(entries, &drawing, width: 80, height: 24).update(from: old)
    grid.apply(update)
    // The headings are row 0.
    #expect(grid.drawn == [8, 23])
    #expect(grid.clears == 1)
    #expect(update.utf8.count < 250, "\(update.debugDescription)")
    #expect(grid.rows[8].contains("✓"))
  }

  @Test("a title that was the widest one keeps its column's width when it goes")
  func widths() {
    var drawing = WatchScreen()
    let long = entry("a longer title than the others", index: 1)
    let old = screen([entry("short"), long], &drawing, width: 100, height: 10)
    let new = screen([entry("short")], &drawing, width: 100, height: 10)
    #expect(new.lines[0] == old.lines[0])
    #expect(new.lines[1].contains("short                           "))
  }

  @Test("what has no room is counted, and nothing is as wide as to spoil the screen")
  func room() {
    var drawing = WatchScreen()
    let entries = (0..<9).map { entry("todo \($0)", index: $0) }
    let lines = screen(entries, &drawing, width: 60, height: 10).lines
    #expect(lines.count == 10)
    #expect(lines[8] == "2 more" && lines[7].contains("todo 6"))
    #expect(lines[9] == "All lists: 9 todos, 0 done  (Ctrl-C ends)")
    let fits = screen(entries, &drawing, width: 60, height: 11).lines
    #expect(fits[9].contains("todo 8") && fits[10].hasPrefix("All lists"))
    for height in 1...4 {
      let lines = screen(entries, &drawing, width: 9, height: height).lines
      #expect(lines.count == height && lines.last == "All list…")
      #expect(lines.allSatisfy { $0.displayWidth <= 9 })
    }
  }

  @Test("the line of the counts says what is shown")
  func status() {
    #expect(Report.watching("家", .all, count: 1, done: 1) == "家: 1 todo, 1 done  (Ctrl-C ends)")
    #expect(Report.watching(nil, .open, count: 3, done: 0) == "All lists: 3 open todos  (Ctrl-C ends)")
    #expect(Report.watching("a\u{1B}b", .done, count: 0, done: 0) == "a␛b: 0 done todos  (Ctrl-C ends)")
  }
}
