import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which file a connection has open. Another may come to lie at its path meanwhile, and what is read and written then is
/// in a file that nobody else finds.
///
/// To ask costs one stat(2): a million of them took 1.0 to 1.5 s on Linux 6.18 with ext4.
struct DatabaseFile: Sendable, Equatable {
  let path: String
  private let device: UInt64
  private let number: UInt64

  private enum Look: Equatable {
    case file(device: UInt64, number: UInt64)
    case nothing
    case failed(Int32)
  }

  /// Notes the file that a new connection has open.
  ///
  /// SQLite says whether that is what lies at the path. https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html
  /// - Throws: ``RosterError/Code/fileReplaced`` where it is not any more.
  init(_ database: OpaquePointer, path: String) throws(RosterError) {
    guard case .file(let device, let number) = DatabaseFile.look(path) else { throw DatabaseFile.gone(path) }
    self.path = path
    self.device = device
    self.number = number
    var hasMoved: Int32 = 0
    sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else { throw replaced }
  }

  /// What the path leads to at this moment, through symbolic links.
  private static func look(_ path: String) -> Look {
    var status = stat()
    while stat(path, &status) != 0 {
      switch errno {
      case EINTR: continue
      case ENOENT, ENOTDIR: return .nothing
      default: return .failed(errno)
      }
    }
    // The device is signed on Apple's systems.
    return .file(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }

  /// Whether the path leads to another file now, or to none.
  var isReplaced: Bool { DatabaseFile.look(path) != .file(device: device, number: number) }

  /// - Throws: ``RosterError/Code/fileReplaced`` where the path leads to another file now, or to none;
  ///   ``RosterError/Code/cannotOpen`` where that cannot be found out.
  func check() throws(RosterError) {
    switch DatabaseFile.look(path) {
    case .file(device, number): return
    case .file: throw replaced
    case .nothing: throw DatabaseFile.gone(path)
    case .failed(let code):
      throw RosterError(
        .cannotOpen, "The file cannot be looked at: \(String(cString: strerror(code))).", path: path)
    }
  }

  var replaced: RosterError {
    RosterError(
      .fileReplaced,
      "Another file was put in the place of the database while it was open. Close the store, and open it anew.",
      path: path)
  }

  private static func gone(_ path: String) -> RosterError {
    RosterError(
      .fileReplaced,
      "There is no file at the path any more: the database was moved away or deleted while it was open. Close the store.",
      path: path)
  }
}
