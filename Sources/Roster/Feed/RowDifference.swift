/// Which rows went, came and stayed between two states of a list, by their indices, where those touched in between are known.
///
/// A row that was deleted and came again with the same id is the same row, whatever its integer key.
struct RowDifference {
  /// Indices in the old state, in any order.
  private(set) var gone: [Int] = []
  /// Indices in the new state, in any order.
  private(set) var come: [Int] = []
  /// The touched rows that are in both.
  private(set) var kept: [ListDifference.Kept] = []

  /// Whether nothing went or came, and no row that stayed is another value or has another index.
  var isEmpty: Bool {
    gone.isEmpty && come.isEmpty && kept.allSatisfy { !$0.isChanged && $0.from == $0.to }
  }

  /// - Complexity: O(*k* log *n*) in the rows touched.
  init<R: Record>(
    from old: ListState<R>.Rows, to new: ListState<R>.Rows, touched: ListState<R>.Touched
  ) {
    let keys: Set<Int64> =
      switch touched {
      case .rows(let keys): keys
      case .all: Set(old.lazy.map(\.rowKey)).union(new.lazy.map(\.rowKey))
      }
    for key in keys {
      switch (old.index(ofKey: key), new.index(ofKey: key)) {
      case (let from?, let to?) where ExactID(old[from].record.id) == ExactID(new[to].record.id):
        keep(from, to, old[from], new[to])
      case (let from, let to):
        if let from { gone.append(from) }
        if let to { come.append(to) }
      }
    }
    guard !gone.isEmpty, !come.isEmpty else { return }
    let ids = Dictionary(gone.map { (ExactID(old[$0].record.id), $0) }, uniquingKeysWith: { first, _ in first })
    var again: Set<Int> = []
    var really: [Int] = []
    for to in come {
      if let from = ids[ExactID(new[to].record.id)], again.insert(from).inserted {
        keep(from, to, old[from], new[to])
      } else {
        really.append(to)
      }
    }
    come = really
    gone.removeAll { again.contains($0) }
  }

  private mutating func keep<R: Record>(_ from: Int, _ to: Int, _ old: ListRow<R>, _ new: ListRow<R>) {
    kept.append(ListDifference.Kept(from: from, to: to, isChanged: old.record.isStored(otherwiseThan: new.record)))
  }
}

extension Record {
  /// Whether two records would be stored as different values.
  func isStored(otherwiseThan other: Self) -> Bool {
    guard let values = try? Self.table.values(of: self), let others = try? Self.table.values(of: other) else {
      return true
    }
    return values != others
  }
}
