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

  let following: Following<ListState<R>>
  /// For each iterator its own.
  let makeAdjust: @Sendable () -> Following<ListState<R>>.Adjust?

  /// An iterator that begins with the list as it is.
  public func makeAsyncIterator() -> Iterator {
    var following = following
    following.adjust = makeAdjust()
    return Iterator(following: following)
  }

  /// Reads state after state.
  public struct Iterator: AsyncIteratorProtocol {
    var following: Following<ListState<R>>

    /// Waits for the next state in which the list is another.
    public mutating func next() async throws -> Element? {
      guard let step = try await following.next() else { return nil }
      return Element(
        records: step.content, changes: step.changes ?? .none(step.content), cursor: step.cursor)
    }
  }
}
