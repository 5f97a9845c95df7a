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
  /// The order that is kept by hand; nil where none is declared.
  let order: ManualOrder?
  /// What is searched; nil where nothing is declared.
  let search: SearchDeclaration?
  /// What is wrong with the declaration; a store refuses to open with it.
  let faults: [String]
  /// The record of a row.
  let decode: @Sendable (borrowing Row) throws(RosterError) -> R
  /// Adds the record of a row to others. The caller's own code, so that an array of its records grows as fast as any.
  let append: @Sendable (borrowing Row, inout [R]) throws(RosterError) -> Void
  // The columns' types and places in the record, where all are stored as their types do. Without objects, as above.
  private let stored: [(any ColumnValue.Type, Int)]
  // Binds an id to the first parameter.
  let bindID: @Sendable (R.ID, OpaquePointer) throws(RosterError) -> Void

  /// Declares a table by a record's initialiser and a column for each of its parameters, the order that its rows
  /// are kept in by hand, if they are, and which of its texts are searched, if any.
  @inlinable public convenience init<each Value: Sendable>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> R,
    _ columns: repeat Column<R, each Value>, order: ListOrder<R>? = nil, search: TextSearch<R>? = nil
  ) {
    var erased: [TableColumn] = []
    for column in repeat each columns { erased.append(TableColumn(column)) }
    let size = Table.largestSize(repeat (each Value).self)
    // Nothing generic is captured but the initialiser: a closure that captures a pack of columns looks up their
    // metadata for every row, some 2,000 instructions where a whole row takes C 4,600 (callgrind, seven columns). And no
    // object is, which would be retained and released for every column: another 280.
    let types = erased.compactMap(\.codec.plainType)
    if types.count == erased.count {
      self.init(
        name: name, columns: erased, order: order, search: search,
        decode: { (row) throws(RosterError) in
          try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { (memory) throws(RosterError) in
            var index = -1
            return make(repeat try Table.value((each Value).self, types, row, &index, memory))
          }
        },
        append: { (row, records) throws(RosterError) in
          try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { (memory) throws(RosterError) in
            var index = -1
            records.append(make(repeat try Table.value((each Value).self, types, row, &index, memory)))
          }
        })
    } else {
      let codecs = erased.map(\.codec)
      let decode: @Sendable (borrowing Row) throws(RosterError) -> R = { (row) throws(RosterError) in
        var index = -1
        return make(repeat try Table.value((each Value).self, codecs, row, &index))
      }
      self.init(
        name: name, columns: erased, order: order, search: search, decode: decode,
        append: { (row, records) throws(RosterError) in records.append(try decode(row)) })
    }
  }

  /// Reads the next column, whose type is `Value`: its own code puts it into the memory, and it is taken from there.
  @inlinable @inline(__always) static func value<Value>(
    _ type: Value.Type, _ types: [any ColumnValue.Type], _ row: borrowing Row, _ index: inout Int,
    _ memory: UnsafeMutableRawBufferPointer
  ) throws(RosterError) -> Value {
    index += 1
    // The allocation has the size of the largest of the types, and alignment for all.
    let place = memory.baseAddress.unsafelyUnwrapped
    try types[index].decode(row.cell(index), into: place)
    return place.assumingMemoryBound(to: Value.self).move()
  }

  /// Reads the next column by its codec, whose type is `Value`.
  @inlinable @inline(__always) static func value<Value: Sendable>(
    _ type: Value.Type, _ codecs: [ColumnCodec], _ row: borrowing Row, _ index: inout Int
  ) throws(RosterError) -> Value {
    index += 1
    return try unsafeDowncast(codecs[index], to: TypedCodec<Value>.self).decode(row.cell(index))
  }

  @inlinable static func largestSize<each Value>(_ types: repeat (each Value).Type) -> Int {
    var size = 1
    for type in repeat each types { size = max(size, sizeOf(type)) }
    return size
  }

  @inlinable static func sizeOf<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }

  @usableFromInline init(
    name: String, columns: [TableColumn], order: ListOrder<R>?, search: TextSearch<R>?,
    decode: @escaping @Sendable (borrowing Row) throws(RosterError) -> R,
    append: @escaping @Sendable (borrowing Row, inout [R]) throws(RosterError) -> Void
  ) {
    self.name = name
    self.columns = columns
    self.decode = decode
    self.append = append
    let stored = columns.compactMap { column in
      column.codec.plainType.flatMap { type in column.offset.map { (type, $0) } }
    }
    self.stored = stored.count == columns.count ? stored : []
    self.order = order.map { ManualOrder($0, table: name, columns) }
    self.search = search.map { SearchDeclaration($0, table: name, columns) }
    statements = TableStatements(table: name, columns: columns.map(\.name), position: order?.column)
    faults =
      Table.faults(name, columns) + (order.map { ManualOrder.faults($0, columns) } ?? [])
      + (search.map { SearchDeclaration.faults($0, columns) } ?? [])
    let key = columns.first { $0.traits.isConverted && $0.keyPath == columns.first?.keyPath }
    bindID = { (id, statement) throws(RosterError) in
      let parameter = Parameter(statement: statement, index: 1)
      if let key, let argument = key.argument(id) { return try argument.encode(parameter) }
      try id.encode(to: parameter)
    }
  }

  /// Binds a record's properties to the parameters of a statement.
  func encode(_ record: R, _ statement: OpaquePointer) throws(RosterError) {
    try withUnsafePointer(to: record) { (memory) throws(RosterError) in
      let memory = UnsafeRawPointer(memory)
      var index: Int32 = 0
      for (type, offset) in stored {
        index += 1
        try type.encode(at: memory + offset, to: Parameter(statement: statement, index: index))
      }
      // Where a column is converted or computed, each has its own way.
      guard stored.isEmpty else { return }
      for column in columns {
        index += 1
        try column.encode(memory, Parameter(statement: statement, index: index))
      }
    }
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
      try withUnsafePointer(to: record) { (memory) throws(RosterError) in
        try column.encode(UnsafeRawPointer(memory), parameter)
      }
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
