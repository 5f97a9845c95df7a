import Roster

/// A table with what can be told of it, or why it cannot.
struct SurveyedTable {
  var table: RawTable
  var rows: Int?
  /// With its indexes.
  var bytes: Int64?
  var error: String?

  /// Of every table that a database has. What keeps one from being read is no matter of the others.
  static func all(of database: RawDatabase, sizes: [RawSize]? = nil) throws -> [SurveyedTable] {
    let bytes = (sizes ?? []).reduce(into: [String: Int64]()) { $0[$1.table, default: 0] += $1.bytes }
    return try database.tables().filter { $0.name != "sqlite_schema" }.map { table in
      var surveyed = SurveyedTable(table: table, bytes: bytes[table.name])
      do throws(RosterError) { surveyed.rows = try database.rowCount(of: table) } catch {
        guard !error.endsEverything else { throw error }
        surveyed.error = error.message
      }
      return surveyed
    }
  }
}

extension RosterError {
  /// Whether it is no fault of one table.
  var endsEverything: Bool { [.busy, .interrupted, .outOfMemory, .closed].contains(code) }
}

extension Session {
  /// Tells what the file is, and what is in it.
  func showInfo() throws -> ExitCode {
    let database = try inspect()
    let info = try database.snapshot {
      let sizes = try? database.sizes()
      return DatabaseInfo(
        path: location.path, facts: try database.facts(), isReadAsItLies: database.isReadAsItLies,
        tables: try SurveyedTable.all(of: database, sizes: sizes), hasSizes: sizes != nil,
        roster: try database.rosterParts())
    }
    report(info.json, info.lines(width: console.out.terminalWidth, style: console.outStyle))
    return .done
  }

  /// Lists the tables and views.
  func showTables() throws -> ExitCode {
    let database = try inspect()
    let tables = try database.snapshot { try SurveyedTable.all(of: database) }
    report(.array(tables.map(\.listed)), tables.lines(width: console.out.terminalWidth, style: console.outStyle))
    return .done
  }

  /// Prints the SQL of the schema.
  func showSchema(of name: String?) throws -> ExitCode {
    let database = try inspect()
    let entries = try database.snapshot { () throws -> [RawSchemaEntry] in
      let entries = try database.schema(of: name)
      if let name, entries.isEmpty {
        throw InspectionRefusal.noSuchTable(name, suggestion: try database.table(like: name))
      }
      return entries
    }
    report(
      .array(
        entries.map {
          .object([
            ("type", .string($0.type)), ("name", .string($0.name)), ("table", .string($0.table)),
            ("sql", .string($0.sql)),
          ])
        }), entries.map { $0.sql.visibleLines + ";" })
    return .done
  }

  /// Shows what takes the room.
  func showStats() throws -> ExitCode {
    let database = try inspect()
    let (facts, sizes) = try database.snapshot { (try database.facts(), try database.sizes()) }
    let free = Int64(facts.freePages) * Int64(facts.pageSize)
    let objects = sizes?.map { size -> JSON in
      .object([
        ("name", .string(size.name)), ("kind", .string(size.isIndex ? "index" : "table")),
        ("table", .string(size.table)),
        ("bytes", .number(Int(size.bytes))), ("payload", .number(Int(size.payload))),
        ("unused", .number(Int(size.unused))), ("pages", .number(size.pages)),
      ])
    }
    report(
      .object([
        ("fileBytes", .number(Int(facts.fileSize))), ("freeBytes", .number(Int(free))),
        ("objects", objects.map { .array($0) } ?? .null),
      ]),
      SizeBars(sizes: sizes ?? [], free: free).lines(width: console.out.terminalWidth, style: console.outStyle))
    if sizes == nil { note(Report.noSizes) }
    return .done
  }
}

extension RawDatabase {
  /// A table of almost that name.
  func table(like name: String) throws -> String? { nearest(to: name, in: try tables().map(\.name)) }

  /// The table of a name, as SQLite compares names.
  func table(named name: String) throws -> RawTable {
    let all = try tables()
    if let exact = all.first(where: { $0.name.hasSameBytes(as: name) }) { return exact }
    guard let found = all.first(where: { $0.name.folded == name.folded }) else {
      throw InspectionRefusal.noSuchTable(name, suggestion: nearest(to: name, in: all.map(\.name)))
    }
    return found
  }
}

extension SurveyedTable {
  fileprivate var listed: JSON {
    .object([
      ("name", .string(table.name)), ("kind", .string(table.kind.rawValue)),
      ("withoutRowID", .bool(table.isWithoutRowID)),
      ("strict", .bool(table.isStrict)), ("rows", rows.map { .number($0) } ?? .null), ("error", .string(error)),
    ])
  }

  fileprivate var summary: JSON {
    .object([
      ("name", .string(table.name)), ("kind", .string(table.kind.rawValue)),
      ("rows", rows.map { .number($0) } ?? .null),
      ("bytes", bytes.map { .number(Int($0)) } ?? .null), ("error", .string(error)),
    ])
  }

  fileprivate var kinds: String {
    ([table.kind.rawValue] + (table.isWithoutRowID ? ["WITHOUT ROWID"] : []) + (table.isStrict ? ["STRICT"] : []))
      .joined(separator: ", ")
  }
}

extension [SurveyedTable] {
  fileprivate func lines(width: Int?, style: Style, withBytes: Bool = false) -> [String] {
    var table = TextTable(
      [.init("NAME", minimumWidth: 12), .init("KIND", minimumWidth: 7), .init("ROWS", alignment: .right)]
        + (withBytes ? [.init("BYTES", alignment: .right)] : []) + [.init("", minimumWidth: 8)])
    for one in self {
      table.append(
        [
          .init(one.table.name), .init(one.kinds, role: one.table.kind == .table ? .plain : .dimmed),
          .init(one.rows.map(String.init) ?? "?"),
        ] + (withBytes ? [.init(one.bytes.map { Report.bytes($0) } ?? "")] : [])
          + [.init(one.error ?? "", role: .warning)])
    }
    return table.lines(width: width, style: style)
  }
}

/// What `info` tells.
struct DatabaseInfo {
  var path: String
  var facts: RawFacts
  var isReadAsItLies: Bool
  var tables: [SurveyedTable]
  var hasSizes: Bool
  var roster: RosterParts
  private var library = RawDatabase.library

  init(
    path: String, facts: RawFacts, isReadAsItLies: Bool, tables: [SurveyedTable], hasSizes: Bool, roster: RosterParts
  ) {
    self.path = path
    self.facts = facts
    self.isReadAsItLies = isReadAsItLies
    self.tables = tables
    self.hasSizes = hasSizes
    self.roster = roster
  }

  private var journalMode: String { facts.isInWALMode ? "wal" : "rollback" }

  var json: JSON {
    .object([
      ("file", .string(path)), ("bytes", .number(Int(facts.fileSize))),
      (
        "wal",
        facts.logSize.map {
          .object([("bytes", .number(Int($0))), ("frames", .number(facts.logFrames ?? 0))])
        } ?? .null
      ), ("journalMode", .string(journalMode)), ("pageSize", .number(facts.pageSize)),
      ("pageCount", .number(facts.pageCount)), ("freePages", .number(facts.freePages)),
      ("encoding", .string(facts.encoding)), ("applicationID", .number(facts.applicationID)),
      ("userVersion", .number(facts.userVersion)), ("asItLies", .bool(isReadAsItLies)),
      (
        "sqlite",
        .object([("version", .string(library.version)), ("options", .array(library.options.map { .string($0) }))])
      ), ("tables", .array(tables.map(\.summary))), ("roster", roster.isEmpty ? .null : roster.json),
    ])
  }

  func lines(width: Int?, style: Style) -> [String] {
    var facts: [(String, String)] = [
      ("File", path), ("Size", Report.pages(self.facts)), ("Log", Report.log(self.facts)),
      ("Journal", journalMode == "wal" ? "WAL" : "rollback journal"), ("Encoding", self.facts.encoding),
      ("Numbers", "application_id \(self.facts.applicationID), user_version \(self.facts.userVersion)"),
      ("SQLite", library.version),
    ]
    facts += Report.roster(roster)
    var lines = facts.map { style.apply(.heading, to: $0.fitted(toWidth: 12)) + $1.visible }
    if isReadAsItLies, self.facts.isInWALMode { lines.append(style.apply(.dimmed, to: Report.asItLies)) }
    lines.append("")
    lines += tables.lines(width: width, style: style, withBytes: hasSizes)
    if !hasSizes { lines.append(style.apply(.dimmed, to: Report.noSizes)) }
    lines.append("")
    lines.append(style.apply(.heading, to: "Compiled with"))
    lines += Help.filled(library.options, width: width ?? 80)
    return lines
  }
}

extension RosterParts {
  fileprivate var json: JSON {
    .object([
      ("recordTables", .array(recordTables.map { .string($0) })),
      (
        "orders",
        .array(
          orders.map {
            .object([
              ("table", .string($0.table)), ("scope", .string($0.scope)), ("column", .string($0.column)),
              ("index", .string($0.index)),
            ])
          })
      ), ("searched", .array(searched.map { .string($0) })),
      (
        "log",
        log.map { log in
          .object([
            ("first", log.span.map { .number(Int($0.lowerBound)) } ?? .null),
            ("last", .number(Int(log.last))),
            (
              "consumers",
              .array(
                log.consumers.map { .object([("name", .string($0.name)), ("seq", .number(Int($0.sequence)))]) })
            ),
          ])
        } ?? .null
      ), ("migrations", .array(migrations.map { .string($0.fileName) })),
    ])
  }
}
