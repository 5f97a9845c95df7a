import CSQLite
import Synchronization

/// Ways to open files by which SQLite can change nothing: no file is made, written to or deleted, whatever it would do with
/// the database. Even a connection that only reads makes the `-wal` and `-shm` files that are missing, and leaves them.
/// https://www.sqlite.org/wal.html#read_only_databases
///
/// They are SQLite's own file system with other flags. Temporary files, which have no name, are as ever.
enum InspectionVFS: String {
  /// With the locks and the shared memory that others use: what is read is what they have committed.
  case live = "roster-inspect-live"
  /// Without locks and shared memory. SQLite then keeps the index of the log in its own memory, and takes the log as it is
  /// found. Whoever reads has to see to it that nobody changed the files meanwhile.
  case still = "roster-inspect-still"

  /// Makes them known to SQLite, where they are not yet.
  ///
  /// What SQLite holds on to is made once for the process, and never freed.
  static func register() throws(RosterError) {
    guard registration == SQLITE_OK else {
      throw RosterError(.unsupportedLibrary, "SQLite took no file system of Roster's.", sqliteCode: registration)
    }
  }

  private static let registration: Int32 = {
    guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    for kind in [InspectionVFS.live, .still] {
      let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
      vfs.initialize(to: standard.pointee)
      vfs.pointee.pNext = nil
      // The name is kept for good.
      vfs.pointee.zName = kind.rawValue.withCString { name in
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: kind.rawValue.utf8.count + 1)
        copy.initialize(from: name, count: kind.rawValue.utf8.count + 1)
        return UnsafePointer(copy)
      }
      vfs.pointee.xOpen = kind == .live ? openLive : openStill
      vfs.pointee.xDelete = { _, _, _ in Int32(ROSTER_IOERR_DELETE) }
      let result = sqlite3_vfs_register(vfs, 0)
      guard result == SQLITE_OK else { return result }
    }
    return SQLITE_OK
  }()

  private typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, Int32,
      UnsafeMutablePointer<Int32>?
    ) -> Int32

  private static let openLive: Open = { _, name, file, flags, given in
    InspectionVFS.open(name, file, flags, given)
  }

  private static let openStill: Open = { _, name, file, flags, given in
    guard name != nil, flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0 else {
      return InspectionVFS.open(name, file, flags, given)
    }
    let result = InspectionVFS.open(name, file, flags, given)
    if flags & SQLITE_OPEN_WAL != 0, result & 0xff == SQLITE_CANTOPEN {
      // A database without a log is one with an empty log.
      return InspectionVFS.open("/dev/null", file, flags, given)
    }
    if flags & SQLITE_OPEN_MAIN_DB != 0, result == SQLITE_OK { InspectionVFS.unlock(file) }
    return result
  }

  /// Opens a file as it is there, for reading.
  private static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ given: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else { return SQLITE_CANTOPEN }
    let writes = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let isLasting = name != nil && flags & SQLITE_OPEN_DELETEONCLOSE == 0
    return open(standard, name, file, isLasting ? (flags & ~writes) | SQLITE_OPEN_READONLY : flags, given)
  }

  /// Takes the locks and the shared memory from what an open file can do.
  private static func unlock(_ file: UnsafeMutablePointer<sqlite3_file>?) {
    guard let file, let methods = file.pointee.pMethods else { return }
    file.pointee.pMethods = lockless.withLock { known in
      let key = Int(bitPattern: methods)
      if let copy = known[key] { return UnsafePointer(bitPattern: copy) }
      let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      copy.initialize(to: methods.pointee)
      // The first version has no shared memory.
      copy.pointee.iVersion = 1
      copy.pointee.xLock = { _, _ in SQLITE_OK }
      copy.pointee.xUnlock = { _, _ in SQLITE_OK }
      copy.pointee.xCheckReservedLock = { _, held in
        held?.pointee = 0
        return SQLITE_OK
      }
      known[key] = Int(bitPattern: copy)
      return UnsafePointer(copy)
    }
  }

  // By the address of SQLite's own, of which there are a few.
  private static let lockless = Mutex<[Int: Int]>([:])
}

extension RosterError {
  /// A journal would have to be rolled back first.
  var isHotJournal: Bool { sqliteCode == Int32(ROSTER_READONLY_ROLLBACK) }

  /// The shared memory of a log is not in a state to be read in.
  var isUnreadableMemory: Bool {
    sqliteCode == Int32(ROSTER_READONLY_CANTINIT) || sqliteCode == Int32(ROSTER_READONLY_RECOVERY)
  }
}
