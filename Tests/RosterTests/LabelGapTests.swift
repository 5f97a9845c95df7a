import Testing

@testable import Roster

/// What the choice of labels is made of: gaps, ranges, even distances.
@Suite("Gaps and ranges of labels")
struct LabelGapTests {
  @Test(
    "labels in a gap lie between its bounds, and there are some wherever there is room",
    arguments: [1, 3, 9] as [Int64])
  func everyGap(step: Int64) {
    let space = LabelSpace(bits: 4, step: step)
    let all: [Int64?] = [nil] + (space.lowest...space.highest).map(Optional.some)
    for lower in all {
      for upper in all where (lower ?? -9) <= (upper ?? 9) {
        for (belowLower, aboveUpper) in neighbours(lower, upper, all) {
          let gap = LabelGap(belowLower: belowLower, lower: lower, upper: upper, aboveUpper: aboveUpper)
          let room = max((upper ?? space.highest + 1) - (lower ?? space.lowest - 1) - 1, 0)
          for count in 1...17 {
            let labels = space.labels(count, in: gap)
            expectQuickly((labels != nil) == (count <= room), "\(count) in \(gap)")
            guard let labels else { continue }
            let bounded = [lower ?? space.lowest - 1] + labels + [upper ?? space.highest + 1]
            let isRising = zip(bounded, bounded.dropFirst()).allSatisfy { $0 < $1 }
            expectQuickly(labels.count == count && isRising, "\(count) in \(gap): \(labels)")
          }
        }
      }
    }
  }

  /// Labels beyond a gap's bounds, equal ones among them.
  private func neighbours(_ lower: Int64?, _ upper: Int64?, _ all: [Int64?]) -> [(Int64?, Int64?)] {
    let below = lower.map { lower in all.filter { ($0 ?? lower) <= lower } } ?? [nil]
    let above = upper.map { upper in all.filter { ($0 ?? upper) >= upper } } ?? [nil]
    return below.map { ($0, above.first ?? nil) } + above.map { (below.last ?? nil, $0) }
  }

  @Test("several rows in a gap are as far from each other as it allows")
  func even() {
    let space = LabelSpace.stored
    #expect(space.labels(3, in: LabelGap(lower: 0, upper: 4)) == [1, 2, 3])
    #expect(space.labels(3, in: LabelGap(lower: 100, upper: 500)) == [200, 300, 400])
    for count in 2...40 {
      let labels = space.labels(count, in: LabelGap(lower: -7, upper: 934)) ?? []
      let all: [Int64] = [-7] + labels + [934]
      let distances = zip(all, all.dropFirst()).map { $1 - $0 }
      #expect((distances.max() ?? 0) - (distances.min() ?? 0) <= 1, "\(count)")
    }
  }

  @Test("one row after another at the same place takes ever smaller shares of a gap, from either side")
  func runs() throws {
    let space = LabelSpace.stored
    for isBefore in [true, false] {
      var gap = LabelGap(belowLower: -(1 << 32), lower: 0, upper: 1 << 32, aboveUpper: 2 << 32)
      var placed = 0
      while placed < 100_000, let label = space.labels(1, in: gap)?.first {
        gap =
          isBefore
          ? LabelGap(belowLower: gap.lower, lower: label, upper: gap.upper, aboveUpper: gap.aboveUpper)
          : LabelGap(belowLower: gap.belowLower, lower: gap.lower, upper: label, aboveUpper: gap.upper)
        placed += 1
      }
      #expect(placed == 100_000, "before: \(isBefore)")
    }
  }

  @Test("the range of a level holds its label, has a size of a power of two and is split by those of the level below")
  func ranges() {
    for bits in 1...7 {
      let space = LabelSpace(bits: bits, step: 1)
      for label in space.lowest...space.highest {
        #expect(space.range(around: label, level: 0) == label...label)
        for level in 1...bits {
          let range = space.range(around: label, level: level)
          let inner = space.range(around: label, level: level - 1)
          #expect(range.contains(label) && range.count == 1 << level)
          #expect(range.lowerBound == inner.lowerBound || range.upperBound == inner.upperBound)
          #expect(space.range(around: range.lowerBound, level: level) == range)
          #expect(space.range(around: range.upperBound, level: level) == range)
        }
        #expect(space.range(around: label, level: bits) == space.lowest...space.highest)
      }
    }
    let space = LabelSpace.stored
    for label in [space.lowest, -1, 0, space.highest] {
      #expect(space.range(around: label, level: 62) == space.lowest...space.highest)
      #expect(space.range(around: label, level: 61).contains(label))
    }
    #expect(space.range(around: -1, level: 61) == space.lowest ... -1)
    #expect(space.range(around: 0, level: 61) == 0...space.highest)
  }

  @Test("labels spread over a range are in it, at distances that differ by one at most; more than it has are none")
  func spread() {
    let space = LabelSpace(bits: 6, step: 1)
    for level in 1...6 {
      for label in [space.lowest, 0, space.highest] {
        let range = space.range(around: label, level: level)
        for count in 0...range.count {
          let labels = space.spread(count, over: range) ?? []
          #expect(labels.count == count && labels.allSatisfy(range.contains), "\(count) over \(range)")
          let distances = zip(labels, labels.dropFirst()).map { $1 - $0 }
          #expect(distances.allSatisfy { $0 > 0 }, "\(count) over \(range)")
          #expect((distances.max() ?? 1) - (distances.min() ?? 1) <= 1, "\(count) over \(range): \(labels)")
        }
        #expect(space.spread(range.count + 1, over: range) == nil)
      }
    }
    let stored = LabelSpace.stored
    let labels = stored.spread(100_003, over: stored.lowest...stored.highest) ?? []
    #expect(labels.count == 100_003 && zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 })
    #expect(labels.first.map(stored.contains) == true && labels.last.map(stored.contains) == true)
  }

  @Test("a denser range is allowed the smaller it is, and all labels may be taken at the very last")
  func capacities() {
    for bits in [3, 6, 62] {
      let space = LabelSpace(bits: bits, step: 1)
      #expect(space.capacity(level: bits) == 1 << UInt64(bits))
      for level in 1..<bits {
        #expect(space.capacity(level: level) >= space.capacity(level: level - 1))
        #expect(space.capacity(level: level) <= 1 << UInt64(level))
      }
    }
    // What the list's size is bounded by before whole lists are relabelled for each row.
    #expect(LabelSpace.stored.capacity(level: 61) > 800_000_000)
  }
}
