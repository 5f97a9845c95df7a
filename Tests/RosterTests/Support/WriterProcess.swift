import Foundation

/// A run of `test-writer`.
final class WriterProcess {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var unread = Data()

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = WriterProcess.products.appendingPathComponent("test-writer")
    process.arguments = arguments
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
    }
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    // Else the pipe would not end with the process.
    try output.fileHandleForWriting.close()
  }

  /// The folder that the test bundle lies in, and the products of other targets too.
  private static var products: URL {
    #if os(Linux)
      let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      return executable.deletingLastPathComponent()
    #else
      return Bundle(for: WriterProcess.self).bundleURL.deletingLastPathComponent()
    #endif
  }

  /// Lets a process go on that waits for its standard input.
  func go() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
  }

  /// The next line that it prints; nil after the last whole one.
  func line() throws -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }

  /// All further lines, when it has ended.
  func lines() throws -> [String] {
    var lines: [String] = []
    while let line = try line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  /// Ends it as kill -9 does.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  var isRunning: Bool { process.isRunning }

  /// Ends it as kill -9 does, and waits until it is gone.
  func killAndWait() {
    kill()
    process.waitUntilExit()
  }

  /// What a run prints.
  static func lines(_ arguments: String...) throws -> [String] { try WriterProcess(arguments).lines() }
}
