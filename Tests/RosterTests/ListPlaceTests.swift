import Foundation
import Testing

@testable import Roster

/// Moves by ids and places, all of them in a short list, and the places that there are not.
@Suite("Moves to places")
struct ListPlaceTests {
  private struct Undo: Error {}

  let store: Store

  init() throws { store = try Store.orderedInMemory() }

  @Test(
    "every move of up to three rows of five, as given or as listed, comes out as in an array, and no row is written in vain"
  )
  func everyPlace() throws {
    let list = [3, 1, 4, 0, 2]
    try store.write { (tx: inout Transaction) throws in
      for number in list { try tx.insert(Item(number, in: "a")) }
      for number in 5...7 { try tx.insert(Item(number, in: nil)) }
      for ids in choices(of: list, upTo: 3) {
        for order in [MoveOrder.asGiven, .asListed] {
          let moving = order == .asGiven ? ids : list.filter(ids.contains)
          for (place, expected) in places(for: moving, in: list) {
            do {
              try tx.savepoint { (tx: inout Transaction) throws in
                try move(&tx, ids, order, to: place, from: list, expected: expected)
                throw Undo()
              }
            } catch is Undo {}
          }
        }
      }
    }
  }

  private func move(
    _ tx: inout Transaction, _ ids: [Int], _ order: MoveOrder, to place: ListPlace<UUID>, from list: [Int],
    expected: [Int]?
  ) throws {
    let context = "\(ids) \(order) to \(place)"
    let before = tx.connection.totalChanges
    guard let expected else {
      _ = try failure(.outOfRange) { try tx.move(Item.self, ids: ids.map(UUID.item), to: place, order: order) }
      return
    }
    let written = try tx.move(Item.self, ids: ids.map(UUID.item), to: place, order: order)
    let found = try tx.numbers(in: "a")
    expectQuickly(found == expected, "\(context): \(found)")
    expectQuickly(tx.connection.totalChanges - before == written, context)
    expectQuickly(expected == list ? written == 0 : (1...ids.count).contains(written), "\(context): \(written) written")
    let others = try tx.numbers(in: nil)
    expectQuickly(others == [5, 6, 7], "\(context): \(others)")
  }

  /// All ways to choose up to so many elements one after the other.
  private func choices(of elements: [Int], upTo count: Int) -> [[Int]] {
    var all: [[Int]] = []
    func extend(_ chosen: [Int]) {
      if !chosen.isEmpty { all.append(chosen) }
      guard chosen.count < count else { return }
      for element in elements where !chosen.contains(element) { extend(chosen + [element]) }
    }
    extend([])
    return all
  }

  /// All places of a list, with what it is to be then; nil for those that are none.
  private func places(for moving: [Int], in list: [Int]) -> [(ListPlace<UUID>, [Int]?)] {
    let others = list.filter { !moving.contains($0) }
    /// What is before a place of the whole list stays before it, but for what moves.
    func split(_ place: Int) -> [Int] {
      list[..<place].filter(others.contains) + moving + list[place...].filter(others.contains)
    }
    var places: [(ListPlace<UUID>, [Int]?)] = [(.start, moving + others), (.end, others + moving)]
    for (index, anchor) in list.enumerated() {
      places.append((.before(.item(anchor)), split(index)))
      places.append((.after(.item(anchor)), split(index + 1)))
    }
    for index in [-1, Int.min, others.count + 1, Int.max] { places.append((.index(index), nil)) }
    for index in 0...others.count { places.append((.index(index), others[..<index] + moving + others[index...])) }
    return places
  }

  @Test("rows go to another list by its name or by the row that the place names, and get the list's value with it")
  func acrossLists() throws {
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<3 { try tx.insert(Item(number, in: "a")) }
      for number in 3..<6 { try tx.insert(Item(number, in: "b")) }
      #expect(try tx.move(Item.self, ids: [.item(2), .item(0)], to: .before(.item(5))) == 2)
      #expect(try tx.numbers(in: "a") == [1])
      #expect(try tx.numbers(in: "b") == [3, 4, 2, 0, 5])
      #expect(try tx.fetch(Item.self, id: .item(2))?.list == "b")
      try tx.move(Item.self, ids: [.item(4), .item(1), .item(3)], to: .index(0), within: String?.none)
      #expect(try tx.numbers(in: nil) == [4, 1, 3])
      // Of several lists they come list by list, in the order in which the lists are named first.
      try tx.move(Item.self, ids: [.item(5), .item(3), .item(2), .item(4)], to: .end, within: "c", order: .asListed)
      #expect(try tx.numbers(in: "c") == [2, 5, 4, 3])
      try tx.move(Query<Item>().sorted(by: SortDescriptor(\.title, order: .reverse)), to: .start, within: "c")
      #expect(try tx.numbers(in: "c") == [5, 4, 3, 2, 1, 0])
      #expect(try tx.move(Query<Item>().filter(sql: "list = 'c'").inManualOrder(), to: .end) == 0)
    }
  }

  @Test("new rows go to any place of their list, several together in their order, and with ids of the database's")
  func inserts() throws {
    try store.write { (tx: inout Transaction) throws in
      for number in [2, 5] { try tx.insert(Item(number, in: "a")) }
      try tx.insert(Item(1, in: "a"), at: .start)
      try tx.insert([Item(3, in: "a"), Item(4, in: "a")], at: .after(.item(2)))
      try tx.insert([Item](), at: .end)
      try tx.insert(Item(0, in: "a"), at: .before(.item(1)))
      try tx.insert(Item(6, in: "a"), at: .end)
      #expect(try tx.numbers(in: "a") == [0, 1, 2, 3, 4, 5, 6])
      let last = try tx.insertAssigningID(Song(id: 0, title: "last"))
      let first = try tx.insertAssigningID(Song(id: 0, title: "first"), at: .start)
      let middle = try tx.insertAssigningID(Song(id: 0, title: "middle"), at: .after(first.id))
      #expect(try tx.songs() == [first.id, middle.id, last.id])
      try tx.reverse(Song.self)
      #expect(try tx.songs() == [last.id, middle.id, first.id])
      try tx.sort(Song.self, by: SortDescriptor(\.title))
      #expect(try tx.fetch(Query<Song>().inManualOrder()).map(\.title) == ["first", "last", "middle"])
    }
  }

  @Test("an id given twice counts once, and no ids move nothing")
  func repeated() throws {
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<4 { try tx.insert(Item(number, in: "a")) }
      #expect(try tx.move(Item.self, ids: [.item(3), .item(1), .item(3)], to: .start) == 2)
      #expect(try tx.numbers(in: "a") == [3, 1, 0, 2])
      #expect(try tx.move(Item.self, ids: [], to: .start) == 0)
      #expect(try tx.move(Query<Item>().filter(sql: "0"), to: .end) == 0)
    }
  }

  @Test("what has no place, no list or no order is an error that says so, and changes nothing")
  func refused() throws {
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<6 { try tx.insert(Item(number, in: number < 3 ? "a" : "b")) }
      try tx.insert(Song(id: 1, title: ""))
      let before = tx.connection.totalChanges
      let (a, b, unknown) = (UUID.item(0), UUID.item(3), UUID.item(99))
      _ = try failure(.noSuchRecord) { try tx.move(Item.self, ids: [a, unknown], to: .start) }
      _ = try failure(.noSuchRecord) { try tx.move(Item.self, ids: [a], to: .after(unknown)) }
      _ = try failure(.noSuchRecord) { try tx.insert(Item(7, in: "a"), at: .before(unknown)) }
      for error in [
        try failure(.misuse) { try tx.move(Item.self, ids: [a, b], to: .start) },
        try failure(.misuse) { try tx.move(Item.self, ids: [a], to: .before(b), within: "a") },
        try failure(.misuse) { try tx.insert(Item(7, in: "a"), at: .after(b)) },
        try failure(.misuse) { try tx.insert([Item(7, in: "a"), Item(8, in: "b")], at: .end) },
        try failure(.misuse) { try tx.reverse(Item.self) },
        try failure(.misuse) { try tx.sort(Item.self, by: SortDescriptor(\.rank)) },
        try failure(.misuse) { try tx.move(Query<Item>(), to: .end) },
      ] {
        #expect(error.table == "item" && error.message.contains("list"), "\(error)")
      }
      for error in [
        try failure(.cannotTranslate) { try tx.move(Item.self, ids: [a], to: .end, within: 7) },
        try failure(.cannotTranslate) { try tx.reverse(Item.self, within: true) },
        try failure(.cannotTranslate) { try tx.fetch(Query<Item>().inManualOrder(within: 7)) },
      ] { #expect(error.message.contains("stores a Optional<String>") && error.columns == ["list"], "\(error)") }
      for error in [
        try failure(.cannotTranslate) { try tx.move(Song.self, ids: [1], to: .end, within: "a") },
        try failure(.cannotTranslate) { try tx.sort(Song.self, within: 7, by: SortDescriptor(\.title)) },
        try failure(.cannotTranslate) { try tx.fetch(Query<Song>().inManualOrder(within: "a")) },
      ] { #expect(error.message.contains("one order over all") && error.table == "song", "\(error)") }
      #expect(tx.connection.totalChanges == before)
    }
  }

  @Test("a table that keeps no order by hand refuses what needs one, and takes the rest as ever")
  func withoutOrder() throws {
    let store = try Store(inMemoryWith: [Note.self], migrations: Note.migrations)
    let (one, two) = (Note("one", rank: 2), Note("two", rank: 1))
    try store.write { (tx: inout Transaction) throws in
      try tx.insert([one, two])
      for error in [
        try failure(.cannotTranslate) { try tx.move(Note.self, ids: [one.id], to: .end) },
        try failure(.cannotTranslate) { try tx.move(Query<Note>(), to: .end) },
        try failure(.cannotTranslate) { try tx.insert(Note("three"), at: .start) },
        try failure(.cannotTranslate) { try tx.reverse(Note.self) },
        try failure(.cannotTranslate) { try tx.sort(Note.self, by: SortDescriptor(\.rank)) },
        try failure(.cannotTranslate) { try tx.fetch(Query<Note>().inManualOrder()) },
        try failure(.cannotTranslate) { try tx.index(of: one.id, in: Note.self) },
        try failure(.cannotTranslate) {
          try tx.move(fromOffsets: [0], toOffset: 2, in: Query<Note>().inManualOrder())
        },
      ] { #expect(error.message.contains("keeps no order by hand") && error.table == "note", "\(error)") }
      let query = Query<Note>().sorted(by: SortDescriptor(\.rank))
      let version = try tx.version(of: query)
      #expect(try tx.delete(atOffsets: [0], in: query, ifUnchangedSince: version) == 1)
      #expect(try tx.fetch(query) == [one])
    }
  }
}
