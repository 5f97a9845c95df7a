import Foundation

// Writing records so that their lists stay in order. For a table without one these are the plain writes.

extension Connection {
  /// Stores a new record, at the end of its list.
  func append<R: Record>(_ record: R) throws {
    guard let order = R.table.order else { return try insert(record) }
    let scope =
      try order.scope.map { (column) throws(RosterError) in try R.table.value(of: record, in: column).asScope } ?? .null
    let known = LastLabels.of(self)
    let before = totalChanges
    let last = try known.label(order, scope, changes: before) ?? KeptList(self, order, scope).labelledEnd()
    if let last, let label = KeptList.space.labels(1, in: LabelGap(lower: last))?.first {
      try insert(record, position: label)
      // A searched row is noted to be indexed, unless it is already, and beside the log that can be told from a trigger's doing.
      let perInsert = R.table.search == nil ? changesPerInsert : changesPerInsert == 1 ? -1 : changesPerInsert + 1
      known.set(label, order, scope, changes: totalChanges, since: before, perInsert: perInsert)
    } else {
      try insert([record], at: .end)
    }
  }

  /// Stores a new record under an id that the database assigns, at a place of its list.
  func insertAssigningID<R: Record>(_ record: R, at place: ListPlace<R.ID>) throws -> R {
    var editor = try ListEditor<R>(self)
    let scope = try editor.scope(of: record)
    return try atomically {
      try insertAssigningID(record, position: try editor.labels(for: 1, at: place, in: scope).first)
    }
  }

  /// Stores new records together at a place of their list.
  func insert<R: Record>(_ records: [R], at place: ListPlace<R.ID>) throws {
    var editor = try ListEditor<R>(self)
    guard let first = records.first else { return }
    let scope = try editor.scope(of: first)
    for record in records {
      guard try editor.scope(of: record) == scope else {
        throw RosterError(
          .misuse, "The records are of several lists; insert those of each by themselves.", table: R.table.name)
      }
    }
    try atomically {
      for (record, label) in zip(records, try editor.labels(for: records.count, at: place, in: scope)) {
        try insert(record, position: label)
      }
    }
  }

  /// Stores a record, whether one with its id exists or not: a new one, or one of another list till now, at the end.
  func upsertInOrder<R: Record>(_ record: R) throws {
    guard R.table.order != nil else { return try upsert(record) }
    let place = try ListEditor<R>(self).existingPlace(of: record.id)
    if place == nil { return try append(record) }
    // An upsert would try to insert it first, without a position, which the column may not take.
    try keepingOrder(record, place) { try update(record) }
  }

  /// Writes a record. One that comes into another list by it goes to the end there.
  func updateInOrder<R: Record>(_ record: R) throws {
    guard R.table.order?.scope != nil else { return try update(record) }
    try keepingOrder(record, try ListEditor<R>(self).existingPlace(of: record.id)) { try update(record) }
  }

  func updateInOrder<R: Record>(_ record: R, from old: R) throws {
    guard let scope = R.table.order?.scope,
      try R.table.value(of: record, in: scope) != R.table.value(of: old, in: scope)
    else { return try update(record, from: old) }
    try keepingOrder(record, try ListEditor<R>(self).existingPlace(of: record.id)) { try update(record, from: old) }
  }

  private func keepingOrder<R: Record>(_ record: R, _ place: RowPlace?, _ write: () throws -> Void) throws {
    var editor = try ListEditor<R>(self)
    let scope = try editor.scope(of: record)
    // A record that does not exist is the write's to report.
    guard let place, place.scope != scope, R.table.order?.scope != nil else { return try write() }
    try atomically {
      let label = try editor.labels(for: 1, at: .end, in: scope).first
      try write()
      if let label { try KeptList(self, editor.order, scope).write(label, to: place.rowKey) }
    }
  }

  /// Sets properties of all records of a query. Those that come into another list by it go to the end there, in the
  /// order in which they stood.
  func updateInOrder<R: Record>(_ query: Query<R>, _ assignments: [Assignment<R>]) throws -> Int {
    guard let order = R.table.order, let column = order.scope,
      let assigned = assignments.last(where: { $0.keyPath == column.keyPath })
    else { return try update(query, assignments) }
    let scope = try assigned.resolved().argument.value().asScope
    var sql = SQL(text: "SELECT rowid FROM \(quoted(order.table))")
    let condition = try resolve(query, isOrdered: false, isForWriting: true).scope()
    sql.append(condition)
    sql.append(condition.text.isEmpty ? " WHERE " : " AND ")
    sql.append("\(quoted(column.name)) IS NOT ")
    sql.append(SQLArgument(scope))
    sql.append(" ORDER BY \(quoted(column.name)), \(quoted(order.column)) NULLS LAST, rowid")
    let moved = try rows(sql.text, sql.arguments)
    var editor = try ListEditor<R>(self)
    return try atomically {
      let labels = try editor.labels(for: moved.count, at: .end, in: scope)
      let count = try update(query, assignments)
      let list = KeptList(self, order, scope)
      for (row, label) in zip(moved, labels) {
        if case .integer(let rowKey)? = row.first { try list.write(label, to: rowKey) }
      }
      return count
    }
  }

  // MARK: Moving

  /// Moves records, and tells how many rows were written.
  func move<R: Record>(
    _ ids: some Sequence<R.ID>, _ type: R.Type, to place: ListPlace<R.ID>, within scope: (any ColumnValue)?,
    _ order: MoveOrder
  ) throws -> Int {
    var editor = try ListEditor<R>(self)
    var seen: Set<Int64> = []
    var rowKeys: [Int64] = []
    for id in ids {
      let rowKey = try editor.place(of: id).rowKey
      if seen.insert(rowKey).inserted { rowKeys.append(rowKey) }
    }
    try atomically { try editor.move(rowKeys, to: place, within: try scope.map { try editor.scope($0) }, order) }
    return editor.rowsWritten
  }

  /// Moves all records of a query, in its order.
  func move<R: Record>(
    _ query: Query<R>, to place: ListPlace<R.ID>, within scope: (any ColumnValue)?
  ) throws -> Int {
    var editor = try ListEditor<R>(self)
    let sql = try resolve(query, isForWriting: true).select("\(quoted(R.table.name)).rowid")
    let rowKeys = try fetchValues(sql, as: Int64.self)
    try atomically { try editor.move(rowKeys, to: place, within: try scope.map { try editor.scope($0) }, .asGiven) }
    return editor.rowsWritten
  }

  /// Moves the rows at offsets of a query.
  func move<R: Record>(
    fromOffsets offsets: IndexSet, toOffset destination: Int, in query: Query<R>, ifUnchangedSince version: ListVersion?
  ) throws -> Int {
    var editor = try ListEditor<R>(self)
    guard case .manual = query.sort else {
      throw RosterError(
        .misuse, "Rows are moved by offsets in a query in the order that is kept by hand, and this one has another.",
        table: R.table.name)
    }
    try require(version, of: query)
    let move = try shown(offsets, destination: destination, of: query)
    guard !offsets.isUnmoved(to: destination), let anchor = move.anchor else { return 0 }
    try atomically { try editor.move(move.rowKeys, anchor.side, anchor.rowKey) }
    return editor.rowsWritten
  }

  /// Deletes the rows at offsets of a query, and tells how many there were.
  func delete<R: Record>(
    atOffsets offsets: IndexSet, in query: Query<R>, ifUnchangedSince version: ListVersion?
  ) throws -> Int {
    try require(version, of: query)
    let rowKeys = try rowKeys(at: offsets, of: query)
    let sql = "DELETE FROM \(quoted(R.table.name)) WHERE rowid = ?"
    return try atomically {
      try rowKeys.reduce(0) { try $0 + run(SQL(text: sql, arguments: [SQLArgument(.integer($1))])) }
    }
  }

  // MARK: Whole lists

  /// Turns a list round, and tells how many rows were written.
  func reverse<R: Record>(_ type: R.Type, within scope: (any ColumnValue)?) throws -> Int {
    var editor = try ListEditor<R>(self)
    try atomically { try editor.reverse(try editor.whole(scope)) }
    return editor.rowsWritten
  }

  /// Sorts a list once, and tells how many rows were written.
  func sort<R: Record>(
    _ type: R.Type, within scope: (any ColumnValue)?, by descriptors: [SortDescriptor<R>]
  ) throws -> Int {
    var editor = try ListEditor<R>(self)
    let terms = try Query<R>().sorted(by: descriptors).order().map(\.sql)
    try atomically { try editor.sort(try editor.whole(scope), by: terms) }
    return editor.rowsWritten
  }
}

extension Connection {
  /// Runs several writes so that, where one fails, what came before it is undone.
  private func atomically<T>(_ body: () throws -> T) throws -> T { try savepoint("roster_order", body) }
}

extension ListEditor {
  /// The value of the list that an operation on a whole list is for.
  fileprivate func whole(_ scope: (any ColumnValue)?) throws(RosterError) -> SQLiteValue {
    if let scope { return try self.scope(scope) }
    guard order.scope == nil else {
      throw RosterError(.misuse, "The table has several lists; say with `within` which one.", table: order.table)
    }
    return .null
  }
}
