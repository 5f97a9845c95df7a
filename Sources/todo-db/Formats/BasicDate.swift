import Foundation

/// A date in the basic form of ISO 8601, as Taskwarrior and iCalendar write it: `20261008`, `20261008T143000` or
/// `20261008T143000Z`.
struct BasicDate: Equatable, Sendable {
  /// As if it were in UTC.
  let date: Date
  let hasTime: Bool
  let isUTC: Bool

  static let syntax = "a date such as 20261008 or 20261008T143000Z"

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 8 || bytes.count == 15 || bytes.count == 16 else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    var iso = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    if bytes.count > 8 {
      guard bytes[8] == UInt8(ascii: "T") else { return nil }
      // A leap second is the second before it here.
      let second = part(13..<15) == "60" ? "59" : part(13..<15)
      iso += "T\(part(9..<11)):\(part(11..<13)):\(second)"
    }
    if bytes.count == 16, bytes[15] != UInt8(ascii: "Z") { return nil }
    guard let due = DueDate(iso) else { return nil }
    date = due.date
    hasTime = due.hasTime
    isUTC = bytes.count == 16
  }

  /// The day of a moment in UTC. `nil` outside the years 0 to 9999.
  static func day(_ date: Date) -> String? { DueDate.day(date).map { stripped($0) } }

  /// A moment in UTC to the second. `nil` outside the years 0 to 9999.
  static func moment(_ date: Date) -> String? {
    DueDate.timestamp(date).map { stripped(String($0.unicodeScalars.prefix(19))) + "Z" }
  }

  static func hasFraction(_ date: Date) -> Bool {
    date.timeIntervalSinceReferenceDate.rounded(.down) != date.timeIntervalSinceReferenceDate
  }

  private static func stripped(_ iso: String) -> String {
    String(String.UnicodeScalarView(iso.unicodeScalars.filter { $0 != "-" && $0 != ":" }))
  }

  /// What of a task's dates is lost where they are written to the second.
  static func losses(_ draft: TaskDraft) -> Set<ExportLoss> {
    var lost: Set<ExportLoss> = []
    for date in [draft.due, draft.created, draft.completed].compactMap(\.self) {
      if DueDate.day(date) == nil {
        lost.insert(.dateOutOfRange)
      } else if hasFraction(date) {
        lost.insert(.fractionOfSecond)
      }
    }
    return lost
  }
}
