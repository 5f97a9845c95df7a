import Foundation

/// A folder for one test, removed when the last reference to it goes.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("roster-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// The names of the files in the folder, sorted.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

  /// Every file of the folder with its bytes.
  func contents() throws -> [String: Data] {
    Dictionary(uniqueKeysWithValues: try names().map { ($0, try Data(contentsOf: file($0))) })
  }

  /// Sets the permissions of a file, or of the folder itself.
  func setPermissions(_ mode: Int, of name: String? = nil) throws {
    let path = name.map { file($0).path } ?? url.path
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// The permissions of a file.
  func permissions(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name).path)[.posixPermissions] as? Int
  }
}
