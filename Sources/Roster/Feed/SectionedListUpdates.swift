/// A list with sections that is kept current, state by state, for programs without a main actor to show it on.
///
/// As ``ListUpdates``, with sections.
public struct SectionedListUpdates<R: Record, Key: Hashable & Sendable, Header: Sendable>: AsyncSequence, Sendable {
  /// One state of the list.
  public struct Element: Sendable {
    /// The sections.
    public let sections: SectionedRecords<R, Key, Header>
    /// The changes since the state before; for the first, none.
    public let changes: SectionedListChanges<R, Key, Header>
    /// The state of the database that the records are of; nil where it has no log of changes.
    public let cursor: FeedCursor?
  }

  /// What reading the database can fail with.
  public typealias Failure = any Error

  let following: Following<SectionState<R, Key, Header>>

  /// An iterator that begins with the list as it is.
  public func makeAsyncIterator() -> Iterator { Iterator(following: following) }

  /// Reads state after state.
  public struct Iterator: AsyncIteratorProtocol {
    var following: Following<SectionState<R, Key, Header>>

    /// Waits for the next state in which the list is another.
    public mutating func next() async throws -> Element? {
      guard let step = try await following.next() else { return nil }
      return Element(
        sections: step.content, changes: step.changes ?? SectionedListChanges(from: step.content, to: step.content),
        cursor: step.cursor)
    }
  }
}
