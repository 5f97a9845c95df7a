import Foundation

/// What a task is called in its file, so that a second import of it is an update.
///
/// A UUID is the todo's own id, however it is written. All else is compared by its bytes, and means the same todo in
/// every file.
enum TaskID: Hashable, Sendable {
  case uuid(UUID)
  case foreign(String)

  /// `nil` for a blank text.
  init?(_ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return nil }
    self = UUID(uuidString: text).map(TaskID.uuid) ?? .foreign(text)
  }

  static func == (left: TaskID, right: TaskID) -> Bool {
    switch (left, right) {
    case (.uuid(let left), .uuid(let right)): left == right
    case (.foreign(let left), .foreign(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .uuid(let id): hasher.combine(id)
    case .foreign(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  var text: String {
    switch self {
    case .uuid(let id): id.uuidString.lowercased()
    case .foreign(let text): text
    }
  }
}

/// One task of a file. What its fields do not name, an update leaves as it is.
struct FoundTask: Equatable, Sendable {
  var draft: TaskDraft
  /// The one that counts most comes first.
  var ids: [TaskID] = []
  var fields = DraftFields.all
}

/// What a format makes of one piece of a file.
enum FoundItem: Equatable, Sendable {
  case task(FoundTask)
  /// An item that cannot be read, with at least one reason.
  case bad([ImportProblem])
  /// An item that is no open or done task, and is left out for that.
  case passedOver(ImportNotice)
  case notice(ImportNotice)
}

/// What kept a file, or one record of it, from being read. It holds facts; `message` phrases them.
struct ImportProblem: Equatable, Sendable {
  enum Fact: Equatable, Sendable {
    case notUTF8
    case nulCharacter
    case ragged(found: Int, wanted: Int)
    case quoteInsideField
    case textAfterQuote
    case openQuote
    case noHeader
    case noTitleColumn(header: [String])
    case noSuchColumn(String, header: [String])
    case blankTitle
    case badValue(column: String, value: String, wanted: String)
    case badJSON(JSONFault.Fact)
    case notAnObject
    case notACalendar
    case notAProperty(String)
    case unfinishedItem
    case unknownZone(String)
  }

  /// The line on which the record began, counted from 1.
  var line: Int
  var fact: Fact
}

/// Why nothing was imported. There is at least one problem, and they stand in the order of the file.
struct ImportFailure: Error, Equatable {
  var problems: [ImportProblem]
  /// Whether each problem is of one item, without which the others can be read.
  var canSkip = false

  init(_ problems: [ImportProblem], canSkip: Bool = true) {
    self.problems = problems
    self.canSkip = canSkip
  }

  init(line: Int, _ fact: ImportProblem.Fact) { problems = [ImportProblem(line: line, fact: fact)] }
}

/// Something about a file that was read which the user would not guess.
enum ImportNotice: Equatable, Sendable {
  case renamedColumn(from: String, to: String)
  case unnamedColumn(named: String)
  case unknownColumn(String)
  case secondColumn(String, first: String)
  /// An id that stands again further down, which is the one that counts.
  case repeatedID(String, line: Int, later: Int)
  /// A todo that is named again further down, by another id.
  case repeatedTodo(String, line: Int, later: Int)
  case unkeptFields(tasks: Int)
  case deletedTask(String, line: Int)
  /// Parts of a calendar that are no tasks.
  case otherComponents(String, count: Int)
  case otherText(lines: Int)
  /// Fenced code without an end.
  case openFence(line: Int)
}

/// A kind of thing that a format may have no place for.
enum ExportLoss: CaseIterable, Sendable {
  case note, priority, dueDate, timeOfDay, fractionOfSecond, lineBreakInTitle, controlCharacter, spaceInName
  case creationDate, completionDate, dateOutOfRange, title, tagName, tags, foreignID, foreignFields
}
