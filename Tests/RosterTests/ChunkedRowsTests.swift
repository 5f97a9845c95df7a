import Foundation
import Testing

@testable import Roster

@Suite("Chunked rows")
struct ChunkedRowsTests {
  /// Every order of the numbers from 0 to below the count.
  private static func permutations(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return permutations(count - 1).flatMap { rest in
      (0..<count).map { place in Array(rest[..<place]) + [count - 1] + Array(rest[place...]) }
    }
  }

  /// The sizes of the leaves in their order.
  private func sizes(_ rows: SampleRows) -> [Int] { (0..<rows.order.count).map { rows.leaf(at: $0).count } }

  private func rows(_ count: Int, capacity: Int = 4) -> SampleRows {
    SampleRows((0..<count).map { SampleRow(Int64($0), $0) }, by: ByValue(), capacity: capacity)
  }

  /// One sequence for each way in which up to so many rows, some with equal values, can stand in leaves of four.
  private func shapes(upTo count: Int) throws -> [ModelledRows] {
    var shapes: [[Int]: ModelledRows] = [:]
    for count in 0...count {
      for order in ChunkedRowsTests.permutations(count) {
        var list = ModelledRows(rows(0))
        for number in order {
          try list.insert(SampleRow(Int64(number), number / 2 * 4))
          try list.check()
        }
        shapes[sizes(list.rows)] = list
      }
    }
    return shapes.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  @Test("up to six rows inserted in every order, then removed in every order")
  func removals() throws {
    for shape in try shapes(upTo: 6) {
      for order in ChunkedRowsTests.permutations(shape.rows.count) {
        var list = shape
        for number in order {
          try list.remove(key: Int64(number))
          try list.check()
        }
        #expect(list.rows.isEmpty)
      }
    }
  }

  @Test("each of up to six rows moved to every place, and replaced where it may stay")
  func moves() throws {
    for shape in try shapes(upTo: 6) {
      for row in shape.model {
        for value in -1...9 {
          var (moved, replaced) = (shape, shape)
          try moved.move(SampleRow(row.rowKey, value))
          try moved.check()
          try replaced.replace(SampleRow(row.rowKey, value))
          try replaced.check()
          try shape.check()
        }
      }
    }
  }

  @Test("a key that is there isn't inserted, one that isn't is neither found nor removed nor moved")
  func keys() throws {
    for key in [Int64.min, -1, 20, .max] {
      var list = ModelledRows(rows(20))
      try list.look(key, SampleRow(key, 3), 3)
      try list.remove(key: key)
      try list.move(SampleRow(key, 3))
      try list.replace(SampleRow(key, 3))
      try list.check()
      try list.insert(SampleRow(key, 3))
      try list.insert(SampleRow(key, 8))
      try list.check()
      #expect(list.rows.row(forKey: key) == SampleRow(key, 3))
    }
  }

  @Test("rows given out of order are sorted, and of those with the same key the last is taken")
  func unsorted() {
    let given = [3, 1, 2, 1, 9, 0].enumerated().map { SampleRow(Int64($0.element), $0.offset) }
    let rows = SampleRows(given, by: ByValue(), capacity: 4)
    #expect(Array(rows) == [SampleRow(3, 0), SampleRow(2, 2), SampleRow(1, 3), SampleRow(9, 4), SampleRow(0, 5)])
    #expect(rows.checkInvariants() == [])
    let twice = (0..<40).map { SampleRow(Int64($0 % 30), $0) }
    let kept = SampleRows(twice, by: ByValue(), capacity: 4)
    #expect(Array(kept) == Array(twice[10...]))
    #expect(kept.checkInvariants() == [])
  }

  @Test("rows out of order at the edge of a leaf are seen")
  func unsortedAtEdge() {
    let values = Array(0..<8) + [7] + Array(8..<12)
    let rows = SampleRows(
      values.enumerated().map { SampleRow(Int64(-$0.offset), $0.element) }, by: ByValue(), capacity: 8)
    #expect(rows.map(\.value) == values.sorted())
    #expect(rows.checkInvariants() == [])
  }

  @Test("leaves are full after rows came in their order, or the other way round")
  func fullLeaves() {
    var (ascending, descending) = (rows(0), rows(0))
    for number in 0..<42 {
      ascending.insert(SampleRow(Int64(number), number))
      descending.insert(SampleRow(Int64(number), -number))
    }
    let full = Array(repeating: 4, count: 10)
    #expect(sizes(ascending) == full + [2])
    #expect(sizes(descending) == [2] + full)
    #expect(sizes(rows(42)) == full + [2])
    #expect(ascending.checkInvariants() + descending.checkInvariants() == [])
  }

  @Test("a stack of rows that grows and shrinks at a full leaf's edge moves no others")
  func edge() {
    var rows = rows(40)
    for _ in 0..<3 {
      rows.insert(SampleRow(40, 40))
      #expect(sizes(rows) == Array(repeating: 4, count: 10) + [1])
      rows.remove(key: 40)
      #expect(sizes(rows) == Array(repeating: 4, count: 10))
    }
    #expect(rows.checkInvariants() == [])
  }

  @Test("it is a collection, whose iterator goes on with the rows as they were")
  func collection() {
    var rows = rows(25)
    let numbers = Array(0..<25)
    #expect(rows.map(\.value) == numbers)
    #expect(rows.indices.map { rows[$0].value } == numbers)
    #expect(rows.reversed().map(\.value) == numbers.reversed())
    #expect(rows[7..<12].map(\.value) == Array(7..<12))
    #expect(rows.first?.value == 0)
    #expect(rows.last?.value == 24)
    #expect(Array(rows.lazy.map(\.value)) == numbers)
    var iterator = rows.makeIterator()
    #expect(iterator.next()?.value == 0)
    rows.removeAll()
    #expect(rows.isEmpty)
    #expect(Array(rows) == [])
    #expect(rows.checkInvariants() == [])
    var left: [Int] = []
    while let row = iterator.next() { left.append(row.value) }
    #expect(left == Array(1..<25))
    #expect(iterator.next() == nil)
  }

  @Test("a capacity that is too small is taken for four, one that is too large for 65,536")
  func capacity() {
    for capacity in [Int.min, -1, 0, 3, 4, 5, 128, 65_536, 65_537, .max] {
      var rows = SampleRows(by: ByValue(), capacity: capacity)
      for number in 0..<20 { rows.insert(SampleRow(Int64(number), number % 3)) }
      #expect(rows.capacity == min(max(capacity, 4), 65_536))
      for number in 0..<15 { rows.remove(key: Int64(number)) }
      #expect(rows.checkInvariants() == [])
    }
  }
}
