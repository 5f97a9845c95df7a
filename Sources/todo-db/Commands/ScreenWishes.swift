import Dispatch
import Roster
import Synchronization
import TodoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is to become of a screen, told by whoever has news. Of several states of the list the last one counts.
final class ScreenWishes: Sendable {
  struct Content: Sendable {
    var records: ListRecords<Todo>
    var done: Int
  }

  struct Wish: Sendable {
    /// Nil where the list was never read.
    var content: Content?
    /// Why the list cannot be read any further for now.
    var problem: String?
    /// Whether nothing of what the terminal shows can be relied on.
    var isAnew = false
    /// Whether the process is to stop, until it is continued.
    var isStop = false
  }

  private struct State {
    var wish = Wish()
    var isNew = false
    var isEnded = false
    var error: (any Error)?
  }

  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)

  /// Why it ended, where that was an error.
  var error: (any Error)? { state.withLock { $0.error } }

  func show(_ content: Content) {
    tell {
      $0.wish.content = content
      $0.wish.problem = nil
    }
  }

  func show(_ problem: String) { tell { $0.wish.problem = problem } }

  func draw() { tell { _ in } }

  func end(_ error: (any Error)?) {
    tell { state in
      if !state.isEnded { state.error = error }
      state.isEnded = true
    }
  }

  private func tell(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.isNew = true
    }
    news.signal()
  }

  /// Waits for something to do; nil at the end.
  func next() -> Wish? {
    while true {
      news.wait()
      let (wish, isEnded) = state.withLock { state -> (Wish?, Bool) in
        defer {
          state.isNew = false
          state.wish.isAnew = false
          state.wish.isStop = false
        }
        return (state.isNew ? state.wish : nil, state.isEnded)
      }
      if isEnded { return nil }
      if let wish { return wish }
    }
  }

  /// Another size of the terminal, being stopped from the keyboard, and being continued.
  func signals() -> [any DispatchSourceSignal] {
    let queue = DispatchQueue(label: "todo-db.screen")
    return [
      signalSource(SIGWINCH, on: queue) { self.draw() },
      signalSource(SIGTSTP, on: queue) {
        self.tell {
          $0.wish.isStop = true
          $0.wish.isAnew = true
        }
      },
      signalSource(SIGCONT, on: queue) { self.tell { $0.wish.isAnew = true } },
    ].compactMap(\.self)
  }
}
