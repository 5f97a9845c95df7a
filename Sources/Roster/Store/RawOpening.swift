/// Opens any database for a look that changes nothing: not the file, nor whether there are a log and its shared memory
/// beside it, nor what is in them.
///
/// | What lies there | How it is read |
/// | --- | --- |
/// | a database with a rollback journal of its own kind, not in WAL mode | with SQLite's locks |
/// | one in WAL mode with `-wal` and `-shm` | with SQLite's locks, the shared memory read-only; without a process that has it open, by an index of the log in memory |
/// | one in WAL mode without one of the two | without locks, as it lies, the log with it; and looked at again at the end |
/// | one with the journal of a transaction that was cut off | refused: to read it, it would have to be rolled back |
///
/// The third way is SQLite's own for a log without shared memory, that of `locking_mode = EXCLUSIVE`, with locks that are
/// none: nobody who has the database open in WAL mode can be without both files, but for one that has it to itself.
/// https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory
struct RawOpening {
  let path: String
  let profile: ConnectionProfile

  /// Returns the connection, and where it takes no locks, how the files lay before.
  func inspect() throws(RosterError) -> (Connection, FileStamp?) {
    do throws(RosterError) {
      try StoreFile.requireContent(path)
      var failure: RosterError?
      // Side files come and go as others open and close the database.
      for _ in 0..<50 {
        do throws(RosterError) {
          let live = try open(.live)
          guard try isInWALMode(live) else { return (try reading(live), nil) }
          if StoreFile.isThere(path, "-wal"), StoreFile.isThere(path, "-shm") { return (try reading(live), nil) }
          return try inspectStill(isLastResort: false)
        } catch {
          guard error.code == .cannotOpen || error.isUnreadableMemory else { throw error }
          failure = error
          profile.pause()
        }
      }
      // The shared memory is there and cannot be read.
      do throws(RosterError) { return try inspectStill(isLastResort: true) } catch { throw failure ?? error }
    } catch {
      throw (error.isHotJournal ? refusal(error) : error).adding(path: path)
    }
  }

  private func inspectStill(isLastResort: Bool) throws(RosterError) -> (Connection, FileStamp?) {
    let stamp = FileStamp.settled(path)
    // Somebody has opened it by now. The log may have a commit that the shared memory does not tell yet: who saw it
    // would see less at the next look.
    if !isLastResort, stamp.isShared {
      throw RosterError(.cannotOpen, "Another program began to write to the database.", path: path)
    }
    let connection = try open(.still)
    // Before the first look at the log: so its index is kept in this process's memory.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    do throws(RosterError) { return (try reading(connection), stamp) } catch {
      guard stamp != FileStamp(path) else { throw error }
      throw RosterError(.cannotOpen, "Another program began to write to the database.", path: path, cause: error)
    }
  }

  private func open(_ kind: InspectionVFS) throws(RosterError) -> Connection {
    let connection = try Connection(path: path, mode: .inspection(kind))
    try profile.prepare(connection)
    try connection.setSwitch(.noCheckpointOnClose, true)
    connection.standInForCollations(CollationNames())
    return connection
  }

  /// The bytes 18 and 19 of the header. https://www.sqlite.org/fileformat2.html#file_format_version_numbers
  private func isInWALMode(_ connection: Connection) throws(RosterError) -> Bool {
    let header = try connection.fileBytes(at: 0, count: 100)
    guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      // A file of another kind, or an encrypted one.
      throw RosterError(.notADatabase, "The file is not a SQLite database.", path: path)
    }
    return header[18] == 2 || header[19] == 2
  }

  private func reading(_ connection: Connection) throws(RosterError) -> Connection {
    try profile.configureReader(connection)
    _ = try connection.value("SELECT count(*) FROM sqlite_schema")
    try connection.refuseCutShort()
    return connection
  }

  private func refusal(_ error: RosterError) -> RosterError {
    RosterError(
      .cannotOpen,
      "A transaction was cut off, and the file is only whole together with its -journal. Any program that opens the database to write brings it in order; to keep it as it is, do so with a copy of both files.",
      sqliteCode: error.sqliteCode, path: path, cause: error)
  }
}

extension Connection {
  /// Refuses a file that ends before its pages do, where the log has not got them either: SQLite would read zeros.
  ///
  /// A snapshot is held meanwhile, so that nobody can take pages from the log before they are in the file.
  ///
  /// - Complexity: O(1), and O(*n*) in the frames of the log where the file is shorter than its pages.
  func refuseCutShort() throws(RosterError) {
    try control("BEGIN")
    defer { try? rollBack() }
    _ = try value("SELECT count(*) FROM sqlite_schema")
    guard case .integer(let pages)? = try value("PRAGMA page_count"),
      case .integer(let pageSize)? = try value("PRAGMA page_size"), pageSize > 0
    else { return }
    let size = try fileSize()
    let whole = size / pageSize
    guard whole < pages else { return }
    let logged = LogFile(resolvedPath + "-wal", pageSize: Int(clamping: pageSize))?.pages ?? []
    guard !(whole + 1...pages).allSatisfy({ logged.contains(Int(clamping: $0)) }) else { return }
    throw RosterError(
      .corrupt, "The database file is cut short: it has \(size) bytes, and its pages \(pages * pageSize).", path: path)
  }
}
