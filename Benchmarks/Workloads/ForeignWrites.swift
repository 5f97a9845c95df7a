import Foundation
import Roster

/// Commits of another process, from the commit's return there to the events here, by the clock that both processes have.
enum ForeignWrites {
  static let option = "--write-for"

  /// What the other process does.
  struct Job {
    var path: String
    var commits: Int
  }

  /// A commit each 20 ms, with the time at which it returned printed.
  static func write(_ job: Job) throws {
    let store = try Store(
      at: URL(fileURLWithPath: job.path), records: [BenchItem.self], migrations: Schema.migrations)
    var times: [UInt64] = []
    for number in 0..<job.commits {
      usleep(20_000)
      try store.write { tx in try tx.execute("UPDATE item SET title = \("commit \(number)") WHERE row_key = 1") }
      times.append(now())
    }
    print(times.map(String.init).joined(separator: " "))
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The seconds from each commit to its events.
  static func latencies(of store: Store, _ job: Job) async throws -> [Double] {
    var updates = store.updates(of: Query<BenchItem>()).makeAsyncIterator()
    _ = try await updates.next()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    process.arguments = [option, job.path, String(job.commits)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var seen = [UInt64](repeating: 0, count: job.commits)
    var last = -1
    while last < job.commits - 1, let update = try await updates.next() {
      let title = update.changes.updates.first?.record.title ?? ""
      guard let number = Int(title.dropFirst("commit ".count)), seen.indices.contains(number), number > last
      else { continue }
      // A batch may hold several commits.
      for index in (last + 1)...number { seen[index] = now() }
      last = number
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let times = text.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
    guard times.count == job.commits else { throw BenchFailure("the other process has made \(times.count) commits") }
    // Events may be here before the commit has returned there.
    return zip(seen, times).map { Double(max(0, Int64($0) - Int64($1))) / 1e9 }
  }
}
