/// How the rows of a list got from one state to a later one, from the rows that were touched in between.
///
/// Rows that were not touched are all in the same order in both. So the work is done on the touched ones and on the runs of
/// others between them, and takes no longer in a longer list, but for looking rows up.
struct ListDifference: Equatable {
  /// A row that is in both states.
  struct Kept: Equatable {
    /// Its index in the old state, and in the new one.
    let from: Int
    let to: Int
    /// Whether it is another value now.
    var isChanged = false
  }

  /// Indices in the old state, rising.
  private(set) var deletions: [Int] = []
  /// Indices in the new state, rising.
  private(set) var insertions: [Int] = []
  /// Rows that changed their place among those that stayed, as few as can be, by their new indices.
  private(set) var moves: [Kept] = []
  /// Rows that are other values and did not move, by their new indices.
  private(set) var updates: [Kept] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

  /// - Parameters:
  ///   - deletions: the touched rows that are in the old state only, by their indices there.
  ///   - insertions: those that are in the new state only, by their indices there.
  ///   - kept: those that are in both.
  ///   - oldCount: how many rows the old state has.
  /// - Complexity: O(*k* log *k*) in the rows touched, and in those that have to move.
  init(deletions: [Int], insertions: [Int], kept: [Kept], oldCount: Int) {
    self.deletions = deletions.sorted()
    self.insertions = insertions.sorted()
    guard !kept.isEmpty else { return }
    let parts = parts(kept, untouched: oldCount - deletions.count - kept.count)
    let stays = heaviestRise(parts.map { ($0.oldRank, $0.weight) })
    for (index, part) in parts.enumerated() {
      switch part.content {
      case .touched(let row):
        if !stays.contains(index) { moves.append(row) } else if row.isChanged { updates.append(row) }
      case .run(let oldRanks, let newRank) where !stays.contains(index):
        for (offset, oldRank) in oldRanks.enumerated() {
          moves.append(
            Kept(
              from: ListDifference.index(oldRank, beside: self.deletions),
              to: ListDifference.index(newRank + offset, beside: self.insertions)))
        }
      case .run: break
      }
    }
  }

  // MARK: Parts

  /// A touched row, or a run of rows that are not and stand together in both states.
  private struct Part {
    enum Content {
      case touched(Kept)
      case run(oldRanks: Range<Int>, newRank: Int)
    }

    let content: Content
    /// Its place among the kept rows of the old state.
    let oldRank: Int
    /// How many rows it would take to move it. Of two ways with as many moves, the one is better that moves touched rows.
    let weight: Int
  }

  /// The kept rows in their new order. Their ranks are their indices without the rows that only one state has.
  private func parts(_ kept: [Kept], untouched: Int) -> [Part] {
    let byOld = kept.map { ListDifference.rank($0.from, without: deletions) }.sorted()
    let byNew = kept.map { (rank: ListDifference.rank($0.to, without: insertions), row: $0) }.sorted {
      $0.rank < $1.rank
    }
    // How many untouched rows come before each touched one; there the runs end.
    let oldGaps = byOld.enumerated().map { $1 - $0 }
    let newGaps = byNew.enumerated().map { $1.rank - $0 }
    let ends = Array(Set(oldGaps + newGaps + [untouched])).sorted()
    var parts: [Part] = []
    var (start, next, oldBefore) = (0, 0, 0)
    func addTouched(upTo end: Int) {
      while next < byNew.count, newGaps[next] <= end {
        let row = byNew[next].row
        parts.append(
          Part(content: .touched(row), oldRank: ListDifference.rank(row.from, without: deletions), weight: 1 << 32))
        next += 1
      }
    }
    for end in ends {
      addTouched(upTo: start)
      if end > start {
        while oldBefore < oldGaps.count, oldGaps[oldBefore] <= start { oldBefore += 1 }
        let (oldRank, count) = (start + oldBefore, end - start)
        parts.append(
          Part(
            content: .run(oldRanks: oldRank..<(oldRank + count), newRank: start + next), oldRank: oldRank,
            weight: count << 32 + count))
        start = end
      }
    }
    addTouched(upTo: untouched)
    return parts
  }

  /// An index without those of the list before it.
  private static func rank(_ index: Int, without others: [Int]) -> Int { index - lowerBound(others, index) }

  /// The index of the row with a rank, which is that without the others.
  private static func index(_ rank: Int, beside others: [Int]) -> Int {
    // The number of others before it: the first `count` of them, where the next one less `count` is beyond the rank.
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }

  private static func lowerBound(_ sorted: [Int], _ value: Int) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The indices of a rising subsequence with the greatest weight.
///
/// - Complexity: O(*n* log *n*), by a tree of the heaviest rises that end below a rank (Fenwick, "A new data structure for
///   cumulative frequency tables", 1994).
private func heaviestRise(_ items: [(rank: Int, weight: Int)]) -> Set<Int> {
  let ranks = items.map(\.rank).sorted()
  var places: [Int: Int] = [:]
  for (place, rank) in ranks.enumerated() { places[rank] = place + 1 }
  // For each node, the weight and the last item of the heaviest rise it knows.
  var nodes = [(weight: Int, last: Int)](repeating: (0, -1), count: items.count + 1)
  var previous = [Int](repeating: -1, count: items.count)
  var best = (weight: 0, last: -1)
  for (index, item) in items.enumerated() {
    let place = places[item.rank] ?? 1
    var before = (weight: 0, last: -1)
    var node = place - 1
    while node > 0 {
      if nodes[node].weight > before.weight { before = nodes[node] }
      node -= node & -node
    }
    previous[index] = before.last
    let rise = (weight: before.weight + item.weight, last: index)
    if rise.weight > best.weight { best = rise }
    node = place
    while node < nodes.count {
      if rise.weight > nodes[node].weight { nodes[node] = rise }
      node += node & -node
    }
  }
  var rise: Set<Int> = []
  var index = best.last
  while index >= 0 {
    rise.insert(index)
    index = previous[index]
  }
  return rise
}
