/// Something wrong in a database file.
public struct Problem: Sendable, Hashable, CustomStringConvertible {
  /// What kind of problem it is.
  public enum Kind: String, Sendable {
    /// SQLite's own integrity check failed.
    case damage
    /// A row refers to a row that does not exist.
    case foreignKey
    /// A text is not valid UTF-8. It reads as with U+FFFD in the place of what is not.
    case invalidText
    /// A text holds a NUL character, at which many programs stop reading.
    case nulInText
    /// A row is no value of the type of its record.
    case unreadableRow
    /// A value reads as one that is written otherwise, such as a UUID in upper case: a look-up by it misses the row.
    case otherSpelling
    /// A row has no position in an order that is kept by hand. It comes last.
    case missingPosition
    /// A row has the same position as the one before it in its list. Their integer keys tell their order.
    case duplicatePosition
    /// A position is no integer, or one beyond all that Roster writes.
    case invalidPosition
    /// The index of an order that is kept by hand is missing or is another, so that lists are slow.
    case missingIndex
    /// The index for search is missing or is another, so that every search reads all rows.
    case missingSearchIndex
    /// The index for search does not have the texts of a row as they are, or is damaged.
    case wrongSearchIndex

    /// Whether ``Store/repair()`` puts it right.
    public var isRepairable: Bool {
      switch self {
      case .missingPosition, .duplicatePosition, .invalidPosition, .missingIndex, .missingSearchIndex,
        .wrongSearchIndex:
        true
      default: false
      }
    }
  }

  /// The kind.
  public let kind: Kind
  /// The table, where one is at fault.
  public let table: String?
  /// The integer key of the row.
  public let rowKey: Int64?
  /// The id of the record, where the row is one and its id can be read.
  public let recordID: String?
  /// The column.
  public let column: String?
  /// A sentence for the user. It does not hold the value.
  public let message: String

  init(
    kind: Kind, table: String? = nil, rowKey: Int64? = nil, recordID: String? = nil, column: String? = nil,
    message: String
  ) {
    self.kind = kind
    self.table = table
    self.rowKey = rowKey
    self.recordID = recordID
    self.column = column
    self.message = message
  }

  /// The place and the message.
  public var description: String {
    var place = table.map { "\($0)" } ?? ""
    if let rowKey { place += " row \(rowKey)" }
    if let recordID { place += " (id \(recordID))" }
    if let column { place += " column \(column)" }
    return place.isEmpty ? message : "\(place): \(message)"
  }
}

/// Finds the problems of a database, on one snapshot.
struct Check {
  let connection: Connection
  let records: [any Record.Type]

  func run() throws(RosterError) -> [Problem] {
    var problems = try damage()
    // Walking the rows of a damaged file would only fail in another way.
    guard problems.isEmpty else { return problems }
    problems += try foreignKeys()
    for (table, hasRowID) in try tables() { problems += try texts(table, hasRowID: hasRowID) }
    for type in records { problems += try rows(type) }
    return problems + (try orders()) + (try searches())
  }

  /// What is wrong with orders that are kept by hand.
  func orders() throws(RosterError) -> [Problem] {
    var problems: [Problem] = []
    for type in records { problems += try order(type) }
    return problems
  }

  private func order<R: Record>(_ type: R.Type) throws(RosterError) -> [Problem] {
    guard let order = R.table.order, let key = R.table.key else { return [] }
    var problems: [Problem] = []
    if try !OrderIndex(connection: connection, order: order).isRight() {
      problems.append(
        Problem(
          kind: .missingIndex, table: order.table, column: order.column,
          message: "the index of the order that is kept by hand is missing or is another"))
    }
    let scope = order.scope.map { quoted($0.name) } ?? "NULL"
    let position = quoted(order.column)
    // Of two values of a list's column, SQLite tells by the column's own collation whether they are the same.
    let statement = try connection.statement(
      """
      SELECT rowid, \(position), \(quoted(key.name)), \(scope) IS lag(\(scope)) OVER list FROM \(quoted(order.table))
      WINDOW list AS (ORDER BY \(scope), \(position) NULLS LAST, rowid)
      """)
    var last: SQLiteValue?
    while try statement.step() {
      let position = statement.cell(1).value
      let isSame = try statement.cell(3).int64() != 0 && last == position
      last = position
      guard let (kind, message) = fault(position, isSame: isSame) else { continue }
      problems.append(
        Problem(
          kind: kind, table: order.table, rowKey: try statement.cell(0).int64(), recordID: statement.cell(2).value.text,
          column: order.column, message: message))
    }
    return problems
  }

  private func fault(_ position: SQLiteValue, isSame: Bool) -> (Problem.Kind, String)? {
    switch position {
    case .null: (.missingPosition, "the row has no position in its list, and comes last")
    case .integer(let label) where !KeptList.space.contains(label):
      (.invalidPosition, "the position is beyond all that Roster writes")
    case .integer: isSame ? (.duplicatePosition, "the row has the same position as the one before it in its list") : nil
    default: (.invalidPosition, "the position is no integer")
    }
  }

  /// What is wrong with indexes for search.
  func searches() throws(RosterError) -> [Problem] {
    var problems: [Problem] = []
    for declaration in SearchDeclaration.all(of: records) { problems += try search(declaration) }
    return problems
  }

  private func search(_ declaration: SearchDeclaration) throws(RosterError) -> [Problem] {
    let (table, index) = (declaration.table, SearchIndex(declaration, on: connection))
    guard try index.isRight() else {
      return [
        Problem(kind: .missingSearchIndex, table: table, message: "the index for search is missing or is another")
      ]
    }
    do throws(RosterError) {
      return try index.wrongRows().sorted().map { key in
        Problem(
          kind: .wrongSearchIndex, table: table, rowKey: key,
          message: "the index for search does not have the texts of the row as they are")
      }
    } catch {
      guard error.isOfVirtualContent else { throw error }
      return [
        Problem(kind: .wrongSearchIndex, table: table, message: "the index for search is damaged: \(error.message)")
      ]
    }
  }

  func damage() throws(RosterError) -> [Problem] {
    try connection.rows("PRAGMA integrity_check").compactMap { row in
      guard case .text(let text)? = row.first, text != "ok" else { return nil }
      return Problem(kind: .damage, table: nil, rowKey: nil, column: nil, message: text)
    }
  }

  private func foreignKeys() throws(RosterError) -> [Problem] {
    try connection.rows("PRAGMA foreign_key_check").compactMap { row in
      guard row.count == 4, case .text(let table) = row[0], case .text(let parent) = row[2] else { return nil }
      var key: Int64?
      if case .integer(let value) = row[1] { key = value }
      return Problem(
        kind: .foreignKey, table: table, rowKey: key, column: nil, message: "the \(parent) it refers to does not exist")
    }
  }

  /// The ordinary tables. Virtual tables and what keeps them have their own representations.
  private func tables() throws(RosterError) -> [(name: String, hasRowID: Bool)] {
    try connection.rows(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT GLOB '\(SearchPart.prefix)*' ORDER BY name"
    ).compactMap { row in
      guard row.count == 2, case .text(let name) = row[0] else { return nil }
      return (name, row[1] == .integer(0))
    }
  }

  private func texts(_ table: String, hasRowID: Bool) throws(RosterError) -> [Problem] {
    guard let schema = try TableSchema(table, on: connection), !schema.columns.isEmpty else { return [] }
    let hidesRowID = schema.columns.contains { $0.isNamed("rowid") && !$0.isRowKey }
    let key = hasRowID && !hidesRowID ? "rowid" : "NULL"
    let names = schema.columns.map { quoted($0.name) }.joined(separator: ", ")
    let statement = try connection.statement("SELECT \(key), \(names) FROM \(quoted(table))")
    var problems: [Problem] = []
    while try statement.step() {
      for (index, column) in schema.columns.enumerated() {
        guard let (kind, message) = fault(statement.cell(index + 1)) else { continue }
        let rowKey = statement.cell(0).isNull ? nil : try statement.cell(0).int64()
        problems.append(Problem(kind: kind, table: table, rowKey: rowKey, column: column.name, message: message))
      }
    }
    return problems
  }

  private func fault(_ cell: borrowing Cell) -> (Problem.Kind, String)? {
    cell.withText { bytes -> (Problem.Kind, String)? in
      if let offset = invalidOffset(bytes) { return (.invalidText, "the text is not valid UTF-8 at byte \(offset)") }
      if let offset = bytes.firstIndex(of: 0) { return (.nulInText, "the text has a NUL character at byte \(offset)") }
      return nil
    } ?? nil
  }

  /// Where the first byte is that is not UTF-8.
  private func invalidOffset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }

  /// Looks at every column of every record, since one that cannot be read keeps the others from being seen.
  private func rows<R: Record>(_ type: R.Type) throws(RosterError) -> [Problem] {
    let table = R.table
    let statement = try connection.statement("SELECT \(table.statements.selection), rowid FROM \(quoted(table.name))")
    var problems: [Problem] = []
    while try statement.step() {
      for (index, column) in table.columns.enumerated() {
        guard let (kind, message) = fault(column, statement.cell(index)) else { continue }
        let isIDReadable = table.key.map { fault($0, statement.cell(0)) == nil } ?? false
        problems.append(
          Problem(
            kind: kind, table: table.name, rowKey: try statement.cell(table.columns.count).int64(),
            recordID: isIDReadable ? statement.cell(0).value.text : nil, column: column.name, message: message))
      }
    }
    return problems
  }

  private func fault(_ column: TableColumn, _ cell: borrowing Cell) -> (Problem.Kind, String)? {
    do throws(RosterError) {
      let (stored, rewritten) = (cell.value, try column.codec.rewritten(cell))
      // A conversion may read many forms of one value, as JSON has them.
      guard !column.traits.isConverted, !stored.isEqual(to: rewritten) else { return nil }
      return (
        .otherSpelling,
        "the value is written in another way than Roster writes it, so that no look-up or comparison by it finds the row"
      )
    } catch { return (.unreadableRow, error.message) }
  }
}

extension SQLiteValue {
  fileprivate var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// Whether SQLite finds two values equal: it compares numbers of both kinds by what they are worth.
  fileprivate func isEqual(to other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      Double(integer) == real
    default: self == other
    }
  }
}
