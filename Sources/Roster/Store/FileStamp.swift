#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How a database's file and its log lie on the disk: who reads without locks learns by two of them whether anybody wrote
/// meanwhile.
struct FileStamp: Equatable {
  private struct Look: Equatable {
    var number: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private let main: Look?
  private let log: Look?
  private let hasMemory: Bool

  /// Whether all is there that others share when they have the database open in WAL mode.
  var isShared: Bool { log != nil && hasMemory }

  /// Of the file that a path leads to, and of what lies beside it.
  init(_ path: String) {
    let path = StoreFile.resolved(path)
    main = FileStamp.look(path)
    log = FileStamp.look(path + "-wal")
    hasMemory = FileStamp.look(path + "-shm") != nil
  }

  private static func look(_ path: String) -> Look? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Look(
      number: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int(time.tv_sec),
      nanoseconds: Int(time.tv_nsec))
  }

  /// Whether a write right before the look and one right after it may have the same time: systems count it in ticks, the
  /// slowest of 10 milliseconds.
  var isFresh: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return [main, log].contains { look in
      guard let look else { return false }
      let age = (now.tv_sec - look.seconds) * 1_000 + (now.tv_nsec - look.nanoseconds) / 1_000_000
      return (-20...20).contains(age)
    }
  }

  /// A look at which no write may be missed later: one of a file that was not written to in this very moment.
  static func settled(_ path: String) -> FileStamp {
    var stamp = FileStamp(path)
    var tries = 0
    while stamp.isFresh, tries < 100 {
      usleep(10_000)
      stamp = FileStamp(path)
      tries += 1
    }
    return stamp
  }
}
