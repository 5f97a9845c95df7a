import Foundation

/// Two states of a list compared by ids, as a program does that fetches it anew: in linear time where nothing has moved.
struct HandDiff: Equatable {
  var deletions: [Int] = []
  var insertions: [Int] = []
  var moves = 0
  var updates: [Int] = []

  init<R: BenchTodo & Equatable>(from old: [R], to new: [R]) {
    var places: [UUID: Int] = [:]
    places.reserveCapacity(old.count)
    for (index, record) in old.enumerated() { places[record.id] = index }
    var kept: [Int] = []
    kept.reserveCapacity(new.count)
    var isRising = true
    var changed: [(index: Int, old: Int)] = []
    for (index, record) in new.enumerated() {
      guard let place = places.removeValue(forKey: record.id) else {
        insertions.append(index)
        continue
      }
      if let last = kept.last, last > place { isRising = false }
      if old[place] != record { changed.append((index, place)) }
      kept.append(place)
    }
    deletions = places.values.sorted()
    let still = isRising ? [] : HandDiff.longestRising(kept)
    moves = isRising ? 0 : kept.count - still.count
    // A row that moves is none that is updated in its place.
    updates = isRising ? changed.map(\.index) : changed.filter { still.contains($0.old) }.map(\.index)
  }

  /// The numbers of a longest rising subsequence: Fredman, "On computing the length of longest increasing subsequences", 1975.
  private static func longestRising(_ numbers: [Int]) -> Set<Int> {
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var result: Set<Int> = []
    var index = ends.last ?? -1
    while index >= 0 {
      result.insert(numbers[index])
      index = before[index]
    }
    return result
  }
}
