extension StoreAccess {
  /// Where the change feed stands: what is written after this state of the database comes after it.
  ///
  /// - Throws: ``RosterError/Code/misuse`` for a file that was never opened for writing, which has no log of changes.
  public func feedCursor() throws -> FeedCursor { try open().feedCursor() }

  /// The cursor that has read the change feed up to a number: ``FeedCursor/sequence`` of an earlier one, or
  /// ``RecordChange/sequence`` of a change.
  ///
  /// The number is taken for one of the log that the database has now. A cursor that is kept as a whole also tells when
  /// that is another one, as in a restored file; where there is a choice, keep that.
  /// - Parameter sequence: from 0, where nothing has been read. One that the log does not reach back to any more is a
  ///   cursor from which the next batch is a reset.
  /// - Throws: ``RosterError/Code/outOfRange`` for a negative number, and for one that the log has not come to;
  ///   ``RosterError/Code/misuse`` for a file that has no log of changes.
  /// - Complexity: O(1).
  public func feedCursor(at sequence: Int64) throws -> FeedCursor { try open().feedCursor(at: sequence) }

  /// The cursor before all that the log of changes still holds. Its ``FeedCursor/sequence`` is 0 as long as the log was
  /// not pruned.
  ///
  /// - Throws: ``RosterError/Code/misuse`` for a file that has no log of changes.
  /// - Complexity: O(1).
  public func firstFeedCursor() throws -> FeedCursor { try open().firstFeedCursor() }

  /// What became of the records of the store since a cursor, whoever wrote them, up to this state of the database.
  ///
  /// - Complexity: O(*n*) in the rows of the log since the cursor.
  public func changes(since cursor: FeedCursor) throws -> ChangeBatch {
    try open().changes(since: cursor, tables: tables)
  }

  /// The cursor that a consumer with a name has stored; nil where there is none.
  public func feedCursor(of consumer: String) throws -> FeedCursor? { try open().storedCursor(of: consumer) }
}

extension StoreAccess where Mode == WritingMode {
  /// Stores how far a consumer has read, in the same transaction as what it made of the changes: so each is seen once,
  /// however the process ends.
  ///
  /// ```swift
  /// try store.write { tx in
  ///   let batch = try tx.changes(since: tx.feedCursor(of: "mirror") ?? tx.feedCursor())
  ///   …
  ///   try tx.setFeedCursor(batch.cursor, of: "mirror")
  /// }
  /// ```
  ///
  /// The log is not pruned beyond what a consumer with a name has read, unless that is asked for.
  public func setFeedCursor(_ cursor: FeedCursor, of consumer: String) throws {
    try open().store(cursor, of: consumer)
  }

  /// Forgets a consumer, so that the log may be pruned without it. False where there is none of the name.
  @discardableResult
  public func removeFeedConsumer(_ name: String) throws -> Bool { try open().removeConsumer(name) }

  /// Deletes the oldest rows of the change log but for so many, and returns how many went. Consumers that have not read
  /// them are told to read anew.
  ///
  /// What a consumer with a name has yet to read stays, but for `evenUnread`: for one that will not come again, whose name
  /// is not known. ``removeFeedConsumer(_:)`` is the better way for one whose name is.
  /// - Complexity: O(*n*) in the rows deleted.
  @discardableResult
  public func pruneChangeLog(keeping count: Int, evenUnread: Bool = false) throws -> Int {
    try ChangeLog(connection: open()).prune(keeping: Int64(count), evenUnread: evenUnread)
  }
}
