/// How a record is stored: the table, its columns, and how values become rows and rows values.
///
/// Decoding is the record's own initialiser, so that the compiler checks the columns against it: one
/// ``Column`` for each of its parameters, in their order. The first column is the primary key.
///
/// The table in the database has, beside the record's columns, what the integer key needs. Where the id is an
/// integer, its column is the `INTEGER PRIMARY KEY`. Where it is not, the id is `NOT NULL UNIQUE` and
/// another column is the `INTEGER PRIMARY KEY`, whose values survive a VACUUM.
public final class Table<R: Record>: Sendable {
  /// The table's name in the database.
  public let name: String
  let columns: [TableColumn]
  let statements: TableStatements
  /// What is wrong with the declaration; a store refuses to open with it.
  let faults: [String]
  /// The record of a row.
  let decode: @Sendable (borrowing Row) throws(RosterError) -> R
  /// Adds the record of a row to others. The caller's own code, so that an array of its records grows as fast as any.
  let append: @Sendable (borrowing Row, inout [R]) throws(RosterError) -> Void
  // Binds the properties of the record that the memory holds.
  private let bind: @Sendable (UnsafeRawPointer, OpaquePointer) throws(RosterError) -> Void
  // Binds an id to the first parameter.
  let bindID: @Sendable (R.ID, OpaquePointer) throws(RosterError) -> Void

  /// Declares a table by a record's initialiser and a column for each of its parameters.
  @inlinable public convenience init<each Value: Sendable>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> R,
    _ columns: repeat Column<R, each Value>
  ) {
    var erased: [TableColumn] = []
    for column in repeat each columns { erased.append(TableColumn(column)) }
    self.init(name: name, columns: erased, make)
  }

  /// Declares a table by a record's initialiser and a column for each of its parameters.
  ///
  /// The same as the other, and faster, where every property is a column value of its own.
  @inlinable public convenience init<each Value: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> R,
    _ columns: repeat Column<R, each Value>
  ) {
    var erased: [TableColumn] = []
    for column in repeat each columns { erased.append(TableColumn(column)) }
    let offsets = erased.compactMap { $0.traits.isConverted ? nil : $0.offset }
    guard offsets.count == erased.count else {
      self.init(name: name, columns: erased, make)
      return
    }
    // Nothing generic is captured but the initialiser: a closure that captures a pack of columns looks up their
    // metadata for every row, which took 200 ns where all of SQLite's work took 600.
    self.init(
      name: name, columns: erased,
      decode: { (row) throws(RosterError) in
        var index = -1
        func next() -> Int {
          index += 1
          return index
        }
        return make(repeat try (each Value)(from: row.cell(next())))
      },
      append: { (row, records) throws(RosterError) in
        var index = -1
        func next() -> Int {
          index += 1
          return index
        }
        records.append(make(repeat try (each Value)(from: row.cell(next()))))
      },
      encode: { (record, statement) throws(RosterError) in
        var index = -1
        for type in repeat (each Value).self {
          index += 1
          // The offset is the compiler's own for a stored property of this type.
          let memory = (record + offsets[index]).assumingMemoryBound(to: type)
          try memory.pointee.encode(to: Parameter(statement: statement, index: Int32(truncatingIfNeeded: index + 1)))
        }
      })
  }

  /// By the columns' codecs.
  @inlinable convenience init<each Value: Sendable>(
    name: String, columns: [TableColumn], _ make: @escaping @Sendable (repeat each Value) -> R
  ) {
    let codecs = columns.map(\.codec)
    let decode: @Sendable (borrowing Row) throws(RosterError) -> R = { (row) throws(RosterError) in
      var index = -1
      func next() -> Int {
        index += 1
        return index
      }
      return make(repeat try codecs[next()].value((each Value).self, row.cell(index)))
    }
    self.init(
      name: name, columns: columns, decode: decode,
      append: { (row, records) throws(RosterError) in records.append(try decode(row)) },
      encode: { (record, statement) throws(RosterError) in
        for (index, column) in columns.enumerated() {
          try column.encode(record, Parameter(statement: statement, index: Int32(truncatingIfNeeded: index + 1)))
        }
      })
  }

  @usableFromInline init(
    name: String, columns: [TableColumn],
    decode: @escaping @Sendable (borrowing Row) throws(RosterError) -> R,
    append: @escaping @Sendable (borrowing Row, inout [R]) throws(RosterError) -> Void,
    encode: @escaping @Sendable (UnsafeRawPointer, OpaquePointer) throws(RosterError) -> Void
  ) {
    self.name = name
    self.columns = columns
    self.decode = decode
    self.append = append
    bind = encode
    statements = TableStatements(table: name, columns: columns.map(\.name))
    faults = Table.faults(name, columns)
    let key = columns.first { $0.traits.isConverted && $0.keyPath == columns.first?.keyPath }
    bindID = { (id, statement) throws(RosterError) in
      let parameter = Parameter(statement: statement, index: 1)
      if let key, let argument = key.argument(id) { return try argument.encode(parameter) }
      try id.encode(to: parameter)
    }
  }

  /// Binds a record's properties to the parameters of a statement.
  func encode(_ record: R, _ statement: OpaquePointer) throws(RosterError) {
    let failure = withUnsafePointer(to: record) { memory -> RosterError? in
      do throws(RosterError) {
        try bind(UnsafeRawPointer(memory), statement)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  /// The column of the primary key.
  var key: TableColumn? { columns.first }

  /// The column that stores a property.
  func column(_ keyPath: AnyKeyPath) -> TableColumn? {
    columns.first { $0.keyPath == keyPath }
  }

  /// What a record would store in a column.
  func value(of record: R, in column: TableColumn) throws(RosterError) -> SQLiteValue {
    try SQLiteValue.capture { (parameter) throws(RosterError) in
      let failure = withUnsafePointer(to: record) { memory -> RosterError? in
        do throws(RosterError) {
          try column.encode(UnsafeRawPointer(memory), parameter)
          return nil
        } catch { return error }
      }
      if let failure { throw failure }
    }
  }

  /// What a record would store, column by column.
  func values(of record: R) throws(RosterError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    values.reserveCapacity(columns.count)
    for column in columns { values.append(try value(of: record, in: column)) }
    return values
  }

  private static func faults(_ name: String, _ columns: [TableColumn]) -> [String] {
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
    if Set(columns.map { $0.keyPath as AnyKeyPath }).count != columns.count {
      faults.append("two columns store one property")
    }
    return faults
  }
}
