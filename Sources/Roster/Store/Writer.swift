import Dispatch

/// The connection that writes, and the queue that its users take turns on.
///
/// Unchecked: the connection is touched on the queue alone, by `run` and by the initialiser before anyone
/// else can see it.
final class Writer: @unchecked Sendable {
  private var connection: Connection?
  private let queue = DispatchQueue(label: "Roster.Writer")
  private let isWriting = DispatchSpecificKey<Bool>()

  init(_ connection: Connection) {
    self.connection = connection
    queue.setSpecific(key: isWriting, value: true)
  }

  /// Runs `body` when it is its turn, on this thread or, from an asynchronous caller, on the queue's.
  ///
  /// - Throws: ``RosterError/Code/misuse`` inside another turn, which would wait for itself.
  func run<T>(_ body: (Connection) throws -> T) throws -> T {
    guard DispatchQueue.getSpecific(key: isWriting) == nil else {
      throw RosterError(
        .misuse,
        "A write, or a read of an in-memory store, began inside a write of the same store and would wait for itself. Use the transaction at hand, or its savepoint."
      )
    }
    return try queue.sync { try body(try self.open()) }
  }

  /// Runs `body` on the queue when it is its turn, and hands over the outcome.
  func run<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T, then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    queue.async { done(Result { try body(try self.open()) }) }
  }

  /// Closes the connection after the turns that wait already. Later ones fail.
  func close() throws {
    guard DispatchQueue.getSpecific(key: isWriting) == nil else {
      throw RosterError(.misuse, "A store cannot be closed inside a write.")
    }
    queue.sync { connection = nil }
  }

  private func open() throws(RosterError) -> Connection {
    guard let connection else { throw RosterError.closed }
    return connection
  }
}

extension RosterError {
  static var closed: RosterError { RosterError(.closed, "The store is closed.") }
}
