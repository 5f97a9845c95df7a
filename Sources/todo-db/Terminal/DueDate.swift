import Foundation

/// A due date: a day, or a moment of a day.
///
/// A bare day is its midnight in UTC. A time of day without a zone is in UTC as well, so that a file
/// means the same wherever it is read. Parsing and printing count days in the proleptic Gregorian
/// calendar by hand: a DateFormatter depends on locale and is slow.
struct DueDate: Equatable, Sendable {
  let date: Date
  let hasTime: Bool

  /// What the help and the messages say a date looks like.
  static let syntax =
    "a day such as 2026-10-08, or a time such as 2026-10-08T14:30 (in UTC) or 2026-10-08T14:30+02:00"

  /// What the messages say where a date is well written.
  static let range = "in the years 0 to 9999, also in UTC"

  /// What the messages say that a text which is no date would have to be.
  static func wanted(for text: String) -> String { parts(text) == nil ? syntax : range }

  init(date: Date, hasTime: Bool) {
    self.date = date
    self.hasTime = hasTime
  }

  /// Reads `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM[:SS[.fraction]][Z|±HH:MM]`; `nil` for anything else, for a day or time that
  /// does not exist, and for one that is in another year than 0 to 9999 in UTC.
  init?(_ text: String) {
    guard let (seconds, fraction, hasTime) = Self.parts(text) else { return nil }
    let date = Self.date(seconds, fraction: fraction)
    // The fraction of the last second may be rounded to the next one.
    guard Self.wholeSeconds(date) != nil else { return nil }
    self.init(date: date, hasTime: hasTime)
  }

  /// Seconds from 1970, in any year.
  private static func parts(_ text: String) -> (seconds: Int, fraction: Double, hasTime: Bool)? {
    var scanner = ByteScanner(text)
    guard let day = scanner.day() else { return nil }
    guard !scanner.isAtEnd else { return (day * 86_400, 0, false) }
    guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let hour = scanner.digits(2), hour < 24, scanner.skip(":"),
      let minute = scanner.digits(2), minute < 60
    else { return nil }
    var second = 0
    var fraction = 0.0
    if scanner.skip(":") {
      guard let value = scanner.digits(2), value < 60 else { return nil }
      second = value
      if scanner.skip(".") {
        guard let value = scanner.fraction() else { return nil }
        fraction = value
      }
    }
    guard let offset = scanner.zoneOffset(), scanner.isAtEnd else { return nil }
    return (day * 86_400 + hour * 3600 + minute * 60 + second - offset, fraction, true)
  }

  /// ISO 8601: the day alone, or the moment in UTC. `nil` outside the years 0 to 9999.
  var iso: String? { hasTime ? Self.timestamp(date) : Self.day(date) }

  /// For people: the day, and the time of day in UTC to the minute where there is one.
  var display: String? {
    guard hasTime, let text = Self.timestamp(date) else { return Self.day(date) }
    return String(text.prefix(16)).replacing("T", with: " ")
  }

  /// The day of a moment in UTC, `YYYY-MM-DD`. `nil` outside the years 0 to 9999.
  static func day(_ date: Date) -> String? {
    guard let seconds = wholeSeconds(date) else { return nil }
    let (year, month, day) = civil(fromDays: floorDivide(seconds, 86_400))
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// A moment in UTC, `YYYY-MM-DDTHH:MM:SS[.fraction]Z`, with as many fraction digits (none, 3, 6 or
  /// 9) as it takes to read the same moment back. `nil` outside the years 0 to 9999.
  static func timestamp(_ date: Date) -> String? {
    guard let seconds = wholeSeconds(date), let day = day(date) else { return nil }
    let time = seconds - floorDivide(seconds, 86_400) * 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
    return "\(day)T\(clock)\(fractionText(date, wholeSeconds: seconds))Z"
  }

  /// The midnight in UTC that begins the moment's day. `nil` outside the years 0 to 9999.
  static func startOfDay(_ date: Date) -> Date? {
    wholeSeconds(date).map { Self.date(floorDivide($0, 86_400) * 86_400) }
  }

  /// The midnight of a day written `YYYY-MM-DD` and nothing else.
  static func midnight(ofDay text: String) -> Date? {
    guard let due = DueDate(text), !due.hasTime else { return nil }
    return due.date
  }
}

extension DueDate {
  /// Seconds from 1970 for the years 0 to 9999, which are those that four digits can write.
  private static let supported = -62_167_219_200...253_402_300_799

  /// `Date` counts from 2001. To count from there keeps fractions exact that 1970 would round.
  private static let referenceOffset = 978_307_200

  private static func date(_ seconds: Int, fraction: Double = 0) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(seconds - referenceOffset) + fraction)
  }

  private static func wholeSeconds(_ date: Date) -> Int? {
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    // Far below Int's bounds, so that the addition cannot overflow; also refuses NaN and infinities.
    guard whole.magnitude < 1e12, let seconds = Int(exactly: whole) else { return nil }
    let sum = seconds + referenceOffset
    return supported.contains(sum) ? sum : nil
  }

  private static func fractionText(_ date: Date, wholeSeconds: Int) -> String {
    let time = date.timeIntervalSinceReferenceDate
    let whole = Double(wholeSeconds - referenceOffset)
    guard time != whole else { return "" }
    let billionths = min(Int(((time - whole) * 1e9).rounded()), 999_999_999)
    for (digits, scale) in [(3, 1e3), (6, 1e6)] {
      let count = ((time - whole) * scale).rounded()
      if count < scale, whole + count / scale == time { return "." + padded(Int(count), digits) }
    }
    return "." + padded(billionths, 9)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  static func floorDivide(_ a: Int, _ b: Int) -> Int { a >= 0 ? a / b : -((b - 1 - a) / b) }

  /// Days from 1970-01-01, counted in eras of 400 years that begin in March, so that the leap day is
  /// the last of its year. [Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"]
  static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivide(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The days of a month.
  static func length(year: Int, month: Int) -> Int {
    let next = month == 12 ? days(year: year + 1, month: 1, day: 1) : days(year: year, month: month + 1, day: 1)
    return next - days(year: year, month: month, day: 1)
  }

  static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

/// Reads fixed-width fields from the front of a text. It never stands beyond the end.
private struct ByteScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte = rest.first, UInt32(byte) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Exactly `count` ASCII digits.
  mutating func digits(_ count: Int) -> Int? {
    let field = rest.prefix(count)
    guard field.count == count, field.allSatisfy(isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return field.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// From one to nine digits after a decimal point.
  mutating func fraction() -> Double? {
    let count = rest.prefix(while: isDigit).count
    guard (1...9).contains(count), let value = digits(count) else { return nil }
    return Double(value) / Double(repeatElement(10, count: count).reduce(1, *))
  }

  /// A day that exists, as days from 1970-01-01.
  mutating func day() -> Int? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2),
      (1...12).contains(month), day >= 1
    else { return nil }
    return day <= DueDate.length(year: year, month: month) ? DueDate.days(year: year, month: month, day: day) : nil
  }

  /// Seconds east of UTC: `Z`, `±HH:MM`, or nothing for UTC.
  mutating func zoneOffset() -> Int? {
    if isAtEnd || skip("Z") || skip("z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60
    else { return nil }
    return sign * (hour * 3600 + minute * 60)
  }

  private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
