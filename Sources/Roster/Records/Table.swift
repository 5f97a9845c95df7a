import Foundation

/// How a record is stored: the table, its columns, and how values become rows and rows values.
///
/// Decoding is the record's own initialiser, so that the compiler checks the columns against it: one
/// ``Column`` for each of its parameters, in their order. The first column is the primary key.
///
/// The table in the database has, beside the record's columns, what the integer key needs. Where the id is an
/// integer, its column is the `INTEGER PRIMARY KEY`. Where it is not, the id is `NOT NULL UNIQUE` and
/// another column is the `INTEGER PRIMARY KEY`, whose values survive a VACUUM.
public struct Table<R: Record>: Sendable {
  /// The table's name in the database.
  public let name: String
  let columns: [TableColumn<R>]
  /// What is wrong with the declaration; a store refuses to open with it.
  let faults: [String]
  let decode: @Sendable (borrowing Row) throws(RosterError) -> R
  let encode: @Sendable (R, OpaquePointer) throws(RosterError) -> Void
  let statements: TableStatements

  /// Declares a table by a record's initialiser and a column for each of its parameters.
  @inlinable public init<each Value: Sendable>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> R,
    _ columns: repeat Column<R, each Value>
  ) {
    var erased: [TableColumn<R>] = []
    for column in repeat each columns { erased.append(TableColumn(column)) }
    self.init(
      name: name, columns: erased,
      decode: { (row) throws(RosterError) in
        var index = -1
        func next() -> Int {
          index += 1
          return index
        }
        return make(repeat try (each columns).decode(row.cell(next())))
      },
      encode: { (record, statement) throws(RosterError) in
        var index: Int32 = 0
        for column in repeat each columns {
          index += 1
          try column.encode(column.value(of: record), Parameter(statement: statement, index: index))
        }
      })
  }

  @usableFromInline init(
    name: String, columns: [TableColumn<R>],
    decode: @escaping @Sendable (borrowing Row) throws(RosterError) -> R,
    encode: @escaping @Sendable (R, OpaquePointer) throws(RosterError) -> Void
  ) {
    self.name = name
    self.columns = columns
    self.decode = decode
    self.encode = encode
    statements = TableStatements(table: name, columns: columns.map(\.name))
    faults = Table.faults(name, columns)
  }

  /// The column of the primary key.
  var key: TableColumn<R>? { columns.first }

  /// The column that stores a property.
  func column(_ keyPath: AnyKeyPath) -> TableColumn<R>? {
    columns.first { $0.keyPath == keyPath }
  }

  /// What a record would store, column by column.
  func values(of record: R) throws(RosterError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    values.reserveCapacity(columns.count)
    for column in columns { values.append(try column.value(of: record)) }
    return values
  }

  private static func faults(_ name: String, _ columns: [TableColumn<R>]) -> [String] {
    var faults: [String] = []
    if name.isEmpty { faults.append("the table has no name") }
    guard let key = columns.first else { return faults + ["the table has no column"] }
    if key.valueType != R.ID.self {
      faults.append(
        "the first column, \(key.name), is the primary key and has to store id, a \(R.ID.self), not a \(key.valueType)")
    }
    if key.traits.isOptional { faults.append("the primary key \(key.name) is optional") }
    var seen: Set<String> = []
    for column in columns {
      if column.name.isEmpty { faults.append("a column has no name") }
      // SQLite compares names without regard to the case of ASCII letters.
      if !seen.insert(column.name.lowercased()).inserted { faults.append("column \(column.name) is declared twice") }
    }
    if Set(columns.map { $0.keyPath as AnyKeyPath }).count != columns.count { faults.append("two columns store one property") }
    return faults
  }
}

/// A column of a record's table with the property's type erased.
@usableFromInline struct TableColumn<R: Record>: Sendable {
  let name: String
  let keyPath: any AnyKeyPath & Sendable
  let valueType: any Any.Type
  private(set) var traits: ColumnTraits
  private let encode: @Sendable (R, borrowing Parameter) throws(RosterError) -> Void
  private let convert: @Sendable (Any) -> SQLArgument?

  @inlinable init<Value: Sendable>(_ column: Column<R, Value>) {
    self.init(
      name: column.name, keyPath: column.keyPath, valueType: Value.self, traits: column.traits,
      encode: { (record, parameter) throws(RosterError) in
        try column.encode(column.value(of: record), parameter)
      },
      convert: { any in
        // A cast, since a predicate's literal can be of the property's type or of the type it wraps.
        guard let value = any as? Value else { return nil }
        return SQLArgument { (parameter) throws(RosterError) in try column.encode(value, parameter) }
      })
  }

  @usableFromInline init(
    name: String, keyPath: any AnyKeyPath & Sendable, valueType: any Any.Type, traits: ColumnTraits,
    encode: @escaping @Sendable (R, borrowing Parameter) throws(RosterError) -> Void,
    convert: @escaping @Sendable (Any) -> SQLArgument?
  ) {
    self.name = name
    self.keyPath = keyPath
    self.valueType = valueType
    self.traits = traits
    self.traits.isFreeText =
      traits.storageClass == .text && ![UUID.self, UUID?.self, Date.self, Date?.self].contains { $0 == valueType }
    self.encode = encode
    self.convert = convert
  }

  /// What a record would store in the column.
  func value(of record: R) throws(RosterError) -> SQLiteValue {
    try SQLiteValue.capture { (parameter) throws(RosterError) in try encode(record, parameter) }
  }

  /// A value of the property's type as the column stores it; nil where the value is of another type.
  func argument(_ value: Any) -> SQLArgument? { convert(value) }
}
