// From SQLite's result codes to ``RosterError``. https://www.sqlite.org/rescode.html
import CSQLite

extension RosterError {
  /// The error of a call on `database` that returned `result`.
  static func sqlite(
    _ result: Int32, _ database: OpaquePointer?, sql: String? = nil, path: String? = nil
  ) -> RosterError {
    // A connection reports its last call; where that is another than the failed one, the text is the code's.
    let isLast = database != nil && sqlite3_extended_errcode(database) == result
    let text = isLast ? sqlite3_errmsg(database) : sqlite3_errstr(result)
    let said = text.map { String(cString: $0) } ?? "unknown error"
    let offset = isLast ? Int(sqlite3_error_offset(database)) : -1
    let code = Code(sqlite: result)
    let (table, columns) = constraint(said, code, database)
    return RosterError(
      code, sentence(code, said), sqliteCode: result, sql: sql, sqlOffset: offset >= 0 ? offset : nil,
      path: path, table: table, columns: columns)
  }

  /// The same error without what its message quotes of the arguments: functions and full-text queries that
  /// cannot read one say `JSON path error near '…'` or `no such column: …`.
  ///
  /// What the statement itself says may be said again.
  func withoutArguments() -> RosterError {
    guard code == .sql, let sql else { return self }
    var kept = ""
    var rest = message[...]
    while let start = rest.firstIndex(where: { $0 == "'" || $0 == "\"" || $0 == ":" }) {
      let mark = rest[start]
      let inner = rest[rest.index(after: start)...]
      // An argument can hold quotes itself: the last one ends what is quoted.
      let end = (mark == ":" ? nil : inner.lastIndex(of: mark)) ?? inner.endIndex
      let said = inner[..<end].trimmingPrefix(" ")
      kept += rest[...start]
      if said.isEmpty || sql.contains(said) || RosterError.isOfFTS(kept) {
        rest = inner
      } else {
        kept += mark == ":" ? " …" : "…"
        rest = inner[end...]
        if let last = rest.popFirst() { kept.append(last) }
      }
    }
    return RosterError(
      code, kept + rest, sqliteCode: sqliteCode, sql: sql, sqlOffset: sqlOffset, path: path, table: table,
      columns: columns, cause: cause)
  }

  /// Whether a message so far is but the name of the module that reports.
  private static func isOfFTS(_ text: String) -> Bool { text == "fts5:" || text == "fts3:" }

  static func nulInSQL(_ sql: String, at offset: Int) -> RosterError {
    RosterError(.sql, "The SQL text holds a NUL character.", sql: sql, sqlOffset: offset)
  }

  private static func sentence(_ code: Code, _ said: String) -> String {
    switch code {
    case .busy: "The database is locked by another connection or process (\(said))."
    case .diskFull: "The disk or the database is full (\(said)); nothing was changed."
    case .readOnly: "The database cannot be written to (\(said))."
    case .notADatabase: "The file is not a SQLite database (\(said))."
    case .corrupt: "The database file is damaged or cut short (\(said))."
    case .cannotOpen: "The file cannot be opened as a database (\(said))."
    case .interrupted: "The statement was interrupted."
    default: said
    }
  }

  /// SQLite names the columns of a failed constraint in its message: `UNIQUE constraint failed: t.a, t.b`.
  private static func constraint(
    _ message: String, _ code: Code, _ database: OpaquePointer?
  ) -> (table: String?, columns: [String]) {
    guard code == .uniqueViolation || code == .notNullViolation,
      let colon = message.firstRange(of: "constraint failed: ")
    else { return (nil, []) }
    let names = message[colon.upperBound...]
    // Names can hold dots and commas themselves: of the ways to read the list, the one whose columns exist.
    for dot in names.indices where names[dot] == "." {
      let table = String(names[..<dot])
      let columns = names[names.index(after: dot)...].split(separator: ", \(table).").map(String.init)
      let exist = columns.allSatisfy {
        sqlite3_table_column_metadata(database, "main", table, $0, nil, nil, nil, nil, nil) == SQLITE_OK
      }
      if exist, !columns.isEmpty { return (table, columns) }
    }
    return (nil, [])
  }
}

extension RosterError.Code {
  /// The kind of an extended result code.
  init(sqlite result: Int32) {
    switch result {
    case Int32(ROSTER_CONSTRAINT_UNIQUE), Int32(ROSTER_CONSTRAINT_PRIMARYKEY), Int32(ROSTER_CONSTRAINT_ROWID):
      self = .uniqueViolation
    case Int32(ROSTER_CONSTRAINT_FOREIGNKEY): self = .foreignKeyViolation
    case Int32(ROSTER_CONSTRAINT_NOTNULL): self = .notNullViolation
    case Int32(ROSTER_CONSTRAINT_CHECK): self = .checkViolation
    default: self = RosterError.Code(primary: result & 0xff)
    }
  }

  private init(primary: Int32) {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_INTERRUPT: self = .interrupted
    case SQLITE_FULL: self = .diskFull
    case SQLITE_IOERR: self = .inputOutput
    case SQLITE_CORRUPT: self = .corrupt
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_CANTOPEN: self = .cannotOpen
    case SQLITE_NOMEM: self = .outOfMemory
    case SQLITE_CONSTRAINT: self = .constraintViolation
    case SQLITE_TOOBIG, SQLITE_RANGE: self = .tooBig
    case SQLITE_AUTH, SQLITE_PERM: self = .notAuthorized
    case SQLITE_MISMATCH: self = .typeMismatch
    case SQLITE_MISUSE: self = .misuse
    default: self = .sql
    }
  }
}
