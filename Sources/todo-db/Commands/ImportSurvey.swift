import Foundation

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
  /// Those that have ids.
  private var named: [(number: Int, line: Int, ids: [TaskID])] = []
  private var hasUUIDs = false
  private var hasForeignIDs = false
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
        if case .uuid = id { hasUUIDs = true } else { hasForeignIDs = true }
      }
      if !task.ids.isEmpty { named.append((taskCount, task.draft.line, task.ids)) }
      taskCount += 1
    }
  }

  /// Tasks whose id stands again.
  var supersededCount: Int { superseded.count }

  /// Of tasks that name one todo by different ids, only the last counts, as of those with one id. `todo` tells which todo
  /// has one of the ids.
  ///
  /// A todo has one id of its own and one of another program. So this can only be where a file has both kinds.
  mutating func settle(_ todo: ([TaskID]) throws -> UUID?) rethrows {
    guard hasUUIDs, hasForeignIDs else { return }
    var last: [UUID: (number: Int, line: Int)] = [:]
    for task in named where counts(task.number) {
      guard let id = try todo(task.ids) else { continue }
      if let earlier = last[id] {
        superseded.insert(earlier.number)
        notices.append(.repeatedTodo(id.uuidString.lowercased(), line: earlier.line, later: task.line))
        skippedCount += 1
      }
      last[id] = (task.number, task.line)
    }
  }

  /// Says what the tasks have that their todos could not be given.
  mutating func note(_ memory: ImportMemory) {
    if memory.unkept > 0 { notices.append(.unkeptFields(tasks: memory.unkept)) }
  }

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
