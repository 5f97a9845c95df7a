/// What became of a record that is observed.
public enum RecordUpdate<R: Record>: Sendable {
  /// It is another value, or is there now.
  case changed(R)
  /// It was deleted.
  case gone
}

/// One record at one state of the database.
struct RecordState<R: Record>: Followed {
  let id: R.ID
  private(set) var content: R?
  private(set) var cursor: FeedCursor?

  init(_ id: R.ID, on connection: Connection) throws(RosterError) {
    self.id = id
    content = try connection.fetch(R.self, id: id)
    cursor = try connection.feedCursorIfAny()
  }

  func isQuick(on connection: Connection) throws(RosterError) -> Bool { true }

  static var nothing: R? { nil }
  static var everything: Bool { true }

  /// - Complexity: O(*k*) in the changes of the table, and a look-up where there are any.
  mutating func update(on connection: Connection) throws(RosterError) -> Bool? {
    let old = self
    if try connection.isUnchanged([LoggedTable.source(R.table.name)], since: cursor) {
      cursor = try connection.feedCursorIfAny()
      return nil
    }
    self = try RecordState(id, on: connection)
    return RecordState.changes(from: old.content, to: content, touched: true) == nil ? nil : true
  }

  static func union(_ touched: Bool, _ more: Bool) -> Bool { true }

  static func changes(from old: R?, to new: R?, touched: Bool) -> RecordUpdate<R>? {
    switch (old, new) {
    case (let old?, let new?): old.isStored(otherwiseThan: new) ? .changed(new) : nil
    case (nil, let new?): .changed(new)
    case (_?, nil): .gone
    case (nil, nil): nil
    }
  }
}

/// One record that is observed, value by value: the first element is the record as it is, and nil is one that is not there.
///
/// It does not keep the store open, and ends where the store is closed or goes out of use, or the task is cancelled.
public struct RecordUpdates<R: Record>: AsyncSequence, Sendable {
  /// The record; nil where there is none with the id.
  public typealias Element = R?
  /// What reading the database can fail with.
  public typealias Failure = any Error

  let following: Following<RecordState<R>>

  /// An iterator that begins with the record as it is.
  public func makeAsyncIterator() -> Iterator { Iterator(following: following) }

  /// Reads value after value.
  public struct Iterator: AsyncIteratorProtocol {
    var following: Following<RecordState<R>>

    /// Waits for the next value.
    public mutating func next() async throws -> R?? {
      guard let step = try await following.next() else { return nil }
      return .some(step.content)
    }
  }
}
