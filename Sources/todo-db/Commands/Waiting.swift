import Dispatch
import Synchronization

/// What an asynchronous function returns, for a thread that has nothing else to do.
///
/// The tool does one thing at a time on its main thread. An asynchronous `main` would leave that thread on Linux, which
/// then is shown as a defunct process (Swift 6.3).
func waiting<T: Sendable>(for body: @escaping @Sendable () async throws -> T) throws -> T {
  let answer = Answer<T>()
  Task.detached {
    do { answer.give(.success(try await body())) } catch { answer.give(.failure(error)) }
  }
  return try answer.wait()
}

private final class Answer<T: Sendable>: Sendable {
  private let result = Mutex<Result<T, any Error>?>(nil)
  private let given = DispatchSemaphore(value: 0)

  func give(_ result: Result<T, any Error>) {
    self.result.withLock { $0 = result }
    given.signal()
  }

  func wait() throws -> T {
    while true {
      given.wait()
      if let result = result.withLock({ $0 }) { return try result.get() }
    }
  }
}
