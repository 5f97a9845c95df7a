import Roster

/// How the rows of a table are others in another database.
struct TableComparison {
  struct Row {
    /// The values of the columns that tell it apart, with their names.
    var key: [(String, RawValue)]
    /// All values that were compared, with their names.
    var values: [(String, RawValue)]
  }

  struct ChangedRow {
    var key: [(String, RawValue)]
    var columns: [(name: String, from: RawValue, to: RawValue)]
  }

  var added: [Row] = []
  var removed: [Row] = []
  var changed: [ChangedRow] = []
  var moved: [[(String, RawValue)]] = []
  /// Whether the rows of a virtual table have nothing but NULL in them, as those of an index for search that keeps no texts.
  var lacksValues = false

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && moved.isEmpty }
}

/// Compares a table of two databases, of which one row of each is held at a time, and of the first a number for each row.
struct TableComparer {
  let here: RawDatabase
  let there: RawDatabase
  let table: RawTable
  let otherTable: RawTable
  /// Compared, in the order of the first database.
  let columns: [String]
  /// Those that tell rows apart; empty where only all of a row does.
  let key: [String]
  let order: RosterParts.Order?
  /// Whether rows are told apart by their numbers, which are the first of the columns.
  let isByNumber: Bool
  private static let number = "rowid"

  /// Nil where no column is in both.
  init?(
    _ table: RawTable, of here: RawDatabase, and otherTable: RawTable, of there: RawDatabase,
    order: RosterParts.Order?
  ) throws {
    let own = try here.columns(of: table).filter { !$0.isHidden && !$0.isGenerated }
    let others = try there.columns(of: otherTable).filter { !$0.isHidden && !$0.isGenerated }
    let names = Set(others.map { $0.name.folded })
    let common = own.filter { names.contains($0.name.folded) }
    guard !common.isEmpty else { return nil }
    let ids = try here.uniqueColumn("id", of: table)
    let primary = own.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
    let candidates = [ids.map { [$0] } ?? [], primary]
    let key =
      candidates.first { !$0.isEmpty && $0.allSatisfy { one in common.contains { $0.name.hasSameBytes(as: one) } } }
      ?? []
    // The number of a row that has an id besides is only how this file keeps it.
    let number =
      key.isEmpty || key == primary ? nil : own.first { $0.keyPlace == 1 && $0.type.uppercased() == "INTEGER" }
    let compared = common.map(\.name).filter { $0 != number?.name && $0 != order?.column }
    // A virtual table has no key that SQLite knows of.
    isByNumber =
      key.isEmpty && [table, otherTable].allSatisfy { $0.kind == .virtual && !$0.isWithoutRowID }
      && !(own + others).contains { $0.name.folded == Self.number.folded }
    columns = (isByNumber ? [Self.number] : []) + compared
    self.key = isByNumber ? [Self.number] : key
    (self.here, self.there, self.table, self.otherTable, self.order) = (here, there, table, otherTable, order)
  }

  func compare() throws -> TableComparison {
    var result = TableComparison()
    // What equal keys have in common; several rows where a key has NULL in it or is none.
    var left: [[RawValue]: [Int]] = [:]
    var (rows, hasValues) = (0, false)
    func look(_ row: [RawValue]) {
      rows += 1
      hasValues = hasValues || row.dropFirst(isByNumber ? 1 : 0).contains { $0 != .null }
    }
    try forEach(here, table) { key, row in
      look(row)
      left[key, default: []].append(row.hashValue)
    }
    var changedKeys: [([RawValue], [RawValue])] = []
    try forEach(there, otherTable) { key, row in
      look(row)
      guard var known = left[key], !known.isEmpty else { return result.added.append(self.row(key, row)) }
      if let same = known.firstIndex(of: row.hashValue) {
        known.remove(at: same)
      } else {
        known.removeLast()
        changedKeys.append((key, row))
      }
      left[key] = known.isEmpty ? nil : known
    }
    for (key, row) in changedKeys {
      let former = try find(key)
      let changes = zip(columns, zip(former, row)).filter { $1.0 != $1.1 }
      result.changed.append(
        .init(key: named(key), columns: changes.map { (name: $0, from: $1.0, to: $1.1) }))
    }
    if !left.isEmpty {
      try forEach(here, table) { key, row in
        guard let count = left[key]?.count else { return }
        result.removed.append(self.row(key, row))
        left[key] = count > 1 ? left[key]?.dropLast() : nil
      }
    }
    result.moved = try moves()
    result.lacksValues = table.kind == .virtual && rows > 0 && !hasValues
    return result
  }

  /// Each row with what tells it apart.
  private func forEach(
    _ database: RawDatabase, _ table: RawTable, _ body: ([RawValue], [RawValue]) throws -> Void
  ) throws {
    let places = keyPlaces
    let names = columns.map(term).joined(separator: ", ")
    try database.forEachRow("SELECT \(names) FROM \(RawDatabase.quote(table.name)) NOT INDEXED") { row in
      let key = places.map { row[$0] }
      try body(key.isEmpty || key.contains(.null) ? row : key, row)
    }
  }

  /// The row of a key in the first database.
  private func find(_ wanted: [RawValue]) throws -> [RawValue] {
    let places = keyPlaces
    let names = columns.map(term).joined(separator: ", ")
    let condition = key.map { "\(term($0)) IS ?" }.joined(separator: " AND ")
    // A collation may take others for the same.
    return try here.rows(
      "SELECT \(names) FROM \(RawDatabase.quote(table.name)) WHERE \(condition)", .positional(wanted)
    ).first { row in places.map { row[$0] } == wanted } ?? []
  }

  /// In quotation marks, the number of a row that has none would be taken for a text.
  private func term(_ column: String) -> String {
    isByNumber && column == Self.number ? column : RawDatabase.quote(column)
  }

  /// By bytes: for Swift, two spellings of one character are the same.
  private var keyPlaces: [Int] {
    key.compactMap { name in columns.firstIndex { $0.hasSameBytes(as: name) } }
  }

  private func named(_ key: [RawValue]) -> [(String, RawValue)] { Array(zip(self.key, key)) }

  private func row(_ key: [RawValue], _ values: [RawValue]) -> TableComparison.Row {
    .init(key: key.count == self.key.count ? named(key) : [], values: Array(zip(columns, values)))
  }

  /// The keys of rows that stand elsewhere in a list that they are in in both, in the order there is there.
  private func moves() throws -> [[(String, RawValue)]] {
    guard let order, !key.isEmpty else { return [] }
    let was = try standing(here, table, order)
    let now = try standing(there, otherTable, order)
    var places: [[RawValue]: (list: RawValue, place: Int)] = [:]
    for (place, row) in was.enumerated() { places[row.key] = (row.list, place) }
    var lists: [RawValue: [(key: [RawValue], place: Int)]] = [:]
    var names: [RawValue] = []
    for row in now {
      guard let former = places[row.key], former.list == row.list else { continue }
      if lists[row.list] == nil { names.append(row.list) }
      lists[row.list, default: []].append((row.key, former.place))
    }
    return names.flatMap { name -> [[(String, RawValue)]] in
      let rows = lists[name] ?? []
      return FewestMoves.moved(rows.map(\.place)).map { named(rows[$0].key) }
    }
  }

  /// Rows without a place come last, and their numbers tell the order of those that share one.
  private func standing(
    _ database: RawDatabase, _ table: RawTable, _ order: RosterParts.Order
  ) throws -> [(key: [RawValue], list: RawValue)] {
    let names = (key + (order.scope.map { [$0] } ?? [])).map(RawDatabase.quote).joined(separator: ", ")
    let place = RawDatabase.quote(order.column)
    let scope = order.scope.map { RawDatabase.quote($0) + ", " } ?? ""
    let count = key.count
    return try database.rows(
      "SELECT \(names) FROM \(RawDatabase.quote(table.name)) ORDER BY \(scope)\(place) IS NULL, \(place), rowid"
    ).map { row in (Array(row.prefix(count)), order.scope == nil ? .null : row.last ?? .null) }
  }
}

extension RawDatabase {
  /// A column by its name, where it is unique by itself.
  fileprivate func uniqueColumn(_ name: String, of table: RawTable) throws -> String? {
    let rows = try rows(
      """
      SELECT min(i.name) FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i
      WHERE l."unique" AND NOT l.partial GROUP BY l.name HAVING count(*) = 1
      """, .positional([.text(table.name)]))
    return rows.compactMap { $0.first?.string }.first { $0.folded == name.folded }
  }
}
