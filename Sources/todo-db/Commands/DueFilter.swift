import Foundation
import Roster

/// Which todos are meant, by when they are due.
enum DueFilter: Equatable, Sendable {
  /// Those that should have been done by now.
  case overdue
  /// Those without a date.
  case none
  /// From one day to another, both of them included. Nil is no bound.
  case days(from: DateInput?, to: DateInput?)

  /// What the messages say that it looks like.
  static let syntax =
    "today, overdue, week (today and the six days after it), none, a day such as 2026-10-08, fri or +3d, or days "
    + "such as mon..fri, 2026-10-01.. or ..+7d"

  /// Nil for what is none. A time of day bounds no days.
  init?(_ text: String) {
    switch text.lowercased() {
    case "overdue": self = .overdue
    case "none": self = .none
    case "week": self = .days(from: .days(0), to: .days(6))
    default:
      let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
      guard let first = ends.first, let last = ends.last, ends.count <= 2, !text.isEmpty, text != ".." else {
        return nil
      }
      let (from, to) = (DateInput(first), DateInput(last))
      guard from != nil || first.isEmpty, to != nil || last.isEmpty, from?.hasTime != true, to?.hasTime != true else {
        return nil
      }
      self = .days(from: from, to: to)
    }
  }

  /// Holds for the rows of todos that are meant. A whole day is one where the user is; a moment is in the day that it is
  /// there.
  ///
  /// - Throws: a ``Refusal`` where a bound is beyond the years that a date can have.
  func condition(now: Date, in zone: TimeZone) throws -> SQL {
    let today = CalendarDay(of: now, in: zone)
    switch self {
    case .none: return "due IS NULL"
    case .overdue:
      return
        "is_done = 0 AND ((NOT due_has_time AND due < \(today.due?.date)) OR (due_has_time AND due < \(now)))"
    case .days(let from, _):
      let first = from?.day(today: today)
      let end = lastDay(today: today, first: first)?.adding(days: 1)
      return "due IS NOT NULL AND \(try due(">=", first, zone)) AND \(try due("<", end, zone))"
    }
  }

  /// A day of the week that ends a range is the first one in it: `mon..fri` is a week's work, whatever today is.
  private func lastDay(today: CalendarDay, first: CalendarDay?) -> CalendarDay? {
    guard case .days(_, let to?) = self else { return nil }
    guard let first, case .weekday(let weekday) = to else { return to.day(today: today) }
    return first.adding(days: (weekday - first.weekday + 7) % 7)
  }

  /// Compares with the beginning of a day; holds for all without one.
  private func due(_ comparison: SQL, _ day: CalendarDay?, _ zone: TimeZone) throws -> SQL {
    guard let day else { return "1" }
    return "due \(comparison) iif(due_has_time, \(day.beginning(in: zone)), \(try DueFilter.midnight(of: day)))"
  }

  private static func midnight(of day: CalendarDay) throws -> Date {
    // So that the day after a range, and the moment at which one begins in any zone, are such dates as well.
    guard let midnight = day.due?.date, day.adding(days: -2).due != nil, day.adding(days: 2).due != nil else {
      throw Refusal.dateOutOfRange
    }
    return midnight
  }
}

extension DateInput {
  fileprivate var hasTime: Bool { if case .date(let date) = self { date.hasTime } else { false } }
}
