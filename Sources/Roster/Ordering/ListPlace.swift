/// A place in a list whose order is kept by hand.
public enum ListPlace<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Before all other rows.
  case start
  /// After all other rows.
  case end
  /// Right before the row of a record.
  case before(ID)
  /// Right after the row of a record.
  case after(ID)
  /// Where the row, or the first of several, then has this index in the list, from 0.
  case index(Int)
}

/// The order in which rows land that are moved together.
public enum MoveOrder: Sendable {
  /// In the order in which they were given.
  case asGiven
  /// In the order in which they stand in their list.
  case asListed
}
