import Foundation

/// One kind of work, which is measured at several sizes.
struct Workload {
  let id: String
  let title: String
  /// The numbers of rows of a whole run, and of a quick one.
  var sizes: [Int]
  var quickSizes: [Int]
  /// Whether the time of the variant must not grow by more than the logarithm of the size.
  var isFlat = false
  /// Whether a change in 1,000,000 rows must not take more than twice what it takes in 10,000.
  var holdsGrowth = false
  /// The chart that its times are drawn in.
  var chart: ChartPlace?
  let run: (Run) async throws -> Void

  /// What the slope of a flat workload may be at most: the logarithm's own is up to 0.15, and larger lists miss the
  /// processor's caches more often.
  static let slopeLimit = 0.25

  static let sweep = [1000, 10_000, 100_000, 1_000_000]

  init(
    _ id: String, _ title: String, sizes: [Int] = [100_000], quick: [Int] = [10_000], isFlat: Bool = false,
    holdsGrowth: Bool = false, chart: ChartPlace? = nil, run: @escaping (Run) async throws -> Void
  ) {
    self.id = id
    self.title = title
    self.sizes = sizes
    quickSizes = quick
    self.isFlat = isFlat
    self.holdsGrowth = holdsGrowth
    self.chart = chart
    self.run = run
  }
}

/// Where the times of a workload are drawn: in which chart, and under which names.
struct ChartPlace {
  let family: ChartFamily
  let variant: String
  /// Nil where the baseline is drawn by another workload, or not at all.
  var baseline: String?
}

/// One workload at one size.
struct Run {
  let bench: Bench
  let workload: Workload
  let rows: Int

  var rounds: Rounds {
    var rounds = bench.options.isQuick ? Rounds.quick : .full
    // A round of so many rows takes long, and noise is little of it.
    if rows >= 1_000_000 { rounds.minimum = 3 }
    if let minimum = bench.options.rounds {
      rounds.minimum = minimum
      rounds.maximum = max(rounds.maximum, minimum)
    }
    return rounds
  }

  var isQuick: Bool { bench.options.isQuick }

  /// Measures a variant against baselines, the first of which the bar is for.
  @discardableResult
  func race(
    _ variant: Lane, against baselines: Lane..., bar: Bar? = nil, _ rounds: Rounds? = nil
  ) async throws -> [Samples] {
    let samples = try await takeTurns([variant] + baselines, rounds ?? self.rounds)
    if baselines.isEmpty {
      report(Measurement(workload.id, rows: rows, (variant.name, samples[0]), against: nil), bar)
    }
    for (place, (baseline, times)) in zip(baselines, samples.dropFirst()).enumerated() {
      report(
        Measurement(workload.id, rows: rows, (variant.name, samples[0]), against: (baseline.name, times)),
        place == 0 ? bar : nil)
    }
    return samples
  }

  func report(_ measurement: Measurement, _ bar: Bar? = nil) { bench.add(measurement.judged(by: bar)) }

  /// Stops where a variant and its baseline have done different things.
  func expect(_ agrees: Bool, _ what: @autoclosure () -> String = "the variants do not agree") throws {
    guard agrees else { throw BenchFailure("\(workload.id) at \(rows) rows: \(what())") }
  }
}
