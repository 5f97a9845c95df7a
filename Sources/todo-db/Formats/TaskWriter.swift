import Foundation

/// Writes tasks in a format, one after the other, and counts what has no place in it.
protocol TaskWriter {
  var losses: LossCounts { get }
  /// What comes before the first task.
  mutating func beginning() -> String
  mutating func text(for entry: TodoEntry) -> String
  /// What comes after the last task.
  mutating func ending() -> String
}

extension TaskWriter {
  mutating func beginning() -> String { "" }
  mutating func ending() -> String { "" }
}

/// In how many tasks each kind of thing was lost; a kind that lost nothing is absent.
struct LossCounts: Equatable, Sendable {
  private(set) var counts: [ExportLoss: Int] = [:]

  /// Counts what was lost of one task, each kind once.
  mutating func add(_ losses: Set<ExportLoss>) { for loss in losses { counts[loss, default: 0] += 1 } }

  /// Counts a task that holds fields of another program which a format does not write.
  mutating func addForeign(of draft: TaskDraft, in format: TaskFormat) {
    if draft.sourceFormat != format, draft.hasForeignFields { add([.foreignFields]) }
  }
}

extension TaskDraft {
  /// Whether the source says more than the draft does.
  var hasForeignFields: Bool {
    guard let source else { return false }
    return switch sourceFormat {
    case .taskwarrior: JSONObject(source).map(Taskwarrior.hasForeignFields) ?? false
    case .json: JSONObject(source).map { !JSONTasks.foreignMembers($0).isEmpty } ?? false
    case .ical: CalendarItem(source: source)?.hasForeignProperties ?? false
    default: false
    }
  }
}

extension TaskFormat {
  /// What writes tasks in this format; times of writing are those of `now`.
  func writer(now: Date) -> any TaskWriter {
    switch self {
    case .todotxt: TodoTxtWriter()
    case .csv: CSVTaskWriter(.csv)
    case .tsv: CSVTaskWriter(.tsv)
    case .json: JSONTaskWriter(isLines: false)
    case .ndjson: JSONTaskWriter(isLines: true)
    case .taskwarrior: TaskwarriorWriter()
    case .ical: CalendarWriter(now: now)
    case .markdown: MarkdownWriter()
    }
  }

  /// Whether all tasks of a list are written together.
  var groupsByList: Bool { self == .markdown }
}
