import Foundation

/// Opens a store's first connection: nothing in the file is changed before it is known to fit.
struct StoreOpening {
  let path: String
  let options: StoreOptions
  let records: [any Record.Type]
  let migrator: Migrator

  var profile: ConnectionProfile {
    ConnectionProfile(
      synchronous: options.durability.rawValue, busyTimeout: options.busyTimeout,
      functions: ScalarFunction.forPredicates)
  }

  /// A connection that writes, to a database with all migrations applied.
  func openWriter() throws(RosterError) -> Connection {
    do throws(RosterError) {
      try makeFile()
      let connection = try Connection(path: path, mode: .readWrite)
      try profile.prepare(connection)
      // Closing after a refusal must not write either, and the last connection to close writes a checkpoint.
      try connection.setSwitch(.noCheckpointOnClose, true)
      guard !connection.isDatabaseReadOnly else {
        throw RosterError(.readOnly, "The file cannot be written to; open it with access .readOnly.", path: path)
      }
      try ready(connection)
      try connection.setSwitch(.noCheckpointOnClose, false)
      return connection
    } catch {
      throw error.adding(path: path)
    }
  }

  private func makeFile() throws(RosterError) {
    if case .absent = try StoreFile.kind(path) {
      guard options.access == .readWrite else {
        throw RosterError(.noSuchFile, "There is no file at the path.", path: path)
      }
      try StoreFile.create(path)
    }
  }

  private func ready(_ connection: Connection) throws(RosterError) {
    let isNew = try connection.value("SELECT count(*) FROM sqlite_schema") == .integer(0)
    let status = try migrator.status(on: connection)
    try migrator.check(status)
    let isPending = status.contains { $0.state == .pending }
    if !isPending { try SchemaCheck.check(records, on: connection) }
    do throws(RosterError) { try profile.enableWAL(connection) } catch {
      guard error.code == .cannotOpen, !StoreFile.isFolderWritable(path) else { throw error }
      throw RosterError(
        .cannotOpen, "The file's folder cannot be written to, and the log beside the file has to be made there.",
        sqliteCode: error.sqliteCode, path: path, cause: error)
    }
    try profile.configureWriter(connection)
    guard isPending else { return }
    if let backup = options.backupBeforeMigrating, !isNew { try connection.backUp(to: StoreFile.path(of: backup)) }
    try migrator.apply(on: connection)
    try SchemaCheck.check(records, on: connection)
  }

  /// A connection for a pool of readers beside a writer.
  func openReader() throws(RosterError) -> Connection {
    let connection = try Connection(path: path, mode: .readOnly)
    try profile.prepare(connection)
    try profile.configureReader(connection)
    return connection
  }

  /// A connection that reads a file nobody here writes to.
  ///
  /// A database in WAL mode needs its side files even for reading. Where they cannot be made and there are none,
  /// the file is all there is, and is read as it lies. Where there is a log that cannot be read, its commits
  /// would be missing: that is refused. https://www.sqlite.org/wal.html#read_only_databases
  func openReadOnly() throws(RosterError) -> Connection {
    do throws(RosterError) {
      guard case .file(let size) = try StoreFile.kind(path) else {
        throw RosterError(.noSuchFile, "There is no file at the path.", path: path)
      }
      guard size > 0 else { throw RosterError(.notADatabase, "The file is empty; it holds no database.", path: path) }
      let isMedium = !StoreFile.isFolderWritable(path)
      let mode: Connection.Mode = isMedium && StoreFile.logSize(path) == 0 ? .immutable : .readOnly
      let connection = try Connection(path: path, mode: mode)
      try profile.prepare(connection)
      do throws(RosterError) { _ = try connection.value("SELECT count(*) FROM sqlite_schema") } catch {
        guard isMedium, error.code == .cannotOpen || error.code == .readOnly else { throw error }
        throw RosterError(
          .cannotOpen,
          "The log beside the file holds commits that cannot be read here, since its folder cannot be written to. Copy the database with its -wal file to a folder that can be.",
          sqliteCode: error.sqliteCode, path: path, cause: error)
      }
      try profile.configureReader(connection)
      return connection
    } catch {
      throw error.adding(path: path)
    }
  }

  /// Refuses a database whose migrations or columns do not fit, but for one from a newer version, which may be read.
  func checkReadOnly(_ connection: Connection) throws(RosterError) {
    do throws(RosterError) {
      let status = try migrator.status(on: connection)
      try migrator.check(status.filter { $0.state != .fromNewerVersion })
      try SchemaCheck.check(records, on: connection)
    } catch {
      throw error.adding(path: path)
    }
  }
}

extension Connection {
  /// Copies the database, as it is at this moment, to a new file.
  func backUp(
    to path: String, progress: (_ left: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws(RosterError) {
    do {
      guard case .absent = try StoreFile.kind(path) else {
        throw RosterError(.fileExists, "A file lies where the copy was to be made.", path: path)
      }
      // Under another name until it is whole: what is at the path is a backup or is not there.
      let partial = "\(path).partial-\(UUID().uuidString)"
      try StoreFile.create(partial)
      do {
        let target = try Connection(path: partial, mode: .readWrite)
        try copy(to: target, progress: progress)
      } catch {
        StoreFile.remove(partial)
        throw error
      }
      try StoreFile.put(partial, at: path)
    } catch let error as RosterError {
      throw error.adding(path: path)
    } catch {
      throw RosterError(.interrupted, "The copy was stopped.", path: path, cause: error)
    }
  }
}
