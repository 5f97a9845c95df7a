import Foundation
import Testing

@testable import roster_bench

@Suite("What the benchmarks make of their samples")
struct MeasurementTests {
  private func measurement(_ own: [Double], _ other: [Double]) -> roster_bench.Measurement {
    roster_bench.Measurement("work", rows: 1000, ("Roster", Samples(own)), against: ("C", Samples(other)))
  }

  @Test("the median is the middle sample, or between the two of them")
  func median() {
    #expect(Samples([3, 1, 9]).median == 3)
    #expect(Samples([3, 1, 9, 5]).median == 4)
    #expect(Samples((1...100).map(Double.init)).percentile(95) == 96)
  }

  @Test("the slope over the sizes is the power of the growth")
  func slopes() throws {
    let sizes = [1000, 10_000, 100_000]
    let powers: [Double] = [0, 0.5, 1, 2]
    for power in powers {
      let slope = try #require(logarithmicSlope(sizes.map { ($0, 3 * pow(Double($0), power)) }))
      #expect(abs(slope - power) < 1e-9)
    }
    #expect(logarithmicSlope([(1000, 1), (2000, 2)]) == nil)
  }

  @Test("a bar is held by the medians, else by the minima, which is said")
  func bars() {
    let both = measurement([0.010, 0.012], [0.010, 0.012]).judged(by: Bar.ratio(atMost: 1.1))
    #expect(both.holds == true && both.holdsByMinimum == nil)
    let minima = measurement([0.010, 0.030, 0.031], [0.010, 0.012, 0.013]).judged(by: Bar.ratio(atMost: 1.1))
    #expect(minima.holds == true && minima.holdsByMinimum == true)
    let neither = measurement([0.020, 0.030], [0.010, 0.012]).judged(by: Bar.ratio(atMost: 1.1))
    #expect(neither.holds == false)
    let faster = measurement([0.001], [0.299]).judged(by: Bar.faster(atLeast: 300))
    #expect(faster.holds == false && faster.bar == 1.0 / 300)
  }

  @Test("a record of a run comes back from its JSON, under the names that it is documented by")
  func json() throws {
    let record = RunRecord(
      environment: Environment(isQuick: true),
      workloads: [measurement([0.002], [0.001]).judged(by: Bar.ratio(atMost: 1.3))])
    let data = try JSONEncoder().encode(record)
    let copy = try JSONDecoder().decode(RunRecord.self, from: data)
    #expect(copy.workloads[0].ratio == 2 && copy.workloads[0].holds == false)
    let text = String(decoding: data, as: UTF8.self)
    for name in ["environment", "workloads", "id", "rows", "variant", "baseline", "median_ms", "baseline_median_ms"] {
      #expect(text.contains("\"\(name)\""))
    }
  }

  @Test("only what is slower by median, minimum and ratios is called slower")
  func comparison() {
    func verdict(_ own: [Double], _ other: [Double]) -> Comparison.Verdict? {
      let old = RunRecord(environment: Environment(isQuick: false), workloads: [measurement([2, 3, 4], [1, 2, 3])])
      let new = RunRecord(environment: Environment(isQuick: false), workloads: [measurement(own, other)])
      return Comparison(old, new).lines.first?.verdict
    }
    #expect(verdict([2, 3, 4], [1, 2, 3]) == .same)
    #expect(verdict([4, 6, 8], [1, 2, 3]) == .slower)
    #expect(verdict([1, 1.5, 2], [1, 2, 3]) == .faster)
    // The minimum stayed; or the machine got slower.
    #expect(verdict([2, 6, 8], [1, 2, 3]) == .same)
    #expect(verdict([4, 6, 8], [2, 4, 6]) == .same)
  }

  @Test("numbers are written with three digits that count, and ratios as one says them")
  func formats() {
    #expect(Format.time(0.0123) == "12.3 µs" && Format.time(12.34) == "12.3 ms" && Format.time(1234) == "1.23 s")
    #expect(Format.ratio(1.149) == "1.15x" && Format.ratio(1.0 / 392) == "392x faster")
    #expect(Format.count(999) == "999" && Format.count(1_000_000) == "1,000,000")
  }
}
