/// A format that tasks are read from and written in.
enum TaskFormat: String, CaseIterable, Sendable {
  case todotxt, csv, tsv, json, ndjson, taskwarrior, ical, markdown

  /// The format that a file's name suggests by its ending, if any.
  init?(fileName: String) {
    let name = fileName.lowercased()
    let format = TaskFormat.allCases.first { format in format.endings.contains { name.hasSuffix($0) } }
    guard let format else { return nil }
    self = format
  }

  /// Of the formats that share an ending, the first is the one that it suggests.
  private var endings: [String] {
    switch self {
    case .todotxt: [".txt", ".todotxt"]
    case .csv: [".csv"]
    case .tsv: [".tsv", ".tab"]
    case .json: [".json"]
    case .ndjson: [".ndjson", ".jsonl"]
    case .taskwarrior: []
    case .ical: [".ics", ".ical"]
    case .markdown: [".md", ".markdown"]
    }
  }

  /// What people call it.
  var title: String {
    switch self {
    case .todotxt: "todo.txt"
    case .csv: "CSV"
    case .tsv: "TSV"
    case .json: "JSON"
    case .ndjson: "NDJSON"
    case .taskwarrior: "Taskwarrior's JSON"
    case .ical: "iCalendar"
    case .markdown: "Markdown"
    }
  }

  /// Whether a file has columns with names.
  var hasColumns: Bool { self == .csv || self == .tsv }

  /// Whether what can be read goes in although something else cannot. Calendars come from many programs, and their items
  /// know nothing of each other.
  var toleratesBadItems: Bool { self == .ical }

  /// The format of a file whose ending leaves a choice: Taskwarrior's export is JSON, too.
  func refined(by bytes: [UInt8]) -> TaskFormat {
    self == .json && Taskwarrior.looksLikeExport(bytes) ? .taskwarrior : self
  }

  /// Hands over what is in the bytes of a file, piece by piece in its order.
  ///
  /// - Throws: an ``ImportFailure`` where a fault hides what comes after it, and what `each` throws.
  func read(
    _ bytes: [UInt8], columns: [ColumnMapping] = [], each: (FoundItem) throws -> Void
  ) throws {
    switch self {
    case .todotxt: try TodoTxt.read(bytes, each: each)
    case .csv: try CSVTasks.read(bytes, .csv, mapping: columns, each: each)
    case .tsv: try CSVTasks.read(bytes, .tsv, mapping: columns, each: each)
    case .json: try JSONItems.read(bytes) { try each(JSONTasks.item($0)) }
    case .ndjson: try JSONItems.readLines(bytes) { try each(JSONTasks.item($0)) }
    case .taskwarrior: try JSONItems.read(bytes) { try each(Taskwarrior.item($0)) }
    case .ical: try ICalendar.read(bytes, each: each)
    case .markdown: try Markdown.read(bytes, each: each)
    }
  }
}
