extension StoreAccess {
  /// Where the change feed stands: what is written after this state of the database comes after it.
  ///
  /// - Throws: ``RosterError/Code/misuse`` for a file that was never opened for writing, which has no log of changes.
  public func feedCursor() throws -> FeedCursor { try open().feedCursor() }

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
