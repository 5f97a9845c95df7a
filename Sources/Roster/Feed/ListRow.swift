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
  let terms: [SortTerm]

  func compare(_ left: ListRow<R>, _ right: ListRow<R>) -> ComparisonResult {
    switch (left.key, right.key) {
    case (.none, .none): .orderedSame
    case (.label(let left), .label(let right)):
      left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    default: compare(left.key.values, right.key.values)
    }
  }

  private func compare(_ left: [SQLiteValue], _ right: [SQLiteValue]) -> ComparisonResult {
    for (term, (left, right)) in zip(terms, zip(left, right)) {
      let result = term.compare(left, right)
      if result != .orderedSame { return result }
    }
    return .orderedSame
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
