/// The leaves of a sequence in their order, by their ids, with how many rows stand before each.
///
/// `place` is the inverse of `order`: it has the index of each leaf in it, and -1 for an id that is not in use.
struct LeafOrder: Sendable {
  private(set) var order: ContiguousArray<Int32> = []
  private(set) var place: ContiguousArray<Int32> = []
  private(set) var counts = FenwickTree()

  var count: Int { order.count }

  /// The id of the leaf at a place.
  subscript(place: Int) -> Int { Int(order[place]) }

  /// The place of a leaf; nil for an id that is not in use.
  func place(of leaf: Int) -> Int? {
    guard place.indices.contains(leaf), place[leaf] >= 0 else { return nil }
    return Int(place[leaf])
  }

  /// - Complexity: O(n) for the leaves behind it: 8 microseconds in the middle of 12,000, for one in 64 rows inserted.
  mutating func insert(_ leaf: Int, rows: Int, at index: Int) {
    while place.count <= leaf { place.append(-1) }
    order.insert(Int32(truncatingIfNeeded: leaf), at: index)
    counts.insert(rows, at: index)
    renumber(from: index)
  }

  /// - Complexity: O(n) for the leaves behind it.
  mutating func remove(at index: Int) {
    place[self[index]] = -1
    order.remove(at: index)
    counts.remove(at: index)
    renumber(from: index)
  }

  /// Notes that a leaf has so many rows more.
  ///
  /// - Complexity: O(log n).
  mutating func add(_ rows: Int, at index: Int) { counts.add(rows, at: index) }

  private mutating func renumber(from first: Int) {
    order.withUnsafeBufferPointer { order in
      place.withUnsafeMutableBufferPointer { place in
        var index = first
        while index < order.count {
          place[Int(order[index])] = Int32(truncatingIfNeeded: index)
          index += 1
        }
      }
    }
  }
}
