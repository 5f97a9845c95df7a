import Roster
import TodoModel

/// Reads the states of a live list, one after the other.
///
/// A row that another program has left in a form that cannot be read keeps the list from being read. That is told, and
/// the list is tried again when the database has changed.
actor ListFollower {
  enum Step: Sendable {
    case state(ListUpdates<Todo>.Element)
    case unreadable(String)
  }

  private var states: ListUpdates<Todo>.Iterator
  /// Changes since before the first state; nil where the database has no log of them.
  private var changes: ChangeFeed.Iterator?
  private var problem: String?

  init(_ query: Query<Todo>, in store: Store) {
    states = store.updates(of: query).makeAsyncIterator()
    changes = (try? store.read { try $0.feedCursor() }).map { store.changes(since: $0).makeAsyncIterator() }
  }

  /// What there is next; nil where the store is closed.
  func next() async throws -> Step? {
    while true {
      if problem != nil, try await !isChanged() { return nil }
      do {
        guard let state = try await nextState() else { return nil }
        problem = nil
        return .state(state)
      } catch let error as RosterError {
        guard error.code == .typeMismatch, changes != nil else { throw error }
        guard error.userMessage != problem else { continue }
        problem = error.userMessage
        return .unreadable(error.userMessage)
      }
    }
  }

  private func nextState() async throws -> ListUpdates<Todo>.Element? {
    var states = states
    defer { self.states = states }
    return try await states.next()
  }

  /// Waits for a change of the database; false where the store is closed.
  private func isChanged() async throws -> Bool {
    var changes = changes
    defer { self.changes = changes }
    return try await changes?.next() != nil
  }
}
