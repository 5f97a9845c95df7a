import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the process tells its parent.
enum ExitCode: Int32, Sendable {
  case done = 0
  case refused = 1
  case usage = 2
  /// Ended by Ctrl-C: what a shell says of a program that the signal ended.
  case interrupted = 130
}

/// A write that failed for another reason than a reader that has gone.
struct OutputError: Error, Equatable {
  var code: Int32

  var message: String { "the output could not be written: \(String(cString: strerror(code)))" }
}

/// Buffered writing to a file descriptor.
///
/// Bytes arrive in order and each once, whatever part of them a single write takes. A reader that has
/// gone, as `head` does, is no error: what is left is dropped, and `isClosed` lets a long listing stop.
///
/// On a terminal, what is longer than the screen may go through a pager, which is started once there is more than a screen
/// of it.
final class OutputStream {
  private enum Paging {
    case none
    /// Nothing was written yet.
    case waiting(PagerCommand)
    case running(Pager)
  }

  private let terminal: Int32
  private var descriptor: Int32
  private var paging = Paging.none
  /// What the pager was given, for the terminal in case that there is no such program.
  private var paged: [UInt8] = []
  private let capacity: Int
  private var buffer: [UInt8] = []
  private var failure: OutputError?
  private(set) var isClosed = false

  init(descriptor: Int32, capacity: Int = 64 * 1024) {
    terminal = descriptor
    self.descriptor = descriptor
    self.capacity = capacity
  }

  var isTerminal: Bool { isatty(terminal) == 1 }

  /// Has what is longer than the screen go through a pager. Before anything is written.
  func page(environment: [String: String]) {
    guard let height = terminalSize?.height, let pager = PagerCommand(environment: environment, height: height) else {
      return
    }
    paging = .waiting(pager)
  }

  private var isPaging: Bool { if case .running = paging { true } else { false } }

  /// Writes what is buffered, and waits until the user has left the pager, where there is one.
  func endPaging() {
    drain()
    guard case .running(let pager) = paging else { return }
    let isMissing = pager.wait()
    paging = .none
    descriptor = terminal
    isClosed = false
    if isMissing { write(paged) }
    paged = []
    drain()
  }

  /// The columns of the terminal, if the descriptor is one and says.
  var terminalWidth: Int? { terminalSize?.width }

  /// The columns and lines of the terminal, if the descriptor is one and says.
  var terminalSize: (width: Int, height: Int)? {
    var size = winsize()
    guard isTerminal, ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Calls `body` on a thread of its own when the reader of a pipe, or the terminal, has gone: a command that waits for
  /// something to write would not notice.
  func whenReaderGoes(_ body: @escaping @Sendable () -> Void) {
    let descriptor = descriptor
    Thread.detachNewThread {
      // With no events asked for, it waits for those alone that cannot be declined.
      var event = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&event, 1, -1) < 0 { if errno != EINTR { return } }
      if Int32(event.revents) & (POLLERR | POLLHUP) != 0 { body() }
    }
  }

  /// Adds text to the buffer. A failure is kept and thrown by `flush()`.
  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    // A pager that was left, or is none, has its end told by `endPaging()`.
    guard !isClosed || isPaging, failure == nil else { return }
    buffer.append(contentsOf: bytes)
    if buffer.count >= capacity { drain() }
  }

  func writeLine(_ text: String = "") { write(text + "\n") }

  /// Hands the buffered bytes to the system at once; false where there is no use in going on.
  func handOver() -> Bool {
    drain()
    return failure == nil && !isClosed
  }

  /// Hands the buffered bytes to the system. Throws the first failure since the stream was made.
  func flush() throws(OutputError) {
    drain()
    if let failure { throw failure }
  }

  private func startPager() {
    guard case .waiting(let command) = paging, !buffer.isEmpty else { return }
    paging = .none
    guard buffer.count >= capacity || buffer.count(where: { $0 == UInt8(ascii: "\n") }) > command.height,
      let pager = Pager(command)
    else { return }
    paging = .running(pager)
    descriptor = pager.descriptor
  }

  private func drain() {
    startPager()
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    if case .running = paging { paged += bytes }
    bytes.withUnsafeBytes { raw in
      var rest = raw[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if count < 0, !canRetry(errno) {
          return
        }
      }
    }
  }

  /// False where the stream is at its end, by a reader that has gone or by a failure.
  private func canRetry(_ code: Int32) -> Bool {
    switch code {
    case EINTR:
      return true
    case EAGAIN:
      // A descriptor shared with a process that made it non-blocking: wait until it takes bytes again.
      var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&event, 1, -1)
      return true
    case EPIPE:
      isClosed = true
      return false
    default:
      failure = OutputError(code: code)
      return false
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Where a command's results and messages go.
///
/// Results go to `out` and everything else to `err`, so that a pipe carries results alone.
struct Console {
  let out: OutputStream
  let err: OutputStream
  let outStyle: Style
  let errStyle: Style
  /// Whether `out` is a terminal that lets its screen be drawn on.
  let hasScreen: Bool
  /// Whether `err` is a terminal on which a line can be written over.
  let showsProgress: Bool

  init(out: OutputStream, err: OutputStream, environment: [String: String]) {
    self.out = out
    self.err = err
    outStyle = Style(isTerminal: out.isTerminal, environment: environment)
    errStyle = Style(isTerminal: err.isTerminal, environment: environment)
    hasScreen = out.isTerminal && environment["TERM"] != "dumb"
    showsProgress = err.isTerminal && environment["TERM"] != "dumb"
  }

  /// The process's own output. From here on a reader that goes away is seen as an error of the write
  /// and no longer ends the process by a signal.
  static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> Console {
    _ = signal(SIGPIPE, SIG_IGN)
    return Console(
      out: OutputStream(descriptor: STDOUT_FILENO), err: OutputStream(descriptor: STDERR_FILENO),
      environment: environment)
  }

  /// Writes one message to `err`, after everything that was written to `out` before it.
  func message(_ text: String, role: Style.Role = .plain) {
    try? out.flush()
    out.endPaging()
    err.writeLine(errStyle.apply(role, to: text))
    try? err.flush()
  }

  /// Writes what is still buffered and gives the code to exit with: `code`, unless the output failed.
  func finish(_ code: ExitCode) -> ExitCode {
    do {
      try out.flush()
      out.endPaging()
      try err.flush()
      return code
    } catch {
      err.writeLine("todo-db: " + error.message)
      try? err.flush()
      return code == .done ? .refused : code
    }
  }
}
