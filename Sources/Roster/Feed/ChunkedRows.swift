import Foundation

/// A row with an integer key, which tells it from all others and stays the same while its other values change.
protocol KeyedRow: Sendable {
  var rowKey: Int64 { get }
}

/// How rows are sorted. Those that compare as the same stand in the order of their keys.
protocol RowComparator<Row>: Sendable {
  associatedtype Row: KeyedRow
  func compare(_ left: Row, _ right: Row) -> ComparisonResult
}

extension RowComparator {
  /// Whether a row stands before another. No two rows with different keys have the same place.
  @inline(__always) func isBefore(_ left: Row, _ right: Row) -> Bool {
    switch compare(left, right) {
    case .orderedAscending: true
    case .orderedSame: left.rowKey < right.rowKey
    case .orderedDescending: false
    }
  }
}

/// Rows sorted by a comparator, which are found by index, by key and by place, each in logarithmic time.
///
/// It is a B-tree of two levels, an order-statistics sequence: the rows stand in leaves, and `order` has the leaves in their
/// order with their counts. The rows are always strictly ascending, no leaf is empty, and `map` has the leaf of every
/// row's key and of no other; `checkInvariants()` has it all. It is a value: a copy costs nothing, and
/// the first change after it copies what it touches and the lists of pages and leaves, 25 to 50 microseconds
/// at 1,000,000 rows.
struct ChunkedRows<Row: KeyedRow, Comparator: RowComparator<Row>>: Sendable {
  /// Up to `capacity` rows that follow each other.
  ///
  /// The keys stand apart for the search of one. In code that is specialised that saves a seventh; where it isn't, for a row of
  /// a user's type, taking each row out of the leaf for its key made it 2.5 microseconds in place of 0.3.
  struct Leaf: Sendable {
    fileprivate(set) var keys: ContiguousArray<Int64> = []
    fileprivate(set) var rows: ContiguousArray<Row> = []

    var count: Int { rows.count }
  }

  /// Where a row is: the place of its leaf, and its index there.
  private struct Position {
    var place: Int
    var offset: Int
  }

  let comparator: Comparator
  /// How many rows a leaf can have.
  let capacity: Int
  private(set) var count = 0
  private(set) var leaves = PagedArray<Leaf>()
  /// The ids of leaves that are empty and not in the order.
  private(set) var freeLeaves: ContiguousArray<Int32> = []
  private(set) var order = LeafOrder()
  private(set) var map = LeafMap()

  /// No rows. A capacity below 4 is taken for 4, one above 2^16 for 2^16.
  ///
  /// 64 and 128 rows to a leaf measure the same; with 32 the lists of leaves and with 256 the copies of leaves cost a third
  /// more at 1,000,000 rows.
  init(by comparator: Comparator, capacity: Int = 128) {
    self.comparator = comparator
    self.capacity = Swift.min(Swift.max(capacity, 4), 1 << 16)
  }

  /// The rows given, which should be sorted already. Where a key comes twice, the last row with it is taken.
  ///
  /// - Complexity: O(n) where they are sorted, with n - 1 comparisons, else O(n log n).
  init(_ rows: some Collection<Row>, by comparator: Comparator, capacity: Int = 128) {
    self.init(by: comparator, capacity: capacity)
    if !fill(rows) {
      removeAll()
      for row in rows where insert(row) == nil { move(row) }
    }
  }

  /// Makes full leaves of the rows, until one isn't behind the one before it, or repeats a key: then it is false.
  private mutating func fill(_ rows: some Collection<Row>) -> Bool {
    map = LeafMap(minimumCapacity: rows.count)
    var leaf = Leaf()
    for row in rows {
      if let last = leaf.rows.last, !comparator.isBefore(last, row) { return false }
      if leaf.count == capacity {
        append(leaf)
        leaf = Leaf()
      }
      if leaf.count == 0 {
        leaf.keys.reserveCapacity(Swift.min(capacity, rows.count - count))
        leaf.rows.reserveCapacity(Swift.min(capacity, rows.count - count))
      }
      map.set(leaves.count, for: row.rowKey)
      leaf.keys.append(row.rowKey)
      leaf.rows.append(row)
    }
    if leaf.count > 0 { append(leaf) }
    return map.count == count
  }

  private mutating func append(_ leaf: Leaf) {
    count += leaf.count
    addLeaf(leaf, at: order.count)
  }

  // MARK: Look-ups

  /// The leaf at a place of the order.
  func leaf(at place: Int) -> Leaf { leaves[order[place]] }

  /// - Complexity: O(1) for the leaf, O(capacity) for a scan of its keys.
  private func find(_ key: Int64) -> Position? {
    guard let leaf = map[key], let place = order.place(of: leaf) else { return nil }
    return leaves[leaf].keys.firstIndex(of: key).map { Position(place: place, offset: $0) }
  }

  private func index(of position: Position) -> Int { order.counts.sum(before: position.place) + position.offset }

  /// The index of the row with a key.
  ///
  /// - Complexity: O(log n + capacity).
  func index(ofKey key: Int64) -> Int? { find(key).map { index(of: $0) } }

  /// The row with a key.
  ///
  /// - Complexity: O(capacity).
  func row(forKey key: Int64) -> Row? { find(key).map { leaf(at: $0.place).rows[$0.offset] } }

  /// The row at an index, which has to be in the bounds.
  ///
  /// - Complexity: O(log n).
  func row(at index: Int) -> Row {
    let (place, offset) = order.counts.find(index)
    return leaf(at: place).rows[offset]
  }

  /// The index at which a row stands or would stand: that of the first row that isn't before it.
  ///
  /// - Complexity: O(log n) comparisons.
  func insertionIndex(of row: Row) -> Int { index(of: position(for: row)) }

  /// The position behind the last row that is before this one. The first of a leaf it is only where no row is before it.
  private func position(for row: Row) -> Position {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if comparator.isBefore(leaf(at: middle).rows[0], row) { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return Position(place: 0, offset: 0) }
    return leaf(at: low - 1).rows.withUnsafeBufferPointer { rows in
      let place = low - 1
      low = 1
      high = rows.count
      while low < high {
        let middle = (low + high) / 2
        if comparator.isBefore(rows[middle], row) { low = middle + 1 } else { high = middle }
      }
      return Position(place: place, offset: low)
    }
  }

  // MARK: Changes

  /// Inserts a row where it belongs and returns its index; nil where there is one with its key, which then stays.
  ///
  /// - Complexity: O(log n) comparisons, O(capacity) moves of rows; for one in capacity / 2, O(n / capacity) besides.
  @discardableResult
  mutating func insert(_ row: Row) -> Int? {
    guard map[row.rowKey] == nil else { return nil }
    let position = put(row)
    return index(of: position)
  }

  /// Removes the row with a key; nil where there is none.
  ///
  /// - Complexity: O(log n + capacity); for one in capacity / 4, O(n / capacity) besides.
  @discardableResult
  mutating func remove(key: Int64) -> (index: Int, row: Row)? {
    guard let position = find(key) else { return nil }
    let index = index(of: position)
    map.remove(key)
    return (index, take(position))
  }

  /// Puts a row in the place of the one with its key and returns the index; nil, and nothing is changed, where there is none,
  /// or where it doesn't belong there.
  ///
  /// - Complexity: O(log n + capacity), with two comparisons.
  @discardableResult
  mutating func replace(_ row: Row) -> Int? {
    guard let position = find(row.rowKey), replace(row, at: position) else { return nil }
    return index(of: position)
  }

  /// Puts a row where it belongs in the place of the one with its key; nil, and nothing is changed, where there is none.
  ///
  /// `from` is the index before. `to` is the index after: one at which it is inserted when the old row has been removed.
  ///
  /// - Complexity: as of `remove(key:)` and `insert(_:)`; where the index stays, as of `replace(_:)`.
  @discardableResult
  mutating func move(_ row: Row) -> (from: Int, to: Int)? {
    guard let old = find(row.rowKey) else { return nil }
    let from = index(of: old)
    if replace(row, at: old) { return (from, from) }
    _ = take(old)
    // Not as the argument of `index(of:)`, for which the whole value is copied first: then `put` copies all that it touches.
    let new = put(row)
    return (from, index(of: new))
  }

  /// - Complexity: O(n).
  mutating func removeAll() { self = ChunkedRows(by: comparator, capacity: capacity) }

  private mutating func replace(_ row: Row, at position: Position) -> Bool {
    // By a function of its own, in which nothing of the leaf is held any longer when it is changed.
    guard belongs(row, at: position) else { return false }
    leaves[order[position.place]].rows[position.offset] = row
    return true
  }

  /// Whether a row can stand in the place of the one at a position.
  private func belongs(_ row: Row, at position: Position) -> Bool {
    let rows = leaf(at: position.place).rows
    let before = position.offset > 0 ? rows[position.offset - 1] : last(ofPlace: position.place - 1)
    if let before, !comparator.isBefore(before, row) { return false }
    let after = position.offset + 1 < rows.count ? rows[position.offset + 1] : first(ofPlace: position.place + 1)
    if let after, !comparator.isBefore(row, after) { return false }
    return true
  }

  private func first(ofPlace place: Int) -> Row? { place < order.count ? leaf(at: place).rows.first : nil }
  private func last(ofPlace place: Int) -> Row? { place >= 0 ? leaf(at: place).rows.last : nil }

  /// Puts a row that isn't there where it belongs. The map may have its key already, with any leaf.
  private mutating func put(_ row: Row) -> Position {
    let position = makeRoom(at: position(for: row))
    let id = order[position.place]
    leaves[id].insert(row, at: position.offset)
    map.set(id, for: row.rowKey)
    order.add(1, at: position.place)
    count += 1
    return position
  }

  /// Makes a place for one row in a leaf, and returns where it then is.
  private mutating func makeRoom(at position: Position) -> Position {
    guard position.place < order.count else {
      addLeaf(Leaf(), at: position.place)
      return position
    }
    let size = leaf(at: position.place).count
    guard size >= capacity else { return position }
    // At the ends of all rows the full leaf stays, so that rows that come in their order fill each leaf.
    if position.place == order.count - 1, position.offset == size {
      addLeaf(Leaf(), at: position.place + 1)
      return Position(place: position.place + 1, offset: 0)
    }
    if position.offset == 0 {
      addLeaf(Leaf(), at: 0)
      return position
    }
    let half = size / 2
    addLeaf(Leaf(), at: position.place + 1)
    shift(position.place, to: half)
    return position.offset <= half
      ? position : Position(place: position.place + 1, offset: position.offset - half)
  }

  /// Takes a row away, but not its key from the map.
  private mutating func take(_ position: Position) -> Row {
    let row = leaves[order[position.place]].remove(at: position.offset)
    order.add(-1, at: position.place)
    count -= 1
    let size = leaf(at: position.place).count
    if size == 0 {
      removeLeaf(at: position.place)
    } else if size < minimum, position.place > 0, position.place < order.count - 1 {
      // Not at the ends, where rows may come and go at a full leaf's edge.
      refill(position.place)
    }
    return row
  }

  /// The fewest rows of a leaf that is neither the first nor the last. A quarter, so that half a leaf is between a split
  /// and the next merge.
  var minimum: Int { capacity / 4 }

  /// Puts a leaf's rows together with those of its smaller neighbour, or takes some of them.
  private mutating func refill(_ place: Int) {
    let isLeft = leaf(at: place - 1).count < leaf(at: place + 1).count
    let left = isLeft ? place - 1 : place
    let (first, second) = (leaf(at: left).count, leaf(at: left + 1).count)
    let total = first + second
    if total > capacity * 3 / 4 {
      shift(left, to: total / 2)
    } else if first < second {
      // Into the larger of them, since each row that changes its leaf is looked up in the map.
      shift(left, to: 0)
      removeLeaf(at: left)
    } else {
      shift(left, to: total)
      removeLeaf(at: left + 1)
    }
  }

  /// Moves rows between a leaf and the next one, so that the first has so many.
  private mutating func shift(_ place: Int, to size: Int) {
    let (first, second) = (order[place], order[place + 1])
    let change = size - leaves[first].count
    if change < 0 {
      let moved = leaves[first].removeLast(-change)
      for key in moved.keys { map.set(second, for: key) }
      leaves[second].prepend(moved)
    } else {
      let moved = leaves[second].removeFirst(change)
      for key in moved.keys { map.set(first, for: key) }
      leaves[first].append(moved)
    }
    order.add(change, at: place)
    order.add(-change, at: place + 1)
  }

  private mutating func addLeaf(_ leaf: Leaf, at place: Int) {
    let id = freeLeaves.popLast().map { Int($0) } ?? leaves.count
    if id < leaves.count { leaves[id] = leaf } else { leaves.append(leaf) }
    order.insert(id, rows: leaf.count, at: place)
  }

  private mutating func removeLeaf(at place: Int) {
    let id = order[place]
    // Its memory goes as well.
    leaves[id] = Leaf()
    freeLeaves.append(Int32(truncatingIfNeeded: id))
    order.remove(at: place)
  }
}

extension ChunkedRows.Leaf {
  fileprivate mutating func insert(_ row: Row, at offset: Int) {
    keys.insert(row.rowKey, at: offset)
    rows.insert(row, at: offset)
  }

  fileprivate mutating func remove(at offset: Int) -> Row {
    keys.remove(at: offset)
    return rows.remove(at: offset)
  }

  fileprivate mutating func removeFirst(_ count: Int) -> Self {
    let moved = Self(keys: ContiguousArray(keys[..<count]), rows: ContiguousArray(rows[..<count]))
    keys.removeFirst(count)
    rows.removeFirst(count)
    return moved
  }

  fileprivate mutating func removeLast(_ count: Int) -> Self {
    let rest = self.count - count
    let moved = Self(keys: ContiguousArray(keys[rest...]), rows: ContiguousArray(rows[rest...]))
    keys.removeLast(count)
    rows.removeLast(count)
    return moved
  }

  fileprivate mutating func prepend(_ other: Self) {
    if count == 0 {
      self = other
    } else {
      keys.insert(contentsOf: other.keys, at: 0)
      rows.insert(contentsOf: other.rows, at: 0)
    }
  }

  fileprivate mutating func append(_ other: Self) {
    keys.append(contentsOf: other.keys)
    rows.append(contentsOf: other.rows)
  }
}
