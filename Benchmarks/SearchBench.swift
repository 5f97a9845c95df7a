import Foundation
import Roster

/// Searches by the length of what is typed, and what keeping the index costs, against an index that triggers keep.
struct SearchBench {
  let rows: Int
  let rounds: Int
  private static let queries = 400

  func run() throws {
    print(
      "SQLite \(Store.sqliteVersion), \(rows) titles of mixed scripts, top 20 of \(SearchBench.queries) searches for each length"
    )
    try searches()
    try inserts(20_000)
    try toggles(1000)
  }

  private func titles(_ count: Int) -> [String] {
    var texts = BenchTexts(seed: 1)
    return (0..<count).map { _ in texts.title() }
  }

  private func searches() throws {
    let folder = try Bench.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(
      at: folder.appendingPathComponent("roster.db"), records: [BenchText.self], migrations: BenchText.migrations)
    let titles = titles(rows)
    try store.write { tx in
      for (index, title) in titles.enumerated() {
        try tx.insert(BenchText(id: Int64(index), title: title, isDone: false))
      }
    }
    let folded = titles.map { $0.lowercased().unicodeScalars.map(\.value) }
    var texts = BenchTexts(seed: 2)
    print("characters: median, 95th percentile, worst; rows found at the median and at most")
    for length in 1...8 {
      var times: [Double] = []
      var counts: [Int] = []
      for number in 0..<SearchBench.queries {
        let typed = texts.part(of: titles, length)
        let query = Query<BenchText>().matching(typed)
        var found: [BenchText] = []
        times.append(try Bench.seconds { found = try store.read { try $0.fetch(query.limit(20)) } })
        let count = try store.read { try $0.count(query) }
        counts.append(count)
        guard found.count == min(count, 20) else { throw BenchFailure("\(found.count) of \(count) found") }
        if number < 5 {
          let words = typed.lowercased().split(whereSeparator: \.isWhitespace).map { $0.unicodeScalars.map(\.value) }
          let wanted = folded.count { text in words.allSatisfy { text.firstRange(of: $0) != nil } }
          guard wanted == count else {
            throw BenchFailure("a search of \(length) characters finds \(count), not \(wanted)")
          }
        }
      }
      times.sort()
      counts.sort()
      let late = times[times.count * 95 / 100]
      print(
        "\(length): \(ms(Bench.median(times))), \(ms(late)), \(ms(times.last ?? 0)); \(counts[counts.count / 2]), \(counts.last ?? 0)"
      )
    }
  }

  private func ms(_ seconds: Double) -> String { "\(Bench.format(seconds * 1000, 2)) ms" }

  /// The triggers by C alone: the store lets no schema call a virtual table, which a file from elsewhere could misuse.
  private func inserts(_ count: Int) throws {
    let titles = titles(count)
    var (own, byHand, plain): ([Double], [Double], [Double]) = ([], [], [])
    func insert<R: Record>(_ times: inout [Double], _ make: (Int64, String) -> R) throws {
      let folder = try Bench.makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try Store(
        at: folder.appendingPathComponent("roster.db"), records: [R.self], migrations: BenchText.migrations)
      let records = titles.enumerated().map { make(Int64($0.offset), $0.element) }
      times.append(try Bench.seconds { try store.write { tx in for record in records { try tx.insert(record) } } })
      try store.close()
    }
    for _ in 0..<rounds {
      try insert(&own) { BenchText(id: $0, title: $1, isDone: false) }
      try insert(&plain) { BenchPlainText(id: $0, title: $1, isDone: false) }
      let folder = try Bench.makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let raw = try byHandStore("raw.db", folder)
      byHand.append(try Bench.seconds { try raw.insert(texts: titles) })
    }
    print(
      "insert \(count) rows: searched \(Bench.text(own, 0)), with FTS triggers in C \(Bench.text(byHand, 0)), not searched \(Bench.text(plain, 0))"
    )
    let minima = (byHand.min() ?? 0) / max(own.min() ?? 0, .leastNormalMagnitude)
    print("with triggers / searched: \(Bench.ratio(byHand, own, 2)) [\(Bench.format(minima, 2))]")
  }

  private func byHandStore(_ name: String, _ folder: URL) throws -> RawSQLite {
    let url = folder.appendingPathComponent(name)
    try Store(at: url, records: [BenchPlainText.self], migrations: BenchText.migrations).close()
    let raw = try RawSQLite(path: url.path)
    for statement in BenchPlainText.byHand { try raw.run(statement) }
    return raw
  }

  private func toggles(_ count: Int) throws {
    let titles = titles(10_000)
    let folder = try Bench.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func open<R: Record>(_ name: String, _ make: (Int64, String) -> R) throws -> Store {
      let store = try Store(
        at: folder.appendingPathComponent(name), records: [R.self], migrations: BenchText.migrations)
      try store.write { tx in
        for (index, title) in titles.enumerated() { try tx.insert(make(Int64(index), title)) }
      }
      return store
    }
    let own = try open("own.db") { BenchText(id: $0, title: $1, isDone: false) }
    let plain = try open("plain.db") { BenchPlainText(id: $0, title: $1, isDone: false) }
    let raw = try byHandStore("hand.db", folder)
    try raw.insert(texts: titles)
    var times: [[Double]] = [[], [], []]
    for number in 0..<count {
      let id = Int64(number)
      func toggle(_ store: Store) throws {
        try store.write { tx in _ = try tx.execute("UPDATE text SET is_done = 1 WHERE id = \(id)") }
      }
      for step in 0..<3 {
        let place = (number + step) % 3
        let time = try Bench.seconds {
          switch place {
          case 0: try toggle(own)
          case 1: try toggle(plain)
          default: try raw.run("UPDATE text SET is_done = 1 WHERE id = \(id)")
          }
        }
        times[place].append(time)
      }
    }
    print(
      "toggle in a transaction: searched \(Bench.text(times[0], 3)), not searched \(Bench.text(times[1], 3)), ratio \(Bench.ratio(times[0], times[1], 2)); with FTS triggers in C \(Bench.text(times[2], 3))"
    )
  }
}
