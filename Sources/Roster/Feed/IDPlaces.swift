/// The integer keys of a list's rows by the ids of their records, once somebody asks for one.
///
/// It is made for all rows at the first question, and then follows the rows that are touched.
struct IDPlaces<R: Record> {
  private var keys: [ExactID<R.ID>: Int64]?

  /// - Complexity: O(1) on average; O(*n*) for the first one, and after all rows were read anew.
  mutating func key(of id: R.ID, in rows: ListState<R>.Rows) -> Int64? {
    if keys == nil {
      keys = Dictionary(rows.lazy.map { (ExactID($0.record.id), $0.rowKey) }, uniquingKeysWith: { first, _ in first })
    }
    return keys?[ExactID(id)]
  }

  /// - Complexity: O(*k*) in the rows touched.
  mutating func update(from old: ListState<R>.Rows, to new: ListState<R>.Rows, _ touched: ListState<R>.Touched?) {
    guard keys != nil else { return }
    guard case .rows(let rowKeys)? = touched else {
      keys = nil
      return
    }
    for rowKey in rowKeys {
      if let id = old.row(forKey: rowKey).map({ ExactID($0.record.id) }), keys?[id] == rowKey { keys?[id] = nil }
    }
    for rowKey in rowKeys { if let id = new.row(forKey: rowKey)?.record.id { keys?[ExactID(id)] = rowKey } }
  }
}
