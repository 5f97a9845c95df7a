/// What is in a file, before any of it is stored: what cannot be read, and which tasks count.
///
/// A file is read twice, so that it is understood as a whole before the database is opened, and its tasks need not all be
/// held at once.
struct ImportSurvey {
  private(set) var problems: [ImportProblem] = []
  private(set) var notices: [ImportNotice] = []
  /// Tasks, those with an id that stands again among them.
  private(set) var taskCount = 0
  /// Items that are left out, whatever else happens.
  private(set) var skippedCount = 0
  private var last: [TaskID: (number: Int, line: Int)] = [:]
  private var superseded: Set<Int> = []

  init(_ bytes: [UInt8], _ format: TaskFormat, columns: [ColumnMapping]) throws {
    try format.read(bytes, columns: columns) { take($0) }
  }

  private mutating func take(_ item: FoundItem) {
    switch item {
    case .bad(let found):
      problems += found
      skippedCount += 1
    case .passedOver(let notice):
      notices.append(notice)
      skippedCount += 1
    case .notice(let notice):
      notices.append(notice)
    case .task(let task):
      for id in task.ids {
        if let earlier = last[id], superseded.insert(earlier.number).inserted {
          notices.append(.repeatedID(id.text, line: earlier.line, later: task.draft.line))
          skippedCount += 1
        }
        last[id] = (taskCount, task.draft.line)
      }
      taskCount += 1
    }
  }

  /// Tasks whose id stands again.
  var supersededCount: Int { superseded.count }

  /// Whether the task of a number, in the order of the file from 0, counts.
  func counts(_ number: Int) -> Bool { !superseded.contains(number) }
}

/// What became of the tasks of a file.
struct ImportCounts: Equatable {
  var added = 0
  var updated = 0
  var unchanged = 0
  var skipped = 0

  var total: Int { added + updated + unchanged + skipped }
}
