import Foundation
import Roster

/// Runs each workload by Roster and by hand-written C calls, in turns, and prints the ratio of the medians.
struct Bench {
  private var rows = 100_000
  private var rounds = 7
  private var isOrder = false
  private var isFeed = false
  private var isSearch = false
  private var foreignPath: String?

  init(arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--quick": rounds = 3
      case "--order":
        isOrder = true
        rows = 1_000_000
      case "--feed":
        isFeed = true
        rounds = 50
      case "--search":
        isSearch = true
        rounds = 5
      case ForeignWrites.option: foreignPath = rest.popFirst()
      case "--rows", "--rounds":
        guard let word = rest.popFirst(), let count = Int(word), count > 0 else {
          throw BenchFailure("\(option) takes a whole number above 0")
        }
        if option == "--rows" { rows = count } else { rounds = count }
      default:
        throw BenchFailure(
          "unknown option \(option); there are --quick, --order, --feed, --search, --rows N and --rounds N")
      }
    }
  }

  func run() async throws {
    if let foreignPath { return try ForeignWrites.write(to: foreignPath) }
    if isFeed { return try await FeedBench(rounds: rounds).run() }
    if isSearch { return try SearchBench(rows: rows, rounds: rounds).run() }
    if isOrder { return try OrderBench(rows: rows, rounds: rounds).run() }
    try runRecords()
  }

  private func runRecords() throws {
    print("SQLite \(Store.sqliteVersion), \(rows) rows of 7 columns, median of \(rounds) rounds, minimum in brackets")
    let items = BenchItem.make(rows)
    let ids = items.map(\.id).shuffled()
    let few = Array(ids.prefix(1000))
    var times: [String: (roster: [Double], raw: [Double])] = [:]
    func measure(_ name: String, roster: () throws -> Void, raw: () throws -> Void) rethrows {
      // Whichever goes second finds the caches as the first left them, so they take turns.
      let isFirst = (times[name]?.roster.count ?? 0).isMultiple(of: 2)
      var one = 0.0
      var two = 0.0
      if isFirst { one = try Bench.seconds(roster) }
      two = try Bench.seconds(raw)
      if !isFirst { one = try Bench.seconds(roster) }
      times[name, default: ([], [])].roster.append(one)
      times[name, default: ([], [])].raw.append(two)
    }
    for _ in 0..<rounds {
      let folder = try Bench.makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try Store(
        at: folder.appendingPathComponent("roster.db"), records: [BenchItem.self], migrations: BenchItem.migrations)
      let rawURL = folder.appendingPathComponent("raw.db")
      try Store(at: rawURL, records: [BenchItem.self], migrations: BenchItem.migrations).close()
      let raw = try RawSQLite(path: rawURL.path)

      try measure(
        "insert", roster: { try store.write { tx in for item in items { try tx.insert(item) } } },
        raw: { try raw.insert(items) })
      // A store opens its reader with the first read; the other has been open all along. Both walk the table once.
      let count = try store.read { try $0.fetch("SELECT count(*) FROM item WHERE note IS NOT NULL", as: Int.self) }
      try raw.run("SELECT count(*) FROM item WHERE note IS NOT NULL")
      try expect(count == [rows], "insert")
      var fetched: [BenchItem] = []
      var rawFetched: [BenchItem] = []
      try measure(
        "fetch all", roster: { fetched = try store.read { try $0.fetch(Query<BenchItem>()) } },
        raw: { rawFetched = try raw.fetchAll() })
      try expect(fetched == items && rawFetched == items, "fetch all")
      var found: [BenchItem] = []
      var rawFound: [BenchItem] = []
      try measure(
        "look up by id", roster: { found = try store.read { try $0.fetch(BenchItem.self, ids: ids) } },
        raw: { rawFound = try raw.fetch(ids) })
      try expect(found == rawFound && found.map(\.id) == ids, "look up by id")
      try measure(
        "single-row writes (1000)",
        roster: {
          for id in few {
            try store.write { tx in
              try tx.update(Query<BenchItem>().filter(sql: "id = \(id)"), .set(\.isDone, to: true))
            }
          }
        },
        raw: { try raw.complete(few) })
      try expect(try store.read { try $0.fetch(Query<BenchItem>()) } == raw.fetchAll(), "single-row writes")
    }
    for name in ["insert", "fetch all", "look up by id", "single-row writes (1000)"] {
      guard let (roster, raw) = times[name] else { continue }
      let minima = (roster.min() ?? 0) / max(raw.min() ?? 0, .leastNormalMagnitude)
      print(
        "\(name): Roster \(Bench.text(roster, 1)), C \(Bench.text(raw, 1)), ratio \(Bench.ratio(roster, raw, 3)) [\(Bench.format(minima, 3))]"
      )
    }
  }

  private func expect(_ agrees: Bool, _ name: String) throws {
    guard agrees else { throw BenchFailure("\(name): the two variants do not agree") }
  }

  /// A new folder, for the caller to remove.
  static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("roster-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    try seconds(ContinuousClock().measure(body))
  }

  static func seconds(_ duration: Duration) -> Double {
    let (whole, attoseconds) = duration.components
    return Double(whole) + Double(attoseconds) / 1e18
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// The median in milliseconds, and the minimum in brackets.
  static func text(_ values: [Double], _ places: Int) -> String {
    "\(format(median(values) * 1000, places)) ms [\(format((values.min() ?? 0) * 1000, places))]"
  }

  /// The ratio of the medians.
  static func ratio(_ values: [Double], _ others: [Double], _ places: Int) -> String {
    format(median(values) / max(median(others), .leastNormalMagnitude), places)
  }

  static func format(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }
}
