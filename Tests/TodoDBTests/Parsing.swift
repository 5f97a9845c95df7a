import Foundation

@testable import todo_db

/// All that a format finds in a file.
struct ParsedFile: Equatable {
  var tasks: [FoundTask] = []
  var problems: [ImportProblem] = []
  var notices: [ImportNotice] = []

  var drafts: [TaskDraft] { tasks.map(\.draft) }

  /// Items that cannot be read are a failure unless `skipBad` is true.
  init(_ bytes: [UInt8], _ format: TaskFormat, columns: [ColumnMapping] = [], skipBad: Bool = false) throws {
    try format.read(bytes, columns: columns) { item in
      switch item {
      case .task(let task): tasks.append(task)
      case .bad(let found): problems += found
      case .passedOver(let notice), .notice(let notice): notices.append(notice)
      }
    }
    if !skipBad, !problems.isEmpty { throw ImportFailure(problems) }
  }

  init(_ text: String, _ format: TaskFormat, columns: [ColumnMapping] = [], skipBad: Bool = false) throws {
    try self.init(Array(text.utf8), format, columns: columns, skipBad: skipBad)
  }
}

/// A header and the records after it.
struct ParsedTable: Equatable {
  var header: [String] = []
  var records: [CSVRecord] = []
  var notices: [ImportNotice] = []

  init(_ bytes: some Sequence<UInt8>) throws {
    try TableHeader.read(Array(bytes), .csv) { found in
      header = found.names
      notices = found.notices
    } each: { record in
      records.append(record)
    }
  }
}

/// The text of tasks in a format, and what was lost.
struct RenderedFile: Equatable {
  var text: String
  var losses: [ExportLoss: Int]
  var lossMessages: [String]

  static func csv(_ drafts: [TaskDraft], _ syntax: TableSyntax = .csv) -> RenderedFile {
    var writer = CSVTaskWriter(syntax)
    let text = writer.beginning() + drafts.map { writer.text(for: $0, id: "") }.joined() + writer.ending()
    return RenderedFile(text: text, losses: writer.losses.counts, lossMessages: writer.losses.messages)
  }

  static func todoTxt(_ drafts: [TaskDraft], defaultList: String? = nil) -> RenderedFile {
    var writer = TodoTxtWriter(defaultList: defaultList)
    let text = drafts.map { writer.text(for: $0) }.joined()
    return RenderedFile(text: text, losses: writer.losses.counts, lossMessages: writer.losses.messages)
  }

  static func entries(_ entries: [TodoEntry], _ format: TaskFormat) -> RenderedFile {
    var writer = format.writer(now: .init(timeIntervalSinceReferenceDate: 0))
    let text = writer.beginning() + entries.map { writer.text(for: $0) }.joined() + writer.ending()
    return RenderedFile(text: text, losses: writer.losses.counts, lossMessages: writer.losses.messages)
  }
}
