/// The rows of a live list at one state of the database, and how they got to the next one.
///
/// The rows are those that the query would fetch, in its order. Where each has a number of its section, they stand by that
/// first.
struct ListState<R: Record>: Sendable {
  typealias Rows = ChunkedRows<ListRow<R>, ListOrdering<R>>
  /// The number of the section that a record is in.
  typealias Numbering = (R) -> Int64

  private(set) var rows: Rows
  /// The state of the database that the rows are of; nil where it has no log of changes.
  private(set) var cursor: FeedCursor?
  let reader: ListReader<R>
  private let plan: ListReader<R>.Plan
  private var keys: RowKeys<R.ID>
  /// The version of the schema that the plan was made for.
  private let schema: SQLiteValue?

  /// Whether a change costs what it touches, and not a fetch of all rows.
  var isMaintained: Bool { if case .maintained = plan { true } else { false } }

  /// Fetches all rows.
  init(_ reader: ListReader<R>, on connection: Connection, numbering: Numbering? = nil) throws(RosterError) {
    try self.init(reader, keys: RowKeys(), on: connection, numbering)
  }

  private init(
    _ reader: ListReader<R>, keys: RowKeys<R.ID>, on connection: Connection, _ numbering: Numbering?
  ) throws(RosterError) {
    self.reader = reader
    self.keys = keys
    schema = try connection.value("PRAGMA schema_version")
    plan = try reader.plan(on: connection)
    var order: SQLiteOrder
    var fetched: [ListRow<R>]
    if case .maintained(let ordering) = plan {
      order = ordering.order
      fetched = try reader.all(on: connection)
    } else {
      order = SQLiteOrder(terms: [SortTerm()])
      fetched = try reader.numbered(&self.keys, on: connection)
    }
    if let numbering {
      order = SQLiteOrder(terms: [SortTerm()] + order.terms)
      fetched = ListState.grouped(fetched.map { $0.numbered(by: numbering) })
    }
    rows = Rows(fetched, by: ListOrdering(order: order))
    cursor = try connection.feedCursorIfAny()
  }

  /// The rows by their sections, within each in the order that they have.
  private static func grouped(_ rows: [ListRow<R>]) -> [ListRow<R>] {
    var groups: [Int64: [ListRow<R>]] = [:]
    for row in rows { groups[row.section ?? 0, default: []].append(row) }
    return groups.keys.sorted().flatMap { groups[$0] ?? [] }
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
  mutating func catchUp(on connection: Connection, numbering: Numbering? = nil) throws(RosterError) -> Touched {
    guard let cursor else { return try reload(on: connection, numbering) }
    // With another schema the triggers may be gone that told of changes, or a view be another.
    guard try connection.value("PRAGMA schema_version") == schema else { return try reload(on: connection, numbering) }
    if case .refetched(nil) = plan { return try reload(on: connection, numbering) }
    let log = ChangeLog(connection: connection)
    let state = try log.state()
    let present = try log.cursor(at: state)
    // As after each own commit, which gives the signal a second time when it is noticed in the file.
    guard present != cursor else { return .rows([]) }
    guard try log.goesOn(from: cursor, to: state) else { return try reload(on: connection, numbering) }
    var touched: Set<Int64> = []
    switch plan {
    case .refetched(let tables):
      let isOther = try log.names(tables ?? [], after: cursor.sequence)
      if isOther { return try reload(on: connection, numbering) }
    case .maintained:
      guard let keys = try log.touchedKeys(of: R.table.name, after: cursor.sequence) else {
        return try reload(on: connection, numbering)
      }
      touched = keys
    }
    // Many rows one by one take longer than all at once; but all may be a scan of a table of which the list has a few.
    guard touched.count <= max(1000, rows.count / 4) else { return try reload(on: connection, numbering) }
    if !touched.isEmpty { apply(try reader.rows(Array(touched), on: connection), touched, numbering) }
    self.cursor = present
    return .rows(touched)
  }

  private mutating func apply(_ found: [ListRow<R>], _ touched: Set<Int64>, _ numbering: Numbering?) {
    var missing = touched
    for row in found {
      missing.remove(row.rowKey)
      rows.upsert(numbering.map { row.numbered(by: $0) } ?? row)
    }
    for key in missing { _ = rows.remove(key: key) }
  }

  /// Fetches all rows.
  private mutating func reload(on connection: Connection, _ numbering: Numbering?) throws(RosterError) -> Touched {
    self = try ListState(reader, keys: keys, on: connection, numbering)
    return .all
  }
}

extension ChunkedRows {
  /// Puts a row where it belongs, in the place of the one with its key if there is one.
  mutating func upsert(_ row: Row) {
    if move(row) == nil { _ = insert(row) }
  }
}

extension ListState: Followed {
  func isQuick(on connection: Connection) throws(RosterError) -> Bool {
    guard isMaintained, let cursor else { return false }
    let last = try ChangeLog(connection: connection).state().last
    return last >= cursor.sequence && last - cursor.sequence <= 64
  }

  var content: ListRecords<R> { ListRecords(rows: rows) }

  mutating func update(on connection: Connection) throws(RosterError) -> Touched? {
    let touched = try catchUp(on: connection)
    return touched == .rows([]) ? nil : touched
  }

  static var nothing: ListRecords<R> {
    ListRecords(rows: Rows(by: ListOrdering(order: SQLiteOrder(terms: []))))
  }

  static var everything: Touched { .all }

  static func union(_ touched: Touched, _ more: Touched) -> Touched { touched.union(more) }

  static func reload(from old: ListRecords<R>, to new: ListRecords<R>) -> ListChanges<R>? {
    ListChanges(
      ListDifference(deletions: [], insertions: [], kept: [], oldCount: old.count), from: old, to: new, isReload: true)
  }

  static func changes(from old: ListRecords<R>, to new: ListRecords<R>, touched: Touched) -> ListChanges<R>? {
    let difference = RowDifference(from: old.rows, to: new.rows, touched: touched)
    guard !difference.isEmpty else { return nil }
    return ListChanges(
      ListDifference(
        deletions: difference.gone, insertions: difference.come, kept: difference.kept, oldCount: old.count),
      from: old, to: new)
  }
}
