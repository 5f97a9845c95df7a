extension StoreAccess where Mode == WritingMode {
  /// Stores a new record, at the end of its list where the table's order is kept by hand.
  ///
  /// - Throws: ``RosterError/Code/uniqueViolation`` where its id, or another unique value, is taken.
  public func insert<R: Record>(_ record: R) throws { try open().append(record) }

  /// Stores new records, in their order.
  public func insert<R: Record>(_ records: some Sequence<R>) throws {
    for record in records { try insert(record) }
  }

  /// Stores a new record under an id that the database assigns, whatever id it has, and returns it as stored.
  public func insertAssigningID<R: Record>(_ record: R) throws -> R where R.ID: FixedWidthInteger {
    let connection = try open()
    return try R.table.order == nil
      ? connection.insertAssigningID(record) : connection.insertAssigningID(record, at: .end)
  }

  /// Stores a record, whether one with its id exists or not.
  public func upsert<R: Record>(_ record: R) throws { try open().upsertInOrder(record) }

  /// Writes every property of a record that exists.
  ///
  /// Its place in an order kept by hand stays, unless it comes into another list by the update: then it is the last there.
  /// A text that was read from invalid UTF-8 and is unchanged is left as it is stored.
  /// - Throws: ``RosterError/Code/noSuchRecord`` where it does not exist.
  public func update<R: Record>(_ record: R) throws { try open().updateInOrder(record) }

  /// Writes the properties that are not as in the record's old value. Where none is, nothing is written.
  ///
  /// - Throws: ``RosterError/Code/noSuchRecord`` where the record does not exist and something would be written.
  public func update<R: Record>(_ record: R, from old: R) throws { try open().updateInOrder(record, from: old) }

  /// Sets properties of all records of a query, and tells how many there are.
  ///
  /// ```swift
  /// try tx.update(Query<Todo>().filter(#Predicate { !$0.isDone }), .set(\.isDone, to: true))
  /// ```
  @discardableResult
  public func update<R: Record>(_ query: Query<R>, _ assignments: Assignment<R>...) throws -> Int {
    try open().updateInOrder(query, assignments)
  }

  /// Deletes the record with an id. False where there is none.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, id: R.ID) throws -> Bool { try open().delete(type, id: id) }

  /// Deletes all records of a query, and tells how many there were.
  @discardableResult
  public func delete<R: Record>(_ query: Query<R>) throws -> Int { try open().delete(query) }

  /// Runs a raw statement that returns nothing, and tells how many rows it changed.
  ///
  /// A statement that begins or ends a transaction, or attaches a database, is refused.
  @discardableResult
  public func execute(_ sql: SQL) throws -> Int { try open().run(sql) }

  /// Runs `body` as a part that can fail by itself: where it throws, its changes alone are undone.
  @discardableResult
  public mutating func savepoint<T>(_ body: (inout Transaction) throws -> T) throws -> T {
    let name = "roster_\(depth)"
    depth += 1
    defer { depth -= 1 }
    return try open().savepoint(name) { try body(&self) }
  }
}
