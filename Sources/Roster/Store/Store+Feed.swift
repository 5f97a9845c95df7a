import struct Foundation.Date

extension Store {
  /// The changes of the database from a cursor on, by this store, by others of this process, and by other processes.
  ///
  /// ```swift
  /// for try await batch in store.changes(since: cursor) {
  ///   for change in batch.changes where change.table == Todo.table.name { … }
  ///   cursor = batch.cursor
  /// }
  /// ```
  ///
  /// Without a cursor it begins with what is committed after the call of the iterator's first `next`.
  ///
  /// Where another file is put in the place of the database, or it is moved away, the consumer gets a batch that says to
  /// read anew, and then the error ``RosterError/Code/fileReplaced``.
  public func changes(since cursor: FeedCursor? = nil) -> ChangeFeed {
    ChangeFeed(signal: signal, start: cursor) { [weak self] cursor in
      guard let self else { return nil }
      try noticeOthers()
      return try await read { snapshot in
        guard let cursor else { return ChangeBatch(changes: [], cursor: try snapshot.feedCursor(), isReset: false) }
        return try snapshot.changes(since: cursor)
      }
    }
  }

  /// From now on commits of other connections give the signal, too.
  func noticeOthers() throws(RosterError) {
    guard let url, !signal.isFinished, notice.withLock({ $0 == nil }) else { return }
    let opening = StoreOpening(
      path: try StoreFile.path(of: url), options: StoreOptions(), records: [], migrator: migrator)
    let new = ChangeNotice(try opening.openReader(of: file), signal: signal)
    notice.withLock { notice in if notice == nil, !signal.isFinished { notice = new } }
  }

  /// After a commit that changed something: tells of it, and now and then keeps the log short.
  func committed(on connection: Connection) {
    signal.notify()
    let changes = connection.totalChanges
    let isDue = lastMaintenance.withLock { last in
      let interval = logRetention.interval.map { Duration.milliseconds($0) }
      if let last {
        let isLong = changes - last.changes > max(Int(logRetention.count / 8), 1)
        guard isLong || interval.map({ ContinuousClock.now - last.time >= $0 }) ?? false else { return false }
      }
      last = (changes, .now)
      return true
    }
    if isDue { maintainLog(on: connection) }
  }

  /// Keeps the log short, where that is due.
  ///
  /// It waits for nobody, since the caller waits for it; and where it cannot be done now, it will be at the next opportunity.
  func maintainLog(on connection: Connection) {
    connection.setBusyTimeout(.zero)
    let now = Int64(Date.now.timeIntervalSince1970 * 1000)
    try? ChangeLog(connection: connection).maintain(logRetention, now: now)
    connection.setBusyTimeout(busyTimeout)
  }
}

extension Store {
  /// The list of a query, kept current.
  ///
  /// ```swift
  /// for try await update in store.updates(of: Query<Todo>().inManualOrder(within: inbox)) {
  ///   print(update.records.count, update.changes.moves.count)
  /// }
  /// ```
  ///
  /// A change costs what it touches, not what the list holds. Only a query with a limit, an offset or a start is fetched
  /// anew, and compared by ids.
  /// - Throws: when it is read, ``RosterError/Code/cannotTranslate`` for a query that has no SQL.
  public func updates<R: Record>(of query: Query<R>) -> ListUpdates<R> {
    ListUpdates(signal: signal) { [weak self] state in
      guard let self else { return nil }
      try noticeOthers()
      return try await read { snapshot in
        let connection = try snapshot.open()
        let reader = try ListReader(query)
        guard var state else { return (try ListState(reader, on: connection), .all) }
        let touched = try state.update(reader, on: connection)
        return (state, touched)
      }
    }
  }
}
