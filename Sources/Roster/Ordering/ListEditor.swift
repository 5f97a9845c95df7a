/// Puts rows of one table in their places, and counts the rows it writes.
struct ListEditor<R: Record> {
  let connection: Connection
  let order: ManualOrder
  private(set) var rowsWritten = 0
  /// How many times a whole range was relabelled, for want of room among the nearest rows.
  private(set) var rangesRelabelled = 0

  /// - Throws: ``RosterError/Code/cannotTranslate`` where the table keeps no order by hand.
  init(_ connection: Connection) throws(RosterError) {
    self.connection = connection
    order = try R.table.manualOrder()
  }

  private func list(_ scope: SQLiteValue) -> KeptList { KeptList(connection, order, scope) }

  // MARK: Where rows stand

  /// Where the row of a record stands.
  ///
  /// - Throws: ``RosterError/Code/noSuchRecord`` where there is none.
  func place(of id: R.ID) throws(RosterError) -> RowPlace {
    guard let place = try existingPlace(of: id, isStrict: true) else { throw RosterError.noSuchRecord(R.self) }
    return place
  }

  /// Where the row of a record stands; nil where there is none. A list whose value had to be repaired is refused if strict.
  func existingPlace(of id: R.ID, isStrict: Bool = false) throws(RosterError) -> RowPlace? {
    let statement = try connection.statement(order.statements.placeOfRecord)
    try R.table.bindID(id, statement.handle)
    return try statement.step() ? try place(statement, isStrict: isStrict) : nil
  }

  /// Where the row with an integer key stands.
  func place(ofRow rowKey: Int64) throws(RosterError) -> RowPlace {
    let statement = try connection.statement(order.statements.placeOfRow)
    try statement.bind([SQLArgument(.integer(rowKey))])
    guard try statement.step() else { throw RosterError.noSuchRecord(R.self) }
    return try place(statement, isStrict: true)
  }

  private func place(_ statement: borrowing Statement, isStrict: Bool) throws(RosterError) -> RowPlace {
    let scope = statement.cell(2).value
    // What was repaired is another list than the one that the row is in.
    if isStrict, case .text(let text) = scope, text.unicodeScalars.contains("\u{FFFD}"),
      statement.cell(2).withText({ !$0.elementsEqual(text.utf8) }) == true
    {
      throw statement.cell(2).mismatch("valid UTF-8, so that its list cannot be told")
    }
    return RowPlace(
      rowKey: try statement.cell(0).int64(), scope: scope.asScope, label: statement.cell(1).label)
  }

  /// The value that tells the list of a record.
  func scope(of record: R) throws(RosterError) -> SQLiteValue {
    guard let column = order.scope else { return .null }
    return try R.table.value(of: record, in: column).asScope
  }

  /// A value that tells a list, as it is stored.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate`` where it is not of the type of the property.
  func scope(_ value: any ColumnValue) throws(RosterError) -> SQLiteValue {
    try order.list { $0.argument(value) }.argument.value().asScope
  }

  // MARK: New rows

  /// Labels for new rows of a list, which are put together at a place.
  mutating func labels(
    for count: Int, at place: ListPlace<R.ID>, in scope: SQLiteValue
  ) throws -> [Int64] {
    guard count > 0 else { return [] }
    let list = list(scope)
    return try settled(list) { editor in
      try editor.makeRoom(for: count, in: try editor.gap(place, in: list, moving: [:]))
    }
  }

  // MARK: Moving

  /// Moves rows to a place of a list, where they then stand together in their order. Without a list it is that of the
  /// row the place names, or else the one that all rows are in.
  mutating func move(
    _ rowKeys: [Int64], to place: ListPlace<R.ID>, within scope: SQLiteValue?, _ moveOrder: MoveOrder
  ) throws {
    guard !rowKeys.isEmpty else { return }
    var places: [RowPlace] = []
    for rowKey in rowKeys { places.append(try self.place(ofRow: rowKey)) }
    let target = try self.scope(of: place) ?? scope ?? common(places)
    if let scope, scope != target {
      throw RosterError(.misuse, "The row that the place names is in another list.", table: order.table)
    }
    try move(&places, within: target, moveOrder) { editor, list, moving in
      try editor.gap(place, in: list, moving: moving)
    }
  }

  /// Moves rows to right before a row of a list, or right after it.
  mutating func move(_ rowKeys: [Int64], _ side: ListSide, _ anchor: Int64) throws {
    var places: [RowPlace] = []
    for rowKey in rowKeys { places.append(try place(ofRow: rowKey)) }
    let target = try place(ofRow: anchor).scope
    guard places.allSatisfy({ $0.scope == target }) else {
      throw RosterError(
        .misuse, "The rows are in several lists; a move by offsets needs a query within one list.", table: order.table)
    }
    try move(&places, within: target, .asGiven) { editor, list, moving in
      let row = try editor.place(ofRow: anchor).row()
      return side == .before
        ? try .before(row, of: list, moving: moving) : try .after(row, of: list, moving: moving)
    }
  }

  private mutating func move(
    _ places: inout [RowPlace], within scope: SQLiteValue, _ moveOrder: MoveOrder,
    to gap: (ListEditor, KeptList, [Int64: RowPlace]) throws -> ListGap
  ) throws {
    if moveOrder == .asListed { try sort(&places) }
    let rowKeys = places.map(\.rowKey)
    let list = list(scope)
    try settled(list) { editor in
      var moving: [Int64: RowPlace] = [:]
      for rowKey in rowKeys { moving[rowKey] = try editor.place(ofRow: rowKey) }
      try editor.put(rowKeys, into: try gap(editor, list, moving))
    }
  }

  /// Writes the labels of rows that are to stand together at a place, but for those that stand right already.
  private mutating func put(_ rowKeys: [Int64], into gap: ListGap) throws {
    let standing = Dictionary(gap.between.map { ($0.rowKey, $0.label) }, uniquingKeysWith: { first, _ in first })
    let labels = rowKeys.map { standing[$0] ?? nil }
    if gap.between.map(\.rowKey) == rowKeys { return }
    if let changes = Arrangement(labels, in: KeptList.space, within: try gap.labels())?.changes {
      for (index, label) in changes { try adopt(rowKeys[index], label, into: gap) }
      return
    }
    for (rowKey, label) in zip(rowKeys, try makeRoom(for: rowKeys.count, in: gap)) {
      try adopt(rowKey, label, into: gap)
    }
  }

  private mutating func adopt(_ rowKey: Int64, _ label: Int64, into gap: ListGap) throws(RosterError) {
    // A column that is not written is not checked: the list of a row may be gone, where other software deleted it.
    if gap.moving[rowKey]?.scope == gap.list.scope {
      try gap.list.write(label, to: rowKey)
    } else {
      try gap.list.adopt(rowKey, label)
    }
    rowsWritten += 1
  }

  /// Labels for rows at a place, after those of others have been changed where there was no room.
  private mutating func makeRoom(for count: Int, in gap: ListGap) throws -> [Int64] {
    let labelling = try KeptList.space.place(count, at: gap)
    try gap.list.relabel(labelling.relabelled)
    rowsWritten += labelling.relabelled.count
    if labelling.method == .range { rangesRelabelled += 1 }
    return labelling.labels
  }

  // MARK: Whole lists

  /// Turns a list round.
  mutating func reverse(_ scope: SQLiteValue) throws {
    let list = list(scope)
    rowsWritten += try list.arrange(try list.rows().reversed())
  }

  /// Sorts a list once. Rows that tie stay in their order.
  mutating func sort(_ scope: SQLiteValue, by terms: [String]) throws {
    let list = list(scope)
    rowsWritten += try list.arrange(try list.rows(by: terms))
  }

  // MARK: Places

  /// Runs `body` on a list whose rows have labels. Where it comes upon one that another program has given none, the
  /// whole list is put right, and it runs again.
  private mutating func settled<T>(_ list: KeptList, _ body: (inout ListEditor) throws -> T) throws -> T {
    rowsWritten += try list.settle()
    do { return try body(&self) } catch is ForeignPosition {
      rowsWritten += try list.rearrange()
      do { return try body(&self) } catch is ForeignPosition {
        throw RosterError(
          .typeMismatch, "A position is no integer, and stays none where one is written.", table: order.table,
          columns: [order.column])
      }
    }
  }

  private func gap(
    _ place: ListPlace<R.ID>, in list: KeptList, moving: [Int64: RowPlace]
  ) throws -> ListGap {
    switch place {
    case .start: return try .start(of: list, moving: moving)
    case .end: return try .end(of: list, moving: moving)
    case .before(let id): return try .before(anchor(id, in: list), of: list, moving: moving)
    case .after(let id): return try .after(anchor(id, in: list), of: list, moving: moving)
    case .index(let index):
      guard let gap = try ListGap.at(index, of: list, moving: moving) else {
        let others = try list.count() - moving.values.count { $0.scope == list.scope }
        throw RosterError(
          .outOfRange, "Index \(index) is out of range: the list has \(others) other rows.", table: order.table)
      }
      return gap
    }
  }

  private func anchor(_ id: R.ID, in list: KeptList) throws -> LabelledRow {
    let place = try place(of: id)
    guard order.scope == nil || place.scope == list.scope else {
      throw RosterError(.misuse, "The row that the place names is in another list.", table: order.table)
    }
    return try place.row()
  }

  /// The list of the row that a place names.
  private func scope(of place: ListPlace<R.ID>) throws(RosterError) -> SQLiteValue? {
    switch place {
    case .before(let id), .after(let id): try self.place(of: id).scope
    case .start, .end, .index: nil
    }
  }

  /// The one list that all rows are in.
  private func common(_ places: [RowPlace]) throws(RosterError) -> SQLiteValue {
    guard let first = places.first, places.allSatisfy({ $0.scope == first.scope }) else {
      throw RosterError(
        .misuse, "The rows are in several lists; say with `within` which one they are to move to.", table: order.table)
    }
    return first.scope
  }

  /// Sorts rows as they stand, list by list.
  private mutating func sort(_ places: inout [RowPlace]) throws {
    var lists: [SQLiteValue: Int] = [:]
    for place in places where lists[place.scope] == nil {
      lists[place.scope] = lists.count
      let list = list(place.scope)
      rowsWritten += try list.settle()
    }
    places = try places.map { place in try self.place(ofRow: place.rowKey) }
    for scope in Set(places.filter { $0.label == nil }.map(\.scope)) { rowsWritten += try list(scope).rearrange() }
    places = try places.map { place in try self.place(ofRow: place.rowKey) }
    places.sort { left, right in
      (lists[left.scope] ?? 0, left.label ?? 0, left.rowKey) < (lists[right.scope] ?? 0, right.label ?? 0, right.rowKey)
    }
  }
}

extension SQLiteValue {
  /// A value that tells a list, so that two that SQLite finds equal are the same: a column may store 1.0 as 1.
  var asScope: SQLiteValue {
    if case .real(let number) = self, let integer = Int64(exactly: number) { .integer(integer) } else { self }
  }
}
