import Roster

/// A command that looks at a database of any program, or keeps one in order.
enum Inspection: Equatable, Sendable {
  struct Query: Equatable, Sendable {
    var sql: String
    var parameters: [String] = []
    var format = RowFormat.table
    var writes = false
  }

  struct Dump: Equatable, Sendable {
    /// Nil is all of them.
    var table: String?
    var format = RowFormat.sql
  }

  struct Tail: Equatable, Sendable {
    static let defaultLimit = 10

    /// The number of the log that was read last; nil is the last rows.
    var since: Int?
    var limit = defaultLimit
    var follows = false
  }

  case info
  case tables
  case schema(table: String?)
  case query(Query)
  case explain(String)
  case stats
  case dump(Dump)
  case diff(file: String)
  case backup(file: String)
  case vacuum
  case tail(Tail)
  case newMigration(name: String, folder: String)
}

extension Inspection {
  /// Nil for the name of another kind of command.
  init?(_ name: CommandName, _ facts: Arguments, isJSON: Bool) throws(UsageError) {
    switch name {
    case .info: self = .info
    case .tables: self = .tables
    case .schema: self = .schema(table: facts.words.first)
    case .query: self = .query(try Query(facts, isJSON: isJSON))
    case .explain: self = .explain(try facts.word("SQL"))
    case .stats: self = .stats
    case .dump:
      let dump = Dump(table: facts.words.first, format: try facts.format(isJSON: isJSON) ?? .sql)
      if dump.format == .csv, dump.table == nil { throw facts.error(.onlyWith("--format csv", "TABLE")) }
      self = .dump(dump)
    case .diff: self = .diff(file: try facts.word("FILE"))
    case .backup: self = .backup(file: try facts.word("FILE"))
    case .vacuum: self = .vacuum
    case .tail:
      self = .tail(
        Tail(
          since: try facts.offset("--since"), limit: try facts.count("--limit") ?? Tail.defaultLimit,
          follows: facts.has("--follow")))
    default: return nil
    }
  }

  func run(in session: Session) throws -> ExitCode {
    do {
      switch self {
      case .info: return try session.showInfo()
      case .tables: return try session.showTables()
      case .schema(let table): return try session.showSchema(of: table)
      case .query(let query): return try query.run(in: session)
      case .explain(let sql): return try session.explain(sql)
      case .stats: return try session.showStats()
      case .dump(let dump): return try dump.run(in: session)
      case .diff(let file): return try session.compare(with: file)
      case .backup(let file): return try session.backUp(to: file)
      case .vacuum: return try session.vacuum()
      case .tail(let tail): return try tail.run(in: session)
      case .newMigration(let name, let folder): return try session.makeMigration(named: name, in: folder)
      }
    } catch is ReaderHasGone {
      return .done
    } catch let error as RosterError where error.code == .corrupt {
      throw InspectionRefusal.damaged(error.path ?? session.location.shown, error.message)
    }
  }
}

extension Inspection.Query {
  fileprivate init(_ facts: Arguments, isJSON: Bool) throws(UsageError) {
    sql = try facts.word("SQL")
    parameters = facts.values(of: "--param")
    format = try facts.format(isJSON: isJSON) ?? .table
    writes = facts.has("--write")
  }
}

extension Arguments {
  fileprivate func format(isJSON: Bool) throws(UsageError) -> RowFormat? {
    let named = try choice("--format", as: RowFormat.self)
    if isJSON, let named, named != .json, named != .ndjson {
      throw error(.contradiction("--json", "--format \(named.rawValue)"))
    }
    return named ?? (isJSON ? .json : nil)
  }
}

extension Session {
  /// The database of any program, for a look that leaves no trace.
  func inspect() throws -> RawDatabase { try raw(.inspection) }

  func raw(_ access: RawDatabase.Access) throws -> RawDatabase {
    do { return try RawDatabase(at: location.url, access: access, busyTimeout: .seconds(30)) } catch {
      guard error.code == .noSuchFile else { throw error }
      throw Refusal.noDatabase(location.shown)
    }
  }

  /// Says what a reader of the results should know of how they came about.
  func noteCollations(_ database: RawDatabase) {
    let names = database.unknownCollations
    if !names.isEmpty { note(Report.unknownCollations(names)) }
  }
}
