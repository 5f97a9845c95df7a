/// A format that tasks can be read from.
enum ImportFormat: String, CaseIterable, Sendable {
  case todotxt, csv

  /// The format that a file's name suggests by its ending, if any.
  init?(fileName: String) {
    let name = fileName.lowercased()
    if name.hasSuffix(".csv") {
      self = .csv
    } else if name.hasSuffix(".txt") || name.hasSuffix(".todotxt") {
      self = .todotxt
    } else {
      return nil
    }
  }

  /// The tasks in the bytes of a file.
  func read(_ bytes: [UInt8], skipRagged: Bool) throws(ImportFailure) -> TaskImport {
    switch self {
    case .todotxt: try TodoTxt.parse(bytes)
    case .csv: try CSVTasks.parse(bytes, skipRagged: skipRagged)
    }
  }
}

/// A format that tasks can be written in.
enum ExportFormat: String, CaseIterable, Sendable {
  case todotxt, csv, json

  /// What people call it.
  var title: String {
    switch self {
    case .todotxt: "todo.txt"
    case .csv: "CSV"
    case .json: "JSON"
    }
  }
}
