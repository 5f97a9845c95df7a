import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A database that is not to be seen before it is whole, in the folder in which it is to be.
struct DraftDatabase: Sendable {
  private let path: String
  private let target: String

  var url: URL { URL(fileURLWithPath: path) }

  /// Nothing is made yet.
  init(for target: String) {
    self.target = target
    let folder = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(target.utf8[...$0]) ?? "" } ?? ""
    path = "\(folder).todo-db.partial-\(UUID().uuidString)"
  }

  /// Makes an empty file for its owner alone. False where none can be made in the folder.
  func make() -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Gives the database its name, once it is closed. False where there is something by that name, where the file system has
  /// no second names for a file, or where not all of it is in the one file.
  func publish() -> Bool {
    // A rename would replace what another process has put there.
    guard access(path + "-wal", F_OK) != 0, link(path, target) == 0 else { return false }
    // Else a loss of power could take the new name.
    let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
    return true
  }

  /// Removes what has not got its name, or the name that it had before.
  func remove() { for suffix in ["-journal", "-shm", "-wal", ""] { unlink(path + suffix) } }
}
