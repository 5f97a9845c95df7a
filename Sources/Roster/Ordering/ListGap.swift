/// A place between two rows of a list in the database, for rows that are moved to it or are new.
///
/// The rows that move count as gone from where they stand, so that the rows around the place are all such as stay.
struct ListGap: LabelledPlace {
  let list: KeptList
  /// The last row that stays before the place, and the first one after it.
  private(set) var lower: LabelledRow?
  private(set) var upper: LabelledRow?
  /// The rows that move and stand between the two now, in their order.
  private(set) var between: [RowPlace] = []
  /// The rows that move, where they stand now, by their integer keys.
  let moving: [Int64: RowPlace]

  private init(_ list: KeptList, moving: [Int64: RowPlace]) {
    self.list = list
    self.moving = moving
  }

  // MARK: Finding the place

  /// The place before all rows that stay.
  static func start(of list: KeptList, moving: [Int64: RowPlace]) throws -> ListGap {
    var gap = ListGap(list, moving: moving)
    guard let first = try list.row(at: 0) else { return gap }
    let row = try first.row()
    try gap.extendUp(from: first, row)
    return gap
  }

  /// The place after all rows that stay.
  static func end(of list: KeptList, moving: [Int64: RowPlace]) throws -> ListGap {
    var gap = ListGap(list, moving: moving)
    try gap.extendDown(from: .end)
    return gap
  }

  /// The place right before a row, or before the next one that stays.
  static func before(_ anchor: LabelledRow, of list: KeptList, moving: [Int64: RowPlace]) throws -> ListGap {
    var gap = ListGap(list, moving: moving)
    try gap.extendDown(from: .row(anchor))
    try gap.extendUp(from: RowPlace(rowKey: anchor.rowKey, scope: list.scope, label: anchor.label), anchor)
    return gap
  }

  /// The place right after a row, or after the last one before it that stays.
  static func after(_ anchor: LabelledRow, of list: KeptList, moving: [Int64: RowPlace]) throws -> ListGap {
    var gap = ListGap(list, moving: moving)
    if moving[anchor.rowKey] == nil {
      gap.lower = anchor
    } else {
      try gap.extendDown(from: .row(anchor))
      gap.between.append(RowPlace(rowKey: anchor.rowKey, scope: list.scope, label: anchor.label))
    }
    try gap.extendUp(from: .row(anchor))
    return gap
  }

  /// The place that rows are put at so that the first of them has an index, counted without those that move; nil where
  /// the list has too few rows.
  ///
  /// A walk along the index of the order for every row that moves and stands before, and one more; for many, one in all.
  static func at(_ index: Int, of list: KeptList, moving: [Int64: RowPlace]) throws -> ListGap? {
    guard index >= 0 else { return nil }
    // Where one that moves stands among the others has to be known, to count without it.
    if moving.values.contains(where: { $0.scope == list.scope && $0.label == nil }) { throw ForeignPosition() }
    guard index > 0 else { return try start(of: list, moving: moving) }
    guard let last = try row(index - 1, of: list, moving) else { return nil }
    return try after(last, of: list, moving: moving)
  }

  /// The row at an index, counted without those that move.
  private static func row(_ index: Int, of list: KeptList, _ moving: [Int64: RowPlace]) throws -> LabelledRow? {
    guard moving.count <= 8 else {
      var (found, left): (LabelledRow?, Int) = (nil, index)
      guard let first = try list.row(at: 0) else { return nil }
      let start = try first.row()
      func visit(_ place: RowPlace) throws -> Bool {
        guard moving[place.rowKey] == nil else { return true }
        let row = try place.row()
        if left == 0 { found = row }
        left -= 1
        return left >= 0
      }
      if try visit(first) { try list.walk(.up, from: .row(start), visit) }
      return found
    }
    var passed = 0
    while let place = try list.row(at: index + passed) {
      let row = try place.row()
      let before = moving.values.count { other in
        other.scope == list.scope && other.label.map { ($0, other.rowKey) <= (row.label, row.rowKey) } ?? false
      }
      // As many rows were passed as stand before and move, and the row itself is none of them.
      guard before > passed else { return row }
      passed = before
    }
    return nil
  }

  private mutating func extendDown(from start: KeptList.Start) throws {
    var passed: [RowPlace] = []
    try list.walk(.down, from: start) { place in
      let row = try place.row()
      if moving[place.rowKey] == nil { lower = row } else { passed.append(place) }
      return lower == nil
    }
    between = passed.reversed() + between
  }

  private mutating func extendUp(from first: RowPlace, _ row: LabelledRow) throws {
    if moving[first.rowKey] == nil { upper = row } else { between.append(first) }
    if upper == nil { try extendUp(from: .row(row)) }
  }

  private mutating func extendUp(from start: KeptList.Start) throws {
    try list.walk(.up, from: start) { place in
      let row = try place.row()
      if moving[place.rowKey] == nil { upper = row } else { between.append(place) }
      return upper == nil
    }
  }

  // MARK: The rows around it

  func below(_ count: Int) throws -> [LabelledRow] { try around(.down, from: lower, count) }
  func above(_ count: Int) throws -> [LabelledRow] { try around(.up, from: upper, count) }

  private func around(_ direction: KeptList.Direction, from nearest: LabelledRow?, _ count: Int) throws -> [LabelledRow]
  {
    guard let nearest else { return [] }
    var rows = [nearest]
    guard count > 1 else { return rows }
    try list.walk(direction, from: .row(nearest)) { place in
      let row = try place.row()
      if moving[place.rowKey] == nil { rows.append(row) }
      return rows.count < count
    }
    return rows
  }

  func count(in range: ClosedRange<Int64>) throws -> Int {
    let gone = moving.values.count { place in
      place.scope == list.scope && place.label.map(range.contains) ?? false
    }
    return try list.count(in: range) - gone
  }

  func rows(in range: ClosedRange<Int64>) throws -> [LabelledRow] {
    try list.rows(in: range).filter { moving[$0.rowKey] == nil }
  }

  /// The labels around the place, as far as they tell how rows were put into it before.
  func labels() throws -> LabelGap {
    LabelGap(
      belowLower: try below(2).dropFirst().first?.label, lower: lower?.label, upper: upper?.label,
      aboveUpper: try above(2).dropFirst().first?.label)
  }
}
