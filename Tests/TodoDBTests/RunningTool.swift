import Foundation
import Testing

@testable import todo_db

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The tool while it runs, with what it has printed so far. It ends with this object at the latest, and is waited for
/// for so long and no longer.
final class RunningTool {
  private static let limit: TimeInterval = 60

  private let process = Process()
  private let output = Output()

  /// What a thread has read of the output.
  private final class Output: @unchecked Sendable {
    // Unchecked: the condition's lock guards what changes.
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    func read(from descriptor: Int32) {
      var chunk = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = Foundation.read(descriptor, &chunk, chunk.count)
        // The end of a terminal is an error.
        guard count > 0 || (count < 0 && errno == EINTR) else { break }
        condition.withLock {
          bytes += chunk.prefix(max(count, 0))
          condition.broadcast()
        }
      }
      condition.withLock {
        isAtEnd = true
        condition.broadcast()
      }
    }

    /// What `find` makes of the text once it makes something of it; nil where the text has ended without, or it takes
    /// too long.
    func wait<T>(for find: (String, _ isAtEnd: Bool) -> T?) -> T? {
      let end = Date(timeIntervalSinceNow: RunningTool.limit)
      return condition.withLock {
        while true {
          if let found = find(String(decoding: bytes, as: UTF8.self), isAtEnd) { return found }
          if isAtEnd || !condition.wait(until: end) { return nil }
        }
      }
    }
  }

  /// Runs the tool on a database, with its output in a pipe, or on a terminal.
  convenience init(
    _ db: TodoDB, _ arguments: String..., on terminal: PseudoTerminal? = nil, isColoured: Bool = false,
    pager: String = ""
  ) throws {
    try self.init(
      TodoDB.executable, ["--db", db.database.path] + arguments, in: db.folder, on: terminal, isColoured: isColoured,
      pager: pager)
  }

  init(
    _ program: URL, _ arguments: [String], in folder: URL, on terminal: PseudoTerminal? = nil, isColoured: Bool = false,
    pager: String = ""
  ) throws {
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // What a sanitizer is to do holds for the tool as well.
    let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    process.environment = sanitizers.merging(
      [
        "HOME": folder.path, "PATH": "/usr/bin:/bin", "TERM": "xterm", "NO_COLOR": isColoured ? "" : "1",
        "PAGER": pager,
      ]
    ) { _, own in own }
    let output = output
    if let terminal {
      let slave = terminal.slaveHandle()
      process.standardError = slave
      process.standardInput = slave
      process.standardOutput = slave
      try process.run()
      try slave.close()
      Thread.detachNewThread { output.read(from: terminal.descriptor) }
    } else {
      let pipe = Pipe()
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = pipe
      try process.run()
      Thread.detachNewThread { output.read(from: pipe.fileHandleForReading.fileDescriptor) }
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The first line that has the text in it.
  func line(with text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let line = output.wait { printed, _ in
      // What has no end yet is no line.
      printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first { $0.contains(text) }
    }
    return String(try #require(line, "\(printed) has no line with \(text)", sourceLocation: sourceLocation))
  }

  /// Waits until what was printed is so.
  func expect(sourceLocation: SourceLocation = #_sourceLocation, _ isSo: (String) -> Bool) throws {
    try #require(
      output.wait { printed, _ in isSo(printed) ? true : nil } == true, "\(printed)", sourceLocation: sourceLocation)
  }

  private var printed: String { output.wait { printed, _ in printed } ?? "" }

  /// Sends a signal, or none, and gives all that was printed and the exit code; nil for one that a signal ended.
  func end(by signal: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws -> (String, Int32?) {
    if let signal { kill(process.processIdentifier, signal) }
    let all = try #require(
      output.wait { $1 ? $0 : nil }, "it goes on: \(printed)", sourceLocation: sourceLocation)
    process.waitUntilExit()
    return (all, process.terminationReason == .exit ? process.terminationStatus : nil)
  }
}

/// A terminal without a screen: what is written to it is read from the descriptor.
final class PseudoTerminal: Sendable {
  let descriptor: Int32

  /// Types a text, as a user does.
  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  private let slave: Int32

  init(width: Int, height: Int) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, self.slave) = (master, slave)
  }

  deinit { close(descriptor) }

  /// The end for a program, which closes with the handle: then what is read ends with the program.
  fileprivate func slaveHandle() -> FileHandle { FileHandle(fileDescriptor: slave, closeOnDealloc: false) }
}

/// Python with its module for SQLite: another program, and one that knows nothing of Roster.
enum Python {
  private static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Whether it is installed.
  static let isThere: Bool = {
    let probe = process(["-c", "import sqlite3"])
    guard (try? probe.run()) != nil else { return false }
    probe.waitUntilExit()
    return probe.terminationStatus == 0
  }()

  /// Runs a statement with arguments on a database.
  static func execute(_ sql: String, _ arguments: String..., on database: URL) throws {
    let script = """
      import sqlite3, sys
      connection = sqlite3.connect(sys.argv[1], timeout=30)
      connection.execute(sys.argv[2], sys.argv[3:])
      connection.commit()
      """
    let process = process(["-c", script, database.path, sql] + arguments)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
