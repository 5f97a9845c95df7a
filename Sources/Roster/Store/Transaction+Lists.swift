public import Foundation

extension StoreAccess where Mode == WritingMode {
  // MARK: Inserting

  /// Stores a new record at a place of its list.
  ///
  /// - Throws: ``RosterError/Code/noSuchRecord`` or ``RosterError/Code/outOfRange`` where there is no such place, and
  ///   ``RosterError/Code/misuse`` where the row that the place names is of another list than the record.
  /// - Complexity: O(log *n*) and one row written in the common case; see ``move(_:ids:to:order:)``. For an
  ///   index, a walk along an index of the database up to it.
  public func insert<R: Record>(_ record: R, at place: ListPlace<R.ID>) throws {
    try open().insert([record], at: place)
  }

  /// Stores new records of one list together at a place of it, in their order.
  public func insert<R: Record>(_ records: some Sequence<R>, at place: ListPlace<R.ID>) throws {
    try open().insert(Array(records), at: place)
  }

  /// Stores a new record under an id that the database assigns, at a place of its list, and returns it as stored.
  public func insertAssigningID<R: Record>(
    _ record: R, at place: ListPlace<R.ID>
  ) throws -> R where R.ID: FixedWidthInteger {
    try open().insertAssigningID(record, at: place)
  }

  // MARK: Moving

  /// Moves records to a place, where they then stand together.
  ///
  /// ```swift
  /// try tx.move(Todo.self, ids: [a, b], to: .before(c))
  /// ```
  ///
  /// The list is that of the row that the place names; without one, all records have to be in the same list. An id that is
  /// given twice counts once. A place beside a row that moves itself is where that row stands.
  /// - Returns: how many rows were written: none where everything stands right already, else those that move, and
  ///   neighbours that had to make room.
  /// - Throws: ``RosterError/Code/noSuchRecord`` or ``RosterError/Code/outOfRange`` where there is no such record or place,
  ///   ``RosterError/Code/misuse`` where the list is not clear, ``RosterError/Code/cannotTranslate`` where
  ///   the table keeps no order by hand. Nothing has changed then.
  /// - Complexity: O(log *n*) for a record, and one row written. Where a place is used so often that there is no room
  ///   for a position between its neighbours, up to 63 of them are written, too; on rare occasions a whole
  ///   range of the list. An index takes a walk along an index of the database up to it, for each
  ///   of the records that stands before.
  @discardableResult
  public func move<R: Record>(
    _ type: R.Type, ids: some Sequence<R.ID>, to place: ListPlace<R.ID>, order: MoveOrder = .asGiven
  ) throws -> Int {
    try open().move(ids, type, to: place, within: nil, order)
  }

  /// Moves records to a place of a list, which may be another than theirs.
  ///
  /// `scope` is a value of the property that the order is kept within. A record that comes from another list gets it.
  @discardableResult
  public func move<R: Record>(
    _ type: R.Type, ids: some Sequence<R.ID>, to place: ListPlace<R.ID>, within scope: some ColumnValue,
    order: MoveOrder = .asGiven
  ) throws -> Int {
    try open().move(ids, type, to: place, within: scope, order)
  }

  /// Moves all records of a query to a place, in the query's order.
  ///
  /// - Complexity: O(*n*) in the records that move.
  @discardableResult
  public func move<R: Record>(_ query: Query<R>, to place: ListPlace<R.ID>) throws -> Int {
    try open().move(query, to: place, within: nil)
  }

  /// Moves all records of a query to a place of a list, in the query's order.
  @discardableResult
  public func move<R: Record>(
    _ query: Query<R>, to place: ListPlace<R.ID>, within scope: some ColumnValue
  ) throws -> Int {
    try open().move(query, to: place, within: scope)
  }

  /// Moves the records at offsets of a query as a list shows it, with the meaning that list views give to the two
  /// arguments: the destination counts in the list before the move.
  ///
  /// ```swift
  /// let open = Query<Todo>().filter(#Predicate { !$0.isDone }).inManualOrder(within: inbox)
  /// try tx.move(fromOffsets: [0, 2], toOffset: 5, in: open)   // A B C D E becomes B D E A C
  /// ```
  ///
  /// Where the query does not show all of the list, the records go right before the shown one at the destination, or
  /// right after the last shown one at the end, and those not shown stay in their order.
  /// - Parameter version: what the list was when the offsets were taken from it, so that those of a list that has changed
  ///   since are refused. See ``StoreAccess/version(of:)``.
  /// - Returns: how many rows were written, none where the rows shown stay in their order.
  /// - Throws: ``RosterError/Code/outOfRange``, ``RosterError/Code/listChanged``, or ``RosterError/Code/misuse`` for a
  ///   query that is not in the order kept by hand, or whose rows are in several lists. Nothing has changed then.
  /// - Complexity: O(*n*) in the highest offset, and in the whole list where a version is given, without loading records.
  @discardableResult
  public func move<R: Record>(
    fromOffsets offsets: IndexSet, toOffset destination: Int, in query: Query<R>,
    ifUnchangedSince version: ListVersion? = nil
  ) throws -> Int {
    try open().move(fromOffsets: offsets, toOffset: destination, in: query, ifUnchangedSince: version)
  }

  /// Deletes the records at offsets of a query as a list shows it, and tells how many there were.
  ///
  /// - Throws: ``RosterError/Code/outOfRange``, ``RosterError/Code/listChanged``. Nothing has changed then.
  @discardableResult
  public func delete<R: Record>(
    atOffsets offsets: IndexSet, in query: Query<R>, ifUnchangedSince version: ListVersion? = nil
  ) throws -> Int {
    try open().delete(atOffsets: offsets, in: query, ifUnchangedSince: version)
  }

  // MARK: Whole lists

  /// Turns the order of all records round, and tells how many rows were written.
  @discardableResult
  public func reverse<R: Record>(_ type: R.Type) throws -> Int { try open().reverse(type, within: nil) }

  /// Turns the order of a list round, and tells how many rows were written.
  @discardableResult
  public func reverse<R: Record>(_ type: R.Type, within scope: some ColumnValue) throws -> Int {
    try open().reverse(type, within: scope)
  }

  /// Sorts all records once. Those that tie stay in their order, and later changes do not move a record.
  ///
  /// - Returns: how many rows were written; those of a longest part that is in order already are not.
  /// - Complexity: O(*n* log *n*).
  @discardableResult
  public func sort<R: Record>(_ type: R.Type, by descriptors: SortDescriptor<R>...) throws -> Int {
    try open().sort(type, within: nil, by: descriptors)
  }

  /// Sorts a list once. Records that tie stay in their order, and later changes do not move one.
  @discardableResult
  public func sort<R: Record>(
    _ type: R.Type, within scope: some ColumnValue, by descriptors: SortDescriptor<R>...
  ) throws -> Int {
    try open().sort(type, within: scope, by: descriptors)
  }
}
