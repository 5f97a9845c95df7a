import Foundation
import Roster
import TodoModel

/// The todos of a live list, by the places at which they are shown: the lists in their order, and each with its todos.
struct ShownTodos {
  let records: ListRecords<Todo>
  /// Where each list is in the records, which have them in the order of their ids.
  private let parts: [Range<Int>]
  /// The parts in the order in which they are shown.
  private let shown: [Range<Int>]

  /// `lists` are in their order. Todos whose list is missing come last.
  ///
  /// - Complexity: O(*m* log *n*) for *m* lists of *n* todos.
  init(_ records: ListRecords<Todo>, lists: [UUID]) {
    self.records = records
    parts = ShownTodos.parts(of: records)
    let places = Dictionary(lists.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    shown = parts.map { (place: places[records[$0.lowerBound].listID] ?? Int.max, part: $0) }
      .sorted { ($0.place, $0.part.lowerBound) < ($1.place, $1.part.lowerBound) }
      .map(\.part)
  }

  private static func parts(of records: ListRecords<Todo>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    while start < records.count {
      let list = records[start].listID
      // The first of another list, found by halving: `low` is of this one.
      var (low, high) = (start, records.count)
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if records[middle].listID == list { low = middle } else { high = middle }
      }
      parts.append(start..<high)
      start = high
    }
    return parts
  }

  /// The first todos, each with its number in its list.
  func first(_ count: Int) -> [(todo: Todo, number: Int)] {
    var first: [(todo: Todo, number: Int)] = []
    for part in shown {
      for (number, index) in part.prefix(count - first.count).enumerated() { first.append((records[index], number)) }
    }
    return first
  }

  /// The number in its list of the todo at an index of the records.
  func number(of index: Int) -> Int? {
    parts.first { $0.contains(index) }.map { index - $0.lowerBound }
  }
}

/// One thing that happened to a list.
struct ListEvent {
  enum Kind: String { case insert, update, move, delete }

  var kind: Kind
  /// The todo's number in its list before and after.
  var from: Int?
  var to: Int?
  /// As it is now; one that went, as it was.
  var todo: Todo

  /// What happened between two states: what went, what came, what moved, what changed.
  static func events(_ changes: ListChanges<Todo>, from old: ShownTodos, to new: ShownTodos) -> [ListEvent] {
    changes.deletions.map { ListEvent(kind: .delete, from: old.number(of: $0), todo: old.records[$0]) }
      + changes.insertions.map { ListEvent(kind: .insert, to: new.number(of: $0.index), todo: $0.record) }
      + changes.moves.map {
        ListEvent(kind: .move, from: old.number(of: $0.from), to: new.number(of: $0.to), todo: $0.record)
      }
      + changes.updates.map {
        ListEvent(kind: .update, from: old.number(of: $0.from), to: new.number(of: $0.to), todo: $0.record)
      }
  }
}
