import Foundation
import Testing

@testable import Roster

/// Random changes, with a sorted array as what should be there.
@Suite("Chunked rows against a sorted array")
struct ChunkedRowsModelTests {
  /// A run of changes on one sequence and on copies of it.
  private struct Run {
    let most: Int
    var dice: SeededGenerator
    var list: ModelledRows
    var copies: [ModelledRows] = []
    var isGrowing = true

    init(_ list: ModelledRows, seed: UInt64, most: Int) {
      self.list = list
      self.most = most
      dice = SeededGenerator(seed: seed)
    }

    /// A row's key mostly, or any, or one at the limits.
    mutating func key() -> Int64 {
      switch dice.below(100) {
      case 0: [Int64.min, Int64.min + 1, -1, .max][dice.below(4)]
      case 1..<25: Int64(dice.below(2 * most))
      default: list.model.isEmpty ? 0 : list.model[dice.below(list.model.count)].rowKey
      }
    }

    /// One in four has the value of an end, some one beside their own; few enough values for many to be equal.
    mutating func row(_ key: Int64) -> SampleRow {
      switch dice.below(8) {
      case 0: SampleRow(key, list.model.last?.value ?? 0)
      case 1: SampleRow(key, list.model.first?.value ?? 0)
      case 2: SampleRow(key, (list.rows.row(forKey: key)?.value ?? 0) + dice.below(3) - 1)
      default: SampleRow(key, dice.below(most / 3 + 1))
      }
    }

    mutating func change() throws {
      if list.model.count >= most { isGrowing = false }
      if list.model.isEmpty { isGrowing = true }
      switch dice.below(isGrowing ? 14 : 24) {
      case 0..<8: try list.insert(row(Int64(dice.below(2 * most))))
      case 8: try list.replace(row(key()))
      case 9..<14: try list.move(row(key()))
      default: try list.remove(key: key())
      }
      if !isGrowing, !list.model.isEmpty, dice.below(20) == 0 {
        // A stretch of rows, for leaves that empty one after the other.
        let start = dice.below(list.model.count)
        for row in list.model[start...].prefix(dice.below(most / 40 + 8)) { try list.remove(key: row.rowKey) }
      }
    }

    /// Takes a copy, goes on with one in place of the other, or looks whether one is as it was.
    mutating func copy() throws {
      if copies.isEmpty || dice.below(2) == 0 { copies.append(list) }
      let other = dice.below(copies.count)
      if dice.below(2) == 0 { swap(&copies[other], &list) } else { try copies.remove(at: other).check() }
    }

    /// Changes the rows so many times, and looks at the whole once in `interval`.
    mutating func go(_ steps: Int, checkingOnceIn interval: Int) throws {
      for step in 1...steps {
        try change()
        try list.look(key(), row(key()), dice.below(list.model.count + 1))
        if dice.below(20 * interval) == 0 { try copy() }
        if step % interval == 0 { try list.check() }
      }
      for copy in copies + [list] { try copy.check() }
    }
  }

  private func run(_ list: ModelledRows, seed: UInt64, most: Int, steps: Int, checkingOnceIn interval: Int) throws {
    var run = Run(list, seed: seed, most: most)
    do {
      try run.go(steps, checkingOnceIn: interval)
    } catch let error as ModelledRows.Mismatch {
      Issue.record("ROSTER_SEED=\(seed), leaves of \(list.rows.capacity): \(error.message)")
    }
  }

  @Test("random changes of few rows, the whole checked after each", arguments: SeededGenerator.seeds, [4, 5, 7, 8])
  func few(seed: UInt64, capacity: Int) throws {
    let list = ModelledRows(SampleRows(by: ByValue(), capacity: capacity))
    try run(list, seed: seed, most: 150, steps: 1000, checkingOnceIn: 1)
  }

  @Test("random changes of thousands of rows", arguments: SeededGenerator.seeds, [4, 8, 128])
  func many(seed: UInt64, capacity: Int) throws {
    let rows = (0..<4700).map { SampleRow(Int64($0 * 2), $0 / 3) }
    let list = ModelledRows(SampleRows(rows, by: ByValue(), capacity: capacity))
    try run(list, seed: seed, most: 5000, steps: 3500, checkingOnceIn: 200)
  }
}
