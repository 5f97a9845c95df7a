import enum Foundation.ComparisonResult

/// A row of a live list: a record, the integer key of its row, and what it is sorted by.
struct ListRow<R: Record>: KeyedRow {
  /// What a row is sorted by, before its integer key.
  enum SortKey: Equatable, Sendable {
    case none
    /// A position in an order kept by hand: the usual one.
    case label(Int64)
    case values([SQLiteValue])
  }

  let rowKey: Int64
  let key: SortKey
  let record: R
}

/// The order of a live list, which is that of its query.
struct ListOrdering<R: Record>: RowComparator {
  let order: SQLiteOrder

  func compare(_ left: ListRow<R>, _ right: ListRow<R>) -> ComparisonResult {
    switch (left.key, right.key) {
    case (.none, .none): .orderedSame
    case (.label(let left), .label(let right)):
      left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    default: order.compare(left.key.values, right.key.values)
    }
  }
}

extension ListRow {
  /// The row with the number of its section before what it is sorted by.
  func numbered(by numbering: (R) -> Int64) -> ListRow {
    ListRow(rowKey: rowKey, key: .values([.integer(numbering(record))] + key.values), record: record)
  }

  /// The number of its section, where it has one before what it is sorted by.
  var section: Int64? {
    if case .values(let values) = key, case .integer(let number)? = values.first { number } else { nil }
  }
}

extension ListRow.SortKey {
  fileprivate var values: [SQLiteValue] {
    switch self {
    case .none: []
    case .label(let label): [.integer(label)]
    case .values(let values): values
    }
  }
}
