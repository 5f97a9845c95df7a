public import Foundation

/// How a store opens its file.
public struct StoreOptions: Sendable {
  /// What a write waits for before it returns.
  public enum Durability: String, Sendable {
    /// The commit is on the disk: a write that returned survives a loss of power.
    case full = "FULL"
    /// The commit is with the operating system: a write that returned survives the end of the process, even by
    /// kill -9; a loss of power can take the last commits back, whole. The database stays sound.
    case normal = "NORMAL"
  }

  /// Whether the file may be changed.
  public enum Access: Sendable {
    /// Reads and writes, and makes the file where there is none.
    case readWrite
    /// Reads and writes a file that has to be there.
    case existing
    /// Reads only, also a database from a newer version of the app.
    case readOnly
  }

  /// What a write waits for. ``Durability/full`` unless told otherwise.
  public var durability = Durability.full
  /// Whether the file may be changed.
  public var access = Access.readWrite
  /// How long an operation waits for another process's lock before it fails with ``RosterError/Code/busy``.
  public var busyTimeout = Duration.seconds(5)
  /// How many connections read at the same time, at least 1. Further readers wait for their turn.
  public var readerCount = 4
  /// How much memory each connection may use for pages of the file, in KiB. 16,000 unless told otherwise.
  ///
  /// What one transaction has changed beyond that is written out before its end, and read again: give more for a
  /// transaction that writes hundreds of thousands of rows.
  public var cacheSize = 16_000
  /// Whether the connection that writes keeps temporary data in memory: large sorts, and the pages that a statement changes,
  /// until it ends. Without it SQLite puts more than a little in files of the system's temporary folder.
  ///
  /// It makes a transaction of very many small statements quicker. Leave it off where one statement changes much of a large
  /// file.
  public var keepsTemporariesInMemory = false
  /// Where an existing database is copied to before its first pending migration is applied.
  ///
  /// Choose a name with the time in it: where something lies there already, such as the copy of an attempt that
  /// failed, opening fails with ``RosterError/Code/fileExists``.
  public var backupBeforeMigrating: URL?

  /// Whether the database logs changes, for the change feed and live lists: triggers add a row to the log for each row that
  /// is written, by whoever it is. A database that has a log keeps it.
  public var keepsChangeLog = true
  /// How many rows of the change log are kept for consumers of the feed that have not read them yet. One that is further
  /// behind is told to read anew. What a consumer with a name has yet to read is kept whatever the number and the age.
  public var changeLogLimit = 100_000
  /// How long a row of the change log is kept; a consumer that is further behind is told to read anew. Nil for no limit.
  ///
  /// It goes up to a sixteenth of that later, when the store is written to. 30 days unless told otherwise.
  public var changeLogAge: Duration? = .seconds(30 * 24 * 60 * 60)

  /// The options of a store that says nothing.
  public init() {}
}
