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
        self.mendLogSoon(try snapshot.open())
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

  /// Makes the log's triggers and the indexes for search anew in a transaction where the schema has changed, and with it they may have gone: by another
  /// program's migration, or by somebody who has rebuilt a table.
  ///
  /// What fails here fails no write.
  func mendLog(on connection: Connection) {
    guard let version = try? connection.value("PRAGMA schema_version"), loggedSchema.withLock({ $0 != version })
    else { return }
    if connection.quietly != nil {
      try? connection.savepoint("roster_mend") { try ChangeLog(connection: connection).mend(records) }
    }
    try? connection.savepoint("roster_mend") { try SearchIndex.mend(records, on: connection) }
    let mended = try? connection.value("PRAGMA schema_version")
    loggedSchema.withLock { $0 = mended }
  }

  /// After a transaction that was undone, in which the schema may have been another.
  func forgetSchema(of connection: Connection) {
    loggedSchema.withLock { $0 = nil }
    connection.textFinder = SearchFinder()
  }

  /// Has that done by the writer, where a reader comes upon another schema.
  func mendLogSoon(_ connection: Connection) {
    guard let writer, let version = try? connection.value("PRAGMA schema_version"),
      loggedSchema.withLock({ $0 != version })
    else { return }
    // Once for each.
    let isAsked = schemaToMend.withLock { asked in
      defer { asked = version }
      return asked == version
    }
    guard !isAsked else { return }
    writer.run({ [weak self] in try self?.transaction(on: $0, nil, nil) { _ in } }, then: { _ in })
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
  /// A change costs what it touches, not what the list holds, unless the query has a limit, an offset, a start, or an SQL
  /// condition that reads other rows: then the list is fetched anew when a table that it reads has changed, and compared by
  /// ids. ``isMaintained(_:)`` tells which of the two it is.
  /// - Throws: when it is read, ``RosterError/Code/cannotTranslate`` for a query that has no SQL.
  /// - Parameter origin: whose writes have no changes, for a consumer that knows of them: see
  ///   ``LiveList/changes(ignoring:)``.
  public func updates<R: Record>(of query: Query<R>, ignoring origin: ChangeOrigin? = nil) -> ListUpdates<R> {
    updates(of: .query(query), ignoring: origin)
  }

  /// The list that a statement returns, kept current: fetched anew when a table that it reads has changed, beside the
  /// writer, and compared by ids.
  ///
  /// ```swift
  /// struct ListCount: Record { let id: UUID; let open: Int; static let table = Table("list_count", …) }
  /// let counts = store.updates(of: "SELECT list_id AS id, count(*) AS open FROM todo GROUP BY 1", as: ListCount.self)
  /// ```
  ///
  /// Its columns are found by the names that the record's table declares; that table need not exist.
  /// Two rows with one id are an error.
  /// - Complexity: O(*n*) in the rows for each change of a table that it reads.
  public func updates<R: Record>(of sql: SQL, as type: R.Type) -> ListUpdates<R> {
    updates(of: .sql(sql), ignoring: nil)
  }

  private func updates<R: Record>(of source: ListReader<R>.Source, ignoring origin: ChangeOrigin?) -> ListUpdates<R> {
    ListUpdates(
      following: following { connection in try ListState(try ListReader(source), on: connection) },
      makeAdjust: { [weak self] in origin.flatMap { self?.ownWrites($0, source) } })
  }

  /// Puts the rows that an origin's writes from now on leave in a list into what a consumer knows of it. Nil for a query
  /// that has no SQL.
  func ownWrites<R: Record>(
    _ origin: ChangeOrigin, _ source: ListReader<R>.Source
  ) -> Following<ListState<R>>.Adjust? {
    guard let reader = try? ListReader(source) else { return nil }
    let own = OwnWrites(origin, reader)
    listeners.withLock { $0.append(WeakListener(value: own)) }
    return { seen, old, new in own.put(into: seen.rows, from: old, upTo: new.cursor) }
  }

  /// The list of a query in sections, kept current: as ``updates(of:)``, with sections.
  public func updates<R: Record, Key: Hashable & Sendable, Header: Sendable>(
    of query: Query<R>, sections: ListSections<R, Key, Header>
  ) -> SectionedListUpdates<R, Key, Header> {
    SectionedListUpdates(
      following: following { connection in try SectionState(try ListReader(query), sections, on: connection) })
  }

  /// The values of one record, from the present one on, whoever writes; nil is one that is not there.
  public func updates<R: Record>(of type: R.Type, id: R.ID) -> RecordUpdates<R> {
    RecordUpdates(following: following { connection in try RecordState(id, on: connection) })
  }

  /// Whether a live list of the query is kept current by the rows that changed, and not fetched anew.
  public func isMaintained<R: Record>(_ query: Query<R>) throws -> Bool {
    try read { snapshot in
      if case .maintained = try ListReader(query).plan(on: snapshot.open()) { true } else { false }
    }
  }

  /// Follows what `first` makes of the database, without keeping the store open.
  func following<Subject: Followed>(
    _ first: @escaping @Sendable (Connection) throws -> Subject
  ) -> Following<Subject> {
    Following(signal: signal) { [weak self] subject in
      guard let self else { return nil }
      return try await advance(subject, first)
    }
  }

  /// The present state of what is followed, with what may be other in it than in the one given.
  func advance<Subject: Followed>(
    _ subject: Subject?, _ first: @escaping @Sendable (Connection) throws -> Subject
  ) async throws -> (Subject, Subject.Touched?) {
    try noticeOthers()
    // Two changes of threads take longer than a few rows.
    if let subject, let quick = try advanceIfQuick(subject, first) { return quick }
    return try await read { try self.advance(subject, first, on: $0.open()) }
  }

  /// The same on this thread; nil where it may take long, or there is no reader to be had at once.
  private func advanceIfQuick<Subject: Followed>(
    _ subject: Subject, _ first: (Connection) throws -> Subject
  ) throws -> (Subject, Subject.Touched?)? {
    let outcome = try readers?.readIfIdle { connection in
      try snapshot(on: connection, nil) { snapshot in
        let connection = try snapshot.open()
        return try subject.isQuick(on: connection) ? advance(subject, first, on: connection) : nil
      }
    }
    return outcome ?? nil
  }

  /// The same on a snapshot at hand.
  func advance<Subject: Followed>(
    _ subject: Subject?, _ first: (Connection) throws -> Subject, on connection: Connection
  ) throws -> (Subject, Subject.Touched?) {
    mendLogSoon(connection)
    guard var subject else { return (try first(connection), nil) }
    let touched = try subject.update(on: connection)
    return (subject, touched)
  }
}
