public import Foundation

/// A database file and the records in it.
///
/// ```swift
/// let store = try Store(at: url, records: [Todo.self], migrations: embeddedMigrations)
/// try store.write { tx in try tx.insert(todo) }
/// let open = try store.read { try $0.fetch(Query<Todo>().filter(#Predicate { !$0.isDone })) }
/// ```
///
/// Writes take turns, in the order of their calls; across processes they wait for each other up to the busy
/// timeout. Reads run on snapshots beside the writes and never wait for them. A store can be used from any
/// thread and any task.
///
/// Where another file is put in the place of the database, such as a backup that is restored, or it is moved away, every
/// read and write from then on fails with ``RosterError/Code/fileReplaced``.
public final class Store: Sendable {
  /// The file; nil for a store in memory.
  public let url: URL?
  /// The tables whose rows were given places of their own in their lists when the store opened.
  public let adoptions: [OrderAdoption]
  let records: [any Record.Type]
  private let tables: [String: RecordTable]
  let logRetention: LogRetention
  let busyTimeout: Duration
  // The writer's count of changes when the log was last looked after, and when that was.
  let lastMaintenance = Guarded<(changes: Int, time: ContinuousClock.Instant)?>(nil)
  let signal = CommitSignal()
  // The version of the schema in which the log's triggers were last seen to be right.
  let loggedSchema = Guarded<SQLiteValue?>(nil)
  // The one that the writer was last asked to look at.
  let schemaToMend = Guarded<SQLiteValue?>(nil)
  // The tables whose texts are searched.
  let searches: [SearchDeclaration]
  // What is to be indexed in the background.
  let indexing = Guarded(IndexWork())
  // Who wants to hear of writes of an origin before they are committed.
  let listeners = Guarded<[WeakListener]>([])
  // Made when somebody first wants to hear of changes.
  let notice = Guarded<ChangeNotice?>(nil)
  let migrator: Migrator
  /// The file that was opened; nil in memory, and where nothing changes it.
  let file: DatabaseFile?
  let writer: Writer?
  let readers: ReaderPool?

  /// Opens a database file, makes it where there is none, and applies the pending migrations.
  ///
  /// Nothing in the file changes where opening fails before the first migration. Of several, each that
  /// was applied stays.
  /// - Throws: a ``RosterError``: `notADatabase`, `corrupt`, `cannotOpen`, `readOnly`, `noSuchFile` or `busy`, for
  ///   what is wrong with the file; `migrationEdited`, `migrationMissing`, `migrationOutOfOrder`, `fromNewerVersion`,
  ///   `migrationInvalid` or `migrationFailed`; `schemaMismatch`, which lists every column that is not as
  ///   a record declares it; `invalidTable`; `unsupportedLibrary`.
  public init(
    at url: URL, records: [any Record.Type] = [], migrations: [Migration] = [],
    options: StoreOptions = StoreOptions()
  ) throws(RosterError) {
    self.url = url
    logRetention = LogRetention(count: options.changeLogLimit, age: options.changeLogAge)
    busyTimeout = options.busyTimeout
    self.records = records
    tables = RecordTable.all(of: records)
    searches = SearchDeclaration.all(of: records)
    migrator = try Migrator(migrations)
    let unindexed = SearchAlarm()
    let opening = StoreOpening(
      path: try StoreFile.path(of: url), options: options, records: records, migrator: migrator,
      alarm: { unindexed.sound($0) })
    if options.access == .readOnly {
      writer = nil
      adoptions = []
      let first = try opening.openReadOnly()
      try opening.checkReadOnly(first)
      let file = first.file
      self.file = file
      // Kept open, so that no other file gets the number that the system knows this one by.
      readers = ReaderPool(limit: options.readerCount, first: first) { () throws(RosterError) in
        try opening.openReader(of: file)
      }
    } else {
      let (connection, adopted) = try opening.openWriter()
      adoptions = adopted
      let schema = try connection.value("PRAGMA schema_version")
      // Asked here, so that no thread begins for nothing.
      var isUnindexed = false
      for index in searches.map({ SearchIndex($0, on: connection) }) {
        if try index.leftCount(upTo: 1) > 0 { isUnindexed = true }
        // A table of a damaged index may be missing, which is found out elsewhere.
        if (try? index.isUnmerged()) == true {
          isUnindexed = true
          indexing.withLock { $0.isMerging = true }
        }
      }
      loggedSchema.withLock { $0 = schema }
      writer = Writer(connection)
      let file = connection.file
      self.file = file
      readers = ReaderPool(limit: options.readerCount) { () throws(RosterError) in
        try opening.openReader(of: file)
      }
      unindexed.wakes { [weak self] isDamaged in self?.indexSoon(isDamaged: isDamaged) }
      if isUnindexed { indexSoon() }
    }
  }

  /// Opens a new database in memory, which is gone with the store. Its reads and writes take turns.
  ///
  /// Of the options it heeds those of the change log.
  public init(
    inMemoryWith records: [any Record.Type], migrations: [Migration] = [], options: StoreOptions = StoreOptions()
  ) throws(RosterError) {
    url = nil
    logRetention = LogRetention(count: options.changeLogLimit, age: options.changeLogAge)
    busyTimeout = options.busyTimeout
    self.records = records
    tables = RecordTable.all(of: records)
    migrator = try Migrator(migrations)
    searches = SearchDeclaration.all(of: records)
    let connection = try Connection(path: ":memory:", mode: .memory)
    let profile = ConnectionProfile(functions: StoreOpening.functions)
    try profile.prepare(connection)
    connection.textFinder = SearchFinder()
    try profile.configureWriter(connection)
    try migrator.apply(on: connection)
    try SchemaCheck.check(records, on: connection)
    adoptions = try StoreOpening.prepare(connection, records, keepsChangeLog: options.keepsChangeLog)
    writer = Writer(connection)
    file = nil
    readers = nil
  }

  private func closeNotice() {
    let last = notice.withLock { notice in
      defer { notice = nil }
      return notice
    }
    last?.close()
  }

  deinit {
    signal.finish()
    closeNotice()
    readers?.close(waits: false)
  }

  /// Closes the file, after the writes and reads that have begun. What is called later fails with
  /// ``RosterError/Code/closed``.
  ///
  /// When this returns, the log has been written to the database file, unless another process has it open. A store
  /// that goes out of use closes by itself.
  /// - Throws: ``RosterError/Code/misuse`` inside a read or a write of the store, which would wait for itself.
  public func close() throws {
    guard writer?.isMine != true, readers?.isMine != true else {
      throw RosterError(.misuse, "A store cannot be closed inside a read or a write of it.")
    }
    signal.finish()
    closeNotice()
    // The writer last: the last connection of all empties the log, and a reader cannot.
    readers?.close(waits: true)
    writer?.close()
  }

  // MARK: Writing

  /// Runs `body` in one transaction: all of its changes are stored when this returns, or, where it throws, none.
  ///
  /// The thread waits for its turn and for the disk.
  /// - Throws: what `body` throws; ``RosterError/Code/busy`` where another process held the lock for longer than the
  ///   busy timeout; ``RosterError/Code/misuse`` inside another write; ``RosterError/Code/readOnly``;
  ///   ``RosterError/Code/fileReplaced``.
  /// - Parameter origin: who writes, for consumers of the feed that want to tell their own writes.
  @discardableResult
  public func write<T>(origin: ChangeOrigin? = nil, _ body: (inout Transaction) throws -> T) throws -> T {
    try writing().run { try self.transaction(on: $0, nil, origin, body) }
  }

  /// Runs `body` in one transaction, on a thread of the store's.
  ///
  /// Where the task is cancelled before the commit begins, the transaction is rolled back and the error is
  /// `CancellationError`. From then on cancelling has no effect.
  @discardableResult
  public func write<T: Sendable>(
    origin: ChangeOrigin? = nil, _ body: @escaping @Sendable (inout Transaction) throws -> T
  ) async throws -> T {
    let writer = try writing()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        writer.run(
          { try self.transaction(on: $0, cancellation, origin, body) }, then: { continuation.resume(with: $0) })
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  func writing() throws(RosterError) -> Writer {
    guard let writer else { throw RosterError(.readOnly, "The store was opened read-only.", path: url?.path) }
    return writer
  }

  /// Begins with the lock for writing, so that a read before a write cannot leave it with a stale snapshot.
  func transaction<T>(
    on connection: Connection, _ cancellation: Cancellation?, _ origin: ChangeOrigin?,
    _ body: (inout Transaction) throws -> T
  ) throws -> T {
    var isDone = false
    // A number of the schema that was undone may come again for another one.
    defer { if !isDone { forgetSchema(of: connection) } }
    return try Store.run(on: connection, cancellation) {
      try connection.control("BEGIN IMMEDIATE")
      try file?.check()
      connection.memory = nil
      mendLog(on: connection)
      let isFar = isFarFromIndexed(on: connection)
      let changes = connection.totalChanges
      let own = try OriginWrite(origin, self, on: connection)
      var transaction = Transaction(connection, cancellation, tables)
      let result = try body(&transaction)
      _ = try transaction.open()
      let isUnindexed = try isFar || index(on: connection)
      try own?.willCommit(on: connection)
      do {
        try cancellation?.end()
        try connection.control("COMMIT")
      } catch {
        own?.didFail()
        throw error
      }
      isDone = true
      if isUnindexed { indexSoon() }
      if connection.totalChanges != changes { committed(on: connection) }
      // What is in a file that nobody finds any more is not stored.
      try file?.check()
      return result
    }
  }

  // MARK: Reading

  /// Runs `body` on a snapshot: everything it reads is of one state of the database.
  ///
  /// It never waits for a writer. The thread waits where all readers are in use.
  /// - Throws: what `body` throws; ``RosterError/Code/fileReplaced``.
  public func read<T>(_ body: (inout Snapshot) throws -> T) throws -> T {
    if let readers {
      return try readers.read(isNested: writer?.isMine ?? false) { try self.snapshot(on: $0, nil, body) }
    }
    return try writing().run { try self.snapshot(on: $0, nil, body) }
  }

  /// Runs `body` on a snapshot, on a thread of the store's.
  ///
  /// Where the task is cancelled, reading stops with `CancellationError`.
  public func read<T: Sendable>(_ body: @escaping @Sendable (inout Snapshot) throws -> T) async throws -> T {
    let cancellation = Cancellation()
    let (readers, writer) = (readers, writer)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if let readers {
          readers.read(
            { try self.snapshot(on: $0, cancellation, body) }, then: { continuation.resume(with: $0) })
        } else if let writer {
          writer.run(
            { try self.snapshot(on: $0, cancellation, body) }, then: { continuation.resume(with: $0) })
        } else {
          continuation.resume(throwing: RosterError.closed)
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  func snapshot<T>(
    on connection: Connection, _ cancellation: Cancellation?, _ body: (inout Snapshot) throws -> T
  ) throws -> T {
    try Store.run(on: connection, cancellation) {
      try connection.control("BEGIN")
      try file?.check()
      var snapshot = Snapshot(connection, cancellation, tables)
      let result = try body(&snapshot)
      try cancellation?.end()
      try connection.control("COMMIT")
      return result
    }
  }

  /// Runs `body`, leaves no transaction open, and says of an interruption that it was a cancellation.
  private static func run<T>(
    on connection: Connection, _ cancellation: Cancellation?, _ body: () throws -> T
  ) throws -> T {
    do {
      connection.interruption.reset()
      try cancellation?.begin(connection.interruption)
      return try body()
    } catch {
      // The interruption is over before the rollback begins, which it must not hit.
      var wasCancelled = false
      do { try cancellation?.end() } catch { wasCancelled = true }
      connection.interruption.reset()
      try? connection.rollBack()
      throw wasCancelled ? CancellationError() : error
    }
  }
}
