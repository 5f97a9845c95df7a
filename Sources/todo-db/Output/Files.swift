import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why a file could not be read or written: the system's number for it.
struct FileError: Error, Equatable {
  var code: Int32

  var reason: String { String(cString: strerror(code)) }
}

/// Whole files, by their names.
enum Files {
  /// The bytes of a file, or of standard input.
  static func read(_ path: String?) throws(FileError) -> [UInt8] {
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw FileError(code: errno) }
    defer { if path != nil { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Foundation.read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw FileError(code: errno)
      }
    }
  }

  /// Writes a file. One that is there is replaced when the new one is whole, and keeps its permissions;
  /// through a symbolic link, the file that it leads to, which need not be there. What is no ordinary file, such as a device, is
  /// written to.
  ///
  /// - Throws: a ``FileError``, and what `body` throws.
  static func replace(_ path: String, _ body: (OutputStream) throws -> Void) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(code: errno) }
      return try fill(descriptor, syncs: false, body)
    }
    let target = exists ? resolved(path) : try missingTarget(of: path)
    let partial = "\(target).partial-\(UUID().uuidString)"
    let interruption = Interruption { unlink(partial) }
    defer { interruption.end() }
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    do {
      if exists, fchmod(descriptor, status.st_mode & 0o777) != 0 { throw FileError(code: errno) }
      try fill(descriptor, syncs: true, body)
      guard rename(partial, target) == 0 else { throw FileError(code: errno) }
    } catch {
      unlink(partial)
      throw error
    }
  }

  private static func fill(
    _ descriptor: Int32, syncs: Bool, _ body: (OutputStream) throws -> Void
  ) throws {
    defer { close(descriptor) }
    let stream = OutputStream(descriptor: descriptor)
    try body(stream)
    do { try stream.flush() } catch { throw FileError(code: error.code) }
    // Else a loss of power could leave the new name with no content behind it.
    if syncs, fsync(descriptor) != 0 { throw FileError(code: errno) }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Where a path leads that names no file, or a symbolic link to none.
  private static func missingTarget(of path: String) throws(FileError) -> String {
    var path = path
    // As many links as Linux follows.
    for _ in 0..<40 {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
      var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &characters, characters.count)
      guard count >= 0 else { throw FileError(code: errno) }
      let bytes = characters.prefix(count).map { UInt8(bitPattern: $0) }
      guard let link = String(validating: bytes, as: UTF8.self) else { throw FileError(code: EILSEQ) }
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path.utf8[...$0]) ?? "" } ?? ""
      path = link.utf8.first == UInt8(ascii: "/") ? link : folder + link
    }
    throw FileError(code: ELOOP)
  }

  /// Whether a path leads to a database, or to one of the files that SQLite keeps beside it.
  static func isDatabase(_ path: String, at database: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return ["", "-wal", "-shm", "-journal"].contains { suffix in
      var other = stat()
      return stat(database + suffix, &other) == 0 && other.st_dev == status.st_dev
        && other.st_ino == status.st_ino
    }
  }
}
