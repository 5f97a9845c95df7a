/// Who is told when a search comes upon rows that are not indexed: the store, once it is there.
final class SearchAlarm: Sendable {
  private let action = Guarded<(@Sendable () -> Void)?>(nil)

  func wakes(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

  func sound() { action.withLock(\.self)?() }
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

  /// Indexes what the transaction has left.
  func index(on connection: Connection) throws(RosterError) {
    for index in indexes(on: connection) { try index.keepUp() }
  }

  /// Has the rows indexed that wait for it, in the background, batch by batch. Writes come between.
  func indexSoon() {
    guard let writer, !searches.isEmpty, !isIndexing.withLock({ isOn in
      defer { isOn = true }
      return isOn
    }) else { return }
    indexBatch(writer)
  }

  private func indexBatch(_ writer: Writer) {
    writer.run(
      { [weak self] connection in try self?.indexBatch(on: connection) ?? 0 },
      then: { [weak self, weak writer] result in
        guard let self else { return }
        if let writer, case .success(let left) = result, left > 0 { return indexBatch(writer) }
        isIndexing.withLock { $0 = false }
      })
  }

  /// Indexes so many rows in a transaction, and returns how many are left.
  private func indexBatch(on connection: Connection) throws -> Int {
    var left = 0
    do {
      // Asked first: where nothing is left, nobody's lock is waited for.
      for index in indexes(on: connection) where try !index.isRight() || index.leftCount(upTo: 1) > 0 { left += 1 }
      guard left > 0 else { return 0 }
      left = 0
      connection.interruption.reset()
      try connection.control("BEGIN IMMEDIATE")
      try file?.check()
      connection.memory = nil
      mendLog(on: connection)
      for index in indexes(on: connection) {
        try index.catchUp(limit: Store.batch)
        left += try index.leftCount()
      }
      try connection.control("COMMIT")
    } catch {
      try? connection.rollBack()
      throw error
    }
    return left
  }
}
