import Synchronization

/// The cancellation of one asynchronous operation: interrupts its connection while, and only while, the
/// operation runs.
final class Cancellation: Sendable {
  private enum State {
    case waiting
    case running(Interruption)
    case cancelled
    case finished
  }

  private let state = Guarded(State.waiting)
  private let flag = Atomic(false)

  /// Whether the operation is to stop. Costs an atomic load.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Stops the operation, unless it has come to its end.
  func cancel() {
    state.withLock { state in
      switch state {
      case .waiting: state = .cancelled
      case .running(let interruption):
        // Under the lock, so that the connection cannot have begun someone else's work.
        interruption.interrupt()
        state = .cancelled
      case .cancelled, .finished: return
      }
      flag.store(true, ordering: .relaxed)
    }
  }

  /// From here on, cancelling interrupts the connection.
  ///
  /// - Throws: `CancellationError` where it was cancelled before.
  func begin(_ interruption: Interruption) throws {
    try state.withLock { state in
      if case .cancelled = state { throw CancellationError() }
      state = .running(interruption)
    }
  }

  /// From here on, cancelling has no effect: what follows, such as a commit, is not to be torn.
  ///
  /// - Throws: `CancellationError` where it was cancelled before.
  func end() throws {
    try state.withLock { state in
      if case .cancelled = state { throw CancellationError() }
      state = .finished
    }
  }
}
