import Dispatch
import Synchronization

/// The connection that writes, and the queue that its users take turns on.
///
/// Unchecked: the connection is touched on the queue alone, by `run` and by the initialiser before anyone
/// else can see it.
final class Writer: @unchecked Sendable {
  private var connection: Connection?
  private let queue = DispatchQueue(label: "Roster.Writer")
  // The thread of the turn that runs, or 0. A thread and not the queue or a task-local value: a turn of another
  // store may stand between, and a task begun inside a turn is not part of it.
  private let owner = Atomic<UInt>(0)

  init(_ connection: Connection) { self.connection = connection }

  /// Whether the caller runs inside a turn.
  var isMine: Bool { owner.load(ordering: .relaxed) == CurrentThread.number }

  /// Runs `body` when it is its turn, on this thread or, from an asynchronous caller, on the queue's.
  ///
  /// - Throws: ``RosterError/Code/misuse`` inside another turn, which would wait for itself.
  func run<T>(_ body: (Connection) throws -> T) throws -> T {
    guard !isMine else {
      throw RosterError(
        .misuse,
        "A write, or a read of an in-memory store, began inside a write of the same store and would wait for itself. Use the transaction at hand, or its savepoint."
      )
    }
    return try queue.sync { try take(body) }
  }

  /// Runs `body` on the queue when it is its turn, and hands over the outcome.
  func run<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    queue.async { done(Result { try self.take(body) }) }
  }

  deinit { connection?.emptyLogOfReplacedFile() }

  /// Closes the connection after the turns that wait already. Later ones fail.
  func close() {
    queue.sync {
      connection?.emptyLogOfReplacedFile()
      connection = nil
    }
  }

  private func take<T>(_ body: (Connection) throws -> T) throws -> T {
    guard let connection else { throw RosterError.closed }
    owner.store(CurrentThread.number, ordering: .relaxed)
    defer { owner.store(0, ordering: .relaxed) }
    return try body(connection)
  }
}

extension RosterError {
  static var closed: RosterError { RosterError(.closed, "The store is closed.") }
}
