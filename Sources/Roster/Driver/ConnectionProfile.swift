import CSQLite

/// Everything that Roster sets on a connection, in one place.
///
/// Checkpoints and the journal mode can be somebody else's business, such as a replicator's; whatever
/// needs to differ for one of them differs here.
struct ConnectionProfile {
  /// What a commit waits for. https://www.sqlite.org/pragma.html#pragma_synchronous
  var synchronous = "FULL"
  var busyTimeout: Duration = .seconds(5)
  /// In KiB. With SQLite's 2 MB a transaction of many rows, which goes to a table, its index of ids and the log by turns,
  /// writes pages out and reads them again: 100,000 inserts took a tenth longer.
  var cacheSize = 16_000
  /// Whether what a statement needs to be undone is kept in memory. SQLite else writes it to a file from 64 KB on, and once
  /// it has, for each statement of the transaction: 100,000 inserts with triggers made three million writes.
  /// https://www.sqlite.org/tempfiles.html
  var keepsTemporariesInMemory = false
  /// The functions that statements of the layers above call.
  var functions: [ScalarFunction] = []

  /// What every connection gets before it reads anything.
  func prepare(_ connection: Connection) throws(RosterError) {
    connection.setBusyTimeout(busyTimeout)
    try connection.setSwitch(.trustedSchema, false)
    try connection.setSwitch(.defensive, true)
    for function in functions { try connection.register(function) }
  }

  /// What a connection gets that may write.
  func configureWriter(_ connection: Connection) throws(RosterError) {
    try connection.execute("PRAGMA cache_size = -\(max(cacheSize, 1))")
    if keepsTemporariesInMemory { try connection.execute("PRAGMA temp_store = MEMORY") }
    try connection.execute("PRAGMA synchronous = \(synchronous)")
    // A REPLACE then is a delete and an insert for triggers, too.
    try connection.execute("PRAGMA recursive_triggers = ON")
    try connection.setForeignKeys(true)
  }

  /// What a connection gets that only reads.
  func configureReader(_ connection: Connection) throws(RosterError) {
    try connection.execute("PRAGMA cache_size = -\(max(cacheSize, 1))")
    try connection.execute("PRAGMA query_only = ON")
  }

  /// Waits for a moment before something is tried again.
  func pause() { sqlite3_sleep(2) }

  /// Puts the database in WAL mode, where it is not in it yet.
  ///
  /// The switch needs the file for itself for a moment, and SQLite does not wait for that whatever the busy
  /// timeout is. So it is tried again, with pauses that grow.
  func enableWAL(_ connection: Connection) throws(RosterError) {
    let clock = ContinuousClock()
    let deadline = clock.now + busyTimeout
    var pause: Int32 = 1
    while true {
      do throws(RosterError) {
        guard try connection.value("PRAGMA journal_mode = WAL") == .text("wal") else {
          throw RosterError(
            .cannotOpen, "The database cannot be put in WAL mode: its file system has no shared memory.",
            path: connection.path)
        }
        return
      } catch {
        guard error.code == .busy, clock.now < deadline else { throw error }
        sqlite3_sleep(pause)
        pause = min(pause * 2, 100)
      }
    }
  }
}

extension Connection {
  /// Turns the enforcement of foreign keys on or off. Without effect inside a transaction.
  func setForeignKeys(_ on: Bool) throws(RosterError) {
    try execute("PRAGMA foreign_keys = \(on ? "ON" : "OFF")")
  }
}
