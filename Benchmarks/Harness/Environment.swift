import Foundation
import Roster

/// What a run was measured on.
struct Environment: Codable {
  var sqlite = Store.sqliteVersion
  var system = ProcessInfo.processInfo.operatingSystemVersionString
  var processor = Environment.processorName
  var cores = ProcessInfo.processInfo.activeProcessorCount
  var memory = ProcessInfo.processInfo.physicalMemory
  var isQuick: Bool
  /// How many processes wanted to run, on average over the last minute: other work makes times longer and ratios unsteady.
  var loadBefore = Environment.load
  var loadAfter: Double?
  var seconds: Double?

  enum CodingKeys: String, CodingKey {
    case sqlite, system, processor, cores, seconds
    case memory = "memory_bytes"
    case isQuick = "quick"
    case loadBefore = "load_before"
    case loadAfter = "load_after"
  }

  init(isQuick: Bool) { self.isQuick = isQuick }

  static var load: Double? {
    var averages = [0.0]
    return getloadavg(&averages, 1) == 1 ? averages[0] : nil
  }

  private static var processorName: String {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
  }
}
