import Foundation

/// Where the database is: where `--db` says, else `TODO_DB`, else in the platform's data folder.
struct DatabaseLocation: Equatable, Sendable {
  let url: URL
  /// Whether the file is in the platform's data folder, in a folder of the tool's own.
  let isDefault: Bool

  var path: String { url.path }

  /// The path, as messages show it.
  var shown: String { path.visible }

  init(_ option: String?, environment: [String: String]) {
    let named = option ?? environment["TODO_DB"].flatMap { $0.isEmpty ? nil : $0 }
    url = (named.map { URL(fileURLWithPath: $0) } ?? Self.standard(environment)).standardizedFileURL
    isDefault = named == nil
  }

  private static func standard(_ environment: [String: String]) -> URL {
    dataFolder(environment).appendingPathComponent("todo-db").appendingPathComponent("todo.db")
  }

  private static func dataFolder(_ environment: [String: String]) -> URL {
    #if canImport(Darwin)
      return URL.applicationSupportDirectory
    #else
      // A relative path is to be ignored. [XDG Base Directory Specification]
      if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
        return URL(fileURLWithPath: folder)
      }
      // Foundation asks the user database, and not HOME, which a user may have set to another place.
      let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      return (home ?? FileManager.default.homeDirectoryForCurrentUser).appendingPathComponent(".local/share")
    #endif
  }

  /// Makes the tool's own folder, for its owner alone. A folder that the user named has to be there: it
  /// may be mistyped.
  func makeFolder() throws(Refusal) {
    guard isDefault else { return }
    let folder = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .folderNotMade(folder.path)
    }
  }
}
