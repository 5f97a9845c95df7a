import Foundation

// Where records stand in their lists, and the records at offsets of a query as a list shows it.

extension Connection {
  /// The index of a record in its list, from 0; nil where there is no such record.
  func index<R: Record>(of id: R.ID, _ type: R.Type) throws(RosterError) -> Int? {
    let (table, order) = (R.table, try R.table.manualOrder())
    return try naming(table) { () throws(RosterError) in
      let found = try statement(order.statements.placeOfRecord)
      try table.bindID(id, found.handle)
      guard try found.step() else { return nil }
      let (rowKey, place) = (SQLArgument(found.cell(0).value), found.cell(1).value)
      let list = order.scope == nil ? [] : [SQLArgument(found.cell(2).value)]
      // Whatever another program has written as a position has its place among the others by SQLite's order.
      let (sql, bound) =
        place == .null
        ? (order.statements.countBeforeMissing, []) : (order.statements.countBefore, [SQLArgument(place)])
      let arguments = list + bound + list + [SQLArgument(place), rowKey]
      guard case .integer(let count)? = try value(sql, arguments) else { return nil }
      return Int(count)
    }
  }

  /// The version of a query as a list shows it.
  func version<R: Record>(of query: Query<R>) throws(RosterError) -> ListVersion {
    var version = ListVersion()
    guard let key = R.table.key else { return version }
    let sql = try self.select("\(quoted(R.table.name)).\(quoted(key.name))", query)
    let statement = try statement(sql.text)
    try statement.bind(sql.arguments)
    // As it would be written: another program may have spelled an id otherwise.
    while try statement.step() {
      version.append((try? key.codec.rewritten(statement.cell(0))) ?? statement.cell(0).value)
    }
    return version
  }

  /// Refuses offsets into a list that is not as it was.
  func require<R: Record>(_ version: ListVersion?, of query: Query<R>) throws(RosterError) {
    guard let version, try self.version(of: query) != version else { return }
    throw RosterError(
      .listChanged, "The list has changed since it was read, and its offsets may be those of other rows now.",
      table: R.table.name)
  }

  /// The integer keys of the rows at offsets of a query, in their order.
  ///
  /// - Throws: ``RosterError/Code/outOfRange``.
  /// - Complexity: O(*n*) in the highest offset.
  func rowKeys<R: Record>(at offsets: IndexSet, of query: Query<R>) throws(RosterError) -> [Int64] {
    try shown(offsets, destination: nil, of: query).rowKeys
  }

  /// What a move by offsets is: the rows that move, and the row right before or after which they go.
  struct OffsetMove {
    var rowKeys: [Int64] = []
    /// The first shown row from the destination on that does not move, or else the last one before it.
    var anchor: (side: ListSide, rowKey: Int64)?
  }

  /// Finds the rows of a move by offsets, by the rules of `MutableCollection.move(fromOffsets:toOffset:)`: the destination
  /// counts in the list before the move, and is where the first row from there on that stays comes to follow them.
  func shown<R: Record>(
    _ offsets: IndexSet, destination: Int?, of query: Query<R>
  ) throws(RosterError) -> OffsetMove {
    var move = OffsetMove()
    let last = offsets.last ?? -1
    guard offsets.first ?? 0 >= 0, destination ?? 0 >= 0 else {
      throw RosterError(.outOfRange, "An offset cannot be negative.", table: R.table.name)
    }
    let sql = try select("\(quoted(R.table.name)).rowid", query)
    let statement = try statement(sql.text)
    try statement.bind(sql.arguments)
    var offset = 0
    while offset <= last || (destination != nil && move.anchor?.side != .before), try statement.step() {
      let rowKey = try statement.cell(0).int64()
      if offsets.contains(offset) {
        move.rowKeys.append(rowKey)
      } else if let destination, move.anchor?.side != .before {
        move.anchor = (offset >= destination ? .before : .after, rowKey)
      }
      offset += 1
    }
    let isBeyond = destination.map { $0 > offset } ?? false
    guard offset > last, !isBeyond else {
      throw RosterError(
        .outOfRange, "Offset \(isBeyond ? destination ?? 0 : last) is out of range: the list shows \(offset) rows.",
        table: R.table.name)
    }
    return move
  }

  private func select<R: Record>(_ selection: String, _ query: Query<R>) throws(RosterError) -> SQL {
    try resolve(query).select(selection)
  }
}

/// A side of a row.
enum ListSide { case before, after }

extension IndexSet {
  /// Whether a move of these rows to a destination leaves a list as it is.
  func isUnmoved(to destination: Int) -> Bool {
    guard let first, let last else { return true }
    return rangeView.count == 1 && destination >= first && destination <= last + 1
  }
}
