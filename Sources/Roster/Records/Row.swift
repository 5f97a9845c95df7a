/// The row that a statement stands on, as the decoder of a record sees it.
///
/// It is lent and cannot be kept.
public struct Row: ~Copyable {
  @usableFromInline let statement: OpaquePointer
  // Where each of the table's columns stands in the result; nil where they stand in the table's order.
  @usableFromInline let places: UnsafePointer<Int32>?

  init(statement: OpaquePointer, places: UnsafePointer<Int32>? = nil) {
    self.statement = statement
    self.places = places
  }

  /// The value of the table's column at an index from 0.
  @inlinable func cell(_ index: Int) -> Cell {
    Cell(statement: statement, index: places.map { $0[index] } ?? Int32(truncatingIfNeeded: index))
  }
}
