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
///
/// The contract: applying a batch of ``changes`` to the records before gives the records after, always; and when a consumer
/// gets a batch, the list that it reads is the list after that batch.
@MainActor @Observable
public final class LiveList<R: Record>: @MainActor RandomAccessCollection {
  /// What the list is doing.
  public private(set) var state = LiveState.loading
  /// What the last write through the list failed with; nil where it did not.
  public private(set) var writeError: (any Error)?
  /// The records at this moment, as a value.
  public private(set) var records: ListRecords<R> = ListState<R>.nothing
  /// Whether a change costs what it touches. If not, the list is fetched anew when a table that it reads has changed.
  /// True before it was loaded.
  public var isMaintained: Bool { core.current?.isMaintained ?? true }

  /// What writes through the list name as their origin.
  public var origin: ChangeOrigin?

  @ObservationIgnored let core: LiveCore<ListState<R>>
  @ObservationIgnored private var source: ListReader<R>.Source
  @ObservationIgnored private var places = IDPlaces<R>()

  /// A list of a query's records. It is loaded from the database in the background, and then kept current.
  public convenience init(_ query: Query<R>, in store: Store) { self.init(.query(query), in: store) }

  /// A list of the records that a statement returns: see ``Store/updates(of:as:)``.
  public convenience init(_ sql: SQL, in store: Store) { self.init(.sql(sql), in: store) }

  private init(_ source: ListReader<R>.Source, in store: Store) {
    self.source = source
    core = LiveCore(in: store, LiveList.reading(source))
    core.receive = { [weak self] news in self?.receive(news) }
    core.start()
  }

  private static func reading(_ source: ListReader<R>.Source) -> LiveCore<ListState<R>>.First {
    { connection in try ListState(try ListReader(source), on: connection) }
  }

  /// Shows another query's records from now on, as for a search while the user types.
  ///
  /// ```swift
  /// list.show(Query<Todo>().inManualOrder(within: inbox).matching(text))
  /// ```
  ///
  /// The list stays as it is until they are read, and then changes to them in one batch of ``changes``. What was being read for
  /// an earlier call is interrupted. Iterators of ``changes(ignoring:)`` go on with the query that they were made for: make
  /// new ones.
  public func show(_ query: Query<R>) {
    source = .query(query)
    core.replace(LiveList.reading(source))
  }

  private func receive(_ news: LiveCore<ListState<R>>.News) {
    switch news {
    case .content(let new, let touched):
      places.update(from: records.rows, to: new.rows, touched)
      records = new
      state = .loaded
    case .unchanged: if !state.isLoaded { state = .loaded }
    case .failed(let error): state = .failed(error)
    }
  }

  // MARK: Changes

  /// The changes of the list from now on, batch by batch.
  ///
  /// When a batch arrives, the list is the list after it: applying it to the records of the batch before, or those of when
  /// the iterator was made, gives the records of this moment. What happened while a consumer was busy is one batch.
  public var changes: LiveListChanges<R> { LiveListChanges(core: core, own: nil) }

  /// The changes of the list from now on but for those that writes with an origin made, for a consumer that has shown
  /// them already: its indices are those after its own writes.
  ///
  /// ```swift
  /// rows.move(fromOffsets: source, toOffset: target)                    // on screen
  /// try await store.write(origin: screen) { tx in try tx.move(…) }      // in the database
  /// ```
  /// What others do to the same rows comes as a change of what the own write left. Where others had written before the own
  /// write, and the consumer had not heard of it yet, what is on its screen cannot be told by rows: then the batch says
  /// ``ListChanges/isReload``. Between showing a write and naming it to the store the consumer must take no batch. Only for a list that is maintained; one
  /// that is fetched anew tells every change.
  public func changes(ignoring origin: ChangeOrigin) -> LiveListChanges<R> {
    LiveListChanges(core: core, own: (origin, source))
  }

  // MARK: Writing

  /// Moves the records at offsets of the list as it is on screen, with the arguments that a list view hands over.
  ///
  /// It is written, and the list shows it, when this returns. What fails is in ``writeError``.
  /// - Note: the thread waits for the disk, as with any write; about as long as for one row.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let shown = records
    write { tx in try tx.move(shown, offsets, destination) }
  }

  /// Moves records to a place, which may be in another list: see ``StoreAccess/move(_:ids:to:order:)``.
  public func move(ids: some Sequence<R.ID>, to place: ListPlace<R.ID>) {
    let ids = Array(ids)
    write { tx in try tx.move(R.self, ids: ids, to: place) }
  }

  /// Deletes the records at offsets of the list as it is on screen, with the argument that a list view hands over.
  public func remove(atOffsets offsets: IndexSet) {
    let shown = records
    write { tx in try tx.delete(shown, offsets) }
  }

  private func write(_ body: (inout Transaction) throws -> Void) {
    writeError = nil
    do { try core.write(origin: origin, body) } catch { writeError = error }
  }

  // MARK: Records

  /// 0.
  public var startIndex: Int { 0 }
  /// How many records the list shows.
  public var endIndex: Int { records.count }

  /// The record at an index.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> R { records[index] }

  /// The record with an id; nil where the list does not show it.
  ///
  /// Setting it stores the record: what differs is written, and the list shows it when the assignment returns. It may leave
  /// the list by that. Setting nil deletes the record. What fails is in ``writeError``; one that the list does not show is.
  ///
  /// ```swift
  /// list[id: todo.id]?.isDone.toggle()
  /// ```
  /// - Complexity: O(log *n*); O(*n*) for the first one, and after the list was fetched anew.
  public subscript(id id: R.ID) -> R? {
    get { places.key(of: id, in: records.rows).flatMap { records.rows.row(forKey: $0)?.record } }
    set {
      let old = self[id: id]
      write { tx in try tx.replace(old, with: newValue, id: id) }
    }
  }

  /// The index of the record with an id; nil where the list does not show it.
  ///
  /// - Complexity: as of the subscript.
  public func index(id: R.ID) -> Int? { places.key(of: id, in: records.rows).flatMap { records.rows.index(ofKey: $0) } }
}

/// What a live object is doing.
public enum LiveState {
  /// It is being read for the first time, and is empty.
  case loading
  /// It shows what is in the database.
  case loaded
  /// Reading failed; it shows what was before. It goes on with the next change of the database.
  case failed(any Error)

  var isLoaded: Bool { if case .loaded = self { true } else { false } }
}

/// The changes of a live list, batch by batch.
@MainActor
public struct LiveListChanges<R: Record>: @MainActor AsyncSequence {
  /// One batch.
  public typealias Element = ListChanges<R>
  /// It cannot fail.
  public typealias Failure = Never

  weak var core: LiveCore<ListState<R>>?
  let own: (origin: ChangeOrigin, source: ListReader<R>.Source)?

  /// An iterator that begins with the list as it is now.
  public func makeAsyncIterator() -> Iterator {
    let adjust = own.flatMap { core?.store?.ownWrites($0.origin, $0.source) }
    return Iterator(batches: LiveBatches(core, adjust: adjust))
  }

  /// Waits for batch after batch.
  @MainActor
  public struct Iterator: @MainActor AsyncIteratorProtocol {
    let batches: LiveBatches<ListState<R>>

    /// The next batch; nil where the task is cancelled or the list is gone.
    public mutating func next() async -> ListChanges<R>? { await batches.next() }
  }
}
