/// A listener that the store does not keep alive.
struct WeakListener: Sendable {
  weak let value: (any OwnWriteListener)?
}

/// A transaction that names its origin: it is marked in the log, and who listens for the origin hears of it.
struct OriginWrite {
  private let origin: ChangeOrigin
  private let before: Int64
  private let listeners: [any OwnWriteListener]

  /// Nil without an origin, and where the database has no log.
  init?(_ origin: ChangeOrigin?, _ store: Store, on connection: Connection) throws(RosterError) {
    guard let origin, let cursor = try connection.feedCursorIfAny() else { return nil }
    self.origin = origin
    before = cursor.sequence
    listeners = store.listeners.withLock { all in
      all.removeAll { $0.value == nil }
      return all.compactMap(\.value).filter { $0.origin == origin }
    }
  }

  /// At the end of the transaction.
  func willCommit(on connection: Connection) throws(RosterError) {
    try ChangeLog(connection: connection).mark(origin, after: before)
    // One that cannot read its rows gets told of the write as of any other.
    for listener in listeners { try? listener.capture(after: before, on: connection) }
  }

  /// Where the commit failed.
  func didFail() { for listener in listeners { listener.discard(after: before) } }
}
