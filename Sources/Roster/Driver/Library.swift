import CSQLite

/// What the SQLite library that the process runs with is able to do.
enum Library {
  /// The oldest version that Roster runs on.
  static let oldest: Int32 = 3_040_000

  static var version: String { String(cString: sqlite3_libversion()) }

  /// How many bytes of a path the library can hold.
  static var longestPath: Int { Int(sqlite3_vfs_find(nil)?.pointee.mxPathname ?? 512) }

  /// Whether the library was compiled with an option, such as `ENABLE_FTS5`.
  static func has(_ option: String) -> Bool { sqlite3_compileoption_used(option) != 0 }

  /// Refuses a library that is older than 3.40, or that must not be used from more than one thread.
  static func check() throws(RosterError) {
    try check(version: sqlite3_libversion_number(), named: version, isThreadSafe: sqlite3_threadsafe() != 0)
  }

  static func check(version: Int32, named name: String, isThreadSafe: Bool) throws(RosterError) {
    guard version >= oldest else {
      throw RosterError(
        .unsupportedLibrary,
        "Roster needs SQLite 3.40 or newer, and the library this process runs with is \(name).")
    }
    guard isThreadSafe else {
      throw RosterError(
        .unsupportedLibrary, "The SQLite library was compiled for one thread only (SQLITE_THREADSAFE=0).")
    }
  }

  /// Refuses a library without a feature that was asked for.
  static func require(_ option: String, for purpose: String) throws(RosterError) {
    guard has(option) else {
      throw RosterError(
        .unsupportedLibrary,
        "The SQLite library \(version) was compiled without SQLITE_\(option), which \(purpose) needs.")
    }
  }
}
