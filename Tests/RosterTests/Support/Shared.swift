import Synchronization

/// A value that several tasks or threads use in turn.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }

  @discardableResult
  func change<T: Sendable>(_ body: (inout Value) throws -> T) rethrows -> T {
    try mutex.withLock { value throws -> T in try body(&value) }
  }
}
