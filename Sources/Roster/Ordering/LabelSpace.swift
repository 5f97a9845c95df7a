import Foundation

/// The integers that tell the places of the rows of a list: a row with a lower label comes first.
///
/// It only calculates. `LabelSpace.stored` is the one in use; the tests run the same code with few bits, where every
/// corner is reached.
struct LabelSpace: Sendable {
  /// The labels of the database: 62 bits, so that the distance of no two overflows, nor that of bounds beyond them.
  static let stored = LabelSpace(bits: 62, step: 1 << 32)

  let lowest: Int64
  let highest: Int64
  /// The distance at which a row is put beyond the first or last one.
  let step: Int64
  let bits: Int
  /// How many rows a range of 2^level labels may hold before it is too dense to be relabelled by itself.
  private let capacities: [UInt64]

  /// A density of at most `(2 / growth)^-level`: the threshold of the paper, with a root for 8 * 10^8 rows at 62 bits.
  private static let growth = 1.4
  /// A row beside a run of rows is put at no less than this part of the gap: one in 2^16.
  private static let finest: Int64 = 16

  init(bits: Int, step: Int64) {
    self.bits = min(max(bits, 1), 62)
    lowest = -(1 << (self.bits - 1))
    highest = (1 << (self.bits - 1)) - 1
    self.step = step
    var capacities: [UInt64] = []
    var capacity = 1.0
    for _ in 0..<self.bits {
      capacities.append(UInt64(capacity))
      capacity *= LabelSpace.growth
    }
    // Whatever has a label for each row can be held at the very last.
    self.capacities = capacities + [1 << UInt64(self.bits)]
  }

  func contains(_ label: Int64) -> Bool { label >= lowest && label <= highest }

  // MARK: A gap

  /// Labels for `count` rows between two others, or beyond the last one; nil where there is no room.
  ///
  /// One row is not put in the middle where the distances around the gap tell that rows have been put into it one after the
  /// other from one side, as when each is moved before the same row. It then goes beside the last of the run, at half
  /// of that one's share of the gap, so that the gap is not used up: 100,000 such moves take no label
  /// from a neighbour, where halving takes them all after 32. One who moves rows so that each guess is wrong
  /// uses up two bits of the gap in place of one, since a small share needs a long run first.
  func labels(_ count: Int, in gap: LabelGap) -> [Int64]? {
    switch (gap.lower, gap.upper) {
    case (nil, nil): return run(count, from: 0, by: step) ?? spread(count, over: lowest, 1 << UInt64(bits))
    case (let lower?, nil):
      guard let distance = distance(count, room: highest - lower) else { return nil }
      return run(count, from: lower + distance, by: distance)
    case (nil, let upper?):
      guard let distance = distance(count, room: upper - lowest) else { return nil }
      return run(count, from: upper - distance * Int64(count), by: distance)
    case (let lower?, let upper?):
      let width = upper - lower
      guard width > count else { return nil }
      if count == 1 { return [single(in: gap, lower, upper)] }
      return even(count, lower, width)
    }
  }

  /// How far apart rows are put at an end: less where there is not much room, and half of it at most.
  private func distance(_ count: Int, room: Int64) -> Int64? {
    guard room >= count else { return nil }
    return min(step, max(room / (Int64(count) + 1), 1))
  }

  private func run(_ count: Int, from first: Int64, by distance: Int64) -> [Int64]? {
    let (length, isTooLong) = distance.multipliedReportingOverflow(by: Int64(max(count - 1, 0)))
    guard !isTooLong, length <= highest - first else { return nil }
    return (0..<Int64(count)).map { first + $0 * distance }
  }

  private func even(_ count: Int, _ lower: Int64, _ width: Int64) -> [Int64] {
    let (part, rest) = width.quotientAndRemainder(dividingBy: Int64(count) + 1)
    return (1...Int64(count)).map { lower + part * $0 + rest * $0 / (Int64(count) + 1) }
  }

  private func single(in gap: LabelGap, _ lower: Int64, _ upper: Int64) -> Int64 {
    let width = upper - lower
    let below = gap.belowLower.map { lower - $0 } ?? .max
    let above = gap.aboveUpper.map { $0 - upper } ?? .max
    let tightest = min(below, above)
    guard tightest <= width else { return lower + width / 2 }
    let share = Double(tightest) / (Double(tightest) + Double(width)) / 2
    let distance = max(Int64(Double(width) * share), width >> LabelSpace.finest, 1)
    return below <= above ? lower + distance : upper - distance
  }

  // MARK: Relabelling

  /// How many of the nearest rows are relabelled with a row that has no room, before a whole range is.
  static let nearest = 63

  /// The bounds that rows at an end of the list may be spread up to.
  func bound(below first: Int64?) -> Int64 { first.map { max(lowest - 1, $0 - step) } ?? lowest - 1 }
  func bound(above last: Int64?) -> Int64 { last.map { $0 > highest - step ? highest + 1 : $0 + step } ?? highest + 1 }

  /// Whether it pays to relabel so many rows within a window: for each bit of room that the new rows gain, four rows.
  func pays(relabelling rows: Int, within width: Int64, for count: Int) -> Bool {
    width / 8 >= rows + count && Double(rows) <= 4 * gain(within: width, for: count)
  }

  func gain(within width: Int64, for count: Int) -> Double { log2(Double(width) / Double(count)) - 1 }

  /// Labels for the rows below and above the new ones, and for the new ones, in a window.
  ///
  /// The others are pushed to the window's ends, where they take one in 2^16 of it each, and the new rows get the rest.
  func push(below: Int, new count: Int, above: Int, within window: (lower: Int64, upper: Int64)) -> [Int64] {
    let width = window.upper - window.lower
    let distance = max(min(width >> LabelSpace.finest, width / (4 * Int64(max(below + above, 1)))), 1)
    let left = (0..<Int64(below)).map { window.lower + distance * ($0 + 1) }
    let right = (0..<Int64(above)).map { window.upper - distance * (Int64(above) - $0) }
    let lower = left.last ?? window.lower
    return left + even(count, lower, (right.first ?? window.upper) - lower) + right
  }

  /// The range of 2^level labels that a label lies in.
  func range(around label: Int64, level: Int) -> ClosedRange<Int64> {
    let size = UInt64(1) << UInt64(level)
    let first = UInt64(label - lowest) / size * size
    return (lowest + Int64(first))...(lowest + Int64(first + (size - 1)))
  }

  func capacity(level: Int) -> UInt64 { capacities[level] }

  /// Labels at even distances over a whole range.
  func spread(_ count: Int, over range: ClosedRange<Int64>) -> [Int64]? {
    spread(count, over: range.lowerBound, UInt64(range.upperBound - range.lowerBound) + 1)
  }

  private func spread(_ count: Int, over first: Int64, _ size: UInt64) -> [Int64]? {
    guard count > 0 else { return [] }
    guard UInt64(count) <= size else { return nil }
    let (part, rest) = size.quotientAndRemainder(dividingBy: UInt64(count))
    return (0..<UInt64(count)).map { index in
      first + Int64(part * index + part / 2 + rest * index / UInt64(count))
    }
  }

  /// Labels for a list from scratch.
  func fresh(_ count: Int) -> [Int64]? { labels(count, in: LabelGap()) }
}

/// The place between two neighbouring rows, by the labels around it; nil where there is no row.
struct LabelGap: Equatable {
  var belowLower: Int64?
  var lower: Int64?
  var upper: Int64?
  var aboveUpper: Int64?
}
