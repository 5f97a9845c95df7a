/// What a closure may do to a store while it holds a snapshot or a transaction.
///
/// It cannot be copied and cannot leave the closure it is lent to. ``Snapshot`` reads; ``Transaction`` also writes.
public struct StoreAccess<Mode>: ~Copyable {
  let connection: Connection
  let cancellation: Cancellation?
  /// The store's tables, by what the log of changes calls them.
  let tables: [String: RecordTable]
  var depth = 0

  init(_ connection: Connection, _ cancellation: Cancellation?, _ tables: [String: RecordTable]) {
    self.connection = connection
    self.cancellation = cancellation
    self.tables = tables
  }

  /// The connection, where the transaction still stands.
  ///
  /// After some errors, such as a full disk, SQLite has rolled back already. What came after would be outside
  /// of any transaction, and stay where the closure fails. https://www.sqlite.org/lang_transaction.html
  func open() throws -> Connection {
    if cancellation?.isCancelled == true { throw CancellationError() }
    guard connection.isInTransaction else {
      throw RosterError(
        .misuse, "The transaction was rolled back by an earlier error; let that error leave the closure.")
    }
    return connection
  }
}

/// Marks an access that reads. It has no values.
public enum ReadingMode {}
/// Marks an access that reads and writes. It has no values.
public enum WritingMode {}

/// One state of the database, which no writer changes while the closure reads it.
public typealias Snapshot = StoreAccess<ReadingMode>
/// A transaction: all of its changes are stored, or none.
public typealias Transaction = StoreAccess<WritingMode>

extension StoreAccess {
  /// The records of a query, in its order.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate`` where a predicate or sort has no SQL, and
  ///   ``RosterError/Code/typeMismatch`` where a row is no value of the record's type.
  /// - Complexity: O(*n*) in the records fetched, and what SQLite needs to find and sort them.
  public func fetch<R: Record>(_ query: Query<R>) throws -> [R] { try open().fetch(query) }

  /// The first record of a query, in its order.
  public func first<R: Record>(_ query: Query<R>) throws -> R? { try open().first(query) }

  /// The record with an id; nil where there is none.
  ///
  /// - Complexity: O(log *n*) in the rows of the table, by a statement that is prepared once.
  public func fetch<R: Record>(_ type: R.Type, id: R.ID) throws -> R? { try open().fetch(type, id: id) }

  /// The records with the ids, in the order of the ids. Those that do not exist are left out.
  public func fetch<R: Record>(_ type: R.Type, ids: some Sequence<R.ID>) throws -> [R] {
    try ids.compactMap { try fetch(type, id: $0) }
  }

  /// Calls `body` with each record of a query, in its order, without holding them all.
  public func forEach<R: Record>(_ query: Query<R>, _ body: (R) throws -> Void) throws {
    try open().forEach(query, body)
  }

  /// How many records a query has.
  public func count<R: Record>(_ query: Query<R>) throws -> Int { try open().count(query) }

  /// Whether a query has any record.
  public func exists<R: Record>(_ query: Query<R>) throws -> Bool { try open().exists(query) }

  /// Whether there is a record with the id.
  public func exists<R: Record>(_ type: R.Type, id: R.ID) throws -> Bool { try open().exists(type, id: id) }

  /// The records of a raw statement. Its columns are found by the names that the table declares.
  public func fetch<R: Record>(_ sql: SQL, as type: R.Type) throws -> [R] {
    try reading(sql).fetch(sql, as: type)
  }

  /// The rows of a raw statement, as tuples.
  ///
  /// ```swift
  /// let counts = try $0.fetch("SELECT list_id, count(*) FROM \(Todo.self) GROUP BY 1", as: (UUID, Int).self)
  /// ```
  public func fetch<each V: ColumnValue>(
    _ sql: SQL, as types: (repeat each V).Type
  ) throws -> [(repeat each V)] {
    let connection = try reading(sql)
    return try connection.fetchRows(sql)
  }

  /// The values of a raw statement that has one column.
  ///
  /// ```swift
  /// let titles = try $0.fetch("SELECT DISTINCT title FROM \(Todo.self)", as: String.self)
  /// ```
  public func fetch<V: ColumnValue>(_ sql: SQL, as type: V.Type) throws -> [V] {
    try reading(sql).fetchValues(sql, as: type)
  }

  /// The rows of a raw statement as they are stored.
  public func rows(_ sql: SQL) throws -> [[SQLiteValue]] { try reading(sql).rows(sql.text, sql.arguments) }

  private func reading(_ sql: SQL) throws -> Connection {
    let connection = try open()
    if Mode.self == ReadingMode.self, !(try connection.statement(sql.text).isReadOnly) {
      throw RosterError(.readOnly, "A snapshot only reads, and the statement writes.", sql: sql.text)
    }
    return connection
  }
}
