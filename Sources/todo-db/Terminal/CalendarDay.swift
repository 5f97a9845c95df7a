import Foundation

/// A day of the proleptic Gregorian calendar, wherever it is lived through.
struct CalendarDay: Equatable, Comparable, Sendable {
  /// Days from 1970-01-01.
  let number: Int

  init(number: Int) { self.number = number }

  /// The day that it is at a moment where a time zone is.
  init(of moment: Date, in zone: TimeZone) {
    let seconds = moment.timeIntervalSince1970 + TimeInterval(zone.secondsFromGMT(for: moment))
    number = Int((seconds / 86_400).rounded(.down))
  }

  static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

  /// 1 for Monday to 7 for Sunday. The first day of 1970 was a Thursday.
  var weekday: Int { ((number + 3) % 7 + 7) % 7 + 1 }

  /// The midnight in UTC that stands for it; nil outside the years 0 to 9999.
  var due: DueDate? {
    let date = Date(timeIntervalSince1970: Double(number) * 86_400)
    return DueDate.day(date).map { _ in DueDate(date: date, hasTime: false) }
  }

  /// When it begins where a time zone is.
  func beginning(in zone: TimeZone) -> Date {
    let midnight = Date(timeIntervalSince1970: Double(number) * 86_400)
    // The zone's offset is that of the moment itself, which may be another one than at UTC's midnight.
    let guess = midnight.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: midnight)))
    return midnight.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: guess)))
  }

  func adding(days: Int) -> CalendarDay { CalendarDay(number: number + days) }

  /// So many months later: the same day of that month, or its last one where it has none such.
  func adding(months: Int) -> CalendarDay {
    let (year, month, day) = DueDate.civil(fromDays: number)
    let all = year * 12 + month - 1 + months
    let (laterYear, laterMonth) = (DueDate.floorDivide(all, 12), all - DueDate.floorDivide(all, 12) * 12 + 1)
    let laterDay = min(day, DueDate.length(year: laterYear, month: laterMonth))
    return CalendarDay(number: DueDate.days(year: laterYear, month: laterMonth, day: laterDay))
  }
}

/// A date as it is typed: by itself, or by how far it is from today.
enum DateInput: Equatable, Sendable {
  case date(DueDate)
  /// So many days after today, or before it.
  case days(Int)
  case months(Int)
  /// The next such day after today, 1 for Monday.
  case weekday(Int)

  /// What the messages say that it looks like.
  static let syntax =
    "a day such as 2026-10-08, today, tomorrow, fri or +3d (d, w, m or y), or a time such as 2026-10-08T14:30 "
    + "(in UTC) or 2026-10-08T14:30+02:00"

  /// Nil for what is no date.
  init?(_ text: String) {
    if let date = DueDate(text) {
      self = .date(date)
      return
    }
    let word = text.lowercased()
    if let days = DateInput.words[word] {
      self = .days(days)
    } else if let weekday = DateInput.weekday(word) {
      self = .weekday(weekday)
    } else if let distance = DateInput.distance(word) {
      self = distance
    } else {
      return nil
    }
  }

  private static let words = [
    "today": 0, "tomorrow": 1, "yesterday": -1, "今天": 0, "明天": 1, "后天": 2, "昨天": -1,
  ]
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// By its name, or the first three or more letters of it.
  private static func weekday(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return weekdays.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  /// `+3d`, `-1w`. Up to 9,999, which stays within the years that a date can have from any day near today.
  private static func distance(_ word: String) -> DateInput? {
    var rest = word.utf8[...]
    guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let unit = rest.popLast(), (1...4).contains(rest.count),
      rest.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let count = Int(Substring(rest))
    else { return nil }
    let signed = sign == UInt8(ascii: "-") ? -count : count
    switch Unicode.Scalar(unit) {
    case "d": return .days(signed)
    case "w": return .days(signed * 7)
    case "m": return .months(signed)
    case "y": return .months(signed * 12)
    default: return nil
    }
  }

  /// The day that it means, whatever time of day it names.
  func day(today: CalendarDay) -> CalendarDay {
    switch self {
    case .date(let date): CalendarDay(of: date.date, in: .gmt)
    case .days(let count): today.adding(days: count)
    case .months(let count): today.adding(months: count)
    case .weekday(let weekday): today.adding(days: (weekday - today.weekday + 6) % 7 + 1)
    }
  }

  /// What it means; nil outside the years 0 to 9999.
  func due(today: CalendarDay) -> DueDate? {
    if case .date(let date) = self { date } else { day(today: today).due }
  }
}

extension DueDate {
  /// For people, with the day of the week, such as `Fri 2026-10-09`.
  var displayWithWeekday: String? {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let index = CalendarDay(of: date, in: .gmt).weekday - 1
    guard let display, names.indices.contains(index) else { return nil }
    return "\(names[index]) \(display)\(hasTime ? " UTC" : "")"
  }
}
