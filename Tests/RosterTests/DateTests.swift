import Foundation
import Testing

@testable import Roster

@Suite("Dates")
struct DateTests {
  private func text(_ date: Date) -> String? {
    (try? DateText.withText(of: date) { String(decoding: $0, as: UTF8.self) }) ?? nil
  }

  private func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { DateText.parse($0) }
  }

  private func date(_ sinceReference: Double) -> Date { Date(timeIntervalSinceReferenceDate: sinceReference) }

  @Test("known dates have their texts")
  func known() {
    #expect(text(date(0)) == "2001-01-01 00:00:00")
    #expect(text(Date(timeIntervalSince1970: 0)) == "1970-01-01 00:00:00")
    #expect(text(Date(timeIntervalSince1970: -1)) == "1969-12-31 23:59:59")
    #expect(text(Date(timeIntervalSince1970: -0.25)) == "1969-12-31 23:59:59.75")
    #expect(text(date(0.5)) == "2001-01-01 00:00:00.5")
    #expect(text(date(-0.5)) == "2000-12-31 23:59:59.5")
    #expect(text(Date(timeIntervalSince1970: 951_782_400)) == "2000-02-29 00:00:00")
    #expect(text(Date(timeIntervalSince1970: 1_791_418_200.125)) == "2026-10-08 00:10:00.125")
    #expect(text(date(-63_113_904_000)) == "0001-01-01 00:00:00")
    // By the Julian calendar it is the first day of year 1.
    #expect(text(.distantPast) == "0000-12-30 00:00:00")
    #expect(text(Date(timeIntervalSince1970: 253_402_300_799)) == "9999-12-31 23:59:59")
    #expect(text(Date(timeIntervalSince1970: -62_167_219_200)) == "0000-01-01 00:00:00")
  }

  @Test("a date outside the years 0 to 9999, or none at all, is refused")
  func refused() {
    let intervals: [Double] = [253_402_300_800, -62_167_219_200.5, .infinity, -.infinity, .nan]
    for interval in intervals {
      #expect(text(Date(timeIntervalSince1970: interval)) == nil)
    }
    #expect(throws: RosterError.self) {
      _ = try SQLiteValue.capture { (parameter) throws(RosterError) in
        try Date(timeIntervalSinceReferenceDate: .infinity).encode(to: parameter)
      }
    }
  }

  @Test("what is read is equal to what was written, and sorts as it does", arguments: SeededGenerator.seeds)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tiny: [Double] = [.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude, -1e-20, 1e-9, -1e-9]
    var dates: [Date] = tiny.map { date($0) }
    for _ in 0..<4000 {
      let scales: [Double] = [1, 1000, 8.1e8, 2.5e11]
      let scale: Double = scales.randomElement(using: &random) ?? 1
      let value = Double.random(in: -scale...scale, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: dates.append(date(value.rounded()))
      case 1: dates.append(date((value * 1000).rounded() / 1000))
      case 2: dates.append(date((value * 1e9).rounded() / 1e9))
      default: dates.append(date(value))
      }
    }
    dates = dates.filter { $0.timeIntervalSinceReferenceDate > -63_145_526_400 }
    for date in dates {
      let written = try #require(text(date), "seed \(seed)")
      #expect(parse(written) == date, "seed \(seed): \(written)")
    }
    let texts: [[UInt8]] = dates.sorted().map { Array((self.text($0) ?? "").utf8) }
    for (earlier, later) in zip(texts, texts.dropFirst()) where later.lexicographicallyPrecedes(earlier) {
      Issue.record("seed \(seed): \(String(decoding: later, as: UTF8.self)) sorts before an earlier date")
    }
  }

  @Test("SQLite's own functions read every text and agree to the second", arguments: SeededGenerator.seeds)
  func sqliteReads(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let connection = try Connection(path: ":memory:", mode: .memory)
    for _ in 0..<1000 {
      let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
      let fractions: [Double] = [0, 0.5, 0.125]
      let fraction: Double = fractions.randomElement(using: &random) ?? 0
      guard let written = text(Date(timeIntervalSince1970: Double(seconds) + fraction)) else { continue }
      let read = try connection.value("SELECT CAST(strftime('%s', ?) AS INTEGER)", [SQLArgument(.text(written))])
      #expect(read == .integer(seconds), "seed \(seed): \(written)")
      if fraction == 0 {
        let whole = try connection.value("SELECT datetime(?)", [SQLArgument(.text(written))])
        #expect(whole == .text(written))
      }
    }
  }

  @Test("the forms that SQLite reads are read")
  func forms() {
    let noon = Date(timeIntervalSince1970: 1_791_374_400)
    #expect(parse("2026-10-07 12:00:00") == noon)
    #expect(parse("2026-10-07T12:00:00Z") == noon)
    #expect(parse("2026-10-07 12:00") == noon)
    #expect(parse("2026-10-07T14:30:00+02:30") == noon)
    #expect(parse("2026-10-07 07:00:00.000-05:00") == noon)
    #expect(parse("2026-10-07") == Date(timeIntervalSince1970: 1_791_331_200))
    #expect(parse("2026-10-07 12:00:00.250000000000000000000") == noon.addingTimeInterval(0.25))
  }

  @Test(
    "text that is no date is no date",
    arguments: [
      "", "today", "2026", "2026-1-1", "2026-13-01", "2026-02-29", "2026-00-10", "2026-10-00", "2026-10-07 24:00:00",
      "2026-10-07 12:60", "2026-10-07 12:00:60", "2026-10-07 12:00:00.", "2026-10-07 12:00:00 x", "2026-10-07x12:00",
      "2026-10-07 12", "２026-10-07", "2026-10-07 12:00:00+25:00", "-026-10-07", "2026-10-07 1a:00:00",
      "2026-10-32 10:00:00",
    ])
  func noDates(text: String) { #expect(parse(text) == nil) }

  @Test("the calendar agrees with itself on every day of ten thousand years")
  func everyDay() {
    var (year, month, monthDay): (Int64, Int64, Int64) = (0, 1, 1)
    var day = DateText.day(year: 0, month: 1, day: 1)
    while year < 10_000 {
      let civil = DateText.civil(fromDay: day)
      if civil != (year, month, monthDay) || DateText.day(year: year, month: month, day: monthDay) != day {
        Issue.record("\(year)-\(month)-\(monthDay) is day \(day), which reads as \(civil)")
        return
      }
      day += 1
      monthDay += 1
      if monthDay > DateText.days(inMonth: month, of: year) { (month, monthDay) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }
}
