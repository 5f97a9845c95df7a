import Foundation

/// Opens a store's first connection: nothing in the file is changed before it is known to fit.
struct StoreOpening {
  let path: String
  let options: StoreOptions
  let records: [any Record.Type]
  let migrator: Migrator
  /// Hears that a reader has come upon rows that are not indexed for search.
  var alarm: SearchFinder.Alarm = { _ in }

  /// What the statements of a store's connections call; for each connection its own.
  static var functions: [ScalarFunction] { ScalarFunction.forPredicates + [SearchScan.function()] }

  var profile: ConnectionProfile {
    ConnectionProfile(
      synchronous: options.durability.rawValue, busyTimeout: options.busyTimeout, cacheSize: options.cacheSize,
      keepsTemporariesInMemory: options.keepsTemporariesInMemory,
      functions: StoreOpening.functions)
  }

  /// A connection that writes, to a database with all migrations applied.
  ///
  /// Returns it with the tables whose rows were given places in their lists.
  func openWriter() throws(RosterError) -> (Connection, [OrderAdoption]) {
    do throws(RosterError) {
      try makeFile()
      let connection = try Connection(path: path, mode: .readWrite)
      try profile.prepare(connection)
      // Closing after a refusal must not write either, and the last connection to close writes a checkpoint.
      try connection.setSwitch(.noCheckpointOnClose, true)
      // An empty log has nothing to write, and closing as usual removes it.
      defer {
        if StoreFile.sideFile(path, ["-wal"]) == nil {
          try? connection.setSwitch(.noCheckpointOnClose, false)
        }
      }
      guard !connection.isDatabaseReadOnly else {
        throw RosterError(
          .readOnly, "The file cannot be written to; open it with access .readOnly.", path: path)
      }
      let found: Found
      do throws(RosterError) { found = try ready(connection) } catch {
        guard error.code == .cannotOpen || error.code == .readOnly else { throw error }
        let side = StoreFile.lockedSideFile(path)
        guard side != nil || !StoreFile.isFolderWritable(path) else { throw error }
        throw RosterError(
          .cannotOpen,
          side.map { "The file \($0), which belongs to the database, cannot be written to." }
            ?? "The file's folder cannot be written to, and the log beside the file has to be made there.",
          sqliteCode: error.sqliteCode, path: path, cause: error)
      }
      try connection.setSwitch(.noCheckpointOnClose, false)
      connection.textFinder = SearchFinder()
      // A migration may have set a pragma, such as ignore_check_constraints. The store's writer begins afresh.
      if found == .migrated { return try openWriter() }
      return (connection, try prepare(connection, isKnown: found == .known))
    } catch {
      throw error.adding(path: path)
    }
  }

  /// Makes what is derived from the tables' declarations, where it is not as it should be.
  private func prepare(_ connection: Connection, isKnown: Bool) throws(RosterError) -> [OrderAdoption] {
    let log = ChangeLog(connection: connection)
    if isKnown, (try? log.state()) != nil {
      StoreOpening.logs(on: connection)
      return []
    }
    let adoptions = try StoreOpening.prepare(connection, records, keepsChangeLog: options.keepsChangeLog)
    // A database without a log may have nothing of the engine's, and keeps it so. Without records there is nothing to check.
    if !records.isEmpty, try log.exists() {
      CheckedSchema(records: records, connection: connection).note(busyTimeout: options.busyTimeout)
    }
    return adoptions
  }

  static func prepare(
    _ connection: Connection, _ records: [any Record.Type], keepsChangeLog: Bool
  ) throws(RosterError) -> [OrderAdoption] {
    let log = ChangeLog(connection: connection)
    // Where its tables are gone and the triggers are not, nobody can write.
    let triggers = try connection.value(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '\(LoggedTable.prefix)*'")
    let isThere = try log.exists()
    let hasLog = isThere || triggers != .integer(0)
    // What triggers write to comes first: to give rows their places is a write.
    if hasLog {
      logs(on: connection)
      try log.prepare(records)
    }
    try SearchIndex.prepare(records, on: connection)
    let adoptions = try OrderIndex.prepare(records, on: connection)
    if keepsChangeLog, !hasLog {
      logs(on: connection)
      try log.prepare(records)
    }
    return adoptions
  }

  /// Has the connection reckon with the log of changes.
  private static func logs(on connection: Connection) {
    connection.quietly = ChangeLog.quietly
    // The row itself, and that of the log.
    connection.changesPerInsert = 2
  }

  private func makeFile() throws(RosterError) {
    // Asked for before the database: whoever makes a new one makes its log later.
    let log = StoreFile.sideFile(path, ["-wal"])
    let side = log ?? StoreFile.sideFile(path)
    let kind = try StoreFile.kind(path)
    if case .absent = kind, options.access != .readWrite {
      throw RosterError(.noSuchFile, "There is no file at the path.", path: path)
    }
    // An empty file with a rollback journal is one that another process puts its first page in.
    switch (kind, kind == .absent ? side : log) {
    case (.absent, let orphan?), (.file(size: 0), let orphan?):
      // SQLite deletes the log of a database that is not there, and with it commits that are nowhere else.
      throw RosterError(
        .fileExists,
        "The log of a database lies at \(orphan), without its database. Put the two together again, or move it away.",
        path: path)
    case (.absent, nil):
      try StoreFile.requireLength(path)
      try StoreFile.create(path)
    case (.file, _): break
    }
  }

  /// How the database was found.
  private enum Found {
    /// Migrations had to be applied.
    case migrated
    /// It fits, and that had been noted in it.
    case known
    /// It fits, and what is derived from the declarations may be missing.
    case fits
  }

  /// Brings the database to where a store can use it.
  private func ready(_ connection: Connection) throws(RosterError) -> Found {
    let isNew = try connection.value("SELECT count(*) FROM sqlite_schema") == .integer(0)
    try connection.refuseCutShort()
    let status = try migrator.status(on: connection)
    try migrator.check(status)
    let isPending = status.contains { $0.state == .pending }
    var found = Found.fits
    if !isPending {
      try SchemaCheck.checkDeclarations(records)
      // What cannot be read of it, such as a damaged page, is no reason not to open the rest.
      if (try? CheckedSchema(records: records, connection: connection).isKnown()) == true {
        found = .known
      } else {
        try SchemaCheck.check(records, on: connection)
      }
    }
    try profile.enableWAL(connection)
    try profile.configureWriter(connection)
    guard isPending else { return found }
    if let backup = options.backupBeforeMigrating, !isNew {
      try connection.backUp(to: StoreFile.path(of: backup))
    }
    try migrator.apply(on: connection)
    try SchemaCheck.check(records, on: connection)
    return .migrated
  }

  /// A connection for a pool of readers beside a writer.
  func openReader() throws(RosterError) -> Connection {
    let connection = try Connection(path: path, mode: .readOnly)
    try profile.prepare(connection)
    try profile.configureReader(connection)
    connection.textFinder = SearchFinder(alarm: alarm)
    return connection
  }

  /// A connection for a pool of readers, to the file that the store has open.
  ///
  /// - Throws: ``RosterError/Code/fileReplaced`` where another lies at the path now, or none.
  func openReader(of file: DatabaseFile?) throws(RosterError) -> Connection {
    let connection: Connection
    do throws(RosterError) {
      connection = options.access == .readOnly ? try openReadOnly() : try openReader()
    } catch {
      try file?.check()
      throw error
    }
    if let file, connection.file != file { throw file.replaced }
    return connection
  }

  /// A connection that reads a file nobody here writes to.
  ///
  /// A database in WAL mode needs its side files even for reading. Where they cannot be made and there are none,
  /// the file is all there is, and is read as it lies. Where there is a log that cannot be read, its commits
  /// would be missing: that is refused. https://www.sqlite.org/wal.html#read_only_databases
  func openReadOnly() throws(RosterError) -> Connection {
    do throws(RosterError) {
      try StoreFile.requireContent(path)
      let connection = try openOnMedium()
      try profile.configureReader(connection)
      connection.textFinder = SearchFinder(alarm: alarm)
      return connection
    } catch {
      throw error.adding(path: path)
    }
  }

  private func openOnMedium() throws(RosterError) -> Connection {
    do throws(RosterError) { return try openToRead(.readOnly) } catch {
      guard error.code == .cannotOpen || error.code == .readOnly, !StoreFile.isFolderWritable(path) else {
        throw error
      }
      guard let log = StoreFile.sideFile(path) else { return try openToRead(.immutable) }
      throw RosterError(
        .cannotOpen,
        "The database's latest changes are in \(log), and cannot be read here, since its folder cannot be written to. Copy both files to a folder that can be.",
        sqliteCode: error.sqliteCode, path: path, cause: error)
    }
  }

  private func openToRead(_ mode: Connection.Mode) throws(RosterError) -> Connection {
    let connection = try Connection(path: path, mode: mode)
    try profile.prepare(connection)
    _ = try connection.value("SELECT count(*) FROM sqlite_schema")
    try connection.refuseCutShort()
    return connection
  }

  /// Refuses a database whose migrations or columns do not fit, but for one from a newer version, which may be read.
  func checkReadOnly(_ connection: Connection) throws(RosterError) {
    do throws(RosterError) {
      let status = try migrator.status(on: connection)
      try migrator.check(status.filter { $0.state != .fromNewerVersion })
      try SchemaCheck.check(records, on: connection, forWriting: false)
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
      try StoreFile.requireNothing(at: path)
      try StoreFile.requireLength(path)
      // Without a snapshot the copy would begin anew with each commit of another's, and might never end.
      try control("BEGIN")
      defer { try? rollBack() }
      _ = try value("SELECT count(*) FROM sqlite_schema")
      // Under another name until it is whole: what is at the path is a backup or is not there.
      let partial = StoreFile.temporary(beside: path)
      try StoreFile.create(partial)
      do {
        let target = try Connection(path: partial, mode: .readWrite)
        try copy(to: target, progress: progress)
        try ChangeLog(connection: target).renew()
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
