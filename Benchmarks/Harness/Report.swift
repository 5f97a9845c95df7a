import Foundation

/// The table on standard output, line by line as it is measured.
struct Report {
  private static let widths = [18, 10, 34, 42, 24, 13]

  func begin(_ environment: Environment) {
    print(
      "SQLite \(environment.sqlite), \(environment.processor), \(environment.cores) cores;",
      "medians, minima in brackets")
    line(["workload", "rows", "measured", "against", "ratio", "bar", "holds"])
  }

  func add(_ measurement: Measurement) {
    line([
      measurement.id, Format.count(measurement.rows),
      Report.amount(
        measurement.variant, measurement.median, measurement.minimum, measurement.value, measurement.unit),
      measurement.baseline.map {
        Report.amount(
          $0, measurement.baselineMedian, measurement.baselineMinimum, measurement.baselineValue, measurement.unit)
      } ?? "-",
      Report.ratio(measurement), Report.bar(measurement), Report.verdict(measurement),
    ])
  }

  func end(_ measurements: [Measurement], seconds: Double) {
    let judged = measurements.filter { $0.holds != nil }
    let failed = judged.filter { $0.holds == false }
    print("\(judged.count - failed.count) of \(judged.count) bars hold, after \(Format.fixed(seconds, 0)) s")
    for measurement in failed {
      print(
        "does not hold: \(measurement.id) at \(Format.count(measurement.rows)) rows, \(measurement.variant):",
        "\(measurement.kind == .ratio ? Report.ratio(measurement) : Report.value(measurement)),",
        "the bar is \(Report.bar(measurement))")
    }
  }

  private func line(_ cells: [String]) {
    let padded = zip(cells, Report.widths).map { Format.padded($0, $1) } + cells.dropFirst(Report.widths.count)
    let text = padded.joined(separator: " ")
    print(text.trimmingCharacters(in: .whitespaces))
    // A run takes minutes, and its output may be a pipe.
    fflush(nil)
  }

  private static func amount(
    _ name: String, _ median: Double?, _ minimum: Double?, _ value: Double?, _ unit: String?
  ) -> String {
    var text = name
    if let median, let minimum { text += " \(Format.time(median)) [\(Format.time(minimum))]" }
    if let value { text += " \(Format.digits(value)) \(unit ?? "")" }
    return text
  }

  private static func ratio(_ measurement: Measurement) -> String {
    guard let ratio = measurement.ratio else { return "-" }
    let minimum = measurement.minimumRatio.map { " [\(Format.ratio($0))]" } ?? ""
    return Format.ratio(ratio) + minimum
  }

  private static func value(_ measurement: Measurement) -> String {
    Format.digits(measurement.value ?? measurement.median ?? 0)
  }

  private static func bar(_ measurement: Measurement) -> String {
    guard let bar = measurement.bar else { return "-" }
    return measurement.kind == .ratio ? Format.ratio(bar) : Format.digits(bar)
  }

  private static func verdict(_ measurement: Measurement) -> String {
    switch measurement.holds {
    case true?: measurement.holdsByMinimum == true ? "by the minima" : "yes"
    case false?: "NO"
    case nil: "-"
    }
  }
}

/// What is being measured, in one line of a terminal that is written over.
struct Progress {
  private let isShown = isatty(2) == 1

  func show(_ text: String) {
    guard isShown else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }

  func clear() { show("") }
}
