public import Foundation

/// The one error type of Roster: what failed, where, and what SQLite said of it.
///
/// The description never holds a bound argument or a record, since those can be private.
/// Tell errors apart by ``code``:
///
/// ```swift
/// do { try store.write { try $0.insert(todo) } }
/// catch RosterError.Code.uniqueViolation { … }
/// ```
public struct RosterError: Error, Sendable {
  // One reference, so that a typed throw on the per-row path moves a single word.
  private final class Storage: Sendable {
    let code: Code
    let message: String
    let sqliteCode: Int32?
    let sql: String?
    let sqlOffset: Int?
    let path: String?
    let table: String?
    let columns: [String]
    let cause: (any Error)?

    init(
      code: Code, message: String, sqliteCode: Int32?, sql: String?, sqlOffset: Int?, path: String?,
      table: String?, columns: [String], cause: (any Error)?
    ) {
      self.code = code
      self.message = message
      self.sqliteCode = sqliteCode
      self.sql = sql
      self.sqlOffset = sqlOffset
      self.path = path
      self.table = table
      self.columns = columns
      self.cause = cause
    }
  }

  private let storage: Storage

  init(
    _ code: Code, _ message: String, sqliteCode: Int32? = nil, sql: String? = nil, sqlOffset: Int? = nil,
    path: String? = nil, table: String? = nil, columns: [String] = [], cause: (any Error)? = nil
  ) {
    storage = Storage(
      code: code, message: message, sqliteCode: sqliteCode, sql: sql, sqlOffset: sqlOffset, path: path,
      table: table, columns: columns, cause: cause)
  }

  /// What kind of failure it is.
  public var code: Code { storage.code }
  /// One or more sentences for a developer: what was wrong and where.
  public var message: String { storage.message }
  /// SQLite's extended result code, where SQLite reported the failure.
  public var sqliteCode: Int32? { storage.sqliteCode }
  /// The statement that failed, with its parameters unbound.
  public var sql: String? { storage.sql }
  /// The UTF-8 offset in ``sql`` at which SQLite found the fault.
  public var sqlOffset: Int? { storage.sqlOffset }
  /// The file, where opening, copying or checking one failed.
  public var path: String? { storage.path }
  /// The table whose constraint, declaration or row is at fault.
  public var table: String? { storage.table }
  /// The columns whose constraint, declaration or value is at fault.
  public var columns: [String] { storage.columns }
  /// The error that led to this one.
  public var cause: (any Error)? { storage.cause }

  /// The same error with what a caller further out knows, where it is not yet known.
  func adding(path: String? = nil, table: String? = nil, columns: [String]? = nil) -> RosterError {
    RosterError(
      code, message, sqliteCode: sqliteCode, sql: sql, sqlOffset: sqlOffset, path: self.path ?? path,
      table: self.table ?? table, columns: self.columns.isEmpty ? columns ?? [] : self.columns, cause: cause)
  }
}

extension RosterError: LocalizedError {
  /// The same as ``description``, so that `localizedDescription` says it too.
  public var errorDescription: String? { description }
}

extension RosterError: CustomStringConvertible {
  /// The message, then the place: file, table, statement.
  public var description: String {
    var text = message
    if let path { text += " [file: \(path)]" }
    if let table, !message.contains(table) { text += " [table: \(table)]" }
    if let sql { text += " [statement: \(sql)]" }
    if let sqlOffset { text += " [at byte \(sqlOffset)]" }
    return text
  }
}

extension RosterError {
  /// The kind of a ``RosterError``. More kinds may be added.
  public struct Code: Hashable, Sendable {
    private enum Kind: String {
      case busy, readOnly, interrupted, diskFull, inputOutput, corrupt, notADatabase, cannotOpen, outOfMemory
      case uniqueViolation, foreignKeyViolation, notNullViolation, checkViolation, constraintViolation
      case tooBig, sql, notAuthorized, typeMismatch, valueNotRepresentable, noSuchRecord
      case schemaMismatch, invalidTable, cannotTranslate
      case migrationInvalid, migrationFailed, migrationEdited, migrationMissing, migrationOutOfOrder
      case fromNewerVersion, unsupportedLibrary, misuse, fileExists, noSuchFile, fileReplaced, closed
      case outOfRange, listChanged
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// Another connection or process held a lock for longer than the busy timeout.
    public static let busy = Code(.busy)
    /// A write to a store, connection or file that is read-only.
    public static let readOnly = Code(.readOnly)
    /// The statement was interrupted.
    public static let interrupted = Code(.interrupted)
    /// The disk, or the page limit of the database, is full.
    public static let diskFull = Code(.diskFull)
    /// The operating system failed to read or write.
    public static let inputOutput = Code(.inputOutput)
    /// The file is a database, and damaged.
    public static let corrupt = Code(.corrupt)
    /// The file is no SQLite database.
    public static let notADatabase = Code(.notADatabase)
    /// The file cannot be opened, or what lies at the path is no file.
    public static let cannotOpen = Code(.cannotOpen)
    /// SQLite could not allocate memory.
    public static let outOfMemory = Code(.outOfMemory)
    /// A UNIQUE or PRIMARY KEY constraint failed.
    public static let uniqueViolation = Code(.uniqueViolation)
    /// A FOREIGN KEY constraint failed.
    public static let foreignKeyViolation = Code(.foreignKeyViolation)
    /// A NOT NULL constraint failed.
    public static let notNullViolation = Code(.notNullViolation)
    /// A CHECK constraint failed.
    public static let checkViolation = Code(.checkViolation)
    /// Another constraint failed, such as a trigger's RAISE.
    public static let constraintViolation = Code(.constraintViolation)
    /// A value or statement is over one of SQLite's limits.
    public static let tooBig = Code(.tooBig)
    /// The statement has a fault: its syntax, a name, or the number of its parameters.
    public static let sql = Code(.sql)
    /// The statement does what this connection does not allow.
    public static let notAuthorized = Code(.notAuthorized)
    /// A stored value is not of the type that the record's property has.
    public static let typeMismatch = Code(.typeMismatch)
    /// A value, such as NaN, has no representation in the database.
    public static let valueNotRepresentable = Code(.valueNotRepresentable)
    /// No record has the id.
    public static let noSuchRecord = Code(.noSuchRecord)
    /// The database's columns are not as the record's table declares them.
    public static let schemaMismatch = Code(.schemaMismatch)
    /// The declaration of a table contradicts itself.
    public static let invalidTable = Code(.invalidTable)
    /// A predicate or sort descriptor has no translation to SQL.
    public static let cannotTranslate = Code(.cannotTranslate)
    /// A migration's name, number or text is not allowed.
    public static let migrationInvalid = Code(.migrationInvalid)
    /// A statement of a migration failed; the migration was rolled back.
    public static let migrationFailed = Code(.migrationFailed)
    /// An applied migration's text has changed since.
    public static let migrationEdited = Code(.migrationEdited)
    /// An applied migration is no longer among the migrations given.
    public static let migrationMissing = Code(.migrationMissing)
    /// A migration that was never applied has a lower number than one that was.
    public static let migrationOutOfOrder = Code(.migrationOutOfOrder)
    /// The database holds a migration newer than all that were given.
    public static let fromNewerVersion = Code(.fromNewerVersion)
    /// The SQLite library is too old, or lacks a feature that was asked for.
    public static let unsupportedLibrary = Code(.unsupportedLibrary)
    /// A call that is not allowed where it was made.
    public static let misuse = Code(.misuse)
    /// A file lies where a new one was to be made.
    public static let fileExists = Code(.fileExists)
    /// No file lies at the path.
    public static let noSuchFile = Code(.noSuchFile)
    /// Another file was put in the place of the database while it was open, or it was moved away or deleted.
    ///
    /// Nothing more is read from it or written to it: close the store, and open it anew. Whoever replaces a database has to
    /// see to the files `-wal` and `-shm` beside it, too: SQLite takes the log that it finds for that of the file.
    public static let fileReplaced = Code(.fileReplaced)
    /// The store is closed.
    public static let closed = Code(.closed)
    /// An offset or an index that the list has no row for.
    public static let outOfRange = Code(.outOfRange)
    /// The list is not as it was when it was read.
    public static let listChanged = Code(.listChanged)
  }
}

extension RosterError.Code: CustomStringConvertible {
  /// The name of the code.
  public var description: String { kind.rawValue }

  /// Matches a ``RosterError`` of this code in a `catch` or `case`.
  public static func ~= (code: RosterError.Code, error: any Error) -> Bool {
    (error as? RosterError)?.code == code
  }
}
