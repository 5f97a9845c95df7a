import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of a store: what lies at its path, and how a new one is made.
enum StoreFile {
  /// The path of a file URL, absolute, so that SQLite cannot take it for a URI.
  static func path(of url: URL) throws(RosterError) -> String {
    guard url.isFileURL, !url.path.isEmpty else {
      throw RosterError(.cannotOpen, "A store's URL has to be that of a file.", path: url.absoluteString)
    }
    let path = url.standardizedFileURL.path
    // The system would take what stands before it for the whole, and open another file.
    guard !path.utf8.contains(0) else {
      throw RosterError(.cannotOpen, "A file's path cannot hold a NUL character.", path: path)
    }
    return path
  }

  enum Kind: Equatable {
    case absent
    case file(size: Int64)
  }

  /// What lies at a path.
  ///
  /// - Throws: ``RosterError/Code/cannotOpen`` for what is no regular file.
  static func kind(_ path: String) throws(RosterError) -> Kind {
    var status = stat()
    if stat(path, &status) != 0 {
      guard errno == ENOENT else {
        throw RosterError(.cannotOpen, "The file cannot be looked at: \(reason(errno)).", path: path)
      }
      guard lstat(path, &status) == 0 else { return .absent }
      // What is no link was made in between, by another process.
      guard status.st_mode & S_IFMT != S_IFLNK else {
        throw RosterError(
          .cannotOpen, "A symbolic link lies at the path, and what it leads to does not exist.", path: path)
      }
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(size: Int64(status.st_size))
    case S_IFDIR: throw RosterError(.cannotOpen, "A folder lies at the path, not a file.", path: path)
    default: throw RosterError(.cannotOpen, "What lies at the path is not a regular file.", path: path)
    }
  }

  /// Refuses a path that SQLite cannot hold, before a file is made there.
  static func requireLength(_ path: String) throws(RosterError) {
    let name = path as NSString
    let real = resolved(name.deletingLastPathComponent) + "/" + name.lastPathComponent
    guard max(path.utf8.count, real.utf8.count) < Library.longestPath else {
      throw RosterError(
        .cannotOpen, "The path is longer than the \(Library.longestPath) bytes that SQLite can hold.",
        path: path)
    }
  }

  /// Makes an empty file that only its owner can read and write, unless there is one.
  ///
  /// It is made under another name and then linked. Opening and closing the file itself would release the
  /// locks that another connection of this process holds on it. https://www.sqlite.org/howtocorrupt.html
  static func create(_ path: String) throws(RosterError) {
    let temporary = StoreFile.temporary(beside: path)
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw RosterError(.cannotOpen, cannotMake(path, errno), path: path) }
    close(descriptor)
    let result = link(temporary, path)
    let failure = errno
    unlink(temporary)
    guard result != 0, failure != EEXIST else { return }
    // A file system without hard links.
    let direct = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if direct >= 0 {
      close(direct)
    } else if errno != EEXIST {
      throw RosterError(.cannotOpen, cannotMake(path, errno), path: path)
    }
  }

  private static func cannotMake(_ path: String, _ code: Int32) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return code == ENOENT
      ? "There is no folder \(folder) to make the file in."
      : "The file cannot be made in \(folder): \(reason(code))."
  }

  /// A name for an unfinished file in the folder of a path. A name made of the path's own could be too long.
  static func temporary(beside path: String) -> String {
    (path as NSString).deletingLastPathComponent + "/.roster-\(UUID().uuidString)"
  }

  /// The file that a path leads to through symbolic links, where there is one: its log lies beside it.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// What SQLite keeps beside a database, and is needed to read it whole; nil where there is no such thing, or
  /// nothing in it.
  static func sideFile(_ path: String, _ suffixes: [String] = ["-wal", "-journal"]) -> String? {
    suffixes.map { resolved(path) + $0 }.first { size($0) > 0 }
  }

  /// Whether there is a file beside a database, though nothing may be in it.
  static func isThere(_ path: String, _ suffix: String) -> Bool { access(resolved(path) + suffix, F_OK) == 0 }

  /// A file that SQLite has to write beside a database, and that is there and cannot be written to.
  static func lockedSideFile(_ path: String) -> String? {
    ["-wal", "-shm"].map { resolved(path) + $0 }.first { access($0, F_OK) == 0 && access($0, W_OK) != 0 }
  }

  /// Refuses a path at which there is no file, or one that is empty.
  static func requireContent(_ path: String) throws(RosterError) {
    guard case .file(let size) = try kind(path) else {
      throw RosterError(.noSuchFile, "There is no file at the path.", path: path)
    }
    guard size > 0 else {
      throw RosterError(.notADatabase, "The file is empty; it holds no database.", path: path)
    }
  }

  /// Refuses a place for a new database where a file lies, or the log of one, which would be taken for its own.
  static func requireNothing(at path: String) throws(RosterError) {
    let isTaken = try kind(path) != .absent || sideFile(path) != nil
    guard !isTaken else {
      throw RosterError(.fileExists, "A file lies where the copy was to be made.", path: path)
    }
  }

  /// Whether files can be made in the folder of a path.
  static func isFolderWritable(_ path: String) -> Bool {
    access((resolved(path) as NSString).deletingLastPathComponent, W_OK) == 0
  }

  /// The bytes of a file; 0 where there is none.
  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

extension StoreFile {
  /// Removes an unfinished file and what SQLite keeps beside it.
  static func remove(_ partial: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) }
  }

  /// Gives a finished file its name, unless that is taken by now.
  static func put(_ partial: String, at path: String) throws(RosterError) {
    defer { unlink(partial) }
    guard link(partial, path) != 0 else { return syncFolder(of: path) }
    // A file system without hard links. What is renamed over is the file that is made here.
    let reserved = errno == EEXIST ? -1 : open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard reserved >= 0 || errno != EEXIST else {
      throw RosterError(.fileExists, "A file lies where the copy was to be made.", path: path)
    }
    if reserved >= 0 { close(reserved) }
    guard reserved >= 0, rename(partial, path) == 0 else {
      let error = RosterError(.cannotOpen, cannotMake(path, errno), path: path)
      if reserved >= 0 { unlink(path) }
      throw error
    }
    syncFolder(of: path)
  }

  /// Has the name of a new file outlive a loss of power, where the file system can see to that.
  private static func syncFolder(of path: String) {
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}
