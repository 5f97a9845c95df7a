import Foundation
import Testing

@testable import Roster

/// Random operations on lists kept in order by hand, with plain arrays as what should be there.
@Suite("Lists against arrays")
struct OrderModelTests {
  /// The operations of a run, in all; they are shared out among the seeds. Fewer under a sanitizer, which is slow.
  private static let operations =
    ProcessInfo.processInfo.environment["ROSTER_OPERATIONS"].flatMap { Int($0) } ?? 200_000

  @Test("random operations leave what they leave in arrays", arguments: SeededGenerator.seeds + [SeededGenerator.seed])
  func random(seed: UInt64) throws {
    print("OrderModelTests: ROSTER_SEED=\(seed)")
    var model = try OrderModel(seed: seed)
    let count = OrderModelTests.operations / (SeededGenerator.seeds.count + 1)
    while model.steps < count { try model.transaction() }
    try model.reopen()
    #expect(model.steps >= count)
  }
}

/// A store of items, and an array for each of its lists.
struct OrderModel {
  private struct Undo: Error {}

  private let seed: UInt64
  private var dice: SeededGenerator
  private let folder: TemporaryFolder
  private var store: Store
  private var lists: [String?: [Int]] = [:]
  private var done: Set<Int> = []
  private var nextNumber = 0
  /// The last operations, for the message of a failure.
  private var trace: [String] = []
  private(set) var steps = 0

  private static let names: [String?] = ["a", "列表", nil, "d"]

  init(seed: UInt64) throws {
    self.seed = seed
    dice = SeededGenerator(seed: seed)
    folder = try TemporaryFolder()
    store = try OrderModel.open(folder)
  }

  private static func open(_ folder: TemporaryFolder) throws -> Store {
    var options = StoreOptions()
    options.durability = .normal
    // The rows written are counted.
    options.keepsChangeLog = false
    return try Store.ordered(in: folder, options: options)
  }

  private var all: [Int] { OrderModel.names.flatMap { lists[$0] ?? [] } }

  private func text() -> Comment { "ROSTER_SEED=\(seed), step \(steps): \(trace.suffix(6).joined(separator: "; "))" }

  // MARK: Running

  mutating func transaction() throws {
    let before = (lists, done)
    let fails = dice.below(12) == 0
    do {
      var run = self
      let store = store
      defer { self = run }
      try store.write { tx in
        for _ in 0...run.dice.below(40) { try run.step(&tx, depth: 0) }
        if fails { throw Undo() }
      }
    } catch is Undo { (lists, done) = before }
    if dice.below(4) == 0 { try damageFromOutside() }
    if dice.below(60) == 0 { try reopen() }
  }

  mutating func reopen() throws {
    let dirty = Set(try store.check().map(\.kind))
    #expect(dirty.isSubset(of: [.missingPosition, .duplicatePosition, .invalidPosition]), text())
    try store.close()
    store = try OrderModel.open(folder)
    try store.read { (snapshot: inout Snapshot) throws in try compareAll(&snapshot) }
    guard dice.below(2) == 0 else { return }
    try store.repair()
    #expect(try store.check() == [], text())
    try store.read { (snapshot: inout Snapshot) throws in try compareAll(&snapshot) }
  }

  private func compareAll<Mode>(_ access: inout StoreAccess<Mode>) throws {
    for name in OrderModel.names { try compare(&access, name) }
  }

  private func compare<Mode>(_ access: inout StoreAccess<Mode>, _ name: String?) throws {
    let found = try access.fetch(
      "SELECT id FROM item WHERE list IS \(name) ORDER BY position NULLS LAST, rowid", as: UUID.self
    ).map(\.number)
    try #require(found == lists[name] ?? [], text())
  }

  private mutating func step(_ tx: inout Transaction, depth: Int) throws {
    steps += 1
    let touched = try change(&tx, depth: depth)
    for name in touched { try compare(&tx, name) }
    if dice.below(50) == 0 { try compareAll(&tx) }
    guard dice.below(20) == 0, let name = OrderModel.names.randomElement(using: &dice), let list = lists[name],
      !list.isEmpty
    else { return }
    let index = dice.below(list.count)
    #expect(try tx.index(of: .item(list[index]), in: Item.self) == index, text())
    #expect(try tx.fetch(Query<Item>().inManualOrder(within: name), at: index)?.number == list[index], text())
  }

  // MARK: Choosing

  private mutating func name() -> String? { OrderModel.names[dice.below(OrderModel.names.count)] }

  private mutating func newItem(in name: String?) -> Item {
    nextNumber += 1
    let item = Item(nextNumber, in: name, isDone: dice.below(2) == 0, rank: dice.below(5))
    if item.isDone { done.insert(item.number) }
    return item
  }

  /// Some of the rows of a list, or of all, in any order.
  private mutating func some(of rows: [Int]) -> [Int] {
    guard !rows.isEmpty else { return [] }
    let count = dice.below(3) > 0 ? 1 : 1 + dice.below(min(rows.count, 6))
    return Array(rows.shuffled(using: &dice).prefix(count))
  }

  /// A place in a list, and where rows then are put in its array, once those that move are out of it.
  private mutating func place(in list: [Int], moving: [Int]) -> (ListPlace<UUID>, (_ rest: [Int]) -> Int) {
    let rest = list.filter { !moving.contains($0) }
    switch list.isEmpty ? dice.below(3) : dice.below(5) {
    case 0: return (.start, { _ in 0 })
    case 1: return (.end, { $0.count })
    case 2:
      let index = dice.below(rest.count + 1)
      return (.index(index), { _ in index })
    case 3:
      // Beside a row that moves itself is where it stands.
      let anchor = dice.below(list.count)
      return (.before(.item(list[anchor])), { _ in list[..<anchor].count { !moving.contains($0) } })
    default:
      let anchor = dice.below(list.count)
      return (.after(.item(list[anchor])), { _ in list[...anchor].count { !moving.contains($0) } })
    }
  }

  private mutating func put(_ rows: [Int], in name: String?, at place: ([Int]) -> Int) {
    for key in lists.keys { lists[key]?.removeAll { rows.contains($0) } }
    let rest = lists[name] ?? []
    lists[name, default: []].insert(contentsOf: rows, at: place(rest))
  }

  // MARK: Changes

  /// One random change, to the store and to the arrays. Returns the lists that it may have changed.
  private mutating func change(_ tx: inout Transaction, depth: Int) throws -> [String?] {
    let total = all.count
    let kind = total < 8 ? dice.below(3) : total > 90 ? 9 : dice.below(20)
    trace.append("\(kind)")
    switch kind {
    case 0, 1, 2: return try insert(&tx)
    case 3, 4, 5: return try moveWithin(&tx)
    case 6, 7: return try moveAcross(&tx)
    case 8: return try moveQuery(&tx)
    case 9, 10: return try delete(&tx)
    case 11, 12, 13: return try moveShown(&tx)
    case 14: return try update(&tx)
    case 15: return try bulkUpdate(&tx)
    case 16: return try arrange(&tx)
    case 17: return try damage(&tx)
    case 18: return try refuse(&tx)
    default: return try nest(&tx, depth: depth)
    }
  }

  private mutating func insert(_ tx: inout Transaction) throws -> [String?] {
    let name = name()
    let list = lists[name] ?? []
    if dice.below(3) == 0 {
      let items = (0..<dice.below(4)).map { _ in newItem(in: name) }
      let (place, index) = place(in: list, moving: [])
      try tx.insert(items, at: place)
      put(items.map(\.number), in: name, at: index)
    } else if dice.below(2) == 0 {
      let item = newItem(in: name)
      if dice.below(2) == 0 { try tx.insert(item) } else { try tx.upsert(item) }
      put([item.number], in: name) { $0.count }
    } else {
      let item = newItem(in: name)
      let (place, index) = place(in: list, moving: [])
      try tx.insert(item, at: place)
      put([item.number], in: name, at: index)
    }
    return [name]
  }

  private mutating func moveWithin(_ tx: inout Transaction) throws -> [String?] {
    let name = name()
    let list = lists[name] ?? []
    let rows = some(of: list)
    guard !rows.isEmpty else { return [] }
    let (place, index) = place(in: list, moving: rows)
    let isListed = dice.below(2) == 0
    let before = tx.connection.totalChanges
    let written = try tx.move(
      Item.self, ids: rows.map { UUID.item($0) }, to: place, order: isListed ? .asListed : .asGiven)
    put(isListed ? list.filter(rows.contains) : rows, in: name, at: index)
    #expect(tx.connection.totalChanges - before == written, text())
    if lists[name] == list { #expect(written == 0 || isDamaged, text()) }
    return [name]
  }

  private mutating func moveAcross(_ tx: inout Transaction) throws -> [String?] {
    let (name, rows) = (name(), some(of: all))
    let list = lists[name] ?? []
    let (place, index) = place(in: list, moving: rows)
    try tx.move(Item.self, ids: rows.map { UUID.item($0) }, to: place, within: name)
    put(rows, in: name, at: index)
    return OrderModel.names
  }

  private mutating func moveQuery(_ tx: inout Transaction) throws -> [String?] {
    let (from, name, isDone) = (name(), name(), dice.below(2) == 0)
    let rows = (lists[from] ?? []).filter { done.contains($0) == isDone }
    let query = Query<Item>().filter(#Predicate { $0.isDone == isDone }).inManualOrder(within: from)
    let (place, index) = place(in: lists[name] ?? [], moving: rows)
    try tx.move(query, to: place, within: name)
    put(rows, in: name, at: index)
    return [from, name]
  }

  private mutating func delete(_ tx: inout Transaction) throws -> [String?] {
    let rows = some(of: all)
    if dice.below(2) == 0 {
      for row in rows { #expect(try tx.delete(Item.self, id: .item(row)), text()) }
    } else {
      let ids = rows.map { UUID.item($0) }
      #expect(try tx.delete(Query<Item>().filter(sql: "id IN (\(ids))")) == rows.count, text())
    }
    for key in lists.keys { lists[key]?.removeAll { rows.contains($0) } }
    return OrderModel.names
  }

  private mutating func moveShown(_ tx: inout Transaction) throws -> [String?] {
    let name = name()
    let list = lists[name] ?? []
    let isFiltered = dice.below(2) == 0
    let shown = isFiltered ? list.filter { done.contains($0) } : list
    var query = Query<Item>().inManualOrder(within: name)
    if isFiltered { query = query.filter(#Predicate { $0.isDone }) }
    let offsets = IndexSet(shown.indices.filter { _ in dice.below(3) == 0 })
    let destination = dice.below(shown.count + 1)
    let written = try tx.move(fromOffsets: offsets, toOffset: destination, in: query)
    lists[name] = ListMoveTests.expected(list, shown, offsets, destination)
    if lists[name] ?? [] == list, !isDamaged { #expect(written == 0, text()) }
    return [name]
  }

  /// Writes a record, which may come into another list by it.
  private mutating func update(_ tx: inout Transaction) throws -> [String?] {
    guard let row = some(of: all).first, var item = try tx.fetch(Item.self, id: .item(row)) else { return [] }
    let (old, from) = (item, item.list)
    item.rank = dice.below(5)
    if dice.below(2) == 0 { item.list = name() }
    switch dice.below(3) {
    case 0: try tx.update(item)
    case 1: try tx.update(item, from: old)
    default: try tx.upsert(item)
    }
    if item.list != from { put([row], in: item.list) { $0.count } }
    return [from, item.list]
  }

  /// Sets the list of the records of a query, which then come last there, list by list as SQLite sorts their names.
  private mutating func bulkUpdate(_ tx: inout Transaction) throws -> [String?] {
    let (name, isDone) = (name(), dice.below(2) == 0)
    let others = [nil, "a", "d", "列表"].filter { $0 != name }
    let rows = others.flatMap { lists[$0] ?? [] }.filter { done.contains($0) == isDone }
    try tx.update(Query<Item>().filter(#Predicate { $0.isDone == isDone }), .set(\.list, to: name))
    put(rows, in: name) { $0.count }
    return OrderModel.names
  }

  private mutating func arrange(_ tx: inout Transaction) throws -> [String?] {
    let name = name()
    if dice.below(2) == 0 {
      try tx.reverse(Item.self, within: name)
      lists[name]?.reverse()
    } else {
      let ranks = try tx.fetch("SELECT id, rank FROM item WHERE list IS \(name)", as: (UUID, Int).self)
      let rank = Dictionary(uniqueKeysWithValues: ranks.map { ($0.0.number, $0.1) })
      try tx.sort(Item.self, within: name, by: SortDescriptor(\.rank))
      // A stable sort, as Swift's is.
      lists[name]?.sort { rank[$0, default: 0] < rank[$1, default: 0] }
    }
    return [name]
  }

  /// What cannot be done is an error, and changes nothing.
  private mutating func refuse(_ tx: inout Transaction) throws -> [String?] {
    guard let row = all.randomElement(using: &dice) else { return [] }
    let before = tx.connection.totalChanges
    _ = try failure(.noSuchRecord) {
      try tx.move(Item.self, ids: [.item(row), .item(9_999_999)], to: .start, within: "a")
    }
    _ = try failure(.noSuchRecord) { try tx.move(Item.self, ids: [.item(row)], to: .before(.item(9_999_999))) }
    #expect(tx.connection.totalChanges == before, text())
    // By then the list may have been put right, which changes no order.
    _ = try failure(.outOfRange) { try tx.move(Item.self, ids: [.item(row)], to: .index(1_000), within: "a") }
    return OrderModel.names
  }

  private mutating func nest(_ tx: inout Transaction, depth: Int) throws -> [String?] {
    guard depth < 2 else { return [] }
    let before = (lists, done)
    let fails = dice.below(2) == 0
    do {
      var run = self
      defer { self = run }
      try tx.savepoint { tx in
        for _ in 0...run.dice.below(4) { try run.step(&tx, depth: depth + 1) }
        if fails { throw Undo() }
      }
    } catch is Undo { (lists, done) = before }
    return OrderModel.names
  }

  // MARK: Damage

  /// Whether a program other than this library may have written positions that are not all distinct.
  private var isDamaged = false

  private static let damages: [SQL] = [
    "UPDATE item SET position = NULL WHERE rank = 1", "UPDATE item SET position = 0", "UPDATE item SET position = rank",
    "UPDATE item SET position = 9223372036854775807 WHERE rank = 2",
    "UPDATE item SET position = -9223372036854775808 WHERE rank = 3", "UPDATE item SET position = 1.5 WHERE rank = 4",
    "UPDATE item SET position = 'text' WHERE rank = 0", "UPDATE item SET position = x'00ff' WHERE rank = 1",
    "UPDATE item SET position = rowid",
    "UPDATE item SET position = position + 0.25 WHERE rank = 2 AND position < 1000000",
    "UPDATE item SET position = (SELECT min(position) FROM item) WHERE rank = 3",
    "UPDATE item SET position = NULL",
  ]

  private mutating func damage(_ tx: inout Transaction) throws -> [String?] {
    let damage = OrderModel.damages[dice.below(OrderModel.damages.count)]
    trace.append(damage.text)
    try tx.execute(damage)
    try learn { try tx.fetch($0, as: UUID.self) }
    return OrderModel.names
  }

  private mutating func damageFromOutside() throws {
    let damage = OrderModel.damages[dice.below(OrderModel.damages.count)]
    trace.append("outside: \(damage.text)")
    let connection = try Connection(path: folder.file("ordered.db").path, mode: .readWrite)
    try connection.execute(damage.text)
    let store = store
    try learn { sql in try store.read { try $0.fetch(sql, as: UUID.self) } }
  }

  /// Takes the order that the database has now for the right one.
  private mutating func learn(_ fetch: (SQL) throws -> [UUID]) throws {
    isDamaged = true
    for name in OrderModel.names {
      lists[name] = try fetch("SELECT id FROM item WHERE list IS \(name) ORDER BY position NULLS LAST, rowid").map(
        \.number)
    }
  }
}
