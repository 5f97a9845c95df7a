import Foundation

/// Numbers as the report and the charts write them.
enum Format {
  static func fixed(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }

  /// With three digits that count.
  static func digits(_ value: Double) -> String {
    switch abs(value) {
    case 100...: fixed(value, 0)
    case 10..<100: fixed(value, 1)
    case 1..<10: fixed(value, 2)
    default: fixed(value, 3)
    }
  }

  /// A time given in milliseconds.
  static func time(_ milliseconds: Double) -> String {
    switch milliseconds {
    case 1000...: "\(digits(milliseconds / 1000)) s"
    case 1..<1000: "\(digits(milliseconds)) ms"
    default: "\(digits(milliseconds * 1000)) µs"
    }
  }

  /// A ratio as one says it.
  static func ratio(_ value: Double) -> String { value < 0.8 ? "\(digits(1 / value))x faster" : "\(fixed(value, 2))x" }

  /// A whole number in groups of three.
  static func count(_ value: Int) -> String {
    var groups: [Substring] = []
    var rest = Substring(String(value))
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    return ([rest] + groups).joined(separator: ",")
  }

  /// Filled up with spaces to a width.
  static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}
