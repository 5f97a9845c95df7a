import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The program that shows what is longer than the screen, and how it is called.
struct PagerCommand: Equatable, Sendable {
  /// For the shell.
  let command: String
  /// The lines that fit on the screen with a prompt below them.
  let height: Int

  /// `$PAGER`, else `less` where it is installed; nil where the user wants none, and where the terminal cannot be drawn on.
  init?(environment: [String: String], height: Int) {
    guard environment["TERM"] != "dumb", height > 1 else { return nil }
    switch environment["PAGER"]?.trimmed {
    case "", "cat": return nil
    case let command?: self.command = command
    case nil:
      let folders = (environment["PATH"] ?? "").split(separator: ":")
      guard folders.contains(where: { access("\($0)/less", X_OK) == 0 }) else { return nil }
      command = "less"
    }
    self.height = height - 1
  }
}

/// A pager that runs, reading what is written to `descriptor`.
struct Pager {
  let descriptor: Int32
  private let process: pid_t
  private let interrupt: (@convention(c) (Int32) -> Void)?

  /// Nil where it cannot be started.
  ///
  /// Not by Foundation's Process, which puts what it starts in a group of its own: that may not read from the terminal.
  init?(_ pager: PagerCommand) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let reading = ends.first, let writing = ends.last else { return nil }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO)
    posix_spawn_file_actions_addclose(&actions, writing)
    // Quits by itself where all fits on the screen, lets colours through, and leaves the text there.
    setenv("LESS", "FRX", 0)
    let line: [String] = ["sh", "-c", pager.command]
    var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    let result = posix_spawn(&process, "/bin/sh", &actions, nil, &words, environ)
    close(reading)
    guard result == 0 else {
      close(writing)
      return nil
    }
    descriptor = writing
    self.process = process
    // Ctrl-C is for the pager, which most often goes on after it.
    interrupt = signal(SIGINT, SIG_IGN)
  }

  /// Waits until the user has left it. True where the shell did not find the program, or could not run it.
  func wait() -> Bool {
    close(descriptor)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    signal(SIGINT, interrupt ?? SIG_DFL)
    // The exit code is in the second byte. 126 and 127 are the shell's own words. [POSIX, sh, exit status]
    let code = status >> 8 & 0xFF
    return status & 0x7F == 0 && (code == 126 || code == 127)
  }
}
