public import Observation

/// One record that stays current, for a detail screen: its value, its changes, and whether it is gone.
///
/// ```swift
/// let todo = LiveRecord(Todo.self, id: id, in: store)
/// todo.value?.isDone.toggle()
/// ```
///
/// On the main actor. It does not keep the store open.
@MainActor @Observable
public final class LiveRecord<R: Record> {
  /// The id of the record.
  public let id: R.ID
  /// What it is doing.
  public private(set) var state = LiveState.loading
  /// What the last write through it failed with; nil where it did not.
  public private(set) var writeError: (any Error)?
  private var record: R?

  @ObservationIgnored let core: LiveCore<RecordState<R>>

  /// The record with an id. It is read in the background, and then kept current.
  public init(_ type: R.Type, id: R.ID, in store: Store) {
    self.id = id
    core = LiveCore(in: store) { connection in try RecordState(id, on: connection) }
    core.receive = { [weak self] news in self?.receive(news) }
    core.start()
  }

  private func receive(_ news: LiveCore<RecordState<R>>.News) {
    switch news {
    case .content(let new, _):
      record = new
      state = .loaded
    case .unchanged: if !state.isLoaded { state = .loaded }
    case .failed(let error): state = .failed(error)
    }
  }

  /// Whether the database has no record with the id: it was deleted, or never there.
  public var isGone: Bool { state.isLoaded && record == nil }

  /// The record; nil while it is loading, and when it is gone.
  ///
  /// Setting it stores what differs, and shows it when the assignment returns; setting nil deletes the record. What fails
  /// is in ``writeError``.
  public var value: R? {
    get { record }
    set {
      let (old, id) = (record, id)
      writeError = nil
      do { try core.write { tx in try tx.replace(old, with: newValue, id: id) } } catch { writeError = error }
    }
  }

  /// What becomes of the record from now on. What happened while a consumer was busy is one update.
  public var changes: LiveRecordChanges<R> { LiveRecordChanges(core: core) }
}

/// What becomes of a live record.
@MainActor
public struct LiveRecordChanges<R: Record>: @MainActor AsyncSequence {
  /// One update.
  public typealias Element = RecordUpdate<R>
  /// It cannot fail.
  public typealias Failure = Never

  weak var core: LiveCore<RecordState<R>>?

  /// An iterator that begins with the record as it is now.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: LiveBatches(core)) }

  /// Waits for update after update.
  @MainActor
  public struct Iterator: @MainActor AsyncIteratorProtocol {
    let batches: LiveBatches<RecordState<R>>

    /// The next update; nil where the task is cancelled or the live record is gone.
    public mutating func next() async -> RecordUpdate<R>? { await batches.next() }
  }
}
