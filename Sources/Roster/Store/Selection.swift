public import Observation

/// The ids of selected records, without those that are deleted: as soon as the database has no record with an id, it is
/// dropped, whoever deleted it.
///
/// ```swift
/// let selection = Selection(of: Todo.self, in: store)
/// selection.ids.insert(todo.id)
/// ```
///
/// On the main actor. It does not keep the store open.
@MainActor @Observable
public final class Selection<R: Record> {
  /// The ids, for a list view to bind to.
  public var ids: Set<R.ID> {
    didSet {
      let new = ids.subtracting(oldValue)
      guard !new.isEmpty else { return }
      // It may have been deleted since the list was drawn that it was chosen from.
      unchecked.formUnion(new)
      let selection = Weak(self)
      Task { _ = await Selection.refresh(selection) }
    }
  }

  @ObservationIgnored private var unchecked: Set<R.ID>
  @ObservationIgnored private weak var store: Store?
  @ObservationIgnored private var cursor: FeedCursor?
  @ObservationIgnored private let follower = Follower()

  private final class Follower {
    var task: Task<Void, Never>?
    deinit { task?.cancel() }
  }

  /// A selection of records. Those of the ids that no record has are dropped in the background.
  public init(_ ids: Set<R.ID> = [], of type: R.Type, in store: Store) {
    self.ids = ids
    unchecked = ids
    self.store = store
    let (signal, selection) = (store.signal, Weak(self))
    follower.task = Task { await signal.follow { await Selection.refresh(selection) } }
  }

  /// False where there is no selection to refresh any more.
  private static func refresh(_ selection: Weak<Selection>) async -> Bool {
    guard let selection = selection.value, let store = selection.store else { return false }
    let (ids, unchecked, cursor) = (selection.ids, selection.unchecked, selection.cursor)
    // What fails now is asked for again with the next change.
    guard (try? store.noticeOthers()) != nil,
      let (gone, present) = try? await store.read({ try Selection.gone(ids, unchecked, since: cursor, on: $0.open()) })
    else { return true }
    selection.cursor = present
    selection.unchecked.subtract(unchecked)
    if !gone.isDisjoint(with: selection.ids) { selection.ids.subtract(gone) }
    return true
  }

  /// The ids that no record has, and where the feed stands: of all ids where the table may have changed since a cursor, else
  /// of those that were not checked yet.
  private nonisolated static func gone(
    _ ids: Set<R.ID>, _ unchecked: Set<R.ID>, since cursor: FeedCursor?, on connection: Connection
  ) throws -> (Set<R.ID>, FeedCursor?) {
    let present = try connection.feedCursorIfAny()
    let isUnchanged = try connection.isUnchanged([LoggedTable.source(R.table.name)], since: cursor)
    return (try (isUnchanged ? unchecked : ids).filter { try !connection.exists(R.self, id: $0) }, present)
  }
}
