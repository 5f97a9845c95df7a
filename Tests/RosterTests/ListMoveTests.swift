import Foundation
import Testing

@testable import Roster

/// Moves and deletions by the offsets that a list view gives, in every small list.
@Suite("Moves by offsets")
struct ListMoveTests {
  /// What `move(fromOffsets:toOffset:)` of a UI framework leaves of an array: the elements come out, and go in where the
  /// destination is, less those that came out before it.
  static func moved<T>(_ array: [T], _ offsets: IndexSet, to destination: Int) -> [T] {
    let taken = offsets.map { array[$0] }
    var rest = array.indices.filter { !offsets.contains($0) }.map { array[$0] }
    rest.insert(contentsOf: taken, at: destination - offsets.count { $0 < destination })
    return rest
  }

  /// Every set of offsets into so many rows.
  static func offsets(_ count: Int) -> [IndexSet] {
    (0..<(1 << count)).map { bits in IndexSet((0..<count).filter { bits >> $0 & 1 == 1 }) }
  }

  private struct Undo: Error {}

  /// Runs `body` and takes back what it wrote.
  private func undoing(_ tx: inout Transaction, _ body: (inout Transaction) throws -> Void) throws {
    do {
      try tx.savepoint { (tx: inout Transaction) throws in
        try body(&tx)
        throw Undo()
      }
    } catch is Undo {}
  }

  @Test("the example of the field: A B C D E with [0, 2] to 5 is B D E A C; [3] to 0 is D A B C E")
  func example() {
    #expect(ListMoveTests.moved(Array("ABCDE"), [0, 2], to: 5) == Array("BDEAC"))
    #expect(ListMoveTests.moved(Array("ABCDE"), [3], to: 0) == Array("DABCE"))
    #expect(ListMoveTests.moved(Array("ABCDE"), [1], to: 2) == Array("ABCDE"))
  }

  @Test("in every list of up to 6 rows every move is that of an array, and one that changes nothing writes nothing")
  func everyMove() throws {
    let store = try Store.orderedInMemory()
    try store.write { (tx: inout Transaction) throws in
      for count in 0...6 {
        let numbers = Array(0..<count)
        for number in numbers { try tx.insert(Item(count * 10 + number, in: "\(count)")) }
        let query = Query<Item>().inManualOrder(within: "\(count)")
        for offsets in ListMoveTests.offsets(count) {
          for destination in 0...count {
            let expected = ListMoveTests.moved(numbers, offsets, to: destination)
            try undoing(&tx) { (tx: inout Transaction) throws in
              let before = tx.connection.totalChanges
              let written = try tx.move(fromOffsets: offsets, toOffset: destination, in: query)
              #expect(
                try tx.numbers(in: "\(count)").map { $0 - count * 10 } == expected, "\(count) \(offsets) \(destination)"
              )
              if expected == numbers { #expect(written == 0 && tx.connection.totalChanges == before) }
              // No row is written that does not move.
              #expect(written <= offsets.count)
            }
          }
        }
      }
    }
  }

  @Test("in every list of up to 5 rows of which some are shown, the shown ones move as in an array and the others stay")
  func everyFilteredMove() throws {
    let store = try Store.orderedInMemory()
    try store.write { (tx: inout Transaction) throws in
      for count in 1...5 {
        for bits in 0..<(1 << count) {
          let list = "\(count)-\(bits)"
          let all = Array(0..<count)
          let shown = all.filter { bits >> $0 & 1 == 1 }
          for number in all {
            try tx.insert(Item(bits * 100 + count * 10 + number, in: list, isDone: shown.contains(number)))
          }
          let query = Query<Item>().filter(#Predicate { $0.isDone }).inManualOrder(within: list)
          for offsets in ListMoveTests.offsets(shown.count) {
            for destination in 0...shown.count {
              let expected = ListMoveTests.expected(all, shown, offsets, destination)
              try undoing(&tx) { (tx: inout Transaction) throws in
                let written = try tx.move(fromOffsets: offsets, toOffset: destination, in: query)
                let found = try tx.numbers(in: list).map { $0 - bits * 100 - count * 10 }
                #expect(found == expected, "\(all) shows \(shown), \(offsets) to \(destination)")
                if expected == all { #expect(written == 0) }
              }
            }
          }
        }
      }
    }
  }

  /// The whole list after a move in what is shown of it: the moved go right before the first shown row from the
  /// destination on that stays, or right after the last shown one before it.
  static func expected(_ all: [Int], _ shown: [Int], _ offsets: IndexSet, _ destination: Int) -> [Int] {
    guard moved(shown, offsets, to: destination) != shown else { return all }
    let taken = offsets.map { shown[$0] }
    var rest = all.filter { !taken.contains($0) }
    let next = shown.indices.first { $0 >= destination && !offsets.contains($0) }
    let last = shown.indices.last { $0 < destination && !offsets.contains($0) }
    if let next, let place = rest.firstIndex(of: shown[next]) {
      rest.insert(contentsOf: taken, at: place)
    } else if let last, let place = rest.firstIndex(of: shown[last]) {
      rest.insert(contentsOf: taken, at: place + 1)
    }
    return rest
  }

  @Test("in every list of up to 5 rows every set of offsets deletes those rows and no other")
  func everyDeletion() throws {
    let store = try Store.orderedInMemory()
    try store.write { (tx: inout Transaction) throws in
      for count in 0...5 {
        let list = "\(count)"
        for number in 0..<count { try tx.insert(Item(count * 10 + number, in: list, isDone: number % 2 == 0)) }
        for query in [
          Query<Item>().inManualOrder(within: list),
          Query<Item>().filter(#Predicate { $0.isDone }).inManualOrder(within: list),
          Query<Item>().filter(sql: "list = \(list)").sorted(by: SortDescriptor(\.title, order: .reverse)),
        ] {
          let shown = try tx.fetch(query).map(\.number)
          for offsets in ListMoveTests.offsets(shown.count) {
            try undoing(&tx) { (tx: inout Transaction) throws in
              let gone = offsets.map { shown[$0] }
              #expect(try tx.delete(atOffsets: offsets, in: query) == gone.count)
              #expect(try tx.fetch(query).map(\.number) == shown.filter { !gone.contains($0) })
              #expect(try tx.numbers(in: list).count == count - gone.count)
            }
          }
        }
      }
    }
  }

  @Test("offsets out of range, a query in another order and rows of several lists are errors that change nothing")
  func refused() throws {
    let store = try Store.orderedInMemory()
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<4 { try tx.insert(Item(number, in: number < 3 ? "a" : "b")) }
      let query = Query<Item>().inManualOrder(within: "a")
      let before = tx.connection.totalChanges
      for (offsets, destination) in [([3], 0), ([0, 9], 1), ([0], 4), ([], 4), ([1], -1)] as [(IndexSet, Int)] {
        let error = try failure(.outOfRange) {
          try tx.move(fromOffsets: offsets, toOffset: destination, in: query)
        }
        #expect(error.message.contains("out of range") || error.message.contains("negative"))
      }
      _ = try failure(.outOfRange) { try tx.delete(atOffsets: [0, 3], in: query) }
      _ = try failure(.misuse) {
        try tx.move(fromOffsets: [0], toOffset: 2, in: Query<Item>().sorted(by: SortDescriptor(\.rank)))
      }
      _ = try failure(.misuse) { try tx.move(fromOffsets: [0], toOffset: 4, in: Query<Item>().inManualOrder()) }
      #expect(tx.connection.totalChanges == before)
      #expect(try tx.numbers(in: "a") == [0, 1, 2])
    }
  }

  @Test("offsets count in the query as it shows rows: after its offset, and up to its limit")
  func limited() throws {
    let store = try Store.orderedInMemory()
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<6 { try tx.insert(Item(number, in: nil)) }
      let page = Query<Item>().inManualOrder(within: String?.none).offset(2).limit(3)
      try tx.move(fromOffsets: [0], toOffset: 3, in: page)
      #expect(try tx.numbers(in: nil) == [0, 1, 3, 4, 2, 5])
      _ = try failure(.outOfRange) { try tx.move(fromOffsets: [3], toOffset: 0, in: page) }
    }
  }

  @Test("a version tells whether offsets are good still: moves, inserts and deletions change it, and an edit does not")
  func stale() throws {
    let store = try Store.orderedInMemory()
    let query = Query<Item>().inManualOrder(within: "a")
    try store.write { (tx: inout Transaction) throws in for number in 0..<4 { try tx.insert(Item(number, in: "a")) } }
    let (shown, version) = try store.read { (try $0.fetch(query), try $0.version(of: query)) }
    #expect(try ListVersion(of: shown) == version)
    let kept = try JSONDecoder().decode(ListVersion.self, from: JSONEncoder().encode(version))
    // The first client moves; the second has the offsets of before.
    try store.write { _ = try $0.move(fromOffsets: [0], toOffset: 4, in: query, ifUnchangedSince: kept) }
    let error = try failure(.listChanged) {
      try store.write { try $0.move(fromOffsets: [0], toOffset: 2, in: query, ifUnchangedSince: version) }
    }
    #expect(error.message.contains("has changed"))
    _ = try failure(.listChanged) {
      try store.write { try $0.delete(atOffsets: [0], in: query, ifUnchangedSince: version) }
    }
    #expect(try store.read { try $0.numbers(in: "a") } == [1, 2, 3, 0])
    try store.write { _ = try $0.move(Item.self, ids: [shown[0].id], to: .before(shown[2].id)) }
    #expect(try store.read { try $0.numbers(in: "a") } == [1, 0, 2, 3])
    let present = try store.read { try $0.version(of: query) }
    try store.write { try $0.update(query, .set(\.title, to: "edited")) }
    #expect(try store.read { try $0.version(of: query) } == present)
    try store.write { _ = try $0.delete(atOffsets: [3], in: query, ifUnchangedSince: present) }
    #expect(try store.read { try $0.version(of: query) } != present)
  }
}
