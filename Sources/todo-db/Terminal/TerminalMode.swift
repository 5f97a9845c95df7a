#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The modes of the terminal that a screen needs, and those that were there before.
struct TerminalMode: Sendable {
  private let former: termios?

  init() {
    var mode = termios()
    former = tcgetattr(STDIN_FILENO, &mode) == 0 ? mode : nil
  }

  /// What is typed is not shown: it would stand in the list.
  func enter(_ out: OutputStream) {
    if var mode = former {
      mode.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
    out.write(Escape.enter)
  }

  func leave(_ out: OutputStream) {
    out.write(Escape.leave)
    _ = out.handOver()
    leave()
  }

  /// Restores what needs no output. What was typed meanwhile is for nobody.
  func leave() {
    guard var mode = former else { return }
    // Not the way that waits for the output, which may be held up.
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    tcflush(STDIN_FILENO, TCIFLUSH)
  }
}
