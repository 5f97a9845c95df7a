import Roster

extension Inspection.Dump {
  /// Writes the rows of a table, or of all. What cannot be read is said, and keeps nothing else from being written.
  func run(in session: Session) throws -> ExitCode {
    let database = try session.inspect()
    var dump = DumpWriter(database: database, console: session.console)
    try database.snapshot {
      let named = try table.map { try database.table(named: $0) }
      let tables = try named.map { [$0] } ?? database.tables().filter { $0.name != "sqlite_schema" }
      switch (format, named) {
      case (.sql, let one?): try dump.writeSQL(one)
      case (.sql, nil): try dump.writeSQL(tables, isWhole: true)
      case (.json, nil): try dump.writeDocument(tables)
      case (.ndjson, nil): try dump.writeLines(tables)
      case (_, let one?): try dump.write(one, as: format)
      case (_, nil): try dump.writeSections(tables, as: format)
      }
    }
    for failure in dump.failures { session.note(Report.failure(failure)) }
    return dump.failures.contains { table != nil || $0.isLoss } ? .refused : .done
  }
}

/// Writes tables in a format.
struct DumpWriter {
  let database: RawDatabase
  let console: Console
  struct Failure {
    enum Reason {
      case unreadable(String)
      /// There is a NULL in a column that takes none.
      case null(column: String)
    }

    var table: String
    var reason: Reason
    /// Whether the dump of all tables lacks something. A view and a virtual table have no content but that of others.
    var isLoss: Bool
  }

  /// What could not be read, or not all of it, or not be written so that it comes back.
  private(set) var failures: [Failure] = []

  init(database: RawDatabase, console: Console) {
    self.database = database
    self.console = console
  }

  var out: OutputStream { console.out }

  /// Runs what reads a table. Returns why it could not be read to its end; nil where it was.
  mutating func attempt(_ table: RawTable, _ body: () throws -> Void) throws -> String? {
    do { try body() } catch let error as RosterError {
      guard !error.endsEverything else { throw error }
      fail(table, .unreadable(error.message))
      return error.message
    }
    return nil
  }

  mutating func fail(_ table: RawTable, _ reason: Failure.Reason) {
    failures.append(
      Failure(table: table.name, reason: reason, isLoss: table.kind == .table || table.kind == .shadow))
  }

  /// One table. What was printed before a failure is closed, so that a document is one; where no row could be read there is
  /// none, since an empty one would be that of an empty table.
  mutating func write(_ table: RawTable, as format: RowFormat) throws {
    var rows = 0
    let failure = try printRows(of: table, as: format, isAlone: true, &rows)
    if format == .json, failure == nil || rows > 0 { out.writeLine() }
  }

  private mutating func printRows(of table: RawTable, as format: RowFormat) throws -> String? {
    var rows = 0
    return try printRows(of: table, as: format, isAlone: false, &rows)
  }

  private mutating func printRows(
    of table: RawTable, as format: RowFormat, isAlone: Bool, _ rows: inout Int
  ) throws -> String? {
    var columns: [RawColumn] = []
    let database = database
    let unknown = try attempt(table) { columns = try database.columns(of: table).filter { !$0.isHidden } }
    var printer = RowPrinter(columns.map(\.name), as: format, console)
    guard unknown == nil else {
      if format == .json, !isAlone { printer.end() }
      return unknown
    }
    var count = 0
    if !isAlone { printer.begin() }
    let failure = try attempt(table) {
      try database.forEachRow(of: table, columns) {
        if isAlone, count == 0 { printer.begin() }
        try printer.print($0)
        count += 1
      }
      if isAlone, count == 0 { printer.begin() }
    }
    rows = count
    if failure == nil || count > 0 || !isAlone { printer.end() }
    return failure
  }

  /// All tables as one document of JSON.
  mutating func writeDocument(_ tables: [RawTable]) throws {
    for (index, table) in tables.enumerated() {
      var line = index == 0 ? "[" : ",\n "
      line += "{\"table\": "
      JSON.string(table.name).write(to: &line)
      line += ", \"kind\": \"\(table.kind.rawValue)\", \"rows\": "
      out.write(line)
      let failure = try printRows(of: table, as: .json)
      out.write(", \"error\": \(JSON.string(failure).text)}")
    }
    out.writeLine(tables.isEmpty ? "[]" : "]")
  }

  /// All rows of all tables, one a line.
  mutating func writeLines(_ tables: [RawTable]) throws {
    let (database, out, console) = (database, out, console)
    for table in tables {
      _ = try attempt(table) {
        let columns = try database.columns(of: table).filter { !$0.isHidden }
        let printer = RowPrinter(columns.map(\.name), as: .ndjson, console)
        try database.forEachRow(of: table, columns) { row in
          if out.isClosed { throw ReaderHasGone() }
          out.writeLine(JSON.object([("table", .string(table.name)), ("row", printer.object(row))]).text)
        }
      }
    }
  }

  /// All tables, each below its name.
  mutating func writeSections(_ tables: [RawTable], as format: RowFormat) throws {
    for (index, table) in tables.enumerated() {
      if index > 0 { out.writeLine() }
      out.writeLine(
        format == .markdown
          ? "## \(RawValue.text(table.name).markdown)\n" : console.outStyle.apply(.heading, to: table.name.visible))
      if let failure = try printRows(of: table, as: format) { out.writeLine(failure.visible) }
    }
  }
}
