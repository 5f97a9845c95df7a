public import struct Foundation.Date

extension DateText {
  /// Reads `YYYY-MM-DD`, then optionally a space or `T`, `HH:MM`, `:SS`, a fraction, and `Z` or an
  /// offset such as `+01:00`: the forms that SQLite's date functions read.
  ///
  /// - Returns: nil for any other text, and for dates that no calendar has.
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    if let seconds = wholeSeconds(text) { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
    var scanner = Scanner(text: text)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let monthDay = scanner.number(2), (1...12).contains(month), monthDay >= 1,
      monthDay <= days(inMonth: month, of: year)
    else { return nil }
    var seconds = day(year: year, month: month, day: monthDay) * 86_400
    if scanner.isAtEnd { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
    guard scanner.skip(" ") || scanner.skip("T"), let hour = scanner.number(2), scanner.skip(":"),
      let minute = scanner.number(2), hour < 24, minute < 60
    else { return nil }
    seconds += hour * 3600 + minute * 60
    var fraction: Range<Int>?
    if scanner.skip(":") {
      guard let second = scanner.number(2), second < 60 else { return nil }
      seconds += second
      if scanner.skip(".") {
        guard let digits = scanner.digits() else { return nil }
        fraction = digits
      }
    }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    seconds -= offset
    guard let fraction else { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
    return Date(timeIntervalSinceReferenceDate: time(seconds, text[fraction]))
  }

  /// The form that the writer gives a date without a fraction, `YYYY-MM-DD HH:MM:SS`: by far the most common one.
  private static func wholeSeconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 19, let base = text.baseAddress else { return nil }
    var isValid = base[4] == 0x2D && base[7] == 0x2D && base[10] == 0x20 && base[13] == 0x3A && base[16] == 0x3A
    func pair(_ place: Int) -> Int64 {
      let (high, low) = (base[place] &- 0x30, base[place + 1] &- 0x30)
      isValid = isValid && high < 10 && low < 10
      return Int64(high) * 10 + Int64(low)
    }
    let year = pair(0) * 100 + pair(2)
    let (month, monthDay, hour, minute, second) = (pair(5), pair(8), pair(11), pair(14), pair(17))
    guard isValid, month >= 1, month <= 12, monthDay >= 1, hour < 24, minute < 60, second < 60,
      monthDay <= 28 || monthDay <= days(inMonth: month, of: year)
    else { return nil }
    return day(year: year, month: month, day: monthDay) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The number nearest to whole seconds and a fraction, by the arithmetic that the writer checks against.
  private static func time(_ seconds: Int64, _ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
    var digits = digits
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    guard !digits.isEmpty else { return Double(seconds) }
    guard digits.count <= 15 else { return longTime(seconds, digits) }
    var value: Int64 = 0
    var power: Int64 = 1
    for digit in digits {
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
      power *= 10
    }
    if seconds < 0 { return Double(seconds + 1) - Double(power - value) / Double(power) }
    return Double(seconds) + Double(value) / Double(power)
  }

  private static func longTime(_ seconds: Int64, _ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
    var values = digits.map { $0 - UInt8(ascii: "0") }
    if seconds < 0 { complement(&values) }
    let text = "0." + String(decoding: values.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    let fraction = Double(text) ?? 0
    return seconds < 0 ? Double(seconds + 1) - fraction : Double(seconds) + fraction
  }

  static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private struct Scanner {
    let text: UnsafeBufferPointer<UInt8>
    var place = 0

    var isAtEnd: Bool { place == text.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard place < text.count, UInt32(text[place]) == character.value else { return false }
      place += 1
      return true
    }

    /// A number of exactly so many digits.
    mutating func number(_ count: Int) -> Int64? {
      guard place + count <= text.count else { return nil }
      var value: Int64 = 0
      for byte in text[place..<place + count] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      place += count
      return value
    }

    /// The range of one or more digits.
    mutating func digits() -> Range<Int>? {
      let start = place
      while place < text.count, text[place] >= UInt8(ascii: "0"), text[place] <= UInt8(ascii: "9") { place += 1 }
      return start < place ? start..<place : nil
    }

    /// Seconds east of UTC; 0 where nothing is said.
    mutating func offset() -> Int64? {
      while skip(" ") {}
      if isAtEnd || skip("Z") || skip("z") { return 0 }
      let isWest = skip("-")
      guard isWest || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours <= 14,
        minutes < 60
      else { return nil }
      return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
  }
}

/// Stored as UTC text, such as `2026-10-08 09:30:00` or `2026-10-08 09:30:00.25`. What is read is equal to
/// what was written. Years 0 to 9999; a date outside them is refused.
extension Date: ColumnValue {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// Reads any of the forms that SQLite reads.
  public init(from cell: borrowing Cell) throws(RosterError) {
    guard let value = cell.withText({ DateText.parse($0) }) ?? nil else {
      throw cell.mismatch("a date such as 2026-10-08 09:30:00")
    }
    self = value
  }

  /// Binds the text.
  public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    let isText: Void? = try DateText.withText(of: self) { (text) throws(RosterError) in try parameter.bind(utf8: text) }
    guard isText != nil else {
      throw RosterError(
        .valueNotRepresentable, "A date outside the years 0 to 9999 cannot be stored as text.")
    }
  }
}
