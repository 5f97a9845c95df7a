import Foundation

/// A time zone that a calendar names.
struct CalendarZone {
  private enum Rule {
    case zone(TimeZone)
    case fixed(seconds: Int)
  }

  private let rule: Rule
  /// The block that defines it, with line feeds between its lines; empty where the file has none.
  let block: String

  /// A zone of the system. Some programs put a path of their own before its name.
  init?(named name: String) {
    guard let zone = CalendarZone.system(name) else { return nil }
    rule = .zone(zone)
    block = ""
  }

  private static func system(_ name: String) -> TimeZone? {
    if let zone = TimeZone(identifier: name) { return zone }
    let parts = name.split(separator: "/").map(String.init)
    for count in [3, 2] where parts.count > count {
      if let zone = TimeZone(identifier: parts.suffix(count).joined(separator: "/")) { return zone }
    }
    return nil
  }

  /// A VTIMEZONE block: by its name, by the name that it says the zone has elsewhere, or by its offset where it has but
  /// one. `nil` where none of these tells.
  init?(_ lines: [CalendarLine], block: String) {
    self.block = block
    let names = ["TZID", "X-LIC-LOCATION"].compactMap { name in lines.first { $0.name == name }?.value }
    if let zone = names.lazy.compactMap(CalendarZone.system).first {
      rule = .zone(zone)
      return
    }
    let offsets = Set(lines.filter { $0.name == "TZOFFSETTO" }.map(\.value))
    guard offsets.count == 1, let text = offsets.first, let seconds = CalendarZone.seconds(text) else { return nil }
    rule = .fixed(seconds: seconds)
  }

  /// Reads `+0200` or `-023015`.
  private static func seconds(_ text: String) -> Int? {
    let scalars = text.unicodeScalars
    let sign = scalars.first == "+" ? 1 : scalars.first == "-" ? -1 : 0
    let digits = scalars.dropFirst().map { Int($0.value) - 48 }
    guard sign != 0, digits.count == 4 || digits.count == 6, digits.allSatisfy((0...9).contains) else { return nil }
    let weights = [36_000, 3600, 600, 60, 10, 1]
    return sign * zip(digits, weights).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The moment at which clocks there show a time, which is given as if it were in UTC.
  ///
  /// Of two such moments, as in the hour that comes twice in autumn, it is the first. A time that the clocks skip in spring
  /// is counted from before the gap. [RFC 5545, 3.3.5]
  func moment(ofLocal local: Date) -> Date {
    switch rule {
    case .fixed(let seconds): return local.addingTimeInterval(TimeInterval(-seconds))
    case .zone(let zone):
      let day: TimeInterval = 86_400
      let before = zone.secondsFromGMT(for: local.addingTimeInterval(-day))
      let after = zone.secondsFromGMT(for: local.addingTimeInterval(day))
      let fitting = [max(before, after), min(before, after)].first { offset in
        zone.secondsFromGMT(for: local.addingTimeInterval(TimeInterval(-offset))) == offset
      }
      return local.addingTimeInterval(TimeInterval(-(fitting ?? before)))
    }
  }
}
