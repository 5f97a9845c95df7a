import Dispatch
import Foundation

/// The files of a run: databases of a size are made once, and copied for each workload that writes to one.
final class Fixtures {
  private let folder: URL
  private var endings: [any DispatchSourceSignal] = []
  private var number = 0
  private var made: [String: URL] = [:]
  private var kept: [String: Any] = [:]

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("roster-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // There can be gigabytes of them, which Ctrl-C must not leave.
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [folder] in
        try? FileManager.default.removeItem(at: folder)
        exit(128 + number)
      }
      source.resume()
      endings.append(source)
    }
  }

  private var scratch: URL { folder.appendingPathComponent("scratch") }

  /// The path of a file that is yet to be, for one workload at one size.
  func newFile() throws -> URL {
    number += 1
    let own = scratch.appendingPathComponent(String(number))
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    return own.appendingPathComponent("bench.db")
  }

  /// A copy of a database that is made once in a run; `make` closes it.
  func copy(_ name: String, make: (URL) throws -> Void) throws -> URL {
    let original = folder.appendingPathComponent("\(name).db")
    if made[name] == nil {
      try make(original)
      made[name] = original
    }
    let copy = try newFile()
    try FileManager.default.copyItem(at: original, to: copy)
    return copy
  }

  /// What is made once in a run, in memory.
  func value<Value>(_ name: String, make: () -> Value) -> Value {
    if let value = kept[name] as? Value { return value }
    let value = make()
    kept[name] = value
    return value
  }

  /// Removes what the workload before has left.
  func clear() { try? FileManager.default.removeItem(at: scratch) }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}
