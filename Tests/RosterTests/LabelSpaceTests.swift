import Testing

@testable import Roster

/// The choice of labels in spaces of a few bits, where every corner is reached, and at the edges of the one in use.
@Suite("Labels for rows at a place of a list")
struct LabelSpaceTests {
  /// All lists of labels in rising order, those with equal neighbours up to a length.
  private func lists(of space: LabelSpace, withEqualsUpTo length: Int) -> [[Int64]] {
    var lists: [[Int64]] = []
    func extend(_ list: [Int64]) {
      lists.append(list)
      let first = list.last ?? space.lowest
      guard first <= space.highest else { return }
      for label in first...space.highest {
        let next = list + [label]
        if next.count <= length || zip(next, next.dropFirst()).allSatisfy({ $0 < $1 }) { extend(next) }
      }
    }
    extend([])
    return lists
  }

  @Test(
    "with 3 bits every list, place and number of new rows comes out in order, until all labels are taken",
    arguments: [1, 16] as [Int64])
  func everyList(step: Int64) throws {
    let space = LabelSpace(bits: 3, step: step)
    var placed = 0
    for labels in lists(of: space, withEqualsUpTo: 4) {
      for place in 0...labels.count {
        for count in 1...(9 - min(labels.count, 8)) {
          var list = LabelledArray(space, labels)
          list.index = place
          let (lower, upper) = (list.below(1).first?.label ?? -5, list.above(1).first?.label ?? 4)
          let hasRoom = upper - lower - 1 >= count
          if labels.count + count <= 8 || hasRoom {
            let labelling = try list.insert(count, "\(count) at \(place) of \(labels)")
            expectQuickly((labelling.method == .gap) == hasRoom, "\(count) at \(place) of \(labels)")
            expectQuickly(labelling.relabelled.isEmpty == hasRoom, "\(count) at \(place) of \(labels)")
            placed += 1
          } else {
            #expect(throws: RosterError.self) { try space.place(count, at: list) }
          }
        }
      }
    }
    #expect(placed > 3000)
  }

  @Test(
    "random inserts and deletes keep the order until the space is full, and one row more is refused",
    arguments: SeededGenerator.seeds, [6, 8])
  func untilFull(seed: UInt64, bits: Int) throws {
    var dice = SeededGenerator(seed: seed)
    let space = LabelSpace(bits: bits, step: 1 << Int64(dice.below(bits)))
    let size = 1 << bits
    var list = LabelledArray(space)
    var methods: Set<Labelling.Method> = []
    var favourite = 0
    for round in 0..<3 {
      while list.rows.count < size {
        let context = "seed \(seed), bits \(bits), round \(round), \(list.rows.count) rows"
        if dice.below(4) == 0, !list.rows.isEmpty {
          list.remove(at: dice.below(list.rows.count))
          try list.checkInvariants(context)
        } else {
          if dice.below(20) == 0 { favourite = dice.below(list.rows.count + 1) }
          let isNear = dice.below(2) == 0
          list.index = isNear ? min(favourite, list.rows.count) : dice.below(list.rows.count + 1)
          let count = dice.below(3) == 0 ? 1 + dice.below(min(size - list.rows.count, 6)) : 1
          let labelling = try list.insert(count, context)
          methods.insert(labelling.method)
          if labelling.method == .nearest { expectQuickly(labelling.relabelled.count <= LabelSpace.nearest, context) }
        }
      }
      #expect(list.rows.map(\.label) == Array(space.lowest...space.highest))
      list.index = dice.below(size + 1)
      _ = try failure(.tooBig) { try space.place(1, at: list) }
      while list.rows.count > size / 3 { list.remove(at: dice.below(list.rows.count)) }
    }
    // With 6 bits, no neighbours are far enough from each other for it to pay.
    #expect(methods == (bits == 6 ? [.gap, .range] : [.gap, .nearest, .range]), "seed \(seed), bits \(bits)")
  }

  @Test(
    "at both ends of the 62 bits, rows are put beside the outermost labels without overflow", arguments: [1, 2, 70])
  func extremes(count: Int) throws {
    let space = LabelSpace.stored
    let (low, high) = (space.lowest, space.highest)
    #expect(low == Int64.min / 4 && high == Int64.max / 4)
    let lists: [[Int64]] = [
      [low], [high], [low, low], [high, high], [low, high], [low, low + 1], [high - 1, high], [low, low + 1, high],
      [low, high - 1, high], [low, low + 1, low + 2], [high - 2, high - 1, high], [low, low + 1, high - 1, high],
      [low, 0, high], [low, 0, 1, high], [low, low, high, high],
      Array(low...(low + 200)), Array((high - 200)...high), Array(low...(low + 99)) + Array((high - 99)...high),
    ]
    for labels in lists {
      for place in 0...labels.count where labels.count < 8 || place % 33 < 3 {
        var list = LabelledArray(space, labels)
        list.index = place
        try list.insert(count, "\(count) at \(place) of \(labels.prefix(8))")
      }
    }
  }

  @Test("where there is room between the neighbours, nothing else is written; where not, up to 63 of the nearest")
  func methods() throws {
    let space = LabelSpace.stored
    var list = LabelledArray(space, [0, 1000, 1001, 5_000_000_000])
    list.index = 1
    #expect(try list.insert(1, "room").method == .gap)
    list = LabelledArray(space, [0, 1000, 1001, 5_000_000_000])
    list.index = 2
    let labelling = try list.insert(1, "no room")
    #expect(labelling.method == .nearest)
    #expect((1...4).contains(labelling.relabelled.count))
    // A thousand rows without a gap: the sparser surroundings begin too far away.
    list = LabelledArray(space, Array(0..<1000))
    list.index = 500
    let range = try list.insert(1, "dense")
    #expect(range.method == .range)
    #expect(range.relabelled.count > LabelSpace.nearest)
  }

  @Test("a list made from scratch has the distance of the step, and fewer than the space can hold always fit")
  func fresh() {
    let space = LabelSpace(bits: 4, step: 4)
    #expect(space.fresh(0)?.isEmpty == true)
    #expect(space.fresh(1) == [0])
    #expect(space.fresh(2) == [0, 4])
    for count in 0...16 {
      let labels = space.fresh(count) ?? []
      #expect(labels.count == count && labels.allSatisfy(space.contains))
      #expect(zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(space.fresh(17) == nil)
    #expect(LabelSpace.stored.fresh(3) == [0, 1 << 32, 2 << 32])
  }
}
