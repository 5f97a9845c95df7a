import CSQLite
import Synchronization

/// The right to interrupt a connection from another thread, for as long as it is open.
///
/// `sqlite3_interrupt` may be called from any thread while the connection is open, and the lock keeps
/// its address only for that long. https://www.sqlite.org/c3ref/interrupt.html
final class Interruption: Sendable {
  private let address: Guarded<Int>
  private let flag = Atomic(false)

  init(_ database: OpaquePointer) { address = Guarded(Int(bitPattern: database)) }

  /// Whether the connection's present work was interrupted.
  var isSet: Bool { flag.load(ordering: .relaxed) }

  func interrupt() {
    address.withLock {
      flag.store(true, ordering: .relaxed)
      if let open = OpaquePointer(bitPattern: $0) { sqlite3_interrupt(open) }
    }
  }

  /// Before the connection's next work.
  func reset() { flag.store(false, ordering: .relaxed) }

  func end() { address.withLock { $0 = 0 } }
}

/// How a connection waits for another's lock: with pauses, until the timeout or an interruption.
///
/// The lock goes to whoever asks next, and not in turn. With pauses that grow, one that has waited for long asks so seldom
/// that others who write in a loop keep it out: of four such processes, one waited for over five seconds. So whoever has
/// waited for a while asks every millisecond or two.
///
/// SQLite's own timeout does not heed interruptions: a cancelled write would keep its turn until the timeout.
final class LockWait {
  private static let pauses: [Int32] = [1, 2, 5, 10, 15, 10, 5]
  var timeout = Duration.zero
  private var start = ContinuousClock.now
  private let interruption: Interruption

  init(_ interruption: Interruption) { self.interruption = interruption }

  /// Pauses before the lock is tried again, for the `count`-th time from 0. False where the wait is over.
  func pause(_ count: Int) -> Bool {
    if count == 0 { start = .now }
    guard !interruption.isSet else { return false }
    let left = timeout - (ContinuousClock.now - start)
    guard left > .zero else { return false }
    let pause = count < LockWait.pauses.count ? LockWait.pauses[count] : Int32.random(in: 1...2)
    // Not past the timeout, and at least a millisecond.
    sqlite3_sleep(left < .milliseconds(pause) ? max(1, Int32(left / .milliseconds(1))) : pause)
    return true
  }
}
