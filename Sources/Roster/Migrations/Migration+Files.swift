public import Foundation
import MigrationFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Migration {
  /// Makes the next file in a folder of migrations: its number is one above the highest, and there is a comment in it.
  ///
  /// - Returns: the file.
  /// - Throws: ``RosterError/Code/migrationInvalid`` for a name that no migration may have, and for a folder with files that
  ///   are none; ``RosterError/Code/fileExists`` where another process made it first; ``RosterError/Code/cannotOpen`` where
  ///   it cannot be made.
  public static func makeFile(named name: String, in folder: URL) throws(RosterError) -> URL {
    let highest = try load(from: folder).map(\.number).max() ?? 0
    guard highest < Int.max else {
      throw RosterError(.migrationInvalid, "There is no number above \(highest).", path: folder.path)
    }
    let fileName = Migration(number: highest + 1, name: name, sql: "").fileName
    do { _ = try MigrationFile.parse(fileName: fileName) } catch {
      throw RosterError(.migrationInvalid, "\(fileName): \(error)", path: folder.path, cause: error)
    }
    let url = folder.appendingPathComponent(fileName, isDirectory: false)
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw RosterError(
        errno == EEXIST ? .fileExists : .cannotOpen, "The file cannot be made: \(String(cString: strerror(errno))).",
        path: url.path)
    }
    defer { close(descriptor) }
    let text = Array("-- One transaction; add what changes the schema.\n".utf8)
    guard write(descriptor, text, text.count) == text.count else {
      throw RosterError(.cannotOpen, "The file cannot be written: \(String(cString: strerror(errno))).", path: url.path)
    }
    return url
  }
}
