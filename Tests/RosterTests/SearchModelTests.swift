import Foundation
import Testing

@testable import Roster

@Suite("Search, against an array")
struct SearchModelTests {
  private static let steps =
    ProcessInfo.processInfo.environment["ROSTER_OPERATIONS"].flatMap { Int($0) }.map { $0 / 400 } ?? 500

  private static let shell = ["/usr/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "random writes by anybody, some of them undone, leave the search equal to a scan", arguments: SeededGenerator.seeds)
  func random(_ seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let url = folder.file("docs.db")
    func open() throws -> Store { try Store(at: url, records: [Doc.self], migrations: Doc.migrations) }
    var store = try open()
    let stock = try Connection(path: url.path, mode: .readWrite)
    stock.setBusyTimeout(.seconds(5))
    for step in 0..<SearchModelTests.steps {
      switch dice.below(12) {
      case 0...4: try own(store, &dice)
      case 5...8: try foreign(stock, &dice)
      case 9 where dice.below(4) == 0: try shell(url, &dice)
      case 10 where dice.below(6) == 0:
        try store.close()
        store = try open()
      case 11 where dice.below(3) == 0: try store.finishIndexing()
      default: break
      }
      try compare(store, &dice, "seed \(seed), step \(step)")
      if step % 50 == 49 {
        try store.checkIndex()
        #expect(
          try store.check().filter { [.wrongSearchIndex, .missingSearchIndex].contains($0.kind) } == [],
          "seed \(seed), step \(step)")
      }
    }
    try store.checkIndex()
  }

  private func own(_ store: Store, _ dice: inout SeededGenerator) throws {
    var local = dice
    _ = try? store.write { (tx: inout Transaction) throws in
      for _ in 0...local.below(4) { try change(&tx, &local) }
      _ = try? tx.savepoint { (tx: inout Transaction) throws in
        try change(&tx, &local)
        throw CancellationError()
      }
      // In the middle of a transaction, too.
      let typed = MixedTexts.part(
        of: try tx.fetch(Query<Doc>().limit(1)).first?.title ?? "a", 1 + local.below(3), &local)
      let oracle = SearchOracle(typed)
      let all = try tx.fetch(Query<Doc>())
      #expect(
        try tx.fetch(Query<Doc>().matching(typed)).map(\.id).sorted()
          == all.filter { oracle.matches($0.title, $0.body) }.map(\.id))
      if local.below(4) == 0 { throw CancellationError() }
    }
    dice = local
  }

  private func change(_ tx: inout Transaction, _ dice: inout SeededGenerator) throws {
    let id = dice.below(40)
    let doc = Doc(id: id, title: text(&dice), body: dice.below(2) == 0 ? text(&dice) : nil)
    switch dice.below(6) {
    case 0: try tx.upsert(doc)
    case 1: try tx.delete(Doc.self, id: id)
    case 2: try tx.update(Query<Doc>().filter(sql: "id % 7 = \(id % 7)"), .set(\.title, to: doc.title))
    case 3: try tx.update(Query<Doc>(), .set(\.isDone, to: dice.below(2) == 0))
    case 4: try tx.execute("UPDATE OR REPLACE doc SET id = \(dice.below(40)) WHERE id = \(id)")
    default: if try !tx.exists(Doc.self, id: id) { try tx.insert(doc, at: .start) }
    }
  }

  private func text(_ dice: inout SeededGenerator) -> String { MixedTexts.text(upTo: 8, &dice) }

  private func statement(_ dice: inout SeededGenerator) -> (String, [SQLArgument]) {
    let (id, title) = (SQLArgument(.integer(Int64(dice.below(40)))), SQLArgument(.text(text(&dice))))
    let all: [(String, [SQLArgument])] = [
      ("REPLACE INTO doc (id, title, body) VALUES (?1, ?2, ?2)", [id, title]),
      ("INSERT OR IGNORE INTO doc (id, title) VALUES (?, ?)", [id, title]),
      ("INSERT INTO doc (id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET is_done = 1 - is_done", [id, title]),
      ("UPDATE doc SET title = ? WHERE id % 5 = ?", [title, id]), ("DELETE FROM doc WHERE id = ?", [id]),
      ("DELETE FROM doc WHERE id % 9 = 0", []), ("UPDATE doc SET title = title, body = title WHERE id < 10", []),
      ("UPDATE doc SET title = CAST(title AS BLOB) WHERE id = ?", [id]),
      ("UPDATE OR REPLACE doc SET id = 3 WHERE id = ?", [id]),
      ("UPDATE OR IGNORE doc SET id = id + 1, title = ? WHERE id % 3 = 0", [title]),
    ]
    return all[dice.below(all.count)]
  }

  private func foreign(_ stock: Connection, _ dice: inout SeededGenerator) throws {
    let isUndone = dice.below(4) == 0
    try stock.control("BEGIN IMMEDIATE")
    for _ in 0...dice.below(3) {
      let (sql, arguments) = statement(&dice)
      try stock.execute(sql.replacing("CAST(title AS BLOB)", with: "title || 'x'"), arguments)
    }
    try stock.control(isUndone ? "ROLLBACK" : "COMMIT")
  }

  /// Another process, with SQLite's own shell, where there is one.
  private func shell(_ url: URL, _ dice: inout SeededGenerator) throws {
    guard let path = SearchModelTests.shell else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [
      url.path, ".timeout 5000",
      "BEGIN; REPLACE INTO doc (id, title) VALUES (\(dice.below(40)), '学习 shell \(dice.below(9))'); "
        + "UPDATE doc SET body = 'shell 布局' WHERE id = \(dice.below(40)); DELETE FROM doc WHERE id = \(dice.below(40)); "
        + (dice.below(4) == 0 ? "ROLLBACK;" : "COMMIT;"),
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func compare(_ store: Store, _ dice: inout SeededGenerator, _ place: String) throws {
    var local = dice
    try store.read { (snapshot: inout Snapshot) throws in
      let all = try snapshot.fetch(Query<Doc>())
      for _ in 0..<3 {
        let sample = all.randomElement(using: &local)
        var typed = MixedTexts.part(of: sample?.title ?? "布", 1 + local.below(5), &local)
        if local.below(3) == 0 { typed += " " + MixedTexts.part(of: sample?.body ?? "a", 1 + local.below(3), &local) }
        let oracle = SearchOracle(typed)
        let wanted = all.filter { oracle.matches($0.title, $0.body) }.map(\.id)
        let query = Query<Doc>().matching(typed)
        let name = "\(place), typed \(typed.unicodeScalars.map { String($0.value, radix: 16) })"
        #expect(try snapshot.fetch(query).map(\.id).sorted() == wanted, "\(name)")
        #expect(try snapshot.count(query) == wanted.count, "\(name)")
        #expect(try snapshot.fetch(query.inManualOrder(within: "a")).map(\.id).sorted() == wanted, "\(name)")
      }
    }
    dice = local
  }
}
