import Foundation
import Roster

extension Workload {
  /// Searches by the length of what is typed, and what keeping the index costs, against an index that triggers keep.
  static var search: [Workload] {
    let lengths = (1...8).map { length in
      Workload(
        "search-\(length)", "the best 20 of a search of \(length) characters",
        sizes: [10_000, 100_000], quick: [10_000],
        chart: [1, 3, 8].contains(length)
          ? ChartPlace(
            family: .search, variant: "\(length) typed, Roster",
            baseline: "\(length) typed, \(length < 3 ? "LIKE" : "FTS5 by hand")") : nil
      ) { run in try await searches(of: length, run) }
    }
    return lengths + [
      Workload(
        "search-insert", "insert all texts in one transaction, searched", sizes: [1000, 20_000, 100_000],
        quick: [1000, 10_000], run: searchedInsert),
      Workload(
        "search-toggle", "a flag of a searched text, in a transaction", quick: [10_000], run: searchedToggle),
    ]
  }

  private static func searches(of length: Int, _ run: Run) async throws {
    let titles = run.titles()
    let store = try run.open(run.searchedFile(), [BenchText.self], .normal)
    let raw = try run.openRaw(run.triggerFile(), .normal)
    var texts = BenchTexts(seed: UInt64(1 + length))
    let typed = (0..<(run.isQuick ? 60 : 400)).map { _ in texts.part(of: titles, length) }
    let words = typed.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    var number = 0
    let (budget, count) = (run.isQuick ? 0.3 : 10, typed.count)
    let times = try await takeTurns(
      [
        Lane("Roster") { _ in
          // All of them once; a scan by hand of a few is enough.
          try typed.map { text in
            try seconds { _ = try store.read { try $0.fetch(Query<BenchText>().matching(text).limit(20)) } }
          }
        },
        Lane(length < 3 ? "LIKE" : "FTS5 by hand") { _ in
          try (0..<20).map { _ in
            number += 1
            return try seconds { _ = try raw.search(words[number % count]) }
          }
        },
      ], Rounds(minimum: 3, maximum: 10, budget: budget, warmups: 1))
    let folded = titles.map { $0.lowercased().unicodeScalars.map(\.value) }
    for (text, words) in zip(typed, words).prefix(5) {
      let query = Query<BenchText>().matching(text)
      let (found, all) = try await store.read { (try $0.fetch(query.limit(20)), try $0.count(query)) }
      let wanted = words.map { $0.lowercased().unicodeScalars.map(\.value) }
      let counted = folded.count { title in wanted.allSatisfy { title.firstRange(of: $0) != nil } }
      let byHand = try raw.searchCount(words)
      try run.expect(
        all == counted && found.count == min(all, 20) && byHand == all,
        "\(text): Roster finds \(all), by hand there are \(byHand), and \(counted) have it")
    }
    var measurement = Measurement(
      run.workload.id, rows: run.rows, ("Roster", times[0]),
      against: (length < 3 ? "LIKE" : "FTS5 by hand", times[1]))
    measurement.value = times[0].percentile(95) * 1000
    measurement.unit = "ms p95"
    run.report(measurement, .value(atMost: 10))
  }

  private static func searchedInsert(_ run: Run) async throws {
    let titles = run.titles()
    let records = titles.enumerated().map { BenchText(id: Int64($0.offset), title: $0.element, isDone: false) }
    let plain = records.map { BenchPlainText(id: $0.id, title: $0.title, isDone: false) }
    func insert<R: Record>(_ records: [R]) throws -> (Double, Store) {
      let store = try run.open(run.emptyFile(R.self), [R.self], .normal)
      return (try seconds { try store.write { tx in try tx.insert(records) } }, store)
    }
    var (own, byHand): (Store?, RawSQLite?) = (nil, nil)
    try await run.race(
      Lane("Roster") { _ in
        let (time, store) = try insert(records)
        own = store
        return [time]
      },
      against: Lane("FTS5 triggers in C") { _ in
        let raw = try run.openRaw(run.emptyFile(BenchPlainText.self), .normal)
        for statement in BenchPlainText.byHand { try raw.run(statement) }
        byHand = raw
        return [try seconds { try raw.insert(texts: titles) }]
      },
      Lane("not searched, Roster") { _ in [try insert(plain).0] })
    let typed = titles[0].split(whereSeparator: \.isWhitespace).map(String.init)
    let query = Query<BenchText>().matching(titles[0])
    // Many rows are indexed in the background, and found all the same.
    let found = try await own?.read { try $0.count(query) }
    try run.expect(found.map { $0 > 0 } ?? false && found == (try byHand?.searchCount(typed)))
  }

  private static func searchedToggle(_ run: Run) async throws {
    let own = try run.open(run.searchedFile(), [BenchText.self], .normal)
    let plain = try run.open(run.plainFile(), [BenchPlainText.self], .normal)
    let raw = try run.openRaw(run.triggerFile(), .normal)
    func ids(_ round: Int) -> [Int] {
      var dice = BenchDice(seed: UInt64(round))
      return dice.some(20, below: run.rows)
    }
    func toggle(_ store: Store, _ id: Int) throws -> Double {
      try seconds { try store.write { tx in _ = try tx.execute("UPDATE text SET is_done = 1 WHERE id = \(id)") } }
    }
    try await run.race(
      Lane("searched") { round in try ids(round).map { try toggle(own, $0) } },
      against: Lane("not searched") { round in try ids(round).map { try toggle(plain, $0) } },
      Lane("FTS5 triggers in C") { round in
        try ids(round).map { id in try seconds { try raw.completeText(id) } }
      })
    let (one, other) = (
      try await own.read { try $0.fetch("SELECT count(*) FROM text WHERE is_done", as: Int.self) },
      try await plain.read { try $0.fetch("SELECT count(*) FROM text WHERE is_done", as: Int.self) }
    )
    let third = try raw.integer("SELECT count(*) FROM text WHERE is_done")
    try run.expect(one == other && one == [Int(third)])
  }
}

extension Run {
  func titles() -> [String] {
    bench.fixtures.value("titles \(rows)") {
      var texts = BenchTexts(seed: 1)
      return (0..<rows).map { _ in texts.title() }
    }
  }

  func searchedFile() throws -> URL {
    let titles = titles()
    return try bench.fixtures.copy("BenchText-\(rows)") { url in
      let store = try open(url, [BenchText.self], .normal)
      try store.write { tx in
        for (id, title) in titles.enumerated() {
          try tx.insert(BenchText(id: Int64(id), title: title, isDone: false))
        }
      }
      try store.finishIndexing()
      try store.close()
    }
  }

  func plainFile() throws -> URL {
    let titles = titles()
    return try bench.fixtures.copy("BenchPlainText-\(rows)") { url in
      try open(url, [BenchPlainText.self], .normal).close()
      try openRaw(url, .normal).insert(texts: titles)
    }
  }

  /// The triggers by C alone: a store lets no schema call a virtual table, which a file from elsewhere could misuse.
  func triggerFile() throws -> URL {
    let titles = titles()
    return try bench.fixtures.copy("by-hand-\(rows)") { url in
      try open(url, [BenchPlainText.self], .normal).close()
      let raw = try openRaw(url, .normal)
      for statement in BenchPlainText.byHand { try raw.run(statement) }
      try raw.insert(texts: titles)
    }
  }
}
