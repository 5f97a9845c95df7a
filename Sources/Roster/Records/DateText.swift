import struct Foundation.Date

/// A date as UTC text: `2026-10-08 09:30:00`, with a fraction of as many digits as the value needs.
///
/// The text sorts as the date does, since there is no letter after the digits and no zero at the end of
/// a fraction, and SQLite's date functions read it. What is read is equal to what was written: the fraction
/// is the shortest that leads back to the same `Double`. The calendar is the proleptic Gregorian one, as
/// SQLite's. https://www.sqlite.org/lang_datefunc.html
enum DateText {
  /// Room for the longest text: 19 bytes, a point, and the digits of the smallest fraction.
  static let capacity = 1200
  private static let usualCapacity = 40
  private static let secondsPerDay: Int64 = 86_400
  private static let earliest = Double(day(year: 0, month: 1, day: 1) * secondsPerDay)
  private static let end = Double(day(year: 10_000, month: 1, day: 1) * secondsPerDay)

  /// Writes the text of a date, and hands out its bytes.
  ///
  /// - Returns: nil for a date outside the years 0 to 9999, or one that is not a number.
  static func withText<T>(
    of date: Date, _ body: (UnsafeBufferPointer<UInt8>) throws(RosterError) -> T
  ) throws(RosterError) -> T? {
    let time = date.timeIntervalSinceReferenceDate
    guard time >= earliest, time < end else { return nil }
    // Towards zero, since only then the fraction is exact.
    let whole = time.rounded(.towardZero)
    let fraction = abs(time - whole)
    let needsManyDigits = fraction != 0 && shortFraction(fraction, whole: whole, time: time) == nil
    return try withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: needsManyDigits ? capacity : usualCapacity
    ) { (buffer) throws(RosterError) in
      var seconds = Int64(whole)
      var count = 19
      if fraction != 0 {
        if let (digits, places) = shortFraction(fraction, whole: whole, time: time) {
          count = writeShort(digits, places: places, isNegative: time < 0, to: buffer)
        } else {
          count = writeLong(fraction, isNegative: time < 0, to: buffer)
        }
        if time < 0 { seconds -= 1 }
      }
      writeSeconds(seconds, to: buffer)
      return try body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<count]))
    }
  }

  /// The fraction of fewest digits, up to 15, that reads back as `time`.
  private static func shortFraction(_ fraction: Double, whole: Double, time: Double) -> (Int64, Int)? {
    for places in 1...15 {
      let digits = (fraction * powers[places]).rounded()
      guard digits > 0, digits < powers[places] else { continue }
      let part = digits / powers[places]
      if (time < 0 ? whole - part : whole + part) == time { return (Int64(digits), places) }
    }
    return nil
  }

  private static let powers: [Double] = (0...15).map { place in
    (0..<place).reduce(1.0) { power, _ in power * 10 }
  }

  private static func writeShort(
    _ digits: Int64, places: Int, isNegative: Bool, to buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    // Before the reference date the text counts up from the second before.
    var rest = isNegative ? Int64(powers[places]) - digits : digits
    buffer[19] = UInt8(ascii: ".")
    for place in stride(from: 19 + places, to: 19, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    return 20 + places
  }

  /// For fractions that need more than 15 digits: within seconds of the reference date only.
  private static func writeLong(
    _ fraction: Double, isNegative: Bool, to buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var digits = decimalDigits(of: fraction)
    if isNegative { complement(&digits) }
    buffer[19] = UInt8(ascii: ".")
    var count = 20
    for digit in digits.prefix(capacity - 20) {
      buffer[count] = UInt8(ascii: "0") + digit
      count += 1
    }
    return count
  }

  /// The digits after the point of the shortest decimal that reads back as a number below 1.
  private static func decimalDigits(of fraction: Double) -> [UInt8] {
    let parts = fraction.description.split(separator: "e", omittingEmptySubsequences: false)
    let mantissa = parts.first ?? ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let sides = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    var digits = (sides.first ?? "").utf8.map { $0 - UInt8(ascii: "0") }
    let before = digits.count
    digits += (sides.count > 1 ? sides[1] : "").utf8.map { $0 - UInt8(ascii: "0") }
    let point = before + exponent
    digits = point >= 0 ? Array(digits.dropFirst(point)) : Array(repeating: 0, count: -point) + digits
    while digits.last == 0 { digits.removeLast() }
    return digits
  }

  /// One less the fraction, digit by digit.
  static func complement(_ digits: inout [UInt8]) {
    var isFirst = true
    for index in digits.indices.reversed() {
      digits[index] = isFirst ? 10 - digits[index] : 9 - digits[index]
      if isFirst, digits[index] == 10 { digits[index] = 0 } else { isFirst = false }
    }
  }

  private static func writeSeconds(_ seconds: Int64, to buffer: UnsafeMutableBufferPointer<UInt8>) {
    var day = seconds / secondsPerDay
    var second = seconds % secondsPerDay
    if second < 0 {
      second += secondsPerDay
      day -= 1
    }
    let (year, month, monthDay) = civil(fromDay: day)
    write(year, places: 4, at: 0, to: buffer)
    buffer[4] = UInt8(ascii: "-")
    write(month, places: 2, at: 5, to: buffer)
    buffer[7] = UInt8(ascii: "-")
    write(monthDay, places: 2, at: 8, to: buffer)
    buffer[10] = UInt8(ascii: " ")
    write(second / 3600, places: 2, at: 11, to: buffer)
    buffer[13] = UInt8(ascii: ":")
    write(second / 60 % 60, places: 2, at: 14, to: buffer)
    buffer[16] = UInt8(ascii: ":")
    write(second % 60, places: 2, at: 17, to: buffer)
  }

  private static func write(
    _ value: Int64, places: Int, at start: Int, to buffer: UnsafeMutableBufferPointer<UInt8>
  ) {
    var rest = value
    for place in stride(from: start + places - 1, through: start, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }

  /// Days since 2001-01-01 to a date of the proleptic Gregorian calendar, counting years from March, so
  /// that the leap day is a year's last. After Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 730_791  // 2001-01-01 in days from 0000-03-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The inverse of `civil(fromDay:)`.
  static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }
}
