/// Tells those who wait that the database may have changed.
///
/// It carries no news itself: whoever wakes looks at the database. So nothing is lost where several commits come before
/// one looks, and one that came before the wait began ends it at once.
final class CommitSignal: Sendable {
  private struct State {
    var count = 0
    var isFinished = false
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Guarded(State())

  /// How often it was given so far.
  var count: Int { state.withLock { $0.count } }

  /// Whether it will not be given any more: the store is closed.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// How many wait for it.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Wakes everybody who waits.
  func notify() { wake { $0.count += 1 } }

  /// Wakes everybody who waits, and whoever comes to wait later.
  func finish() { wake { $0.isFinished = true } }

  private func wake(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Takes a step now and each time that it is given, until a step is the last one, it is finished, or the task is
  /// cancelled. What is captured by the step is all that is held while it waits.
  func follow(_ step: () async -> Bool) async {
    while !Task.isCancelled {
      let seen = count
      guard await step(), !isFinished else { return }
      await wait(beyond: seen)
    }
  }

  /// Waits until it was given more often than so many times, is finished, or the task is cancelled.
  func wait(beyond seen: Int) async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.count > seen || state.isFinished || Task.isCancelled { return true }
          state.waiters[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      // Where the wait has not begun yet, it sees that the task is cancelled.
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}
