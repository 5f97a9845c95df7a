import Dispatch

/// The connections that read, each by one reader at a time, each on its own snapshot.
final class ReaderPool: Sendable {
  /// A connection on its way between the pool and the one reader that has it.
  ///
  /// Unchecked: it is in the pool's list or with one reader, never both, and the mutex around the list
  /// orders the one use after the other.
  final class Reader: @unchecked Sendable {
    private var connection: Connection?
    init(_ connection: Connection) { self.connection = connection }

    func use<T>(_ body: (Connection) throws -> T) throws -> T {
      guard let connection else { throw RosterError.closed }
      return try body(connection)
    }

    func close() { connection = nil }
  }

  private typealias Waiter = @Sendable (Result<Reader, RosterError>) -> Void

  private struct State: Sendable {
    var idle: [Reader] = []
    var lent = 0
    var waiters: [Waiter] = []
    // The threads that read, once for each read. A task-local value would stay with a task begun inside one.
    var threads: [UInt] = []
    var isClosed = false
    // Who waits until no connection is lent any more.
    var closers: [@Sendable () -> Void] = []
  }

  private enum Decision {
    case take(Reader)
    case open
    case wait
    case closed
  }

  private let state = Guarded(State())
  private let limit: Int
  private let connect: @Sendable () throws(RosterError) -> Connection
  private let queue = DispatchQueue(label: "Roster.Readers", attributes: .concurrent)

  /// `first` is a connection that is open already.
  init(
    limit: Int, first: Connection? = nil, connect: @escaping @Sendable () throws(RosterError) -> Connection
  ) {
    self.limit = max(1, limit)
    self.connect = connect
    if let first { state.withLock { [reader = Reader(first)] in $0.idle.append(reader) } }
  }

  /// Reads on this thread, which waits where all connections are in use.
  ///
  /// A read inside a read gets a connection of its own at once: it must not wait for the one it is part of. So
  /// does one inside a write (`isNested`), which a reader may wait for.
  func read<T>(isNested: Bool = false, _ body: (Connection) throws -> T) throws -> T {
    let reader: Reader
    switch decide(isNested: isNested, waiter: nil) {
    case .take(let idle): reader = idle
    case .open: reader = try open()
    case .closed: throw RosterError.closed
    case .wait:
      let turn = DispatchSemaphore(value: 0)
      let outcome = Guarded<Result<Reader, RosterError>>(.failure(.closed))
      let decision = decide(isNested: false) { result in
        outcome.withLock { $0 = result }
        turn.signal()
      }
      switch decision {
      case .take(let idle): reader = idle
      case .open: reader = try open()
      case .closed: throw RosterError.closed
      case .wait:
        turn.wait()
        reader = try outcome.withLock { $0 }.get()
      }
    }
    return try use(reader, body)
  }

  /// Reads on this thread where a connection is free at this moment; nil where none is.
  func readIfIdle<T>(_ body: (Connection) throws -> T) throws -> T? {
    guard
      let reader = state.withLock({ state -> Reader? in
        guard !state.isClosed, let idle = state.idle.popLast() else { return nil }
        state.lent += 1
        return idle
      })
    else { return nil }
    return try use(reader, body)
  }

  /// Reads on a thread of the pool's queue, as soon as a connection is free, and hands over the outcome.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    let start: Waiter = { [self] result in
      queue.async { [self] in
        done(
          Result {
            try use(try result.get(), body)
          })
      }
    }
    switch decide(isNested: false, waiter: start) {
    case .take(let reader): start(.success(reader))
    case .open:
      queue.async { [self] in
        do throws(RosterError) { start(.success(try open())) } catch { start(.failure(error)) }
      }
    case .closed: start(.failure(.closed))
    case .wait: break
    }
  }

  /// Whether the caller runs inside a read.
  var isMine: Bool {
    let thread = CurrentThread.number
    return state.withLock { $0.threads.contains(thread) }
  }

  /// Closes the idle connections now and the others when they come back. Waiting readers fail.
  ///
  /// - Returns: once all are closed, where `waits` says so. Not to be called inside a read then.
  func close(waits: Bool) {
    let done = DispatchSemaphore(value: 0)
    let (idle, waiters, isBusy) = state.withLock { state in
      defer {
        state.idle = []
        state.waiters = []
        state.isClosed = true
      }
      let isBusy = waits && state.lent > 0
      if isBusy { state.closers.append { done.signal() } }
      return (state.idle, state.waiters, isBusy)
    }
    for reader in idle { reader.close() }
    for waiter in waiters { waiter(.failure(.closed)) }
    if isBusy { done.wait() }
  }

  /// Counts one connection less, and tells who waits for the last to be closed.
  private static func leave(_ state: inout State) -> [@Sendable () -> Void] {
    state.lent -= 1
    guard state.isClosed, state.lent == 0 else { return [] }
    defer { state.closers = [] }
    return state.closers
  }

  private func use<T>(_ reader: Reader, _ body: (Connection) throws -> T) throws -> T {
    let thread = CurrentThread.number
    state.withLock { $0.threads.append(thread) }
    defer { give(back: reader, from: thread) }
    return try reader.use(body)
  }

  private func decide(isNested: Bool, waiter: Waiter?) -> Decision {
    let thread = CurrentThread.number
    return state.withLock { state in
      if state.isClosed { return .closed }
      if let idle = state.idle.popLast() {
        state.lent += 1
        return .take(idle)
      }
      if isNested || state.lent < limit || state.threads.contains(thread) {
        state.lent += 1
        return .open
      }
      if let waiter { state.waiters.append(waiter) }
      return .wait
    }
  }

  private func open() throws(RosterError) -> Reader {
    do throws(RosterError) { return Reader(try connect()) } catch {
      passOn()
      throw error
    }
  }

  private enum Return {
    case waiter(Waiter)
    case kept
    case close
  }

  private func give(back reader: Reader, from thread: UInt) {
    let next = state.withLock { state -> Return in
      if let index = state.threads.firstIndex(of: thread) { state.threads.remove(at: index) }
      // A nested read may have gone over the limit; the connection beyond it is not kept.
      guard !state.isClosed, state.lent + state.idle.count <= limit else { return .close }
      if !state.waiters.isEmpty { return .waiter(state.waiters.removeFirst()) }
      state.lent -= 1
      state.idle.append(reader)
      return .kept
    }
    switch next {
    case .waiter(let waiter): waiter(.success(reader))
    case .kept: break
    case .close:
      reader.close()
      for closer in state.withLock({ ReaderPool.leave(&$0) }) { closer() }
    }
  }

  /// Lets the next reader try where a connection could not be opened.
  private func passOn() {
    let (waiter, closers) = state.withLock { state -> (Waiter?, [@Sendable () -> Void]) in
      if !state.waiters.isEmpty { return (state.waiters.removeFirst(), []) }
      return (nil, ReaderPool.leave(&state))
    }
    for closer in closers { closer() }
    guard let waiter else { return }
    do throws(RosterError) { waiter(.success(try open())) } catch { waiter(.failure(error)) }
  }
}
