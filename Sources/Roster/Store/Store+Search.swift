/// Who is told when a search comes upon rows that are not indexed: the store, once it is there.
final class SearchAlarm: Sendable {
  private let action = Guarded<SearchFinder.Alarm?>(nil)

  func wakes(_ action: @escaping SearchFinder.Alarm) { self.action.withLock { $0 = action } }

  func sound(_ isDamaged: Bool) { action.withLock(\.self)?(isDamaged) }
}

/// What there is to do for the indexes in the background.
struct IndexWork: Sendable {
  var isRunning = false
  /// Whether an index may be damaged.
  var isDamaged = false
  /// Whether an index has segments to be merged.
  var isMerging = false
}

extension Store {
  /// How many rows a transaction of the indexing in the background takes: some tens of milliseconds.
  private static let batch = 1000
  /// So many rows that others have left are indexed with the next write's own, and not in the background.
  private static let few = 1000

  private func indexes(on connection: Connection) -> [SearchIndex] {
    searches.map { SearchIndex($0, on: connection) }
  }

  /// Whether more rows wait to be indexed than a write has time for.
  func isFarFromIndexed(on connection: Connection) -> Bool {
    indexes(on: connection).contains { index in
      (try? index.leftCount(upTo: Store.few + 1)).map { $0 > Store.few } ?? false
    }
  }

  /// Indexes what the transaction has left. True where the background has to go on.
  func index(on connection: Connection) throws(RosterError) -> Bool {
    var isUnfinished = false
    do throws(RosterError) {
      for index in indexes(on: connection) where try index.keepUp() { isUnfinished = true }
    } catch {
      // Where SQLite has rolled back the transaction for it, the index is made anew for the next one.
      if error.isOfVirtualContent { indexSoon(isDamaged: true) }
      throw error
    }
    if isUnfinished { indexing.withLock { $0.isMerging = true } }
    return isUnfinished
  }

  /// Has the rows indexed that wait for it, in the background, batch by batch. Writes come between.
  ///
  /// - Parameter isDamaged: whether an index has to be made anew for that.
  func indexSoon(isDamaged: Bool = false) {
    guard let writer, !searches.isEmpty else { return }
    let isNew = indexing.withLock { work in
      defer { work.isRunning = true }
      if isDamaged { work.isDamaged = true }
      return !work.isRunning
    }
    if isNew { indexBatch(writer) }
  }

  private func indexBatch(_ writer: Writer) {
    writer.run(
      { [weak self] connection in
        guard let self else { return false }
        return try indexBatch(on: connection).left > 0 || indexing.withLock { $0.isMerging || $0.isDamaged }
      },
      then: { [weak self, weak writer] result in
        guard let self else { return }
        if let writer, case .success(true) = result { return indexBatch(writer) }
        indexing.withLock { $0.isRunning = false }
      })
  }

  /// Indexes so many rows in a transaction, and tells how many of how many are left.
  ///
  /// - Parameter isCounted: whether more is wanted to know than that there are some.
  private func indexBatch(on connection: Connection, isCounted: Bool = false) throws -> (left: Int, total: Int) {
    let most = isCounted ? Int.max : 1
    let isDamaged = indexing.withLock { work in
      defer { work.isDamaged = false }
      return work.isDamaged
    }
    var (left, total) = (0, 0)
    do {
      // Asked first: where nothing is left, nobody's lock is waited for.
      var isNeeded = isDamaged || indexing.withLock(\.isMerging)
      for index in indexes(on: connection) where !isNeeded {
        isNeeded = try !index.isRight() || index.leftCount(upTo: 1) > 0
      }
      guard isNeeded else { return (0, 0) }
      connection.interruption.reset()
      // Before the transaction, which a statement on a damaged index may end.
      let damaged = isDamaged ? try indexes(on: connection).filter { index in try index.isDamaged() } : []
      try connection.control("BEGIN IMMEDIATE")
      try file?.check()
      connection.memory = nil
      mendLog(on: connection)
      for index in damaged { try index.rebuild() }
      for index in indexes(on: connection) {
        total += try index.leftCount(upTo: most)
        if try index.keepUp(limit: Store.batch) { indexing.withLock { $0.isMerging = true } }
        left += try index.leftCount(upTo: most)
      }
      // By itself, after all rows: a search reads those that are not indexed.
      if total == 0, indexing.withLock(\.isMerging) { try mergeSome(on: connection) }
      try connection.control("COMMIT")
    } catch {
      try? connection.rollBack()
      throw error
    }
    return (left, total)
  }
}

extension Store {
  private func mergeSome(on connection: Connection) throws(RosterError) {
    var isMore = false
    for index in indexes(on: connection) {
      do throws(RosterError) { if try index.mergeSome() { isMore = true } } catch {
        guard error.isOfVirtualContent, connection.isInTransaction else { throw error }
        try index.rebuild()
        isMore = true
      }
    }
    indexing.withLock { $0.isMerging = isMore }
  }

  /// Indexes for search what is yet to be: all rows after an index was declared, or many that another program has written.
  ///
  /// The store does it by itself in the background, and rows that are not indexed are found all the same. This returns
  /// when it is done. Writes come between its transactions.
  ///
  /// `progress` hears how many rows are left, and of how many; it stops the work by throwing, and what is done stays.
  /// - Throws: ``RosterError/Code/readOnly`` for a store opened read-only; what a write throws.
  /// - Complexity: O(*n*) in the texts of the rows.
  public func finishIndexing(progress: (_ left: Int, _ total: Int) throws -> Void = { _, _ in }) throws {
    let writer = try writing()
    var total: Int?
    while true {
      let (left, before) = try writer.run { try indexBatch(on: $0, isCounted: true) }
      // What others write meanwhile comes to it.
      total = max(total ?? before, left)
      try progress(left, total ?? left)
      guard left == 0 else { continue }
      return indexSoon()
    }
  }

  /// The records that a query finds, a page of them, and then how many there are: a list shows the page while the rest
  /// is counted.
  ///
  /// ```swift
  /// for try await found in store.search(Query<Todo>().matching(text).limit(50)) {
  ///   show(found.records, of: found.count)       // the count is nil the first time
  /// }
  /// ```
  ///
  /// Both are of one state of the database. Where the task that reads is cancelled, as for a search that the user has typed
  /// on from, SQLite is interrupted in the middle of it.
  public func search<R: Record>(_ query: Query<R>) -> AsyncThrowingStream<SearchPage<R>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await read { (snapshot: inout Snapshot) throws in
            let records = try snapshot.fetch(query)
            continuation.yield(SearchPage(records: records, count: nil))
            // A page that is not full is all there is.
            let isAll = query.offset == nil && query.start == nil && query.limit.map { records.count < $0 } ?? true
            let count = isAll ? records.count : try snapshot.count(query.unlimited)
            continuation.yield(SearchPage(records: records, count: count))
          }
          continuation.finish()
        } catch { continuation.finish(throwing: error) }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// A page of what a search has found.
public struct SearchPage<R: Record>: Sendable {
  /// The records of the query.
  public let records: [R]
  /// How many the query has without its limit, offset and start; nil as long as they are not counted.
  public let count: Int?
}
