import Foundation

/// What got slower or larger between two runs.
///
/// One number of a run is noise: a time counts as changed where the median and the minimum both are beyond the
/// threshold in the same direction, and, where there is a baseline, both ratios to it as well, since a machine that is
/// slower altogether makes both slower.
struct Comparison {
  enum Verdict: String { case slower, faster, larger, smaller, same }

  struct Line {
    let id: String
    let rows: Int
    let variant: String
    let baseline: String?
    let verdict: Verdict
    let change: Double
  }

  /// Two runs of the same program have ratios within a fifth of each other, quick ones less so.
  private static func threshold(isQuick: Bool) -> Double { isQuick ? 1.4 : 1.2 }

  let lines: [Line]
  /// What only one of the runs has.
  let unmatched: Int

  init(_ old: RunRecord, _ new: RunRecord) {
    var before: [Key: Measurement] = [:]
    for measurement in old.workloads { before[Key(measurement)] = measurement }
    let threshold = Comparison.threshold(isQuick: old.environment.isQuick || new.environment.isQuick)
    var lines: [Line] = []
    for measurement in new.workloads {
      guard let other = before.removeValue(forKey: Key(measurement)) else { continue }
      lines.append(Comparison.line(other, measurement, threshold))
    }
    self.lines = lines
    unmatched = before.count + new.workloads.count - lines.count
  }

  private struct Key: Hashable {
    let words: [String]
    init(_ measurement: Measurement) {
      words = [measurement.id, String(measurement.rows), measurement.variant, measurement.baseline ?? ""]
    }
  }

  private static func line(_ old: Measurement, _ new: Measurement, _ threshold: Double) -> Line {
    var changes: [Double] = []
    func add(_ before: Double?, _ after: Double?) {
      if let before, let after, before > 0 { changes.append(after / before) }
    }
    let isTime = new.median != nil
    if isTime {
      add(old.median, new.median)
      add(old.minimum, new.minimum)
      add(old.ratio, new.ratio)
      add(old.minimumRatio, new.minimumRatio)
    } else if new.unit == Measurement.slopeUnit {
      // Slopes are about zero: they are compared by their difference, and a tenth is the threshold.
      changes.append(pow(threshold, ((new.value ?? 0) - (old.value ?? 0)) * 10))
    } else {
      add(old.value, new.value)
    }
    let verdict: Verdict =
      if !changes.isEmpty, changes.allSatisfy({ $0 > threshold }) {
        isTime ? .slower : .larger
      } else if !changes.isEmpty, changes.allSatisfy({ $0 < 1 / threshold }) {
        isTime ? .faster : .smaller
      } else {
        .same
      }
    return Line(
      id: new.id, rows: new.rows, variant: new.variant, baseline: new.baseline, verdict: verdict,
      change: changes.first ?? 1)
  }

  /// Whether nothing got slower or larger.
  var isGood: Bool { !lines.contains { $0.verdict == .slower || $0.verdict == .larger } }

  func show() {
    for line in lines {
      print(
        Format.padded(line.id, 20), Format.padded(Format.count(line.rows), 10, right: true),
        Format.padded(line.variant + (line.baseline.map { " / \($0)" } ?? ""), 34),
        Format.padded("\(Format.fixed(line.change, 2))x", 8, right: true),
        line.verdict.rawValue)
    }
    let counts = [Verdict.slower, .larger, .faster, .smaller, .same].map { verdict in
      "\(lines.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }
    print(counts.joined(separator: ", ") + (unmatched > 0 ? "; \(unmatched) are in one of the runs only" : ""))
  }
}
