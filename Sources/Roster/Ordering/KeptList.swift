/// Where a row stands: its list and its position.
struct RowPlace: Equatable {
  let rowKey: Int64
  /// The value that tells the list; NULL where the table is one list.
  let scope: SQLiteValue
  /// The label; nil where another program has left something else, such as NULL.
  let label: Int64?

  /// The row with its label.
  ///
  /// - Throws: ``ForeignPosition`` where it has none.
  func row() throws -> LabelledRow {
    guard let label else { throw ForeignPosition() }
    return LabelledRow(rowKey: rowKey, label: label)
  }
}

/// Thrown where the rows around a place have positions that another program has written and that are no labels.
struct ForeignPosition: Error {}

/// The rows of one list in the database, in their order: by position, those without one last, then by integer key.
struct KeptList {
  static let space = LabelSpace.stored

  let connection: Connection
  let order: ManualOrder
  /// The value that tells the list; not used where the table is one list.
  let scope: SQLiteValue

  init(_ connection: Connection, _ order: ManualOrder, _ scope: SQLiteValue) {
    self.connection = connection
    self.order = order
    self.scope = scope
  }

  private var sql: ListStatements { order.statements }

  private func arguments(_ others: Int64...) -> [SQLArgument] {
    (order.scope == nil ? [] : [SQLArgument(scope)]) + others.map { SQLArgument(.integer($0)) }
  }

  // MARK: Reading

  private func place(_ statement: borrowing Statement) throws(RosterError) -> RowPlace {
    RowPlace(rowKey: try statement.cell(0).int64(), scope: scope, label: statement.cell(1).label)
  }

  /// Calls `body` with each row of a statement, until it returns false.
  private func walk(_ sql: String, _ arguments: [SQLArgument], _ body: (RowPlace) throws -> Bool) throws {
    let statement = try connection.statement(sql)
    try statement.bind(arguments)
    while try statement.step() { guard try body(place(statement)) else { return } }
  }

  /// Where a walk along a list begins.
  enum Start {
    case end
    /// Beside a row, which the walk does not pass.
    case row(LabelledRow)
  }

  /// Goes through the rows before a place, the nearest first, or after it, until `body` returns false.
  func walk(_ direction: Direction, from start: Start, _ body: (RowPlace) throws -> Bool) throws {
    switch start {
    case .end: try walk(sql.downFromEnd, arguments(), body)
    case .row(let row):
      let arguments = arguments(row.label, row.label, row.rowKey)
      try walk(direction == .down ? sql.down : sql.up, arguments, body)
    }
  }

  enum Direction { case up, down }

  /// All rows of the list, in its order or sorted by other terms first.
  func rows(by terms: [String] = []) throws(RosterError) -> [RowPlace] {
    let statement = try connection.statement(sql.all + (terms + [sql.order]).joined(separator: ", "))
    try statement.bind(arguments())
    var rows: [RowPlace] = []
    while try statement.step() { rows.append(try place(statement)) }
    return rows
  }

  /// The row at an index from 0, by a walk along the index of the order.
  func row(at index: Int) throws(RosterError) -> RowPlace? {
    let statement = try connection.statement(sql.rowAt)
    try statement.bind(arguments(Int64(index)))
    return try statement.step() ? try place(statement) : nil
  }

  func count() throws(RosterError) -> Int { try integer(sql.count, arguments()) }

  func count(in range: ClosedRange<Int64>) throws(RosterError) -> Int {
    try integer(sql.countInRange, arguments(range.lowerBound, range.upperBound))
  }

  func rows(in range: ClosedRange<Int64>) throws -> [LabelledRow] {
    var rows: [LabelledRow] = []
    try walk(sql.rowsInRange, arguments(range.lowerBound, range.upperBound)) { place in
      rows.append(try place.row())
      return true
    }
    return rows
  }

  private func integer(_ sql: String, _ arguments: [SQLArgument]) throws(RosterError) -> Int {
    guard case .integer(let number)? = try connection.value(sql, arguments) else { return 0 }
    return Int(number)
  }

  // MARK: Writing

  /// Gives a row another label.
  func write(_ label: Int64, to rowKey: Int64) throws(RosterError) {
    try connection.execute(sql.write, [SQLArgument(.integer(label)), SQLArgument(.integer(rowKey))])
  }

  /// Gives rows other labels that leave the order as it is.
  func relabel(_ rows: [LabelledRow]) throws(RosterError) {
    let write = { () throws(RosterError) in for row in rows { try self.write(row.label, to: row.rowKey) } }
    if let quietly = connection.quietly { try quietly(connection, write) } else { try write() }
  }

  /// Puts a row of another list into this one.
  func adopt(_ rowKey: Int64, _ label: Int64) throws(RosterError) {
    try connection.execute(sql.adopt, arguments(label, rowKey))
  }

  /// What the two ends of a list are like.
  struct Ends {
    let isEmpty: Bool
    let hasMissing: Bool
    let first: Int64?
    let last: Int64?

    /// Whether all rows at the ends have labels, as those have that no other program has touched.
    var areLabelled: Bool { !hasMissing && (isEmpty || (first != nil && last != nil)) }
  }

  func ends() throws(RosterError) -> Ends {
    let statement = try connection.statement(sql.ends)
    try statement.bind(arguments() + arguments() + arguments())
    _ = try statement.step()
    return Ends(
      isEmpty: statement.cell(1).isNull, hasMissing: try statement.cell(0).int64() != 0,
      first: statement.cell(1).label, last: statement.cell(2).label)
  }

  /// The last label of the list, where it has rows and one look is enough to tell.
  func labelledEnd() throws(RosterError) -> Int64? {
    let ends = try ends()
    return ends.areLabelled ? ends.last : nil
  }

  /// Gives labels to rows that have none and stand at an end, and returns how many rows were written.
  func settle() throws(RosterError) -> Int {
    let ends = try ends()
    if ends.areLabelled { return 0 }
    guard ends.isEmpty || (ends.first != nil && ends.last != nil) else { return try rearrange() }
    return try settleMissing(after: ends.last)
  }

  /// Gives labels to the rows that have none, which come last.
  private func settleMissing(after last: Int64?) throws(RosterError) -> Int {
    let keys = try connection.rows(sql.missing, arguments())
    guard let labels = KeptList.space.labels(keys.count, in: LabelGap(lower: last)) else { return try rearrange() }
    let rows = zip(keys, labels).compactMap { row, label -> LabelledRow? in
      if case .integer(let rowKey)? = row.first { LabelledRow(rowKey: rowKey, label: label) } else { nil }
    }
    try relabel(rows)
    return rows.count
  }

  /// Gives a label of its own to every row that has none, or the same as another, and returns how many were written.
  func rearrange() throws(RosterError) -> Int {
    let changes = try arrangement(of: try rows())
    try relabel(changes)
    return changes.count
  }

  /// Puts all rows of the list in an order, and returns how many were written.
  func arrange(_ rows: [RowPlace]) throws(RosterError) -> Int {
    let changes = try arrangement(of: rows)
    for row in changes { try write(row.label, to: row.rowKey) }
    return changes.count
  }

  private func arrangement(of rows: [RowPlace]) throws(RosterError) -> [LabelledRow] {
    try Arrangement(rows.map { $0.label }, in: KeptList.space).changes.map { index, label in
      LabelledRow(rowKey: rows[index].rowKey, label: label)
    }
  }
}

extension Cell {
  /// The label of a position; nil for NULL and for what is no label.
  var label: Int64? {
    guard case .integer(let number) = value, KeptList.space.contains(number) else { return nil }
    return number
  }
}
