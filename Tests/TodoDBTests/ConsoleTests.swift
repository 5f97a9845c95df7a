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

@Suite struct ConsoleTests {
  private func pipeEnds() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    return (ends.first ?? -1, ends.last ?? -1)
  }

  private func readAll(_ descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return all }
      all += chunk.prefix(count)
    }
  }

  @Test("bytes arrive in order and once, also where a write takes only part of them")
  func partialWrites() async throws {
    let (read, write) = try pipeEnds()
    let reading = Task.detached { readAll(read) }
    // Without blocking a pipe takes what fits and refuses the rest, so that every path is taken.
    #expect(fcntl(write, F_SETFL, O_NONBLOCK) == 0)
    let stream = OutputStream(descriptor: write, capacity: 1 << 20)
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    for start in stride(from: 0, to: bytes.count, by: 100_000) {
      stream.write(Array(bytes.dropFirst(start).prefix(100_000)))
    }
    try stream.flush()
    close(write)
    let found = await reading.value
    #expect(found == bytes)
    close(read)
  }

  @Test("nothing is written before the buffer is full or flushed")
  func buffering() throws {
    let (read, write) = try pipeEnds()
    #expect(fcntl(read, F_SETFL, O_NONBLOCK) == 0)
    let stream = OutputStream(descriptor: write, capacity: 4)
    stream.write("abc")
    #expect(readAll(read).isEmpty)
    stream.writeLine("d")
    #expect(readAll(read) == Array("abcd\n".utf8))
    #expect(!stream.isTerminal)
    #expect(stream.terminalWidth == nil)
    close(write)
    close(read)
  }

  @Test("a reader that goes away closes the stream quietly")
  func closedPipe() throws {
    signal(SIGPIPE, SIG_IGN)
    let (read, write) = try pipeEnds()
    close(read)
    let console = Console(
      out: OutputStream(descriptor: write), err: OutputStream(descriptor: write), environment: [:])
    console.out.write("lost")
    #expect(console.finish(.done) == .done)
    #expect(console.out.isClosed)
    console.out.write("also lost")
    try console.out.flush()
    close(write)
  }

  @Test("another failure is kept, reported on the error stream, and refuses")
  func failure() throws {
    let (read, write) = try pipeEnds()
    let console = Console(
      out: OutputStream(descriptor: -1), err: OutputStream(descriptor: write), environment: [:])
    console.out.write("x")
    #expect(throws: OutputError(code: EBADF)) { try console.out.flush() }
    #expect(console.finish(.done) == .refused)
    #expect(console.finish(.usage) == .usage)
    close(write)
    let text = String(decoding: readAll(read), as: UTF8.self)
    #expect(text.hasPrefix("todo-db: the output could not be written: "))
    close(read)
  }

  @Test("messages come after the results that were written before them, without colour in a pipe")
  func messages() throws {
    let (read, write) = try pipeEnds()
    let console = Console(
      out: OutputStream(descriptor: write), err: OutputStream(descriptor: write), environment: [:])
    console.out.writeLine("result")
    console.message("careful", role: .warning)
    close(write)
    #expect(String(decoding: readAll(read), as: UTF8.self) == "result\ncareful\n")
    close(read)
  }
}
