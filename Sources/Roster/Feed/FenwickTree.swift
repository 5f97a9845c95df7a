/// A list of counts that knows the sum of those before any place.
///
/// The node at an index holds the sum of the counts that end there, as many as the lowest bit of the index plus one says:
/// Fenwick, "A new data structure for cumulative frequency tables", 1994. Nodes are 32 bits wide, since all of them are
/// copied with the first change after a copy; so all counts together are less than 2^31.
struct FenwickTree: Sendable {
  private var nodes: ContiguousArray<Int32> = []

  var count: Int { nodes.count }

  /// The next node whose range has this one's in it.
  private static func parent(_ index: Int) -> Int { index | (index + 1) }
  /// The last node before the range of this one.
  private static func previous(_ index: Int) -> Int { (index & (index + 1)) - 1 }

  /// - Complexity: O(log n).
  mutating func add(_ change: Int, at index: Int) {
    let change = Int32(truncatingIfNeeded: change)
    var node = index
    while node < nodes.count {
      nodes[node] &+= change
      node = FenwickTree.parent(node)
    }
  }

  /// The sum of the counts before a place.
  ///
  /// - Complexity: O(log n).
  func sum(before index: Int) -> Int {
    var sum: Int32 = 0
    var node = index - 1
    while node >= 0 {
      sum &+= nodes[node]
      node = FenwickTree.previous(node)
    }
    return Int(sum)
  }

  /// The place whose count reaches beyond an offset into all that is counted, and the rest of the offset there.
  ///
  /// - Complexity: O(log n).
  func find(_ offset: Int) -> (index: Int, rest: Int) {
    var index = 0
    var rest = Int32(truncatingIfNeeded: offset)
    var step = nodes.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - nodes.count.leadingZeroBitCount)
    while step > 0 {
      let next = index + step
      if next <= nodes.count, nodes[next - 1] <= rest {
        index = next
        rest &-= nodes[next - 1]
      }
      step >>= 1
    }
    return (index, Int(rest))
  }

  /// - Complexity: O(log n).
  mutating func append(_ count: Int) { insert(count, at: nodes.count) }

  /// - Complexity: O(n - index + log n).
  mutating func insert(_ count: Int, at index: Int) {
    split(from: index)
    nodes.insert(Int32(truncatingIfNeeded: count), at: index)
    join(from: index)
  }

  /// - Complexity: O(n - index + log n).
  mutating func remove(at index: Int) {
    split(from: index)
    nodes.remove(at: index)
    join(from: index)
  }

  /// Turns the nodes from a place on into plain counts.
  private mutating func split(from index: Int) {
    nodes.withUnsafeMutableBufferPointer { nodes in
      var node = nodes.count - 1
      while node >= index {
        let parent = FenwickTree.parent(node)
        if parent < nodes.count { nodes[parent] &-= nodes[node] }
        node -= 1
      }
      // The nodes before the place that are part of one after it are those that make up the sum before it.
      while node >= 0 {
        let parent = FenwickTree.parent(node)
        if parent < nodes.count { nodes[parent] &-= nodes[node] }
        node = FenwickTree.previous(node)
      }
    }
  }

  /// Turns plain counts from a place on into nodes.
  private mutating func join(from index: Int) {
    nodes.withUnsafeMutableBufferPointer { nodes in
      var node = index - 1
      while node >= 0 {
        let parent = FenwickTree.parent(node)
        if parent < nodes.count { nodes[parent] &+= nodes[node] }
        node = FenwickTree.previous(node)
      }
      node = index
      while node < nodes.count {
        let parent = FenwickTree.parent(node)
        if parent < nodes.count { nodes[parent] &+= nodes[node] }
        node += 1
      }
    }
  }
}
