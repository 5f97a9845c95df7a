import Foundation
import Testing

@testable import Roster

/// Reading in the order that is kept by hand: pages, indices, and the index of the database behind it all.
@Suite("Queries in the order kept by hand")
struct OrderQueryTests {
  let store: Store

  init() throws { store = try Store.orderedInMemory() }

  private static let lists: [String?] = ["b", nil, "a", "列表"]

  /// Rows in several lists, some without a position, some with one that others have, or that is no integer.
  private func fill(_ tx: inout Transaction, _ count: Int, _ dice: inout SeededGenerator) throws {
    for number in 0..<count {
      let item = Item(number, in: OrderQueryTests.lists[dice.below(4)], isDone: dice.below(3) == 0, rank: dice.below(4))
      try tx.insert(item, at: dice.below(2) == 0 ? .start : .end)
    }
    for position in ["NULL", "0", "7.5", "'x'"] {
      let some = (0..<count).filter { _ in dice.below(10) == 0 }.map(UUID.item)
      try tx.execute("UPDATE item SET position = \(sql: position) WHERE id IN (\(some))")
    }
  }

  @Test(
    "pages after a record together are the whole, also where rows have no position", arguments: SeededGenerator.seeds)
  func pages(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    try store.write { (tx: inout Transaction) throws in
      try fill(&tx, 120, &dice)
      let whole = Query<Item>().inManualOrder()
      for query in [
        whole, Query<Item>().inManualOrder(within: "b"), Query<Item>().inManualOrder(within: String?.none),
        Query<Item>().filter(#Predicate { !$0.isDone }).inManualOrder(within: "a"),
      ] {
        let all = try tx.fetch(query)
        for size in [1, 7] {
          var found: [Item] = []
          while true {
            let page = try tx.fetch((found.last.map { query.after($0) } ?? query).limit(size))
            found += page
            if page.count < size { break }
          }
          #expect(found == all, "seed \(seed), size \(size)")
        }
      }
      let lists = try tx.fetch(whole).map(\.list)
      // By list as SQLite sorts them, nil first.
      #expect(lists == lists.sorted { ($0.map { "1\($0)" } ?? "0") < ($1.map { "1\($0)" } ?? "0") }, "seed \(seed)")
    }
  }

  @Test("a page after a record begins where the record stands now; where it is gone, that is an error")
  func moved() throws {
    try store.write { (tx: inout Transaction) throws in
      for number in 0..<5 { try tx.insert(Item(number, in: "a")) }
      let query = Query<Item>().inManualOrder(within: "a")
      let first = try #require(try tx.first(query))
      try tx.move(Item.self, ids: [first.id], to: .index(3))
      #expect(try tx.fetch(query.after(first)).map(\.number) == [4])
      #expect(try tx.count(query.after(first)) == 1)
      #expect(try tx.delete(query.after(first)) == 1)
      try tx.delete(Item.self, id: first.id)
      let error = try failure(.noSuchRecord) { try tx.fetch(query.after(first)) }
      #expect(error.message.contains("is gone") && error.table == "item")
    }
  }

  @Test("the index of a record and the record at an index agree with the list", arguments: SeededGenerator.seeds)
  func indices(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    try store.write { (tx: inout Transaction) throws in
      try fill(&tx, 60, &dice)
      for name in OrderQueryTests.lists {
        let query = Query<Item>().inManualOrder(within: name)
        let list = try tx.fetch(query)
        for (index, item) in list.enumerated() {
          #expect(try tx.index(of: item.id, in: Item.self) == index, "seed \(seed)")
          #expect(try tx.fetch(query, at: index) == item, "seed \(seed)")
        }
        for index in [-1, Int.min, list.count, Int.max] {
          #expect(try tx.fetch(query, at: index) == nil)
          #expect(try tx.fetch(query.offset(2), at: index) == nil)
        }
        let shown = query.filter(#Predicate { $0.isDone })
        let done = list.filter(\.isDone)
        for index in 0...done.count {
          #expect(try tx.fetch(shown, at: index) == (index < done.count ? done[index] : nil), "seed \(seed)")
        }
        let part = query.offset(2).limit(3)
        for index in 0...4 {
          let expected = index < 3 && index + 2 < list.count ? list[index + 2] : nil
          #expect(try tx.fetch(part, at: index) == expected, "seed \(seed)")
        }
      }
      #expect(try tx.index(of: .item(999), in: Item.self) == nil)
      try tx.insert((0..<5).map { (id: Int) in Song(id: id, title: "") }, at: .start)
      #expect(try (0..<5).map { try tx.index(of: $0, in: Song.self) } == [0, 1, 2, 3, 4])
    }
  }

  // MARK: Plans

  /// How SQLite runs a statement, step by step.
  private func plan(_ sql: String, on connection: Connection) throws -> [String] {
    let count = try connection.statement(sql).parameterCount
    let nulls = [SQLArgument](repeating: SQLArgument(.null), count: count)
    return try connection.rows("EXPLAIN QUERY PLAN \(sql)", nulls).compactMap { row in
      guard case .text(let text)? = row.last else { return nil }
      return text
    }
  }

  /// Every statement on lists that is written once for a table.
  private func statements(_ order: ManualOrder) -> [(name: String, sql: String)] {
    let texts = Mirror(reflecting: order.statements).children.map { ($0.label ?? "", $0.value as? String ?? "") }
    return texts.compactMap { name, sql in
      switch name {
      case "all": (name, sql + order.statements.order)
      case "order": nil
      default: (name, sql)
      }
    }
  }

  @Test("each statement on a list walks along the order's index, and sorts nothing")
  func plans() throws {
    try store.write { (tx: inout Transaction) throws in
      let orders = [try Item.table.manualOrder(), try Song.table.manualOrder()]
      for order in orders {
        let all = statements(order)
        #expect(all.count > 12)
        for (name, sql) in all {
          let steps = try plan(sql, on: tx.connection)
          #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(name): \(steps)")
          let reads = steps.filter { $0.hasPrefix("SEARCH") || $0.hasPrefix("SCAN \(order.table)") }
          #expect(!reads.isEmpty, "\(name): \(steps)")
          // A table that is one list is read as a whole for a whole list, and then by the index alone.
          for read in reads {
            let isByOrder = read.contains("USING COVERING INDEX roster_order_\(order.table)")
            let isByKey = read.contains("USING INTEGER PRIMARY KEY") || read.contains("USING INDEX sqlite_autoindex")
            #expect(isByOrder || isByKey, "\(name): \(read)")
            let isWhole = order.scope == nil && ["all", "rowAt", "count"].contains(name)
            #expect(read.hasPrefix("SEARCH") || isWhole, "\(name): \(read)")
          }
        }
      }
    }
  }

  @Test("queries in a list's order walk along its index, filtered and paged ones too")
  func queryPlans() throws {
    try store.write { (tx: inout Transaction) throws in
      let item = Item(1, in: "a")
      try tx.insert(item)
      let list = Query<Item>().inManualOrder(within: "a")
      for (query, name) in [
        (list, "whole"), (list.filter(#Predicate { !$0.isDone }), "filtered"), (list.limit(3).offset(2), "part"),
        (list.after(item).limit(20), "page"),
      ] {
        let sql = try tx.connection.resolve(query).select(Item.table.statements.selection)
        let steps = try plan(sql.text, on: tx.connection)
        #expect(steps.count == 1 && steps[0].contains("USING INDEX roster_order_item (list=?"), "\(name): \(steps)")
        // A page begins at its place, and is not looked for from the beginning of the list.
        if name == "page" { #expect(steps[0].contains("position>?"), "\(steps)") }
      }
      for count in [1, 8, 64, 512] {
        let keys = list.filter(sql: "\(Item.self).rowid IN (\(Array(repeating: Int64(1), count: count)))")
        let sql = try tx.connection.resolveByRow(keys).select(Item.table.statements.selection)
        let steps = try plan(sql.text, on: tx.connection)
        #expect(steps[0] == "SEARCH item USING INTEGER PRIMARY KEY (rowid=?)", "\(count) keys: \(steps)")
      }
      let songs = Query<Song>().inManualOrder()
      let sql = try ResolvedQuery(query: songs).select(Song.table.statements.selection)
      #expect(try plan(sql.text, on: tx.connection) == ["SCAN song USING INDEX roster_order_song"])
    }
  }
}

extension SQL.StringInterpolation {
  /// A piece of SQL as it stands.
  fileprivate mutating func appendInterpolation(sql: String) { appendLiteral(sql) }
}
