import Testing

@testable import Roster

/// A list in memory with a place in it, which labels are chosen for as for one in a database.
struct LabelledArray: LabelledPlace {
  let space: LabelSpace
  /// In the order of the list.
  private(set) var rows: [LabelledRow] = []
  /// How many rows stand before the place.
  var index = 0
  private var nextKey: Int64 = 1

  init(_ space: LabelSpace, _ labels: [Int64] = []) {
    self.space = space
    rows = labels.enumerated().map { LabelledRow(rowKey: Int64($0) + 1, label: $1) }
    nextKey = Int64(labels.count) + 1
  }

  func below(_ count: Int) -> [LabelledRow] { rows[..<index].suffix(count).reversed() }
  func above(_ count: Int) -> [LabelledRow] { Array(rows[index...].prefix(count)) }
  func count(in range: ClosedRange<Int64>) -> Int { indices(of: range).count }
  func rows(in range: ClosedRange<Int64>) -> [LabelledRow] { Array(rows[indices(of: range)]) }

  /// The rows with a label of a range.
  private func indices(of range: ClosedRange<Int64>) -> Range<Int> {
    firstIndex { $0 >= range.lowerBound }..<firstIndex { $0 > range.upperBound }
  }

  private func firstIndex(_ isReached: (Int64) -> Bool) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if isReached(rows[middle].label) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Puts new rows at the place, and tells how. Expects that they and those that were relabelled stand strictly between
  /// their neighbours.
  @discardableResult
  mutating func insert(_ count: Int, _ context: @autoclosure () -> String) throws -> Labelling {
    let place = index
    let labelling = try space.place(count, at: self)
    try requireQuickly(labelling.labels.count == count, context())
    var written = Set(labelling.relabelled.map(\.rowKey))
    try requireQuickly(written.count == labelling.relabelled.count, "a row is written twice, \(context())")
    try relabel(labelling.relabelled, context())
    for (offset, label) in labelling.labels.enumerated() {
      rows.insert(LabelledRow(rowKey: nextKey, label: label), at: place + offset)
      written.insert(nextKey)
      nextKey += 1
    }
    try checkInvariants(written: written, context())
    return labelling
  }

  /// Puts one new row at the place, without a look at the others, and tells how many rows were written.
  mutating func insertQuickly() throws -> Labelling {
    let labelling = try space.place(1, at: self)
    try relabel(labelling.relabelled, "\(labelling.method)")
    rows.insert(LabelledRow(rowKey: nextKey, label: labelling.labels[0]), at: index)
    nextKey += 1
    return labelling
  }

  mutating func remove(at index: Int) { rows.remove(at: index) }

  /// Gives rows other labels. They come in the order of the list, and each has another than it has.
  private mutating func relabel(_ relabelled: [LabelledRow], _ context: @autoclosure () -> String) throws {
    guard let first = relabelled.first else { return }
    var current = indexOfRow(first.rowKey)
    for row in relabelled {
      while current < rows.count, rows[current].rowKey != row.rowKey { current += 1 }
      try requireQuickly(
        current < rows.count && rows[current].label != row.label, "\(row) is not written, \(context())")
      rows[current] = row
    }
  }

  /// Looks for a row from the place on in both directions.
  private func indexOfRow(_ rowKey: Int64) -> Int {
    for distance in 0...rows.count {
      let (below, above) = (index - 1 - distance, index + distance)
      if below >= 0, rows[below].rowKey == rowKey { return below }
      if above < rows.count, rows[above].rowKey == rowKey { return above }
    }
    return rows.count
  }

  /// Labels are of the space and rise, strictly so beside a row that was written.
  func checkInvariants(written: Set<Int64> = [], _ context: @autoclosure () -> String = "") throws {
    let outside = rows.first { !space.contains($0.label) }
    try requireQuickly(outside == nil, "\(String(describing: outside)) is outside, \(context())")
    let wrong = zip(rows, rows.dropFirst()).first { left, right in
      let isWritten = written.contains(left.rowKey) || written.contains(right.rowKey)
      return left.label > right.label || isWritten && left.label == right.label
    }
    try requireQuickly(wrong == nil, "\(String(describing: wrong)) do not rise, \(context())")
  }
}
