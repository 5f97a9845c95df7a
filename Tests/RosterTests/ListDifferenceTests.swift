import Foundation
import Testing

@testable import Roster

/// Events between two states of a list, against brute force.
@Suite("Differences of lists")
struct ListDifferenceTests {
  /// A row of a list, with a value that may change.
  private struct Element: Equatable {
    let key: Int
    var value = 0
  }

  /// The difference from the touched keys, which are those that differ and some others.
  private func difference(_ old: [Element], _ new: [Element], touched: Set<Int>) -> ListDifference {
    var (deletions, insertions): ([Int], [Int]) = ([], [])
    var kept: [ListDifference.Kept] = []
    for key in touched {
      switch (old.firstIndex { $0.key == key }, new.firstIndex { $0.key == key }) {
      case (let from?, let to?): kept.append(.init(from: from, to: to, isChanged: old[from] != new[to]))
      case (let from?, nil): deletions.append(from)
      case (nil, let to?): insertions.append(to)
      case (nil, nil): break
      }
    }
    return ListDifference(deletions: deletions, insertions: insertions, kept: kept, oldCount: old.count)
  }

  /// Old rows with the events, as a table view applies them.
  private func apply(_ difference: ListDifference, _ old: [Element], _ new: [Element]) throws -> [Element] {
    // No index is in two events, on either side.
    let sources = difference.deletions + difference.moves.map(\.from) + difference.updates.map(\.from)
    let targets = difference.insertions + difference.moves.map(\.to) + difference.updates.map(\.to)
    #expect(Set(sources).count == sources.count && Set(targets).count == targets.count)
    #expect(old.count - difference.deletions.count + difference.insertions.count == new.count)
    var rows = old
    for index in (difference.deletions + difference.moves.map(\.from)).sorted(by: >) { rows.remove(at: index) }
    let added =
      difference.insertions.map { ($0, new[$0]) }
      + difference.moves.map { ($0.to, $0.isChanged ? new[$0.to] : old[$0.from]) }
    for (index, row) in added.sorted(by: { $0.0 < $1.0 }) {
      try #require(index <= rows.count)
      rows.insert(row, at: index)
    }
    for update in difference.updates { rows[update.to] = new[update.to] }
    return rows
  }

  /// How many rows at least have to move: all that both have, less the longest rise.
  private func fewestMoves(_ old: [Element], _ new: [Element]) -> Int {
    let places = new.compactMap { row in old.firstIndex { $0.key == row.key } }
    var longest = [Int](repeating: 1, count: places.count)
    for index in places.indices {
      for before in 0..<index where places[before] < places[index] {
        longest[index] = max(longest[index], longest[before] + 1)
      }
    }
    return places.count - (longest.max() ?? 0)
  }

  @Test(
    "random states: old rows and events give the new rows, with as few moves as can be",
    arguments: SeededGenerator.seeds)
  func random(seed: UInt64) throws {
    print("ListDifferenceTests: ROSTER_SEED=\(seed)")
    var dice = SeededGenerator(seed: seed)
    for round in 0..<3_000 {
      let old = (0..<dice.below(12)).map { Element(key: $0) }.shuffled(using: &dice)
      var new = old
      var touched: Set<Int> = []
      for step in 0..<dice.below(7) {
        let key: Int
        switch new.isEmpty ? 0 : dice.below(4) {
        case 0:
          key = 100 + step
          new.insert(Element(key: key), at: dice.below(new.count + 1))
        case 1: key = new.remove(at: dice.below(new.count)).key
        case 2:
          let index = dice.below(new.count)
          new[index].value += dice.below(2)
          key = new[index].key
        default:
          let row = new.remove(at: dice.below(new.count))
          new.insert(row, at: dice.below(new.count + 1))
          key = row.key
        }
        touched.insert(key)
      }
      let difference = difference(old, new, touched: touched)
      let message: Comment = "ROSTER_SEED=\(seed), round \(round): \(old.map(\.key)) to \(new.map(\.key)), \(touched)"
      #expect(try apply(difference, old, new) == new, message)
      #expect(difference.moves.count == fewestMoves(old, new), message)
      for move in difference.moves { #expect(old[move.from].key == new[move.to].key, message) }
      for update in difference.updates { #expect(old[update.from].key == new[update.to].key, message) }
      if old == new { #expect(difference.isEmpty, message) }
    }
  }

  @Test("a row that was not touched moves where that is the fewest moves")
  func untouchedMoves() throws {
    let old = (0..<4).map { Element(key: $0) }
    let new = [3, 0, 1, 2].map { Element(key: $0) }
    let difference = difference(old, new, touched: [0, 1, 2])
    #expect(difference.moves == [.init(from: 3, to: 0)])
  }

  @Test("every permutation of five rows takes as few moves as can be, whichever rows count as touched")
  func permutations() throws {
    let old = (0..<5).map { Element(key: $0) }
    var dice = SeededGenerator(seed: 1)
    for _ in 0..<600 {
      let new = old.shuffled(using: &dice)
      // Those touched are all but a part that keeps its order.
      let places = new.map(\.key)
      let untouched = places.indices.filter { index in
        dice.below(2) == 0 && !places[..<index].contains { $0 > places[index] }
      }
      let touched = Set(places).subtracting(untouched.map { places[$0] })
      let difference = difference(old, new, touched: touched)
      #expect(try apply(difference, old, new) == new)
      #expect(difference.moves.count == fewestMoves(old, new))
    }
  }
}
