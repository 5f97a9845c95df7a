/// The changes of a database since a cursor, batch by batch, for as long as the task and the store last.
///
/// A batch holds whole transactions: all that were committed since the last batch, or since the cursor, by whoever it was.
/// It does not keep the store open: the sequence ends where the store is closed or goes out of use.
public struct ChangeFeed: AsyncSequence, Sendable {
  /// One or more transactions, with what became of each record.
  public typealias Element = ChangeBatch
  /// What reading the database can fail with.
  public typealias Failure = any Error

  let signal: CommitSignal
  let start: FeedCursor?
  /// Reads the batch since a cursor, or nothing but where the feed stands; nil where the store is gone.
  let read: @Sendable (FeedCursor?) async throws -> ChangeBatch?

  /// An iterator that begins at the cursor.
  public func makeAsyncIterator() -> Iterator { Iterator(feed: self, cursor: start) }

  /// Reads batch after batch.
  public struct Iterator: AsyncIteratorProtocol {
    let feed: ChangeFeed
    var cursor: FeedCursor?
    private var hasToldReplaced = false

    init(feed: ChangeFeed, cursor: FeedCursor?) {
      self.feed = feed
      self.cursor = cursor
    }

    /// Waits for the next batch that is not empty. Nil where the task is cancelled, or the store is closed.
    ///
    /// - Throws: what reading the database fails with. Before ``RosterError/Code/fileReplaced`` comes a batch that says to
    ///   read anew, since what was read is not current any more.
    public mutating func next() async throws -> ChangeBatch? {
      while !Task.isCancelled {
        let seen = feed.signal.count
        do {
          guard let batch = try await feed.read(cursor) else { return nil }
          let isFirst = cursor == nil
          cursor = batch.cursor
          hasToldReplaced = false
          if !batch.isEmpty, !isFirst { return batch }
        } catch is CancellationError {
          return nil
        } catch let error as RosterError where error.code == .closed {
          return nil
        } catch let error as RosterError where error.code == .fileReplaced {
          guard let cursor, !hasToldReplaced else { throw error }
          hasToldReplaced = true
          return ChangeBatch(changes: [], cursor: cursor, isReset: true)
        }
        if feed.signal.isFinished { return nil }
        await feed.signal.wait(beyond: seen)
      }
      return nil
    }
  }
}
