import Foundation

@testable import Roster

/// A row of a sequence, sorted by a number.
struct SampleRow: KeyedRow, Hashable {
  let rowKey: Int64
  var value: Int

  init(_ rowKey: Int64, _ value: Int) {
    self.rowKey = rowKey
    self.value = value
  }

  /// Whether it comes before another, said once more so that the comparator's own rule isn't its judge.
  func isBefore(_ other: SampleRow) -> Bool { (value, rowKey) < (other.value, other.rowKey) }
}

struct ByValue: RowComparator {
  func compare(_ left: SampleRow, _ right: SampleRow) -> ComparisonResult {
    left.value < right.value ? .orderedAscending : left.value == right.value ? .orderedSame : .orderedDescending
  }
}

typealias SampleRows = ChunkedRows<SampleRow, ByValue>

/// A sequence and a sorted array that it is to be the same as. Each change is made to both, and throws where they differ.
struct ModelledRows {
  struct Mismatch: Error { let message: String }

  private(set) var rows: SampleRows
  private(set) var model: [SampleRow]
  private var values: [Int64: Int]

  init(_ rows: SampleRows) {
    self.rows = rows
    model = Array(rows).sorted { $0.isBefore($1) }
    values = Dictionary(uniqueKeysWithValues: model.map { ($0.rowKey, $0.value) })
  }

  private func same<T: Equatable>(_ real: T, _ wanted: T, _ call: String) throws {
    if real != wanted { throw Mismatch(message: "\(call) is \(real), not \(wanted)") }
  }

  private func index(ofKey key: Int64) -> Int? { values[key].map { insertionIndex(of: SampleRow(key, $0)) } }

  private func insertionIndex(of row: SampleRow) -> Int {
    var (low, high) = (0, model.count)
    while low < high {
      let middle = (low + high) / 2
      if model[middle].isBefore(row) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changes

  mutating func insert(_ row: SampleRow) throws {
    let wanted = values[row.rowKey] == nil ? insertInModel(row) : nil
    try same(rows.insert(row), wanted, "insert(\(row))")
  }

  mutating func remove(key: Int64) throws {
    let wanted = removeFromModel(key)
    let real = rows.remove(key: key)
    try same(real?.index, wanted?.index, "the index of remove(\(key))")
    try same(real?.row, wanted?.row, "the row of remove(\(key))")
  }

  mutating func move(_ row: SampleRow) throws {
    let from = removeFromModel(row.rowKey)?.index
    let to = from == nil ? nil : insertInModel(row)
    let real = rows.move(row)
    try same(real?.from, from, "from of move(\(row))")
    try same(real?.to, to, "to of move(\(row))")
  }

  mutating func replace(_ row: SampleRow) throws {
    let old = removeFromModel(row.rowKey)
    var wanted = old.map { _ in insertInModel(row) }
    if let old, wanted != old.index {
      _ = removeFromModel(row.rowKey)
      _ = insertInModel(old.row)
      wanted = nil
    }
    try same(rows.replace(row), wanted, "replace(\(row))")
  }

  private mutating func insertInModel(_ row: SampleRow) -> Int {
    let index = insertionIndex(of: row)
    model.insert(row, at: index)
    values[row.rowKey] = row.value
    return index
  }

  private mutating func removeFromModel(_ key: Int64) -> (index: Int, row: SampleRow)? {
    guard let index = index(ofKey: key) else { return nil }
    values[key] = nil
    return (index, model.remove(at: index))
  }

  // MARK: Checks

  /// Whether the look-ups of a key, of a row's place and of an index find what is there.
  func look(_ key: Int64, _ row: SampleRow, _ index: Int) throws {
    let place = self.index(ofKey: key)
    try same(rows.count, model.count, "count")
    try same(rows.index(ofKey: key), place, "index(ofKey: \(key))")
    try same(rows.row(forKey: key), place.map { model[$0] }, "row(forKey: \(key))")
    try same(rows.insertionIndex(of: row), insertionIndex(of: row), "insertionIndex(of: \(row))")
    if model.indices.contains(index) { try same(rows[index], model[index], "the row at \(index)") }
  }

  /// Whether all rows are there and nothing is wrong with the structure.
  func check() throws {
    try same(rows.checkInvariants(), [], "checkInvariants()")
    if !rows.elementsEqual(model) { throw Mismatch(message: "\(Array(rows)) isn't \(model)") }
  }
}
