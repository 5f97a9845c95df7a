public import Foundation
public import Observation

/// A list of records that stays current, for a list view: it changes when the database does, whoever wrote.
///
/// ```swift
/// let list = LiveList(Query<Todo>().inManualOrder(within: inbox), in: store)
/// list.move(fromOffsets: [3], toOffset: 0)
/// for await change in list.changes { … }
/// ```
///
/// A collection of its records, on the main actor. It does not keep the store open.
@MainActor @Observable
public final class LiveList<R: Record>: @MainActor RandomAccessCollection {
  /// What the list is doing.
  public enum State {
    /// The records are being fetched for the first time. The list is empty.
    case loading
    /// The records are those of the database.
    case loaded
    /// Reading failed; the records are those of before. It goes on with the next change of the database.
    case failed(any Error)
  }

  /// The query.
  public let query: Query<R>
  /// What the list is doing.
  public private(set) var state = State.loading
  /// What the last write through the list failed with; nil where it did not.
  public private(set) var writeError: (any Error)?
  /// The records at this moment, as a value.
  public var records: ListRecords<R> { ListRecords(rows: rows) }

  private var rows: ListState<R>.Rows
  // Where the rows are from. A refresh that comes to another state than it began with is of no use.
  @ObservationIgnored private var current: ListState<R>?
  @ObservationIgnored private var generation = 0
  @ObservationIgnored private var mailboxes: [Weak<ListMailbox<R>>] = []
  @ObservationIgnored private let follower: Follower
  @ObservationIgnored private weak var store: Store?

  /// A list of a query's records. It is loaded from the database in the background, and then kept current.
  public init(_ query: Query<R>, in store: Store) {
    self.query = query
    self.store = store
    rows = ListState<R>.Rows(by: ListOrdering(order: SQLiteOrder(terms: [])))
    follower = Follower()
    follower.task = Task { [weak self, weak store, signal = store.signal] in
      while !Task.isCancelled {
        let seen = signal.count
        // Held for as long as it takes only: a name for it would hold it while it waits.
        guard store != nil, await self?.refresh() != nil else { return }
        if signal.isFinished { return }
        await signal.wait(beyond: seen)
      }
    }
  }

  /// Ends what goes on for the list when it goes: the task that follows the database, and the waiting of consumers.
  private final class Follower {
    var task: Task<Void, Never>?
    let published = CommitSignal()

    deinit {
      task?.cancel()
      published.finish()
    }
  }

  // MARK: Following the database

  private typealias Refreshed = (state: ListState<R>, touched: ListState<R>.Touched)

  /// Brings the list to the database's present state, off the main actor.
  private func refresh() async {
    guard let store else { return }
    let (base, query, began) = (current, query, generation)
    do {
      try store.noticeOthers()
      let refreshed = try await store.read { try LiveList.refreshed(base, query, &$0) }
      // A write through the list has brought it further meanwhile; what is new since then gives the signal again.
      if generation == began { publish(refreshed) } else { await refresh() }
    } catch is CancellationError {
    } catch { state = .failed(error) }
  }

  private nonisolated static func refreshed(
    _ base: ListState<R>?, _ query: Query<R>, _ snapshot: inout Snapshot
  ) throws -> Refreshed {
    let connection = try snapshot.open()
    let reader = try ListReader(query)
    guard var state = base else { return (try ListState(reader, on: connection), .all) }
    let touched = try state.update(reader, on: connection)
    return (state, touched)
  }

  private func publish(_ refreshed: Refreshed) {
    let isFirst = current == nil
    generation += 1
    current = refreshed.state
    if case .loaded = state {} else { state = .loaded }
    guard isFirst || refreshed.touched != .rows([]) else { return }
    rows = refreshed.state.rows
    mailboxes.removeAll { $0.value == nil }
    for mailbox in mailboxes { mailbox.value?.add(refreshed.touched) }
    follower.published.notify()
  }

  // MARK: Changes

  /// The changes of the list from now on, batch by batch.
  ///
  /// When a batch arrives, the list is the list after it: applying it to the records of the batch before, or those of when
  /// the iterator was made, gives the records of this moment. What happened while a consumer was busy is one batch.
  public var changes: LiveListChanges<R> { LiveListChanges(list: self) }

  func makeMailbox() -> ListMailbox<R> {
    let mailbox = ListMailbox(rows, follower.published)
    mailboxes.append(Weak(mailbox))
    return mailbox
  }

  var currentRows: ListState<R>.Rows { rows }

  // MARK: Writing

  /// Moves the records at offsets of the list as it is on screen, with the arguments that a list view hands over.
  ///
  /// It is written, and the list shows it, when this returns. What fails is in ``writeError``.
  /// - Note: the thread waits for the disk, as with any write; about as long as for one row.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let shown = rows
    write { tx in
      guard !offsets.isUnmoved(to: destination) else { return try LiveList.check(offsets, destination, shown.count) }
      try LiveList.check(offsets, destination, shown.count)
      let stays = { (index: Int) in !offsets.contains(index) }
      let ids = offsets.map { shown[$0].record.id }
      if let next = (destination..<shown.count).first(where: stays) {
        try tx.move(R.self, ids: ids, to: .before(shown[next].record.id))
      } else if let last = (0..<destination).last(where: stays) {
        try tx.move(R.self, ids: ids, to: .after(shown[last].record.id))
      }
    }
  }

  /// Moves records to a place, which may be in another list: see ``StoreAccess/move(_:ids:to:order:)``.
  public func move(ids: some Sequence<R.ID>, to place: ListPlace<R.ID>) {
    let ids = Array(ids)
    write { tx in try tx.move(R.self, ids: ids, to: place) }
  }

  /// Deletes the records at offsets of the list as it is on screen, with the argument that a list view hands over.
  public func remove(atOffsets offsets: IndexSet) {
    let shown = rows
    write { tx in
      try LiveList.check(offsets, 0, shown.count)
      for offset in offsets { try tx.delete(R.self, id: shown[offset].record.id) }
    }
  }

  private nonisolated static func check(_ offsets: IndexSet, _ destination: Int, _ count: Int) throws {
    guard (offsets.first ?? 0) >= 0, (offsets.last ?? -1) < count, (0...count).contains(destination) else {
      throw RosterError(.outOfRange, "An offset is out of range: the list shows \(count) rows.", table: R.table.name)
    }
  }

  private func write<T>(_ body: (inout Transaction) throws -> T) {
    writeError = nil
    do {
      guard let store else { throw RosterError.closed }
      _ = try store.write(body)
      let (base, query) = (current, query)
      publish(try store.read { try LiveList.refreshed(base, query, &$0) })
    } catch { writeError = error }
  }

  // MARK: Records

  /// 0.
  public var startIndex: Int { 0 }
  /// How many records the list shows.
  public var endIndex: Int { rows.count }

  /// The record at an index.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> R { rows[index].record }
}

/// A reference that keeps nothing alive.
struct Weak<Object: AnyObject> {
  weak var value: Object?
  init(_ value: Object) { self.value = value }
}

/// What a consumer of a live list has yet to hear of.
@MainActor
final class ListMailbox<R: Record> {
  /// The rows as the consumer knows them.
  private var seen: ListState<R>.Rows
  private var touched = ListState<R>.Touched.rows([])
  /// Given when the list has changed, and finished when it goes.
  private let signal: CommitSignal

  init(_ rows: ListState<R>.Rows, _ signal: CommitSignal) {
    seen = rows
    self.signal = signal
  }

  func add(_ more: ListState<R>.Touched) { touched = touched.union(more) }

  /// The changes up to the list's rows, once there are any. Nil where the task is cancelled or the list is gone.
  func next(_ list: () -> LiveList<R>?) async -> ListChanges<R>? {
    while !Task.isCancelled {
      let count = signal.count
      guard let rows = list()?.currentRows else { return nil }
      if touched != .rows([]) {
        let difference = ListState.difference(from: seen, to: rows, touched: touched)
        touched = .rows([])
        seen = rows
        if !difference.isEmpty { return ListChanges(difference, to: rows) }
      }
      await signal.wait(beyond: count)
    }
    return nil
  }
}

/// The changes of a live list, batch by batch.
@MainActor
public struct LiveListChanges<R: Record>: @MainActor AsyncSequence {
  /// One batch.
  public typealias Element = ListChanges<R>
  /// It cannot fail.
  public typealias Failure = Never

  weak var list: LiveList<R>?

  /// An iterator that begins with the list as it is now.
  public func makeAsyncIterator() -> Iterator { Iterator(list) }

  /// Waits for batch after batch.
  @MainActor
  public struct Iterator: @MainActor AsyncIteratorProtocol {
    private weak var list: LiveList<R>?
    private let mailbox: ListMailbox<R>?

    init(_ list: LiveList<R>?) {
      self.list = list
      mailbox = list?.makeMailbox()
    }

    /// The next batch; nil where the task is cancelled or the list is gone.
    public mutating func next() async -> ListChanges<R>? {
      let list = Weak(list)
      return await mailbox?.next { list.value }
    }
  }
}

extension Weak {
  fileprivate init(_ value: Object?) { self.value = value }
}
