/// What was measured of one workload at one size.
struct Measurement: Codable {
  /// What the bar is for.
  enum Kind: String, Codable { case ratio, value }

  var id: String
  var rows: Int
  var variant: String
  var baseline: String?
  var kind = Kind.ratio
  var median: Double?
  var minimum: Double?
  var baselineMedian: Double?
  var baselineMinimum: Double?
  /// Where it is no time, or another one than the median.
  var value: Double?
  var baselineValue: Double?
  var unit: String?
  /// Of the variant to the baseline: by the medians, or the values.
  var ratio: Double?
  /// Of the minima, which other work on the machine disturbs less.
  var minimumRatio: Double?
  var bar: Double?
  var holds: Bool?
  /// Whether it is the minima alone that hold it.
  var holdsByMinimum: Bool?

  enum CodingKeys: String, CodingKey {
    case id, rows, variant, baseline, kind, value, unit, ratio, bar, holds
    case median = "median_ms"
    case minimum = "minimum_ms"
    case baselineMedian = "baseline_median_ms"
    case baselineMinimum = "baseline_minimum_ms"
    case baselineValue = "baseline_value"
    case minimumRatio = "minimum_ratio"
    case holdsByMinimum = "holds_by_minimum"
  }

  static let slopeUnit = "log time / log rows"

  /// Times, in seconds, of a variant and of what it is measured against.
  init(
    _ id: String, rows: Int, _ variant: (name: String, times: Samples),
    against baseline: (name: String, times: Samples)?
  ) {
    self.id = id
    self.rows = rows
    self.variant = variant.name
    median = variant.times.median * 1000
    minimum = variant.times.minimum * 1000
    guard let baseline else { return }
    self.baseline = baseline.name
    baselineMedian = baseline.times.median * 1000
    baselineMinimum = baseline.times.minimum * 1000
    ratio = quotient(median, baselineMedian)
    minimumRatio = quotient(minimum, baselineMinimum)
  }

  /// A value that is no time.
  init(
    _ id: String, rows: Int, _ variant: (name: String, value: Double),
    against baseline: (name: String, value: Double)? = nil,
    unit: String
  ) {
    self.id = id
    self.rows = rows
    self.variant = variant.name
    self.unit = unit
    value = variant.value
    guard let baseline else { return }
    self.baseline = baseline.name
    baselineValue = baseline.value
    ratio = quotient(value, baselineValue)
  }

  /// The same work at two sizes.
  init(_ id: String, _ many: Measurement, against few: Measurement) {
    self.id = id
    rows = many.rows
    variant = "\(many.variant), \(Format.count(many.rows)) rows"
    baseline = "\(few.variant), \(Format.count(few.rows)) rows"
    (median, minimum) = (many.median, many.minimum)
    (baselineMedian, baselineMinimum) = (few.median, few.minimum)
    ratio = quotient(median, baselineMedian)
    minimumRatio = quotient(minimum, baselineMinimum)
  }

  /// Holds the measurement against a bar: by the medians, and where they don't hold it, by the minima, which is said.
  func judged(by bar: Bar?) -> Measurement {
    guard let bar else { return self }
    var result = self
    result.bar = bar.limit
    result.kind = bar.kind
    let measured = bar.kind == .ratio ? ratio : value ?? median
    result.holds = measured.map { $0 <= bar.limit } ?? false
    if result.holds == false, bar.kind == .ratio, let minimumRatio, minimumRatio <= bar.limit {
      result.holds = true
      result.holdsByMinimum = true
    }
    return result
  }
}

private func quotient(_ one: Double?, _ other: Double?) -> Double? {
  guard let one, let other, other > 0 else { return nil }
  return one / other
}

/// The JSON of a run.
struct RunRecord: Codable {
  var environment: Environment
  var workloads: [Measurement]
}
