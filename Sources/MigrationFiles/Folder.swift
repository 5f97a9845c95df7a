package import Foundation

extension MigrationFile {
  /// Loads the migrations of a folder, sorted by number.
  ///
  /// Files that don't end in `.sql` (in either case) are left alone, and so are those whose name begins with
  /// a dot, which editors and file systems leave behind. The folder may be a symbolic link.
  ///
  /// - Throws: ``MigrationFilesError``, which names every fault of the folder at once.
  package static func load(folder: URL) throws -> [MigrationFile] {
    let candidates = try fileNames(in: folder)
    var faults: [MigrationFilesError.Fault] = []
    var files: [MigrationFile] = []
    var owners: [Int: String] = [:]

    for fileName in candidates {
      let path = folder.appendingPathComponent(fileName, isDirectory: false).path
      do throws(MigrationFilesError.Reason) {
        let (number, name) = try parse(fileName: fileName)
        if let owner = owners[number] { throw .duplicateNumber(number, of: owner) }
        owners[number] = fileName
        files.append(MigrationFile(number: number, name: name, text: try text(path: path)))
      } catch {
        faults.append(MigrationFilesError.Fault(path: path, reason: error))
      }
    }
    guard faults.isEmpty else { throw MigrationFilesError(faults: faults) }
    return files.sorted { $0.number < $1.number }
  }

  /// The names of the files that should be migrations, by their bytes, whatever order the system gives them in.
  private static func fileNames(in folder: URL) throws(MigrationFilesError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      let fault = MigrationFilesError.Fault(
        path: folder.path, reason: .unreadable(error.localizedDescription))
      throw MigrationFilesError(faults: [fault])
    }
    return
      names
      .filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".sql") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func text(path: String) throws(MigrationFilesError.Reason) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .unreadable(error.localizedDescription)
    }
    // Foundation's own decoders may drop a byte-order mark; this keeps every byte.
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .notUTF8(byteOffset: firstInvalidOffset(in: data))
    }
    return text
  }

  private static func firstInvalidOffset(in data: Data) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = data.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { offset += scalar.count }
    return offset
  }
}
