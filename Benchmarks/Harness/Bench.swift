import Foundation

/// Runs workloads, and keeps what they measure.
final class Bench {
  let options: Options
  let fixtures: Fixtures
  private(set) var measurements: [Measurement] = []
  private let report = Report()
  private let progress = Progress()

  init(_ options: Options) throws {
    self.options = options
    fixtures = try Fixtures()
  }

  func add(_ measurement: Measurement) {
    measurements.append(measurement)
    progress.clear()
    report.add(measurement)
  }

  /// Whether all bars hold.
  func run() async throws -> Bool {
    let workloads = Workload.all.filter { options.wants($0.id) }
    guard !workloads.isEmpty else { throw UsageError("no workload's id matches; --list prints them") }
    var environment = Environment(isQuick: options.isQuick)
    let start = ContinuousClock.now
    report.begin(environment)
    for workload in workloads {
      for rows in sizes(of: workload) {
        progress.show("\(workload.id), \(Format.count(rows)) rows")
        try await workload.run(Run(bench: self, workload: workload, rows: rows))
        fixtures.clear()
      }
      if workload.isFlat { addSlope(of: workload) }
      if workload.holdsGrowth { addGrowth(of: workload) }
    }
    progress.clear()
    environment.loadAfter = Environment.load
    environment.seconds = seconds(ContinuousClock.now - start)
    report.end(measurements, seconds: environment.seconds ?? 0)
    if let json = options.json {
      try RunRecord(environment: environment, workloads: measurements).write(to: json)
    }
    if let charts = options.charts { try draw(workloads, in: charts) }
    return !measurements.contains { $0.holds == false }
  }

  private func sizes(of workload: Workload) -> [Int] {
    guard options.sizes.isEmpty else { return options.sizes }
    return options.isQuick ? workload.quickSizes : workload.sizes
  }

  /// A file for each family of which there are two sizes.
  private func draw(_ workloads: [Workload], in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for family in ChartFamily.allCases {
      guard let svg = Chart(family, workloads, measurements).svg() else { continue }
      try Data(svg.utf8).write(to: folder.appendingPathComponent("\(family.rawValue).svg"))
    }
  }

  /// How the times of a workload grow with the size. The minima are looked at where the medians grow too much.
  private func addSlope(of workload: Workload) {
    let own = measurements.filter { $0.id == workload.id && $0.median != nil }
    guard let variant = own.first?.variant, let last = own.last else { return }
    let points = own.filter { $0.variant == variant }
    guard let slope = logarithmicSlope(points.map { ($0.rows, $0.median ?? 0) }),
      let least = logarithmicSlope(points.map { ($0.rows, $0.minimum ?? 0) })
    else { return }
    let bar = Bar.value(atMost: Workload.slopeLimit)
    var measurement = Measurement(
      "\(workload.id)/slope", rows: last.rows, (variant, slope), unit: Measurement.slopeUnit
    ).judged(by: bar)
    if measurement.holds == false, least <= bar.limit {
      measurement.holds = true
      measurement.holdsByMinimum = true
    }
    add(measurement)
  }

  /// What a hundred times as many rows cost.
  private func addGrowth(of workload: Workload) {
    let few = measurements.first { $0.id == workload.id && $0.rows == 10_000 }
    guard let few, let many = measurements.first(where: { $0.id == workload.id && $0.rows == 1_000_000 }) else {
      return
    }
    add(Measurement("\(workload.id)/growth", many, against: few).judged(by: .ratio(atMost: 2)))
  }
}

extension RunRecord {
  init(from url: URL) throws {
    do {
      self = try JSONDecoder().decode(RunRecord.self, from: Data(contentsOf: url))
    } catch {
      throw UsageError("\(url.path) is not what --json writes: \(error.localizedDescription)")
    }
  }

  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: url)
  }
}
