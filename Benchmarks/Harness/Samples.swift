import Foundation

/// What one way to do a piece of work was measured to take, sample by sample.
struct Samples {
  private(set) var sorted: [Double]

  init(_ values: [Double] = []) { sorted = values.sorted() }

  var isEmpty: Bool { sorted.isEmpty }
  var minimum: Double { sorted.first ?? 0 }
  var maximum: Double { sorted.last ?? 0 }
  var sum: Double { sorted.reduce(0, +) }

  var median: Double {
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The sample that so many of a hundred are not above.
  func percentile(_ percent: Int) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
  }
}

/// How time grows with size: the slope of a line through the points on two logarithmic axes, by least squares. 0 is constant
/// time, 1 linear, and the logarithm of the size is below 0.15 between a thousand and a million.
func logarithmicSlope(_ points: [(size: Int, value: Double)]) -> Double? {
  let points = points.filter { $0.size > 0 && $0.value > 0 }.map { (x: log2(Double($0.size)), y: log2($0.value)) }
  let count = Double(points.count)
  let (x, y) = (points.reduce(0) { $0 + $1.x } / max(count, 1), points.reduce(0) { $0 + $1.y } / max(count, 1))
  let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
  // Over less than a factor of ten noise counts for more than growth.
  guard let low = points.map(\.x).min(), let high = points.map(\.x).max(), high - low > 3 else { return nil }
  return points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / spread
}
