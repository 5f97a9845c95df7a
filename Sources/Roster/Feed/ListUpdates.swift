/// A list that is kept current, state by state, for programs without a main actor to show it on.
///
/// The first element is the list as it is, and each further one what it became, with the changes from the one before.
/// Whatever was committed while the consumer was busy comes as one. It does not keep the store open, and ends
/// where the store is closed or goes out of use, or the task is cancelled.
public struct ListUpdates<R: Record>: AsyncSequence, Sendable {
  /// One state of the list.
  public struct Element: Sendable {
    /// The records.
    public let records: ListRecords<R>
    /// The changes since the state before; for the first, none.
    public let changes: ListChanges<R>
    /// The state of the database that the records are of; nil where it has no log of changes.
    public let cursor: FeedCursor?
  }

  /// What reading the database can fail with.
  public typealias Failure = any Error

  let signal: CommitSignal
  /// The next state, with the rows touched since one before, if any; nil where the store is gone.
  let read: @Sendable (ListState<R>?) async throws -> (ListState<R>, ListState<R>.Touched)?

  /// An iterator that begins with the list as it is.
  public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

  /// Reads state after state.
  public struct Iterator: AsyncIteratorProtocol {
    let updates: ListUpdates
    private var state: ListState<R>?

    init(updates: ListUpdates) { self.updates = updates }

    /// Waits for the next state in which the list is another.
    public mutating func next() async throws -> Element? {
      while !Task.isCancelled {
        let seen = updates.signal.count
        do {
          guard let (new, touched) = try await updates.read(state) else { return nil }
          let difference = state.map { new.difference(from: $0.rows, touched: touched) } ?? .none
          let isFirst = state == nil
          state = new
          if isFirst || !difference.isEmpty {
            return Element(
              records: ListRecords(rows: new.rows), changes: ListChanges(difference, to: new.rows), cursor: new.cursor)
          }
        } catch is CancellationError { return nil } catch RosterError.Code.closed { return nil }
        if updates.signal.isFinished { return nil }
        await updates.signal.wait(beyond: seen)
      }
      return nil
    }
  }
}

extension ListDifference {
  /// No events.
  static var none: ListDifference { ListDifference(deletions: [], insertions: [], kept: [], oldCount: 0) }
}
