import Foundation
import Testing

@testable import Roster

/// Random transactions, with a dictionary as what should be there.
@Suite("A store against a dictionary")
struct StoreModelTests {
  private struct Abandon: Error {}

  private static let texts = [
    "", "a", "字", "🎉 x", "it's", "\"q\"", "a\0b", "%_\\", "é", "e\u{301}", "\u{FFFD}", "line\nline",
  ]

  private typealias Model = [UUID: Note]

  private let seed: UInt64
  private let folder: TemporaryFolder

  init() throws {
    seed = SeededGenerator.seed
    folder = try TemporaryFolder()
  }

  @Test("random transactions leave what the same changes leave in a dictionary")
  func random() throws {
    print("StoreModelTests: ROSTER_SEED=\(seed)")
    var dice = SeededGenerator(seed: seed)
    var model: Model = [:]
    var store = try Store.notes(in: folder)
    for step in 0..<400 {
      var next = model
      let fails = dice.below(5) == 0
      do {
        try store.write { tx in
          for _ in 0...dice.below(6) { try change(&tx, &next, &dice, depth: 0) }
          try compare(tx.fetch(Query<Note>()), next, step)
          if fails { throw Abandon() }
        }
        model = next
      } catch is Abandon {}
      try compare(store.read { try $0.fetch(Query<Note>()) }, model, step)
      if dice.below(40) == 0 {
        try store.close()
        #expect(try folder.names() == ["notes.db"])
        store = try Store.notes(in: folder)
      }
    }
    #expect(try store.check().filter { $0.kind != .nulInText } == [])
  }

  private func compare(_ rows: [Note], _ model: Model, _ step: Int) throws {
    try #require(rows.count == model.count, "step \(step), ROSTER_SEED=\(seed)")
    for row in rows { try #require(model[row.id] == row, "step \(step), ROSTER_SEED=\(seed)") }
  }

  private func note(_ dice: inout SeededGenerator, id: UUID? = nil) -> Note {
    Note(
      id: id ?? UUID(), text: StoreModelTests.texts[dice.below(StoreModelTests.texts.count)],
      rank: dice.below(4) == 0 ? nil : dice.below(20),
      created: Date(timeIntervalSinceReferenceDate: Double(dice.below(1_000_000)) / 8))
  }

  /// One random change, to both.
  private func change(_ tx: inout Transaction, _ model: inout Model, _ dice: inout SeededGenerator, depth: Int) throws {
    // In the order of the rows, since a dictionary's is another in each process.
    let ids = try tx.fetch(Query<Note>()).map(\.id)
    let id = ids.isEmpty ? UUID() : ids[dice.below(ids.count)]
    let rank = dice.below(20)
    switch dice.below(12) {
    case 0, 1, 2:
      let new = note(&dice)
      try tx.insert(new)
      model[new.id] = new
    case 3:
      let new = note(&dice, id: id)
      if model[id] == nil {
        _ = try failure(.noSuchRecord) { try tx.update(new) }
      } else {
        try tx.update(new)
        model[id] = new
      }
    case 4:
      guard let old = model[id] else { return }
      var new = old
      new.rank = rank
      try tx.update(new, from: old)
      model[id] = new
    case 5:
      let new = note(&dice, id: dice.below(2) == 0 ? id : nil)
      try tx.upsert(new)
      model[new.id] = new
    case 6:
      #expect(try tx.delete(Note.self, id: id) == (model.removeValue(forKey: id) != nil))
    case 7:
      let hit = model.values.filter { $0.rank.map { $0 < rank } ?? false }
      let count = try tx.update(
        Query<Note>().filter(sql: "rank < \(rank)"), .set(\.text, to: "bulk \(rank)"), .set(\.rank, to: nil))
      #expect(count == hit.count)
      for var note in hit {
        note.text = "bulk \(rank)"
        note.rank = nil
        model[note.id] = note
      }
    case 8:
      let hit = model.values.filter { $0.rank == rank }
      #expect(try tx.delete(Query<Note>().filter(sql: "rank = \(rank)")) == hit.count)
      for note in hit { model[note.id] = nil }
    case 9 where !ids.isEmpty:
      guard let old = model[id] else { return }
      _ = try failure(.uniqueViolation) { try tx.insert(old) }
      _ = try failure(.checkViolation) { try tx.insert(Note("forbidden")) }
    default:
      guard depth < 3 else { return }
      var next = model
      let fails = dice.below(2) == 0
      do {
        try tx.savepoint { tx in
          for _ in 0...dice.below(4) { try change(&tx, &next, &dice, depth: depth + 1) }
          if fails { throw Abandon() }
        }
        model = next
      } catch is Abandon {}
    }
  }
}
