extension ChunkedRows: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// - Complexity: O(log n), where the protocol asks for O(1); `makeIterator()` goes through all rows in O(n).
  subscript(index: Int) -> Row { row(at: index) }

  func makeIterator() -> Iterator { Iterator(rows: self) }

  /// Goes through the rows as they were when it was made.
  struct Iterator: IteratorProtocol {
    private let rows: ChunkedRows
    private var place = 0
    private var leaf: ContiguousArray<Row> = []
    private var offset = 0

    fileprivate init(rows: ChunkedRows) { self.rows = rows }

    /// - Complexity: O(1).
    mutating func next() -> Row? {
      if offset == leaf.count {
        guard place < rows.order.count else { return nil }
        leaf = rows.leaf(at: place).rows
        place += 1
        offset = 0
      }
      defer { offset += 1 }
      return leaf[offset]
    }
  }
}
