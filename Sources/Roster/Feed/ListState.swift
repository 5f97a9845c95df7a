/// The rows of a live list at one state of the database, and how they got to the next one.
///
/// The rows are those that the query would fetch, in its order.
struct ListState<R: Record>: Sendable {
  typealias Rows = ChunkedRows<ListRow<R>, ListOrdering<R>>

  private(set) var rows: Rows
  /// The state of the database that the rows are of; nil where it has no log of changes.
  private(set) var cursor: FeedCursor?
  /// Whether a change costs what it touches, and not a fetch of all rows.
  let isMaintained: Bool

  /// Fetches all rows.
  init(_ reader: ListReader<R>, on connection: Connection) throws(RosterError) {
    if let ordering = try reader.ordering(on: connection), reader.isMaintainable {
      isMaintained = true
      rows = Rows(try reader.all(on: connection), by: ordering)
    } else {
      isMaintained = false
      rows = Rows(try reader.numbered(on: connection), by: ListOrdering(order: SQLiteOrder(terms: [SortTerm()])))
    }
    cursor = try connection.feedCursorIfAny()
  }

  /// Which rows may be others after an update.
  enum Touched: Equatable, Sendable {
    case rows(Set<Int64>)
    /// Any may be.
    case all

    /// What may be others after this and another update.
    func union(_ other: Touched) -> Touched {
      guard case .rows(let rows) = self, case .rows(let others) = other else { return .all }
      return .rows(rows.union(others))
    }
  }

  /// Brings the rows to the state of the database that the connection sees, and tells which of them may be others.
  ///
  /// - Complexity: O(*k* log *n*) in the rows that were touched, where the log tells them. Else all are fetched.
  mutating func update(_ reader: ListReader<R>, on connection: Connection) throws(RosterError) -> Touched {
    guard let cursor else { return try reload(reader, on: connection) }
    let log = ChangeLog(connection: connection)
    let present = try log.cursor()
    guard present != cursor else { return .rows([]) }
    guard try log.goesOn(from: cursor) else { return try reload(reader, on: connection) }
    guard let keys = try log.touchedKeys(of: R.table.name, after: cursor.sequence) else {
      return try reload(reader, on: connection)
    }
    if keys.isEmpty {
      self.cursor = present
      return .rows([])
    }
    // A list with a limit may get other rows in the place of those that left it; and many rows one by one take longer
    // than all at once.
    guard isMaintained, keys.count <= max(64, rows.count / 4) else {
      return try reload(reader, on: connection)
    }
    let found = try reader.rows(Array(keys), on: connection)
    var missing = keys
    for row in found {
      missing.remove(row.rowKey)
      if rows.move(row) == nil { _ = rows.insert(row) }
    }
    for key in missing { _ = rows.remove(key: key) }
    self.cursor = present
    return .rows(keys)
  }

  /// Fetches all rows.
  private mutating func reload(_ reader: ListReader<R>, on connection: Connection) throws(RosterError) -> Touched {
    self = try ListState(reader, on: connection)
    return .all
  }
}

extension ListState {
  /// How the rows got from an earlier state to this one, where the rows touched in between are known.
  func difference(from old: Rows, touched: Touched) -> ListDifference {
    ListState.difference(from: old, to: rows, touched: touched)
  }

  /// How rows got from one state to a later one.
  ///
  /// A row that was deleted and came again with the same id is the same row, whatever its integer key.
  static func difference(from old: Rows, to rows: Rows, touched: Touched) -> ListDifference {
    let keys: Set<Int64> =
      switch touched {
      case .rows(let keys): keys
      case .all: Set(old.lazy.map(\.rowKey)).union(rows.lazy.map(\.rowKey))
      }
    var kept: [ListDifference.Kept] = []
    var (gone, come): ([Int], [Int]) = ([], [])
    for key in keys {
      switch (old.index(ofKey: key), rows.index(ofKey: key)) {
      case (let from?, let to?) where old[from].record.id == rows[to].record.id:
        kept.append(ListDifference.Kept(from: from, to: to, isChanged: isChanged(old[from], rows[to])))
      case (let from, let to):
        if let from { gone.append(from) }
        if let to { come.append(to) }
      }
    }
    if !gone.isEmpty, !come.isEmpty {
      let ids = Dictionary(gone.map { (old[$0].record.id, $0) }, uniquingKeysWith: { first, _ in first })
      var again: Set<Int> = []
      come.removeAll { to in
        guard let from = ids[rows[to].record.id] else { return false }
        again.insert(from)
        kept.append(ListDifference.Kept(from: from, to: to, isChanged: isChanged(old[from], rows[to])))
        return true
      }
      gone.removeAll { again.contains($0) }
    }
    return ListDifference(deletions: gone, insertions: come, kept: kept, oldCount: old.count)
  }

  /// Whether two records would be stored as different values.
  private static func isChanged(_ old: ListRow<R>, _ new: ListRow<R>) -> Bool {
    guard let before = try? R.table.values(of: old.record), let after = try? R.table.values(of: new.record) else {
      return true
    }
    return before != after
  }
}
