import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What ends a command that goes on by itself: Ctrl-C, a signal to end, or that nobody reads its output any more.
///
/// A signal that the process was started to ignore, as by `nohup`, stays ignored.
final class Ending {
  private let request: Request
  private let sources: [any DispatchSourceSignal]

  /// The code to exit with, when `end` has returned if it was called: ``ExitCode/done`` but after Ctrl-C.
  func code() -> ExitCode { request.queue.sync { request.code ?? .done } }

  /// Has `end` called once, on another thread, to make the command end. Where that takes too long, as it does while the
  /// reader of the output takes nothing, or at a second signal, the process ends as it is, after `cleanUp`.
  init(
    readerOf out: OutputStream, end: @escaping @Sendable () -> Void, cleanUp: @escaping @Sendable () -> Void = {}
  ) {
    let request = Request(end, cleanUp)
    self.request = request
    sources = [(SIGINT, ExitCode.interrupted), (SIGTERM, .done), (SIGHUP, .done)].compactMap { number, code in
      signalSource(number, on: request.queue) { request.signalled(code) }
    }
    out.whenReaderGoes { request.queue.async { _ = request.begin(.done) } }
  }

  deinit { for source in sources { source.cancel() } }

  /// That the command is to end.
  private final class Request: Sendable {
    let queue = DispatchQueue(label: "todo-db.ending")
    private let reason = Mutex<ExitCode?>(nil)
    private let end: @Sendable () -> Void
    private let cleanUp: @Sendable () -> Void

    private static let patience = DispatchTimeInterval.seconds(2)

    init(_ end: @escaping @Sendable () -> Void, _ cleanUp: @escaping @Sendable () -> Void) {
      self.end = end
      self.cleanUp = cleanUp
    }

    var code: ExitCode? { reason.withLock { $0 } }

    func signalled(_ code: ExitCode) {
      if !begin(code) { leave(code) }
    }

    /// False where it has begun already.
    func begin(_ code: ExitCode) -> Bool {
      let isFirst = reason.withLock { reason in
        guard reason == nil else { return false }
        reason = code
        return true
      }
      guard isFirst else { return false }
      queue.asyncAfter(deadline: .now() + Request.patience) { [self] in leave(code) }
      end()
      return true
    }

    private func leave(_ code: ExitCode) {
      cleanUp()
      _exit(code.rawValue)
    }
  }
}

/// What is to be done where a signal ends the process in the middle of something, such as removing what is half written.
final class Interruption {
  private let sources: [any DispatchSourceSignal]
  private static let queue = DispatchQueue(label: "todo-db.interruption")

  /// The exit code then is that of a process which the signal ended.
  init(_ cleanUp: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      signalSource(number, on: Interruption.queue) {
        cleanUp()
        _exit(128 + number)
      }
    }
  }

  /// From now on nothing is to be cleaned up. It waits where that is being done.
  func end() {
    Interruption.queue.sync { for source in sources { source.cancel() } }
  }
}

/// Whether a signal has asked for the end of something that looks for it by itself, and then removes what it has begun.
final class StopRequest {
  private let sources: [any DispatchSourceSignal]
  private let request = Request()

  /// What the handlers of the signals share with who asks.
  private final class Request: Sendable {
    let number = Mutex<Int32?>(nil)
  }

  init() {
    let (request, queue) = (request, DispatchQueue(label: "todo-db.stop"))
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { signal in
      signalSource(signal, on: queue) { request.number.withLock { $0 = signal } }
    }
  }

  deinit { for source in sources { source.cancel() } }

  /// What a process exits with that the signal has ended; nil while none has come.
  var code: Int32? { request.number.withLock { $0.map { 128 + $0 } } }
}

/// Calls `body` on a queue for each signal of a number; nil where the process was started to ignore it.
func signalSource(
  _ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
) -> (any DispatchSourceSignal)? {
  let former = signal(number, SIG_IGN)
  guard unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { return nil }
  #if !canImport(Darwin)
    // Here the source catches the signal itself. On Darwin it is told of one that has no effect otherwise.
    _ = signal(number, SIG_DFL)
  #endif
  let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
  source.setEventHandler(handler: body)
  source.activate()
  return source
}
