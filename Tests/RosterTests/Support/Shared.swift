@testable import Roster

/// A value that several tasks or threads use in turn.
final class Shared<Value: Sendable>: Sendable {
  private let guarded: Guarded<Value>

  init(_ value: Value) { guarded = Guarded(value) }

  var value: Value { guarded.withLock { $0 } }

  @discardableResult
  func change<T: Sendable>(_ body: (inout Value) throws -> T) rethrows -> T { try guarded.withLock(body) }
}
