#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that threads use in turn.
///
/// Not `Synchronization.Mutex`: on Linux its path for a lock that is taken is in a library without
/// instrumentation, and the thread sanitizer reports races that are none (Swift 6.3.1; a program of ten lines
/// with a contended Mutex shows it). It knows pthread's.
///
/// Unchecked: `value` is touched with the lock held, and what goes in and out is Sendable.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Runs `body` with the lock held. It must not come here again, nor call anything that can.
  func withLock<T: Sendable>(_ body: (inout Value) throws -> T) rethrows -> T {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
