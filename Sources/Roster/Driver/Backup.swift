import CSQLite

extension Connection {
  /// Copies every page of this database over those of `target`, a few hundred pages at a time.
  ///
  /// Inside a read transaction the copy is of one snapshot. `progress` hears the pages left and in all,
  /// and stops the copy by throwing. https://www.sqlite.org/backup.html
  func copy(
    to target: Connection, pagesPerStep: Int32 = 256, progress: (_ left: Int, _ total: Int) throws -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(target.database, "main", database, "main") else {
      throw target.error(sqlite3_extended_errcode(target.database))
    }
    var result: Int32 = SQLITE_OK
    do {
      while true {
        result = sqlite3_backup_step(backup, pagesPerStep)
        guard result == SQLITE_OK || result == SQLITE_DONE else { break }
        try progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
        if result == SQLITE_DONE { break }
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else { throw RosterError.sqlite(result, target.database) }
  }
}
