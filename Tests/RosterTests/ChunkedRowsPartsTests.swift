import Testing

@testable import Roster

/// What chunked rows are made of, each part against a plain collection.
@Suite("The parts of chunked rows")
struct ChunkedRowsPartsTests {
  @Test("a Fenwick tree knows the sums of a list of counts that grows and shrinks", arguments: SeededGenerator.seeds)
  func sums(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var tree = FenwickTree()
    var counts: [Int] = []
    for step in 0..<3000 {
      let isGrowing = step / 300 % 2 == 0
      let index = dice.below(counts.count + 1)
      switch dice.below(4) {
      case 0 where index < counts.count:
        let change = dice.below(9)
        tree.add(change, at: index)
        counts[index] += change
      case 1 where index < counts.count && !isGrowing, 2 where index < counts.count && !isGrowing:
        tree.remove(at: index)
        counts.remove(at: index)
      default:
        // Some are 0, as the count of a leaf is before rows are put into it.
        let count = dice.below(9)
        tree.insert(count, at: index)
        counts.insert(count, at: index)
      }
      try #require(tree.count == counts.count)
      let place = dice.below(counts.count + 1)
      let sum = counts[..<place].reduce(0, +)
      try #require(tree.sum(before: place) == sum, "step \(step), ROSTER_SEED=\(seed)")
      if place < counts.count, counts[place] > 0 {
        let rest = dice.below(counts[place])
        let found = tree.find(sum + rest)
        try #require(found == (place, rest), "step \(step), ROSTER_SEED=\(seed)")
      }
    }
  }

  /// Keys that follow each other, that differ in high bits only, and that are anything.
  private static let keys: [@Sendable (Int) -> Int64] = [
    { Int64($0) - 500 },
    { Int64($0) << 40 },
    { Int64($0) &* 0x1000_0000_0000_0001 },
    { Int64(truncatingIfNeeded: LeafBucket.hash(Int64($0))) },
    { $0 % 2 == 0 ? Int64.min + Int64($0) : Int64.max - Int64($0) },
  ]

  @Test("the map of leaves has what a dictionary has", arguments: SeededGenerator.seeds, keys.indices)
  func leaves(seed: UInt64, kind: Int) throws {
    var dice = SeededGenerator(seed: seed)
    var map = LeafMap()
    var model: [Int64: Int] = [:]
    var copies: [(LeafMap, [Int64: Int])] = []
    for step in 0..<9000 {
      let key = ChunkedRowsPartsTests.keys[kind](dice.below(4000))
      // To about 3,000 keys and back to few.
      if dice.below(10) < (step / 3000 == 1 ? 2 : 8) {
        let leaf = dice.below(1000)
        map.set(leaf, for: key)
        model[key] = leaf
      } else {
        map.remove(key)
        model[key] = nil
      }
      try #require(map[key] == model[key] && map.count == model.count, "step \(step), ROSTER_SEED=\(seed)")
      if step % 1000 == 0 { copies.append((map, model)) }
    }
    for (map, model) in copies + [(map, model)] {
      #expect(map.checkInvariants() == [], "ROSTER_SEED=\(seed)")
      for number in 0..<4000 {
        let key = ChunkedRowsPartsTests.keys[kind](number)
        try #require(map[key] == model[key], "key \(key), ROSTER_SEED=\(seed)")
      }
    }
  }

  @Test("a map made for many keys is right with few and with more")
  func reserved() {
    for capacity in [-1, 0, 1, 255, 256, 257, 5000] {
      var map = LeafMap(minimumCapacity: capacity)
      for key in 0..<1000 { map.set(key / 3, for: Int64(key)) }
      #expect(map.checkInvariants() == [])
      for key in 0..<1000 { map.remove(Int64(key)) }
      #expect(map.checkInvariants() == [])
      #expect(map.count == 0)
      #expect(map.buckets.count == 1)
    }
  }

  @Test("a paged array is an array, and its copies stay as they were")
  func pages() {
    var pages = PagedArray<[Int]>()
    var model: [[Int]] = []
    var copies: [(PagedArray<[Int]>, [[Int]])] = []
    func elements(_ pages: PagedArray<[Int]>) -> [[Int]] { (0..<pages.count).map { pages[$0] } }
    for number in 0..<200 {
      if number % 40 == 0 { copies.append((pages, model)) }
      pages.append([number])
      model.append([number])
      pages[number / 2].append(number)
      model[number / 2].append(number)
    }
    #expect(elements(pages) == model)
    while !model.isEmpty {
      if model.count % 40 == 0 { copies.append((pages, model)) }
      #expect(pages.popLast() == model.removeLast())
    }
    #expect(pages.popLast() == nil)
    pages.append([1])
    #expect(elements(pages) == [[1]])
    for (pages, model) in copies { #expect(elements(pages) == model) }
  }
}
