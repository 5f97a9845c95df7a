/// Compares the tables that records declare with those that a database has.
enum SchemaCheck {
  /// - Throws: ``RosterError/Code/invalidTable`` for declarations that contradict themselves, then
  ///   ``RosterError/Code/schemaMismatch``; each lists everything that is wrong.
  ///
  /// What stands in the way of writing alone is no fault where nothing is written.
  static func check(
    _ records: [any Record.Type], on connection: Connection, forWriting: Bool = true
  ) throws(RosterError) {
    try checkDeclarations(records)
    var mismatches: [(table: String, text: String)] = []
    for type in records { mismatches += try check(type, on: connection, forWriting: forWriting) }
    guard let first = mismatches.first else { return }
    let lines = mismatches.map { "\($0.table): \($0.text)" }
    throw RosterError(
      .schemaMismatch, "The database is not as the records declare it: \(lines.joined(separator: "; ")).",
      table: first.table)
  }

  /// The declarations by themselves.
  ///
  /// - Throws: ``RosterError/Code/invalidTable``, which lists everything that is wrong.
  static func checkDeclarations(_ records: [any Record.Type]) throws(RosterError) {
    let declared = records.flatMap { type in faults(of: type).map { "\(type): \($0)" } } + contradictions(records)
    if !declared.isEmpty {
      throw RosterError(.invalidTable, "Tables are declared wrongly: \(declared.joined(separator: "; ")).")
    }
  }

  private static func faults<R: Record>(of type: R.Type) -> [String] { R.table.faults }

  /// Two records may share a table, and one of them may keep no order or search nothing; two orders or indexes would undo
  /// each other.
  private static func contradictions(_ records: [any Record.Type]) -> [String] {
    func order<R: Record>(of type: R.Type) -> ManualOrder? { R.table.order }
    var orders: [String: ManualOrder] = [:]
    var faults: [String] = []
    for case let order? in records.map({ order(of: $0) }) {
      let known = orders.updateValue(order, forKey: order.table.lowercased())
      if let known, known.column != order.column || known.scope?.name != order.scope?.name {
        faults.append("two records keep two orders of table \(order.table)")
      }
    }
    return faults + SearchDeclaration.contradictions(records)
  }

  private static func check<R: Record>(
    _ type: R.Type, on connection: Connection, forWriting: Bool
  ) throws(RosterError) -> [(table: String, text: String)] {
    let table = R.table
    guard let schema = try TableSchema(table.name, on: connection) else {
      return [(table.name, "there is no such table")]
    }
    var faults: [String] = []
    if schema.isView { faults.append("it is a view, which has no key to keep records by") }
    if schema.isWithoutRowID { faults.append("it is WITHOUT ROWID, and needs an integer key") }
    for column in table.columns {
      if let actual = schema.column(column.name) {
        faults += Self.faults(column, actual)
      } else {
        faults.append("column \(column.name) is missing")
      }
    }
    if let order = table.order { faults += try Self.faults(order, schema, on: connection, forWriting: forWriting) }
    if let key = table.key, !schema.isView, !schema.isWithoutRowID { faults += Self.faults(key: key, schema) }
    let stored = table.columns.map(\.name) + (table.order.map { [$0.column] } ?? [])
    for actual in schema.columns where !stored.contains(where: { actual.isNamed($0) }) {
      if actual.isRequired, !actual.isRowKey {
        faults.append("column \(actual.name) is NOT NULL without a default, and no property stores it")
      }
    }
    for actual in schema.columns where actual.isNamed("rowid") && !actual.isRowKey {
      faults.append("column \(actual.name) hides the integer key that it is named like")
    }
    return faults.map { (table.name, $0) }
  }

  private static func faults(_ column: TableColumn, _ actual: TableSchema.Column) -> [String] {
    var faults: [String] = []
    let traits = column.traits
    if actual.isGenerated { faults.append("column \(actual.name) is generated and cannot be written") }
    if actual.isNullable, !traits.isOptional {
      faults.append("column \(actual.name) can be NULL and its property cannot be nil")
    }
    if !actual.isNullable, traits.isOptional, !actual.isRowKey {
      faults.append("column \(actual.name) is NOT NULL and its property can be nil")
    }
    if !actual.affinity.keeps(traits.storageClass, isFreeText: traits.isFreeText) {
      faults.append(
        "column \(actual.name) is \(actual.type) and would not keep \(traits.storageClass.rawValue) values as they are")
    }
    return faults
  }

  private static func faults(
    _ order: ManualOrder, _ schema: TableSchema, on connection: Connection, forWriting: Bool
  ) throws(RosterError) -> [String] {
    guard let actual = schema.column(order.column) else {
      return ["column \(order.column), which keeps the order, is missing"]
    }
    var faults: [String] = []
    if actual.isRowKey { faults.append("column \(actual.name) keeps the order, and cannot be the integer key") }
    if actual.isGenerated { faults.append("column \(actual.name) is generated and cannot be written") }
    if !actual.affinity.keeps(.integer, isFreeText: false) {
      faults.append("column \(actual.name) is \(actual.type) and would not keep INTEGER values as they are")
    }
    if let scope = order.scope, schema.column(scope.name) != nil {
      let collation = try connection.collation(of: scope.name, in: order.table)
      if collation != "BINARY" {
        faults.append(
          "column \(scope.name) tells the lists, which are told apart by bytes, and has collation \(collation)")
      }
    }
    // An index with another column that is unique by itself is never violated.
    let unique = (schema.uniqueColumns + schema.columns.filter(\.isRowKey).map(\.name)).filter { !actual.isNamed($0) }
    for (index, columns) in schema.uniqueIndexes
    where forWriting && columns.contains(where: actual.isNamed) && !columns.contains(where: unique.contains) {
      faults.append(
        "column \(actual.name) keeps the order and is in the UNIQUE index \(index), which moves would violate")
    }
    return faults
  }

  private static func faults(key: TableColumn, _ schema: TableSchema) -> [String] {
    guard let actual = schema.column(key.name) else { return [] }
    if key.traits.storageClass == .integer {
      return actual.isRowKey ? [] : ["column \(actual.name) is the id and is not an INTEGER PRIMARY KEY"]
    }
    var faults: [String] = []
    if !schema.uniqueColumns.contains(where: { actual.isNamed($0) }) {
      faults.append("column \(actual.name) is the id and is not UNIQUE by itself")
    }
    if !schema.columns.contains(where: \.isRowKey) {
      faults.append(
        "the id is no integer and there is no INTEGER PRIMARY KEY beside it; a bare rowid does not survive VACUUM")
    }
    return faults
  }
}
