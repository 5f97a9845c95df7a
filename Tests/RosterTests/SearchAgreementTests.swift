import Foundation
import Testing

@testable import Roster

@Suite("Search agrees with the texts")
struct SearchAgreementTests {
  /// In all, shared out among the seeds; a twentieth of the operations of other random tests.
  private static let texts =
    ProcessInfo.processInfo.environment["ROSTER_OPERATIONS"].flatMap { Int($0) }.map { $0 / 20 } ?? 10_000

  @Test("every scalar is folded as the tokenizers of FTS5 do")
  func folds() throws {
    let connection = try Connection(path: ":memory:", mode: .memory)
    try connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'trigram')")
    try connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    let folds = LetterFolds.of(.substring)
    for start in stride(from: UInt32(1), to: 0x2_0800, by: 2048) {
      let scalars = (start..<(start + 2048)).compactMap { Unicode.Scalar($0) }
      guard !scalars.isEmpty else { continue }
      var text = String.UnicodeScalarView()
      for scalar in scalars { text.append(contentsOf: [scalar, "x", "x"]) }
      try connection.execute("DELETE FROM t")
      try connection.execute("INSERT INTO t (x) VALUES (?)", [SQLArgument(.text(String(text)))])
      let terms = try connection.rows("SELECT term FROM v ORDER BY offset")
      for (index, scalar) in scalars.enumerated() {
        guard case .text(let term)? = terms[index * 3].first else { continue }
        let folded = folds[scalar.value]
        let name = "U+\(String(scalar.value, radix: 16))"
        expectQuickly(term.unicodeScalars.first?.value == folded, name)
        expectQuickly(folds[folded] == folded, name)
      }
    }
    let words = LetterFolds.of(.words)
    #expect(
      words.fold("Ab-é e\u{301}") == [
        0x61, 0x62, 0x2D | LetterFolds.separator, 0x65, 0x20 | LetterFolds.separator, 0x65,
      ])
  }

  @Test("a search finds what is in the texts, at every length, after random edits", arguments: SeededGenerator.seeds)
  func substring(_ seed: UInt64) throws {
    try agrees(seed, Doc.self, .substring, title: \.title, body: \.body, make: { Doc(id: $0, title: $1, body: $2) })
  }

  @Test("so does one by words", arguments: SeededGenerator.seeds)
  func words(_ seed: UInt64) throws {
    try agrees(seed, Prose.self, .words, title: \.title, body: \.body, make: { Prose(id: $0, title: $1, body: $2) })
  }

  private func agrees<R: Record>(
    _ seed: UInt64, _ type: R.Type, _ kind: SearchDeclaration.Kind, title: KeyPath<R, String>,
    body: KeyPath<R, String?>, make: (Int, String, String?) -> R
  ) throws where R.ID == Int {
    var dice = SeededGenerator(seed: seed)
    let store = try Store(inMemoryWith: [type], migrations: Doc.migrations)
    let count = SearchAgreementTests.texts / SeededGenerator.seeds.count
    var rows: [Int: R] = [:]
    func text(_ dice: inout SeededGenerator) -> String { MixedTexts.text(upTo: 14, &dice) }
    try store.write { (tx: inout Transaction) throws in
      for id in 0..<count {
        let row = make(id, text(&dice), dice.below(3) == 0 ? text(&dice) : nil)
        rows[id] = row
        try tx.insert(row)
      }
    }
    for _ in 0..<3 {
      try store.write { (tx: inout Transaction) throws in
        for _ in 0..<(count / 20) {
          let id = dice.below(count)
          if dice.below(4) == 0 {
            rows[id] = nil
            _ = try tx.delete(type, id: id)
          } else {
            let row = make(id, text(&dice), dice.below(3) == 0 ? text(&dice) : nil)
            rows[id] = row
            try tx.upsert(row)
          }
        }
      }
    }
    try store.checkIndex()
    for length in 1...10 {
      for _ in 0..<12 {
        let row = rows.values.min { $0.id < $1.id }.map { rows[dice.below(count)] ?? $0 }
        var typed = MixedTexts.part(of: row.map { $0[keyPath: title] } ?? "", length, &dice)
        if dice.below(4) == 0 { typed += " " + text(&dice) }
        let oracle = SearchOracle(typed, kind)
        let wanted = rows.values.filter { oracle.matches($0[keyPath: title], $0[keyPath: body]) }.map(\.id).sorted()
        let (found, counted) = try store.read { (snapshot: inout Snapshot) throws in
          let query = Query<R>().matching(typed)
          return (try snapshot.fetch(query).map(\.id), try snapshot.count(query))
        }
        #expect(
          found.sorted() == wanted, "seed \(seed), typed \(typed.unicodeScalars.map { String($0.value, radix: 16) })")
        #expect(counted == wanted.count)
      }
    }
  }
}
