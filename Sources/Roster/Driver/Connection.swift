import CSQLite

/// One connection to a database, with its cache of statements.
///
/// It is used by one thread at a time: whoever owns it sees to that. Only ``interruption`` may be
/// used from any thread.
final class Connection {
  let database: OpaquePointer
  let path: String
  let isReadOnly: Bool
  /// The file; nil for a database in memory, and for one that nothing changes while it is open.
  let file: DatabaseFile?
  let interruption: Interruption
  private(set) var statementsPrepared = 0
  /// What a layer above remembers for as long as a transaction lasts.
  var memory: AnyObject?
  /// What a layer above finds texts by.
  var textFinder: AnyObject?
  /// How many changes an insert of a row is counted as, with those of triggers of a layer above.
  var changesPerInsert = 1
  /// Runs writes that change nothing that a user would call a change, where a layer above has to know.
  var quietly: ((Connection, () throws(RosterError) -> Void) throws(RosterError) -> Void)?
  /// Collations that are stood in for, kept for as long as SQLite may ask.
  var collationNames: CollationNames?
  private var cache: [String: CachedStatement] = [:]
  // The statement used last is found without hashing its text: a loop of inserts asks for one statement.
  private var recent: CachedStatement?
  static let cacheLimit = 200
  // Apart from the others, so that no text of a user's finds one and gets round the authorizer.
  private var controls: [String: CachedStatement] = [:]
  fileprivate let authorizer = Authorizer()
  private let wait: LockWait
  // Kept for as long as SQLite may call them.
  private var functions: [ScalarFunction] = []

  /// How a file is opened.
  enum Mode {
    case readWrite
    case readOnly
    /// Nothing may change the file while it is open; no lock is taken and no side file is made.
    case immutable
    /// Nothing of the database can be changed by the connection, and no file is made beside it.
    case inspection(InspectionVFS)
    case memory

    var isReadOnly: Bool {
      switch self {
      case .readWrite, .memory: false
      case .readOnly, .immutable, .inspection: true
      }
    }

    /// Whether the connection notes which file it has open.
    fileprivate var notesFile: Bool {
      switch self {
      case .readWrite, .readOnly: true
      case .immutable, .inspection, .memory: false
      }
    }
  }

  init(path: String, mode: Mode) throws(RosterError) {
    try Library.check()
    let name: String
    let flags: Int32
    var vfs: String?
    switch mode {
    case .readWrite: (name, flags) = (path, SQLITE_OPEN_READWRITE)
    case .readOnly: (name, flags) = (path, SQLITE_OPEN_READONLY)
    case .immutable:
      (name, flags) = (Connection.uri(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    case .inspection(let kind):
      try InspectionVFS.register()
      vfs = kind.rawValue
      (name, flags) = (Connection.uri(path) + "?readonly_shm=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    case .memory: (name, flags) = (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
    }
    // No mutex of SQLite's own: a connection has one user at a time here.
    let all = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(name, &opened, all, vfs)
    guard result == SQLITE_OK, let opened else {
      let error = RosterError.sqlite(result, opened, path: path)
      sqlite3_close_v2(opened)
      throw error
    }
    do throws(RosterError) {
      file = mode.notesFile ? try DatabaseFile(opened, path: path) : nil
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
    database = opened
    self.path = path
    isReadOnly = mode.isReadOnly
    interruption = Interruption(opened)
    wait = LockWait(interruption)
    installAuthorizer()
    watchInterruption()
  }

  deinit {
    interruption.end()
    recent = nil
    cache.removeAll()
    controls.removeAll()
    sqlite3_close_v2(database)
  }

  /// A file name as a URI, for the options that only a URI can carry. https://www.sqlite.org/uri.html
  private static func uri(_ path: String) -> String {
    var text = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }

  func error(_ result: Int32, sql: String? = nil) -> RosterError {
    RosterError.sqlite(result, database, sql: sql)
  }

  // MARK: Statements

  /// A statement ready to be bound, from the cache where it has been prepared before.
  ///
  /// - Throws: ``RosterError/Code/sql`` where the text holds no statement, or more than one.
  func statement(_ sql: String) throws(RosterError) -> Statement {
    if let recent, !recent.isLent, recent.key == sql {
      return Statement(connection: self, cached: recent)
    }
    if let cached = cache[sql], !cached.isLent {
      recent = cached
      return Statement(connection: self, cached: cached)
    }
    let prepared = try prepare(sql)
    if cache[sql] == nil {
      if cache.count >= Connection.cacheLimit { cache = cache.filter { $0.value.isLent } }
      cache[sql] = prepared
      recent = prepared
    }
    return Statement(connection: self, cached: prepared)
  }

  func take(back cached: CachedStatement) { cached.isLent = false }

  /// How many statements are kept for later, without those of ``control(_:_:)``.
  var cachedStatementCount: Int { cache.count }

  fileprivate func prepare(_ sql: String) throws(RosterError) -> CachedStatement {
    var text = sql
    var rest: Int?
    var result: Int32 = SQLITE_OK
    var handle: OpaquePointer?
    statementsPrepared += 1
    // SQLite would take what stands before it for the whole.
    if let nul = text.utf8.firstIndex(of: 0) {
      throw RosterError.nulInSQL(sql, at: text.utf8.distance(from: text.startIndex, to: nul))
    }
    text.withUTF8 { bytes in
      (result, handle, rest) = Connection.prepare(
        database, bytes, from: 0, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    }
    guard result == SQLITE_OK else { throw error(result, sql: sql) }
    guard let handle else { throw RosterError(.sql, "The text holds no SQL statement.", sql: sql) }
    let cached = CachedStatement(handle: handle, key: sql)
    if let rest {
      var more: OpaquePointer?
      text.withUTF8 { bytes in (result, more, _) = Connection.prepare(database, bytes, from: rest, flags: 0) }
      defer { sqlite3_finalize(more) }
      guard result == SQLITE_OK, more == nil else {
        throw RosterError(
          .sql, "The text holds more than one SQL statement; run them one by one.", sql: sql, sqlOffset: rest)
      }
    }
    return cached
  }

  /// Prepares the first statement from an offset on, and tells where SQLite's parser stopped: nil at the end.
  private static func prepare(
    _ database: OpaquePointer, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, flags: UInt32
  ) -> (Int32, OpaquePointer?, Int?) {
    guard let base = bytes.baseAddress, start < bytes.count else { return (SQLITE_OK, nil, nil) }
    let count = bytes.count - start
    return (base + start).withMemoryRebound(to: CChar.self, capacity: count) { text in
      var handle: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let result = sqlite3_prepare_v3(database, text, Int32(clamping: count), flags, &handle, &tail)
      let used = tail.map { $0 - text } ?? count
      return (result, handle, used < count ? start + used : nil)
    }
  }

  /// Runs a statement that returns nothing of interest.
  func execute(_ sql: String, _ arguments: [SQLArgument] = []) throws(RosterError) {
    let statement = try statement(sql)
    try statement.bind(arguments)
    try statement.run()
  }

  /// The first column of the first row.
  func value(_ sql: String, _ arguments: [SQLArgument] = []) throws(RosterError) -> SQLiteValue? {
    let statement = try statement(sql)
    try statement.bind(arguments)
    return try statement.step() ? statement.cell(0).value : nil
  }

  /// All rows, as values.
  func rows(_ sql: String, _ arguments: [SQLArgument] = []) throws(RosterError) -> [[SQLiteValue]] {
    let statement = try statement(sql)
    try statement.bind(arguments)
    var rows: [[SQLiteValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.cell($0).value })
    }
    return rows
  }

  /// Runs each statement of a script in turn, as SQLite's parser finds them.
  ///
  /// `failed` puts the place into an error: the statement's number from 1, and its UTF-8 offset.
  func executeScript(
    _ script: String, failed: (RosterError, _ statement: Int, _ offset: Int) -> RosterError
  ) throws(RosterError) {
    var text = script
    var offset: Int? = 0
    var number = 0
    while let start = offset {
      var result: Int32 = SQLITE_OK
      var handle: OpaquePointer?
      text.withUTF8 { bytes in
        (result, handle, offset) = Connection.prepare(database, bytes, from: start, flags: 0)
      }
      number += 1
      // Only white space and comments were left, or a NUL, which the parser never passes.
      if result == SQLITE_OK, handle == nil {
        if let end = offset, end < text.utf8.count {
          throw failed(.nulInSQL(script, at: end - start), number, start)
        }
        continue
      }
      defer { sqlite3_finalize(handle) }
      if result == SQLITE_OK {
        repeat { result = sqlite3_step(handle) } while result == SQLITE_ROW
      }
      guard result == SQLITE_OK || result == SQLITE_DONE else {
        throw failed(error(result), number, start)
      }
    }
  }

  /// Has a statement end also where the interruption came in the moment in which it began: SQLite forgets one that comes
  /// before its first step. Asked for every 10,000 instructions.
  /// https://www.sqlite.org/c3ref/progress_handler.html
  private func watchInterruption() {
    sqlite3_progress_handler(
      database, 10_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isSet ? 1 : 0
      }, Unmanaged.passUnretained(interruption).toOpaque())
  }

  // MARK: Transactions

  /// Whether a transaction is open. SQLite ends one by itself after some errors, such as a full disk.
  var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  /// Rolls the transaction back, where one is open.
  func rollBack() throws(RosterError) {
    if isInTransaction { try control("ROLLBACK") }
  }

  /// Runs `body` between a savepoint and its release; where it throws, what it wrote is undone.
  func savepoint<T>(_ name: String, _ body: () throws -> T) throws -> T {
    try control("SAVEPOINT \(name)")
    do {
      let result = try body()
      try control("RELEASE \(name)")
      return result
    } catch {
      // What was remembered may be of what is undone now.
      memory = nil
      // Where SQLite has rolled back the whole transaction, there is no savepoint left.
      if isInTransaction {
        try control("ROLLBACK TO \(name)")
        try control("RELEASE \(name)")
      }
      throw error
    }
  }

  /// The rows changed by the last statement, without those of triggers and foreign keys.
  var changes: Int { Int(sqlite3_changes64(database)) }
  /// All rows changed since the connection was opened.
  var totalChanges: Int { Int(sqlite3_total_changes64(database)) }

  /// How long a statement waits for another connection's lock.
  func setBusyTimeout(_ timeout: Duration) {
    wait.timeout = timeout
    sqlite3_busy_handler(
      database,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<LockWait>.fromOpaque(context).takeUnretainedValue().pause(Int(count)) ? 1 : 0
      }, Unmanaged.passUnretained(wait).toOpaque())
  }

  /// Sets one of `sqlite3_db_config`'s switches. https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
  func setSwitch(_ option: Switch, _ on: Bool) throws(RosterError) {
    let result = roster_db_config_switch(database, option.code, on ? 1 : 0)
    guard result == SQLITE_OK else { throw error(result) }
  }

  enum Switch {
    case defensive, trustedSchema, noCheckpointOnClose

    fileprivate var code: Int32 {
      switch self {
      case .defensive: SQLITE_DBCONFIG_DEFENSIVE
      case .trustedSchema: SQLITE_DBCONFIG_TRUSTED_SCHEMA
      case .noCheckpointOnClose: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE
      }
    }
  }

  /// Runs a statement that only the engine itself may run: one that begins or ends a transaction, or that
  /// attaches another file.
  func control(_ sql: String, _ arguments: [SQLArgument] = []) throws(RosterError) {
    authorizer.permitsControl = true
    defer { authorizer.permitsControl = false }
    let cached: CachedStatement
    if let known = controls[sql], !known.isLent {
      cached = known
    } else {
      cached = try prepare(sql)
      controls[sql] = cached
    }
    let statement = Statement(connection: self, cached: cached)
    try statement.bind(arguments)
    try statement.run()
  }

  /// Refuses to prepare what only the engine may run, in whatever text it comes.
  ///
  /// It stays set for good: setting an authorizer makes SQLite prepare every statement anew.
  private func installAuthorizer() {
    sqlite3_set_authorizer(
      database,
      { context, action, name, detail, _, _ in
        switch action {
        case SQLITE_READ, SQLITE_SELECT, SQLITE_FUNCTION:
          guard let context else { return SQLITE_DENY }
          let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
          if action == SQLITE_SELECT { authorizer.reads?.selections += 1 }
          if action == SQLITE_READ, let name {
            authorizer.reads?.tables.insert(String(cString: name).lowercasedASCII())
          }
          // Of a function the name comes second.
          if action == SQLITE_FUNCTION, let detail {
            authorizer.reads?.functions.insert(String(cString: detail).lowercasedASCII())
          }
          return SQLITE_OK
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH:
          guard let context else { return SQLITE_DENY }
          let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
          return authorizer.permitsControl ? SQLITE_OK : SQLITE_DENY
        default: return SQLITE_OK
        }
      }, Unmanaged.passUnretained(authorizer).toOpaque())
  }

  /// Registers a scalar function for the statements of this connection. The schema cannot call it.
  func register(_ function: ScalarFunction) throws(RosterError) {
    functions.append(function)
    let result = sqlite3_create_function_v2(
      database, function.name, Int32(function.argumentCount),
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      Unmanaged.passUnretained(function).toOpaque(), ScalarFunction.call, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result) }
  }
}

/// What a connection's statements may do, as its authorizer callback sees it.
private final class Authorizer {
  var permitsControl = false
  /// What the statement reads that is being prepared; nil where nobody asks.
  var reads: StatementReads?
}

/// What a statement reads, as SQLite's authorizer is told. https://www.sqlite.org/c3ref/set_authorizer.html
struct StatementReads: Equatable {
  /// The names of the tables and views, in lower case.
  var tables: Set<String> = []
  /// How many SELECTs it is made of.
  var selections = 0
  /// The names of the functions that it calls, in lower case.
  var functions: Set<String> = []

  /// Whether it may return something else although nothing was written: by chance, by the time of day, or by what the
  /// connection has done.
  func isOfTheMoment(_ text: String, _ arguments: [SQLArgument]) -> Bool {
    let always: Set<String> = ["random", "randomblob", "changes", "total_changes", "last_insert_rowid"]
    guard functions.isDisjoint(with: always) else { return true }
    let current: Set<String> = ["current_time", "current_date", "current_timestamp"]
    guard functions.isDisjoint(with: current) else { return true }
    let times: Set<String> = ["date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"]
    guard !functions.isDisjoint(with: times) else { return false }
    // Without a time they take the present one, and 'now' is it.
    let lower = text.lowercasedASCII()
    return lower.contains("now") || times.contains { lower.contains("\($0)()") } || lower.contains("strftime(")
      || !arguments.isEmpty
  }
}

extension Connection {
  /// What a statement reads, by preparing it once more.
  func reads(of sql: String) throws(RosterError) -> StatementReads {
    authorizer.reads = StatementReads()
    defer { authorizer.reads = nil }
    _ = try prepare(sql)
    return authorizer.reads ?? StatementReads()
  }
}

extension RosterError {
  /// Whether a statement on a virtual table, which is as it ought to be, was refused for what the table has stored: by its
  /// module (`SQLITE_CORRUPT_VTAB`, `SQLITE_ERROR` where it cannot make the table out), or by a constraint of its tables.
  var isOfVirtualContent: Bool { [1, 11, 19].contains((sqliteCode ?? 0) & 0xFF) }
}

extension Connection {
  /// Drops a virtual table, also where its module cannot make sense of what it has stored, and refuses to open it for that.
  ///
  /// Then its entry in the schema is deleted, and after it the tables that it kept its content in, which are ordinary ones
  /// without it. https://www.sqlite.org/vtab.html#the_xshadowname_method
  func dropVirtualTable(_ name: String) throws(RosterError) {
    do throws(RosterError) { return try execute("DROP TABLE \(quoted(name))") } catch {
      guard error.isOfVirtualContent else { throw error }
    }
    try setSwitch(.defensive, false)
    do throws(RosterError) {
      try execute("PRAGMA writable_schema = ON")
      try execute(
        "DELETE FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE VIRTUAL TABLE %'",
        [SQLArgument(.text(name))])
      try execute("PRAGMA writable_schema = RESET")
      try setSwitch(.defensive, true)
    } catch {
      try? execute("PRAGMA writable_schema = RESET")
      try setSwitch(.defensive, true)
      throw error
    }
    for suffix in ["_data", "_idx", "_content", "_docsize", "_config"] {
      try execute("DROP TABLE IF EXISTS \(quoted(name + suffix))")
    }
  }
}

extension Connection {
  /// The collation that a column's texts are sorted by where nothing else is said. https://www.sqlite.org/c3ref/table_column_metadata.html
  func collation(of column: String, in table: String) throws(RosterError) -> String {
    var name: UnsafePointer<CChar>?
    let result = sqlite3_table_column_metadata(database, "main", table, column, nil, &name, nil, nil, nil)
    guard result == SQLITE_OK, let name else { throw error(result) }
    return String(cString: name)
  }

  /// The path of the file behind symbolic links. Its log lies beside it.
  var resolvedPath: String { sqlite3_db_filename(database, "main").map { String(cString: $0) } ?? path }

  /// Brings what the log holds into the file, where the file is not at its path any more, so that nothing is left in the log.
  ///
  /// SQLite, when it closes such a file, leaves the log as it is and where it is, and there it would be read as that of the
  /// file that lies at the path now. https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
  func emptyLogOfReplacedFile() {
    guard !isReadOnly, !isInTransaction, file?.isReplaced == true else { return }
    sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Whether SQLite opened the file read-only, as it does by itself where the file cannot be written to.
  var isDatabaseReadOnly: Bool { sqlite3_db_readonly(database, "main") == 1 }
}
