public import Foundation
public import Observation

/// A list of records in sections that stays current, for a list view: it changes when the database does, whoever wrote.
///
/// ```swift
/// let list = SectionedLiveList(
///   Query<Todo>().sorted(by: SortDescriptor(\.title)), sections: .by(\.isDone, ranked: [false, true], keepsEmpty: true),
///   in: store)
/// for section in list { print(section.header ? "done" : "pending", section.count) }
/// list[id: todo.id]?.isDone.toggle()        // one event: the row moves to the other section
/// ```
///
/// A collection of its sections, on the main actor. It does not keep the store open. The contract is that of ``LiveList``.
@MainActor @Observable
public final class SectionedLiveList<R: Record, Key: Hashable & Sendable, Header: Sendable>:
  @MainActor RandomAccessCollection
{
  /// One section.
  public typealias Element = ListSection<R, Key, Header>

  /// What the list is doing.
  public private(set) var state = LiveState.loading
  /// What the last write through the list failed with; nil where it did not.
  public private(set) var writeError: (any Error)?
  /// The sections at this moment, as a value.
  public private(set) var sections: SectionedRecords<R, Key, Header> = SectionState<R, Key, Header>.nothing
  /// Whether a change costs what it touches. If not, the list is fetched anew when a table that it reads has changed.
  /// True before it was loaded.
  public var isMaintained: Bool { core.current?.isMaintained ?? true }

  @ObservationIgnored let core: LiveCore<SectionState<R, Key, Header>>
  @ObservationIgnored private var places = IDPlaces<R>()
  @ObservationIgnored private let wanted: ListSections<R, Key, Header>

  /// A list of a query's records. It is loaded from the database in the background, and then kept current.
  ///
  /// In each section the records come in the query's order.
  public init(_ query: Query<R>, sections: ListSections<R, Key, Header>, in store: Store) {
    wanted = sections
    core = LiveCore(in: store, Self.reading(query, sections))
    core.receive = { [weak self] news in self?.receive(news) }
    core.start()
  }

  private static func reading(
    _ query: Query<R>, _ sections: ListSections<R, Key, Header>, after old: SectionState<R, Key, Header>? = nil
  ) -> LiveCore<SectionState<R, Key, Header>>.First {
    let numbers = old?.numbers ?? SectionState.Numbers()
    return { connection in try SectionState(try ListReader(query), sections, numbers: numbers, on: connection) }
  }

  /// Shows another query's records from now on, in the same sections: as ``LiveList/show(_:)``.
  public func show(_ query: Query<R>) { core.replace(Self.reading(query, wanted, after: core.current)) }

  private func receive(_ news: LiveCore<SectionState<R, Key, Header>>.News) {
    switch news {
    case .content(let new, let touched):
      places.update(from: sections.rows, to: new.rows, touched?.rows)
      sections = new
      state = .loaded
    case .unchanged: if !state.isLoaded { state = .loaded }
    case .failed(let error): state = .failed(error)
    }
  }

  /// The changes of the list from now on, batch by batch: as ``LiveList/changes``.
  public var changes: SectionedLiveListChanges<R, Key, Header> { SectionedLiveListChanges(core: core) }

  // MARK: Writing

  /// Moves the records at offsets of a section as it is on screen, with the arguments that a list view hands over.
  ///
  /// It is written, and the list shows it, when this returns. What fails is in ``writeError``.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int, inSection key: Key) {
    let shown = sections.section(key)
    write { tx in try tx.move(try Self.shown(shown), offsets, destination) }
  }

  /// Moves records to a place, which may be in another list: see ``StoreAccess/move(_:ids:to:order:)``.
  public func move(ids: some Sequence<R.ID>, to place: ListPlace<R.ID>) {
    let ids = Array(ids)
    write { tx in try tx.move(R.self, ids: ids, to: place) }
  }

  /// Deletes the records at offsets of a section as it is on screen, with the argument that a list view hands over.
  public func remove(atOffsets offsets: IndexSet, inSection key: Key) {
    let shown = sections.section(key)
    write { tx in try tx.delete(try Self.shown(shown), offsets) }
  }

  private static func shown(_ section: Element?) throws -> Element {
    guard let section else {
      throw RosterError(.outOfRange, "The list shows no section with the key.", table: R.table.name)
    }
    return section
  }

  private func write(_ body: (inout Transaction) throws -> Void) {
    writeError = nil
    do { try core.write(body) } catch { writeError = error }
  }

  // MARK: Sections and records

  /// 0.
  public var startIndex: Int { 0 }
  /// How many sections the list shows.
  public var endIndex: Int { sections.count }

  /// The section at an index.
  public subscript(index: Int) -> Element { sections[index] }

  /// The record at a place.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: SectionedIndex) -> R { sections[index] }

  /// The record with an id; nil where the list does not show it. As ``LiveList/subscript(id:)``.
  public subscript(id id: R.ID) -> R? {
    get {
      guard let index = row(id), sections.place(ofRow: index) != nil else { return nil }
      return sections.rows[index].record
    }
    set {
      let old = self[id: id]
      write { tx in try tx.replace(old, with: newValue, id: id) }
    }
  }

  /// The place of the record with an id; nil where the list does not show it.
  public func index(id: R.ID) -> SectionedIndex? { row(id).flatMap { sections.place(ofRow: $0) } }

  private func row(_ id: R.ID) -> Int? {
    places.key(of: id, in: sections.rows).flatMap { sections.rows.index(ofKey: $0) }
  }
}

/// The changes of a live list with sections, batch by batch.
@MainActor
public struct SectionedLiveListChanges<R: Record, Key: Hashable & Sendable, Header: Sendable>: @MainActor AsyncSequence
{
  /// One batch.
  public typealias Element = SectionedListChanges<R, Key, Header>
  /// It cannot fail.
  public typealias Failure = Never

  weak var core: LiveCore<SectionState<R, Key, Header>>?

  /// An iterator that begins with the list as it is now.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: LiveBatches(core)) }

  /// Waits for batch after batch.
  @MainActor
  public struct Iterator: @MainActor AsyncIteratorProtocol {
    let batches: LiveBatches<SectionState<R, Key, Header>>

    /// The next batch; nil where the task is cancelled or the list is gone.
    public mutating func next() async -> Element? { await batches.next() }
  }
}
