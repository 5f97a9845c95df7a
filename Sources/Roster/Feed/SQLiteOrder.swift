import Foundation

/// One of SQLite's own collations. https://www.sqlite.org/datatype3.html#collating_sequences
enum Collation: String, Sendable {
  /// By the bytes.
  case binary = "BINARY"
  /// By the bytes, with the letters A to Z taken for lower-case ones.
  case nocase = "NOCASE"
  /// By the bytes, without spaces at the end.
  case rtrim = "RTRIM"
}

/// A term of an ORDER BY clause.
struct SortTerm: Hashable, Sendable {
  let collation: Collation
  let isDescending: Bool
  /// Whether NULL comes after all else, in whichever direction.
  let isNullLast: Bool

  /// Where nothing is said of NULL, it comes first, and last in descending order, as SQLite has it.
  init(collation: Collation = .binary, isDescending: Bool = false, isNullLast: Bool? = nil) {
    self.collation = collation
    self.isDescending = isDescending
    self.isNullLast = isNullLast ?? isDescending
  }

  /// - Complexity: O(1) for numbers, O(n) for text and blobs of n bytes.
  func compare(_ left: SQLiteValue, _ right: SQLiteValue) -> ComparisonResult {
    switch (left.isNull, right.isNull) {
    case (true, true): .orderedSame
    case (true, false): isNullLast ? .orderedDescending : .orderedAscending
    case (false, true): isNullLast ? .orderedAscending : .orderedDescending
    case (false, false): isDescending ? right.compare(left, collation) : left.compare(right, collation)
    }
  }
}

/// The order of an ORDER BY clause over values that were read from the database.
///
/// It is SQLite's own, to the last bit, for a database in UTF-8, with two reservations: text that wasn't valid UTF-8
/// compares as it was repaired, and NaN, which no database has, is taken for NULL.
struct SQLiteOrder: Hashable, Sendable {
  let terms: [SortTerm]

  /// Compares the values of two rows, one for each term. One that is missing is taken for NULL.
  func compare(_ left: [SQLiteValue], _ right: [SQLiteValue]) -> ComparisonResult {
    for (index, term) in terms.enumerated() {
      let result = term.compare(
        index < left.count ? left[index] : .null, index < right.count ? right[index] : .null)
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }
}

extension SQLiteValue {
  fileprivate var isNull: Bool {
    switch self {
    case .null: true
    case .real(let number): number.isNaN
    default: false
    }
  }

  /// Compares two values that aren't NULL: numbers come first, then text, then blobs.
  /// https://www.sqlite.org/datatype3.html#comparison_expressions
  fileprivate func compare(_ other: SQLiteValue, _ collation: Collation) -> ComparisonResult {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.real(let left), .real(let right)): order(left, right)
    case (.integer(let left), .real(let right)): orderExactly(left, right)
    case (.real(let left), .integer(let right)): orderExactly(right, left).reversed
    case (.text(let left), .text(let right)): order(left, right, collation)
    case (.blob(let left), .blob(let right)):
      left.withUnsafeBytes { left in right.withUnsafeBytes { right in order(left, right) } }
    default: order(rank, other.rank)
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

extension ComparisonResult {
  fileprivate var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

private func order<T: Comparable>(_ left: T, _ right: T) -> ComparisonResult {
  left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
}

/// Compares by value: made a Double, 2^53 + 1 would be the same as 2^53.
private func orderExactly(_ integer: Int64, _ real: Double) -> ComparisonResult {
  if real >= 0x1p63 { return .orderedAscending }
  if real < -0x1p63 { return .orderedDescending }
  let whole = Int64(real)
  return integer == whole ? order(0, real - Double(whole)) : order(integer, whole)
}

private func order(_ left: String, _ right: String, _ collation: Collation) -> ComparisonResult {
  withBytes(left) { left in
    withBytes(right) { right in
      switch collation {
      case .binary: order(left, right)
      case .nocase: orderFolded(left, right)
      case .rtrim: order(trimmed(left), trimmed(right))
      }
    }
  }
}

private func withBytes<T>(_ text: String, _ body: (UnsafeRawBufferPointer) -> T) -> T {
  if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
  // A string of Objective-C's.
  var copy = text
  return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
}

private func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
  let count = min(left.count, right.count)
  if count > 0, let first = left.baseAddress, let second = right.baseAddress {
    let difference = memcmp(first, second, count)
    if difference != 0 { return difference < 0 ? .orderedAscending : .orderedDescending }
  }
  return order(left.count, right.count)
}

/// NOCASE ends at a NUL that both have at the same place, and takes the longer one for the greater then: SQLite's
/// `nocaseCollatingFunc` calls `sqlite3_strnicmp`.
private func orderFolded(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
  for index in 0..<min(left.count, right.count) {
    let (first, second) = (folded(left[index]), folded(right[index]))
    if first != second { return order(first, second) }
    if first == 0 { break }
  }
  return order(left.count, right.count)
}

private func folded(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte + 32 : byte }

private func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  var count = bytes.count
  while count > 0, bytes[count - 1] == 32 { count -= 1 }
  return UnsafeRawBufferPointer(rebasing: bytes[..<count])
}
