import Foundation
import Testing

@testable import todo_db

@Suite struct DueDateTests {
  @Test(
    "a day is its midnight in UTC",
    arguments: [
      ("1970-01-01", 0), ("2000-02-29", 951_782_400), ("2026-10-08", 1_791_417_600),
      ("0000-01-01", -62_167_219_200), ("9999-12-31", 253_402_214_400), ("1969-12-31", -86_400),
    ])
  func days(text: String, seconds: Int) {
    let due = DueDate(text)
    #expect(due?.date == Date(timeIntervalSince1970: Double(seconds)))
    #expect(due?.hasTime == false)
    #expect(due?.iso == text)
    #expect(due?.display == text)
  }

  @Test(
    "a time is read in its zone and printed in UTC",
    arguments: [
      ("2026-10-08T14:30", "2026-10-08T14:30:00Z"), ("2026-10-08T14:30:05", "2026-10-08T14:30:05Z"),
      ("2026-10-08T14:30Z", "2026-10-08T14:30:00Z"), ("2026-10-08t14:30z", "2026-10-08T14:30:00Z"),
      ("2026-10-08 14:30", "2026-10-08T14:30:00Z"), ("2026-10-08T01:15+02:00", "2026-10-07T23:15:00Z"),
      ("2026-12-31T20:00:30-05:30", "2027-01-01T01:30:30Z"), ("2026-10-08T00:00", "2026-10-08T00:00:00Z"),
      ("2026-10-08T14:30:05.250Z", "2026-10-08T14:30:05.250Z"),
      ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
    ])
  func times(text: String, iso: String) {
    let due = DueDate(text)
    #expect(due?.hasTime == true)
    #expect(due?.iso == iso)
    #expect(due?.display == String(iso.prefix(16)).replacing("T", with: " "))
  }

  @Test(
    "what is no date is refused",
    arguments: [
      "", "2026", "2026-1-01", "2026-13-01", "2026-00-10", "2026-02-29", "2026-02-30", "2026-04-31",
      "2100-02-29",
      "2026-10-00", "2026-10-08T", "2026-10-08T24:00", "2026-10-08T12:60", "2026-10-08T12:00:60",
      "2026-10-08T1:00",
      "2026-10-08T12:00+2:00", "2026-10-08T12:00+24:00", "2026-10-08T12:00Zx", "2026-10-08x", " 2026-10-08",
      "2026-10-08T12:00:00.", "2026-10-08T12:00:00.1234567890", "0000-01-01T00:00+00:01",
      "9999-12-31T23:59-00:01",
      "٢٠٢٦-10-08", "+2026-10-08", "-026-10-08", "tomorrow",
    ])
  func refused(text: String) {
    #expect(DueDate(text) == nil)
  }

  @Test("days from the whole calendar are read back as they were printed")
  func wholeCalendar() {
    var expected = -62_167_219_200
    var mistakes = 0
    while expected <= 253_402_214_400 {
      let date = Date(timeIntervalSince1970: Double(expected))
      if DueDate.day(date).flatMap(DueDate.midnight) != date { mistakes += 1 }
      // A prime number of days, so that in the end every month, leap year and century comes up.
      expected += 86_400 * 37
    }
    #expect(mistakes == 0)
  }

  @Test("a moment of any precision is read back equal")
  func fractions() {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let date = Date(timeIntervalSinceReferenceDate: Double.random(in: 1e8...1e9, using: &generator))
      let text = DueDate.timestamp(date)
      #expect(text.flatMap { DueDate($0) }?.date == date, "seed \(seed), \(text ?? "nil")")
    }
  }

  @Test("a date that four digits cannot write is not printed")
  func outOfRange() {
    for seconds in [-62_167_219_201, 253_402_300_800, 1e300, .infinity, -.infinity, .nan] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(DueDate.day(date) == nil)
      #expect(DueDate.timestamp(date) == nil)
      #expect(DueDate.startOfDay(date) == nil)
    }
  }
}
