import Testing

@testable import Roster

/// Which rows keep their labels where an order is given, against all that could.
@Suite("Labels for rows in a given order")
struct ArrangementTests {
  /// All sequences of labels and nil of a length.
  private func withEvery(_ length: Int, of values: [Int64?], _ body: ([Int64?]) throws -> Void) rethrows {
    var digits = [Int](repeating: 0, count: length)
    while true {
      try body(digits.map { values[$0] })
      guard let next = digits.lastIndex(where: { $0 < values.count - 1 }) else { return }
      digits[next] += 1
      for index in digits.indices where index > next { digits[index] = 0 }
    }
  }

  private func isRising(_ labels: some Sequence<Int64>) -> Bool {
    let labels = Array(labels)
    return zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// The length of the longest rise, by looking at every choice of rows.
  private func longest(_ labels: [Int64?]) -> Int {
    var best = 0
    for choice in 0..<(1 << labels.count) {
      let chosen = labels.indices.filter { choice & (1 << $0) != 0 }
      guard chosen.count > best, chosen.allSatisfy({ labels[$0] != nil }) else { continue }
      if isRising(chosen.compactMap { labels[$0] }) { best = chosen.count }
    }
    return best
  }

  private func changed(_ labels: [Int64?], by arrangement: Arrangement) -> [Int64?] {
    var result = labels
    for (index, label) in arrangement.changes { result[index] = label }
    return result
  }

  @Test("a longest rise is strict, rises, and none is longer")
  func rises() {
    for length in 0...6 {
      withEvery(length, of: [nil, 3, 5, 8]) { labels in
        let rise = longestRise(labels)
        let found = rise.compactMap { labels[$0] }
        expectQuickly(zip(rise, rise.dropFirst()).allSatisfy { $0 < $1 }, "\(labels): \(rise)")
        expectQuickly(found.count == rise.count && isRising(found), "\(labels): \(rise)")
        expectQuickly(rise.count == longest(labels), "\(labels): \(rise)")
      }
    }
  }

  @Test("a longest rise of random labels is as long as dynamic programming finds it", arguments: SeededGenerator.seeds)
  func randomRises(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let labels = (0..<dice.below(120)).map { _ in dice.below(9) == 0 ? nil : Int64(dice.below(60)) }
      var best = [Int](repeating: 0, count: labels.count)
      for (index, label) in labels.enumerated() {
        guard let label else { continue }
        let before = (0..<index).filter { labels[$0].map { $0 < label } ?? false }.map { best[$0] }
        best[index] = (before.max() ?? 0) + 1
      }
      let rise = longestRise(labels)
      #expect(rise.count == best.max() ?? 0, "seed \(seed), \(labels)")
      #expect(isRising(rise.compactMap { labels[$0] }), "seed \(seed), \(labels)")
    }
  }

  @Test("with 3 bits a sequence of up to five labels rises after it, and a longest rise stays where it leaves room")
  func whole() throws {
    let space = LabelSpace(bits: 3, step: 2)
    for length in 0...5 {
      try withEvery(length, of: [nil, -4, -3, 0, 1, 2, 3]) { labels in
        let arrangement = try Arrangement(labels, in: space)
        let result = changed(labels, by: arrangement).compactMap(\.self)
        expectQuickly(result.count == length && isRising(result), "\(labels): \(result)")
        expectQuickly(result.allSatisfy(space.contains), "\(labels): \(result)")
        // Only changes are changes.
        expectQuickly(arrangement.changes.allSatisfy { labels[$0.index] != $0.label }, "\(labels): \(result)")
        let isLongest = arrangement.changes.count == length - longest(labels)
        expectQuickly(isLongest || result == space.fresh(length), "\(labels): \(result)")
      }
    }
  }

  @Test("in the space in use just the rows outside a longest rise are changed", arguments: SeededGenerator.seeds)
  func fewest(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let count = dice.below(9)
      let labels = (0..<count).map { _ in dice.below(8) == 0 ? nil : Int64(dice.below(10)) << 40 }
      let arrangement = try Arrangement(labels, in: .stored)
      #expect(arrangement.changes.count == count - longest(labels), "seed \(seed), \(labels)")
      let result = changed(labels, by: arrangement)
      #expect(isRising(result.compactMap(\.self)) && !result.contains(nil), "seed \(seed), \(labels)")
    }
  }

  @Test("within a gap the rows lie between its bounds, or there are too few labels beside those that stay")
  func within() {
    let space = LabelSpace(bits: 4, step: 3)
    let bounds: [(Int64?, Int64?)] = [(nil, nil), (-3, 3), (nil, 2), (-2, nil), (-1, 1), (-8, 7)]
    for (lower, upper) in bounds {
      let inside = ((lower ?? -9) + 1)..<(upper ?? 8)
      for length in 1...4 {
        withEvery(length, of: [nil, -2, -1, 0, 1].filter { $0.map(inside.contains) ?? true }) { labels in
          let gap = LabelGap(lower: lower, upper: upper)
          let context = "\(labels) within \(lower ?? -9) and \(upper ?? 8)"
          guard let arrangement = Arrangement(labels, in: space, within: gap) else {
            // Some part between two rows that stay is too narrow. Without any that stays, all have to fit.
            expectQuickly(labels.contains { $0 != nil } || length > inside.count, context)
            return
          }
          let result = changed(labels, by: arrangement).compactMap(\.self)
          let isRight = result.count == length && isRising(result) && result.allSatisfy(inside.contains)
          expectQuickly(isRight, "\(context): \(result)")
          expectQuickly(arrangement.changes.count == length - longest(labels), "\(context): \(result)")
        }
      }
    }
  }

  @Test("rows that are right already are not changed, and those without a label go where they stand")
  func examples() throws {
    let space = LabelSpace.stored
    #expect(try Arrangement([-5, 0, 7], in: space).changes.isEmpty)
    #expect(try Arrangement([], in: space).changes.isEmpty)
    let last = try Arrangement([5, 9, nil], in: space).changes
    #expect(last.map(\.index) == [2] && last.map(\.label) == [9 + 1 << 32])
    let doubled = try Arrangement([0, 0, 0, 0], in: space).changes
    #expect(doubled.count == 3)
    _ = try failure(.tooBig) { try Arrangement([Int64?](repeating: nil, count: 9), in: LabelSpace(bits: 3, step: 1)) }
  }
}
