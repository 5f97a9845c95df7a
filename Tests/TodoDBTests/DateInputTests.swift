import Foundation
import Roster
import Testing
import TodoModel

@testable import todo_db

@Suite("Dates as they are typed")
struct DateInputTests {
  /// A Monday.
  private let today = CalendarDay(number: 20_787)

  private func day(_ text: String) throws -> String? {
    try #require(DateInput(text), "\(text)").due(today: today)?.iso
  }

  @Test(
    "words, days of the week and distances count from today",
    arguments: [
      ("today", "2026-11-30"), ("Tomorrow", "2026-12-01"), ("yesterday", "2026-11-29"), ("后天", "2026-12-02"),
      ("tue", "2026-12-01"), ("Friday", "2026-12-04"), ("sund", "2026-12-06"), ("mon", "2026-12-07"),
      ("+3d", "2026-12-03"), ("-1d", "2026-11-29"), ("+2w", "2026-12-14"), ("+1m", "2026-12-30"), ("+3m", "2027-02-28"),
      ("-9m", "2026-02-28"), ("+1y", "2027-11-30"), ("+14y", "2040-11-30"), ("+0d", "2026-11-30"),
      ("2026-10-08", "2026-10-08"), ("2026-10-08T14:30+02:00", "2026-10-08T12:30:00Z"),
    ])
  func understood(text: String, iso: String) throws {
    #expect(try day(text) == iso)
  }

  @Test(
    "what is none of these is no date",
    arguments: [
      "", " ", "mo", "mondays", "+d", "3d", "+3", "+3x", "+12345d", "++3d", "+-3d", "2026-02-30", "+3 d", "today ",
      "+٣d",
    ])
  func refused(text: String) {
    #expect(DateInput(text) == nil)
  }

  @Test("a distance beyond the years that a date can have has no day")
  func far() throws {
    #expect(try day("+9999y") == nil)
    #expect(try day("-9999m") == "1193-08-30")
    #expect(try day("-9999y") == nil)
  }

  @Test("days and months are those of Foundation's calendar, over four centuries")
  func calendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let number = Int.random(in: -60_000...90_000, using: &generator)
      let months = Int.random(in: -500...500, using: &generator)
      let day = CalendarDay(number: number)
      let date = Date(timeIntervalSince1970: Double(number) * 86_400)
      // Foundation's first day of the week is Sunday.
      let weekday = (calendar.component(.weekday, from: date) + 5) % 7 + 1
      // Not by adding months, which makes of March 29 the 28th in a leap year's February (Swift 6.3).
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let all = try #require(parts.year) * 12 + #require(parts.month) - 1 + months
      let first = DateComponents(year: all / 12, month: all % 12 + 1, day: 1)
      let begins = try #require(calendar.date(from: first))
      let length = try #require(calendar.range(of: .day, in: .month, for: begins)).count
      let last = DateComponents(year: all / 12, month: all % 12 + 1, day: min(try #require(parts.day), length))
      let later = try #require(calendar.date(from: last))
      let matches = day.weekday == weekday && day.adding(months: months).due?.date == later
      #expect(matches, "seed \(seed): day \(number) and \(months) months")
    }
  }

  @Test("a day begins where the user is, also on the day on which clocks change")
  func beginnings() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    // 2026-03-29 and 2026-10-25.
    for (number, iso) in [
      (20_541, "2026-03-28T23:00:00Z"), (20_542, "2026-03-29T22:00:00Z"), (20_751, "2026-10-24T22:00:00Z"),
    ] {
      let day = CalendarDay(number: number)
      #expect(DueDate.timestamp(day.beginning(in: zone)) == iso)
      #expect(CalendarDay(of: day.beginning(in: zone), in: zone) == day)
      #expect(CalendarDay(of: day.beginning(in: zone).addingTimeInterval(-1), in: zone) == day.adding(days: -1))
    }
  }
}

@Suite("Which todos are due")
struct DueFilterTests {
  @Test("a filter's SQL holds for the todos that it means, in every zone, as reckoned in Swift")
  func model() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let store = try Store(inMemoryWith: TodoModel.records, migrations: TodoModel.migrations)
    let list = TodoList(name: "l")
    // 2026-11-30T21:11:39Z
    let now = Date(timeIntervalSince1970: 1_796_073_099)
    var todos: [Todo] = []
    for index in 0..<400 {
      let hasTime = generator.chance(1, in: 2)
      let seconds = Int.random(in: -12 * 86_400...12 * 86_400, using: &generator)
      let moment = now.addingTimeInterval(Double(seconds))
      let due = generator.chance(1, in: 8) ? nil : hasTime ? moment : DueDate.startOfDay(moment)
      todos.append(
        Todo(
          listID: list.id, title: "\(index)", isDone: generator.chance(1, in: 3), due: due,
          dueHasTime: due != nil && hasTime))
    }
    try store.write { (tx: inout Transaction) throws in
      try tx.insert(list)
      try tx.insert(todos)
    }
    let ends = ["", "today", "tomorrow", "-3d", "+5d", "fri", "2026-12-02", "mon"]
    let filters = ["overdue", "none", "week", "today"] + ends.flatMap { from in ends.map { "\(from)..\($0)" } }
    for zone in try ["UTC", "Asia/Shanghai", "America/Los_Angeles", "Pacific/Kiritimati"].map({
      try #require(TimeZone(identifier: $0))
    }) {
      for text in filters where text != ".." {
        let filter = try #require(DueFilter(text), "\(text)")
        let found = try store.read {
          try $0.fetch(Query<Todo>().filter(sql: try filter.condition(now: now, in: zone))).map(\.title)
        }
        let wanted = try todos.filter { try Self.holds(text, $0, now, zone) }.map(\.title)
        #expect(Set(found) == Set(wanted), "seed \(seed), \(text) in \(zone.identifier)")
      }
    }
  }

  /// The day of a todo is compared with days, whatever the zone of its time.
  private static func holds(_ text: String, _ todo: Todo, _ now: Date, _ zone: TimeZone) throws -> Bool {
    let today = CalendarDay(of: now, in: zone)
    guard let due = todo.due else { return text == "none" }
    let day = CalendarDay(of: due, in: todo.dueHasTime ? zone : .gmt)
    switch text {
    case "none": return false
    case "overdue": return !todo.isDone && (todo.dueHasTime ? due < now : day < today)
    case "week": return (0...6).contains(day.number - today.number)
    default:
      let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
      let first = try ends.first.flatMap { $0.isEmpty ? nil : try #require(DateInput($0)).day(today: today) }
      guard day >= first ?? day else { return false }
      guard let last = ends.last, !last.isEmpty else { return true }
      let input = try #require(DateInput(last))
      guard let first, case .weekday(let weekday) = input else { return day <= input.day(today: today) }
      let end = try #require((0...6).map { first.adding(days: $0) }.first { $0.weekday == weekday })
      return day <= end
    }
  }

  @Test(
    "what is no filter",
    arguments: ["", "..", "soon", "mon..fri..sun", "2026-10-08T14:00", "today..2026-10-08T14:00", "...", "mon-fri"])
  func refused(text: String) {
    #expect(DueFilter(text) == nil)
  }
}
