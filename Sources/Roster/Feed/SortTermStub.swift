import Foundation
struct SortTerm: Equatable, Sendable {
  var collation = "BINARY"
  var isDescending = false
  var isNullLast = false

  func compare(_ left: SQLiteValue, _ right: SQLiteValue) -> ComparisonResult {
    if left == .null || right == .null {
      if left == right { return .orderedSame }
      let nullFirst = !isNullLast && !isDescending
      return (left == .null) == nullFirst ? .orderedAscending : .orderedDescending
    }
    let order = plain(left, right)
    return isDescending ? ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame : order
  }
  private func plain(_ left: SQLiteValue, _ right: SQLiteValue) -> ComparisonResult {
    func c<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
      a < b ? .orderedAscending : b < a ? .orderedDescending : .orderedSame
    }
    switch (left, right) {
    case (.integer(let a), .integer(let b)): return c(a, b)
    case (.integer(let a), .real(let b)): return c(Double(a), b)
    case (.real(let a), .integer(let b)): return c(a, Double(b))
    case (.real(let a), .real(let b)): return c(a, b)
    case (.text(let a), .text(let b)):
      return a.utf8.lexicographicallyPrecedes(b.utf8)
        ? .orderedAscending : b.utf8.lexicographicallyPrecedes(a.utf8) ? .orderedDescending : .orderedSame
    default: return c(rank(left), rank(right))
    }
  }
  private func rank(_ v: SQLiteValue) -> Int {
    switch v {
    case .null: 0;
    case .integer, .real: 1;
    case .text: 2;
    case .blob: 3
    }
  }
}
