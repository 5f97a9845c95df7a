/// Which of some things moved when an order became another.
enum FewestMoves {
  /// The indexes of those that have to move so that places, which are all different, come to be in ascending order: all but a
  /// longest part that ascends already. Complexity: O(*n* log *n*).
  static func moved(_ places: [Int]) -> [Int] {
    // The index of the smallest end of an ascending part, by its length less 1; and what stands before each in its part.
    var ends: [Int] = []
    var before: [Int?] = []
    for (index, place) in places.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if places[ends[middle]] < place { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var kept: Set<Int> = []
    var next = ends.last
    while let index = next {
      kept.insert(index)
      next = before[index]
    }
    return places.indices.filter { !kept.contains($0) }
  }
}
