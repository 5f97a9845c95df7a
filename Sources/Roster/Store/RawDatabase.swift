public import Foundation

/// Any SQLite database, of whatever program, by its tables and rows as they are: for tools that look at one.
///
/// ```swift
/// let database = try RawDatabase(at: url)
/// try database.snapshot {
///   for table in try database.tables() { print(table.name, try database.rowCount(of: table)) }
/// }
/// ```
///
/// Opened for inspection, it changes nothing: no byte of the file, its log (`-wal`), its shared memory (`-shm`) or its journal,
/// and none of these files is made or deleted; also while others write, and where a program was killed. What the database's
/// schema says is trusted with nothing, and no extension is loaded.
///
/// While it has locks, others wait for it as for any reader, and one that closes the database leaves the log to the next one.
///
/// It is used by one thread at a time. Where this process also opens a ``Store`` on the file, the store has to be opened first.
public final class RawDatabase {
  /// What may be done with the file.
  public enum Access: Sendable {
    /// Nothing but reading, which leaves no trace.
    case inspection
    /// Reading and writing, as any program does by SQLite. The journal mode stays as it is.
    case writing
  }

  /// The path that it was opened at.
  public let path: String
  let connection: Connection
  let access: Access
  private let stamp: FileStamp?

  /// Opens a file that has to be there.
  ///
  /// - Parameter busyTimeout: how long a lock of another process is waited for.
  /// - Throws: ``RosterError/Code/noSuchFile``; ``RosterError/Code/notADatabase`` for a file of another kind and for an
  ///   empty one; ``RosterError/Code/corrupt`` for one that is cut short; ``RosterError/Code/cannotOpen`` for inspection where a journal would have to be rolled back first.
  public init(
    at url: URL, access: Access = .inspection, busyTimeout: Duration = .seconds(5)
  ) throws(RosterError) {
    path = try StoreFile.path(of: url)
    self.access = access
    let profile = ConnectionProfile(busyTimeout: busyTimeout)
    switch access {
    case .inspection:
      (connection, stamp) = try RawOpening(path: path, profile: profile).inspect()
    case .writing:
      stamp = nil
      connection = try RawDatabase.openToWrite(path, profile)
    }
  }

  private static func openToWrite(_ path: String, _ profile: ConnectionProfile) throws(RosterError) -> Connection {
    do throws(RosterError) {
      try StoreFile.requireContent(path)
      let connection = try Connection(path: path, mode: .readWrite)
      try profile.prepare(connection)
      guard !connection.isDatabaseReadOnly else {
        throw RosterError(.readOnly, "The file cannot be written to.", path: path)
      }
      try profile.configureWriter(connection)
      _ = try connection.value("SELECT count(*) FROM sqlite_schema")
      try connection.refuseCutShort()
      return connection
    } catch {
      throw error.adding(path: path)
    }
  }

  /// Whether what is read is read without locks, since the log or its shared memory is not there.
  public var isReadAsItLies: Bool { stamp != nil }

  /// The names of collations that statements needed so far and this library does not know. Texts are compared by bytes in
  /// their place. Only for inspection: to write, they are needed.
  public var unknownCollations: [String] { (connection.collationNames?.names ?? []).sorted() }

  /// Reads one state of the database, whatever others commit meanwhile.
  ///
  /// - Throws: what `body` throws; ``RosterError/Code/busy`` where the files have no locks to hold others by, as
  ///   ``isReadAsItLies`` says, and were written to meanwhile: what was read may not belong together.
  public func snapshot<T>(_ body: () throws -> T) throws -> T {
    try connection.control("BEGIN")
    defer { try? connection.rollBack() }
    let result: T
    do { result = try body() } catch let error as RosterError {
      // What looks like damage may be of two states.
      try checkStill()
      throw error
    }
    try checkStill()
    return result
  }

  func checkStill() throws(RosterError) {
    guard let stamp, stamp != FileStamp(path) else { return }
    throw RosterError(
      .busy, "Another program began to write to the database while it was read.", path: path)
  }

  /// Runs `body` in a transaction, which it rolls back by throwing.
  ///
  /// - Throws: ``RosterError/Code/readOnly`` where the database was opened for inspection.
  public func transaction<T>(_ body: () throws -> T) throws -> T {
    guard access == .writing else {
      throw RosterError(.readOnly, "The database was opened for inspection only.", path: path)
    }
    do {
      try connection.control("BEGIN IMMEDIATE")
      let result = try body()
      try connection.control("COMMIT")
      return result
    } catch {
      try? connection.rollBack()
      throw error
    }
  }

  /// Copies the database, as it is at one moment, to a new file, as ``Store/backup(to:progress:)`` does.
  ///
  /// - Throws: ``RosterError/Code/fileExists`` where something lies at `url`.
  /// - Complexity: O(*n*) in the size of the file.
  public func backup(to url: URL, progress: (_ left: Int, _ total: Int) throws -> Void = { _, _ in }) throws {
    let target = try StoreFile.path(of: url)
    try connection.backUp(to: target) { left, total in
      try progress(left, total)
      if left == 0 { try checkStill() }
    }
  }

  /// Rebuilds the file without free pages. Nobody else can write meanwhile.
  ///
  /// - Throws: ``RosterError/Code/readOnly`` where the database was opened for inspection.
  /// - Complexity: O(*n*) in the size of the file, of which up to twice as much is needed on the disk.
  public func vacuum() throws(RosterError) {
    guard access == .writing else {
      throw RosterError(.readOnly, "The database was opened for inspection only.", path: path)
    }
    try connection.control("VACUUM")
  }
}
