extension ChunkedRows {
  /// What is wrong with the structure: nothing, if no function of it is. For tests, which ask after every step.
  ///
  /// - Complexity: O(n log n).
  func checkInvariants() -> [String] {
    var faults: [String] = []
    func check(_ isRight: Bool, _ fault: @autoclosure () -> String) { if !isRight { faults.append(fault()) } }

    check(order.place.count <= leaves.count, "\(order.place.count) places for \(leaves.count) leaves")
    check(order.counts.count == order.count, "\(order.counts.count) counts for \(order.count) leaves")
    check(
      order.count + freeLeaves.count == leaves.count,
      "\(order.count) leaves in order and \(freeLeaves.count) free of \(leaves.count)")
    check(Set(freeLeaves).count == freeLeaves.count, "a leaf is free twice")
    for id in freeLeaves.map({ Int($0) }) {
      check(order.place(of: id) == nil, "free leaf \(id) has a place")
      check(leaves[id].count == 0 && leaves[id].keys.isEmpty, "free leaf \(id) has rows")
    }

    var sum = 0
    var last: Row?
    for place in 0..<order.count {
      let id = order[place]
      let leaf = leaves[id]
      check(
        order.place(of: id) == place,
        "leaf \(id) at place \(place) is noted at \(String(describing: order.place(of: id)))")
      check(
        order.counts.sum(before: place) == sum,
        "\(order.counts.sum(before: place)) for \(sum) rows before place \(place)")
      let isEnd = place == 0 || place == order.count - 1
      check(
        leaf.count <= capacity && leaf.count >= (isEnd ? 1 : minimum),
        "leaf \(id) at place \(place) has \(leaf.count) rows")
      check(leaf.keys.elementsEqual(leaf.rows.lazy.map(\.rowKey)), "the keys of leaf \(id) aren't those of its rows")
      for (offset, row) in leaf.rows.enumerated() {
        check(
          map[row.rowKey] == id, "key \(row.rowKey) of leaf \(id) is noted in \(String(describing: map[row.rowKey]))")
        if let last {
          check(
            comparator.isBefore(last, row), "the row before key \(row.rowKey) at \(place), \(offset) isn't before it")
        }
        last = row
      }
      sum += leaf.count
    }
    check(
      order.counts.sum(before: order.count) == sum,
      "the counts have \(order.counts.sum(before: order.count)) of \(sum) rows")
    check(count == sum, "\(count) is the count of \(sum) rows")
    check(map.count == sum, "\(map.count) keys for \(sum) rows")
    return faults + map.checkInvariants()
  }
}
