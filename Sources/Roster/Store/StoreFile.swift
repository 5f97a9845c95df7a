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
    return url.standardizedFileURL.path
  }

  enum Kind {
    case absent
    case file(size: Int64)
  }

  /// What lies at a path.
  ///
  /// - Throws: ``RosterError/Code/cannotOpen`` for what is no regular file.
  static func kind(_ path: String) throws(RosterError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return .absent }
      throw RosterError(.cannotOpen, "The file cannot be looked at: \(reason(errno)).", path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(size: Int64(status.st_size))
    case S_IFDIR: throw RosterError(.cannotOpen, "A folder lies at the path, not a file.", path: path)
    default: throw RosterError(.cannotOpen, "What lies at the path is not a regular file.", path: path)
    }
  }

  /// Makes an empty file that only its owner can read and write, unless there is one.
  ///
  /// It is made under another name and then linked. Opening and closing the file itself would release the
  /// locks that another connection of this process holds on it. https://www.sqlite.org/howtocorrupt.html
  static func create(_ path: String) throws(RosterError) {
    let temporary = "\(path).new-\(UUID().uuidString)"
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

  /// Whether files can be made in the folder of a path.
  static func isFolderWritable(_ path: String) -> Bool {
    access((path as NSString).deletingLastPathComponent, W_OK) == 0
  }

  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// The bytes of the log beside a database; 0 where there is none.
  static func logSize(_ path: String) -> Int64 {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
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
    let result = link(partial, path)
    let failure = errno
    if result != 0, failure != EEXIST, rename(partial, path) == 0 { return }
    unlink(partial)
    guard result == 0 else {
      throw RosterError(.fileExists, "A file lies where the copy was to be made.", path: path)
    }
  }
}
