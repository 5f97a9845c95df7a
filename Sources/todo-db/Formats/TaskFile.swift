/// What was read from a file: the tasks, and all that the user should know about the rest.
struct TaskImport: Equatable, Sendable {
  var drafts: [TaskDraft] = []
  /// Records that were left out because the caller asked for that.
  var skipped: [ImportProblem] = []
  var notices: [ImportNotice] = []
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
    case blankTitle
    case badValue(column: String, value: String, wanted: String)
  }

  /// The line on which the record began, counted from 1.
  var line: Int
  var fact: Fact
}

/// Why nothing was imported. There is at least one problem, and they stand in the order of the file.
struct ImportFailure: Error, Equatable {
  var problems: [ImportProblem]

  init(_ problems: [ImportProblem]) { self.problems = problems }

  init(line: Int, _ fact: ImportProblem.Fact) { problems = [ImportProblem(line: line, fact: fact)] }
}

/// Something about a file that was read which the user would not guess.
enum ImportNotice: Equatable, Sendable {
  case renamedColumn(from: String, to: String)
  case unnamedColumn(named: String)
  case unknownColumn(String)
  case secondColumn(String, first: String)
}

/// A file's text, and what of the tasks found no place in it.
struct TaskExport: Equatable, Sendable {
  var text = ""
  /// In how many tasks each kind of thing was lost; a kind that lost nothing is absent.
  var losses: [ExportLoss: Int] = [:]

  mutating func count(_ loss: ExportLoss) { losses[loss, default: 0] += 1 }
}

/// A kind of thing that a format may have no place for.
enum ExportLoss: CaseIterable, Sendable {
  case note, timeOfDay, lineBreakInTitle, spaceInName, creationDate, completionDate, dateOutOfRange
  case title, tagName
}
