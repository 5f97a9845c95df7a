import Roster
import TodoModel

/// What became of records, with what people call them.
struct ToldChanges {
  struct Change {
    var change: RecordChange
    /// The title or name, where the record is still there and has one.
    var title: String?
  }

  var changes: [Change]
  /// Whether what was read of the database before is to be read anew.
  var isReset: Bool
  /// The number that was read on from.
  var start: Int64
  /// Where to read on.
  var cursor: FeedCursor

  /// The object that `--json` prints.
  var json: JSON {
    .object([
      ("reset", .bool(isReset)), ("changes", .array(changes.map(\.json))),
      ("since", .number(Int(cursor.sequence))),
    ])
  }
}

extension ToldChanges.Change {
  fileprivate var json: JSON {
    .object([
      ("kind", .string(change.kind.rawValue)), ("table", .string(change.table)), ("id", change.id.json),
      ("title", .string(title)), ("seq", .number(Int(change.sequence))),
    ])
  }
}

extension SQLiteValue {
  /// An id as JSON. Those of todos, lists and tags are texts, and those of what ties them together numbers.
  fileprivate var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .number(Int(number))
    case .real(let number): .string(String(number))
    case .null, .blob: .null
    }
  }

  /// An id as lines show it: of a text as much as other commands show, and take.
  fileprivate var shortened: String {
    switch self {
    case .text(let text): String(text.prefix(8))
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .null, .blob: ""
    }
  }
}

/// Changes in columns that line up from one batch to the next.
struct ChangeTable {
  private var hasHeadings = false
  private var widths = [6, 6, 9, 8]

  mutating func lines(_ changes: [ToldChanges.Change], width: Int?, style: Style) -> [String] {
    guard !changes.isEmpty else { return [] }
    var table = TextTable([
      .init("SEQ", alignment: .right), .init("CHANGE"), .init("TABLE"), .init("ID"), .init("TITLE", minimumWidth: 20),
    ])
    for told in changes {
      let change = told.change
      table.append([
        .init(String(change.sequence), role: .dimmed), .init(change.kind.rawValue, role: change.kind.role),
        .init(change.table), .init(change.id.shortened, role: .dimmed), .init(told.title ?? ""),
      ])
    }
    defer { hasHeadings = true }
    return Array(table.lines(keeping: &widths, width: width, style: style).dropFirst(hasHeadings ? 1 : 0))
  }
}

extension RecordChange.Kind {
  fileprivate var role: Style.Role {
    switch self {
    case .insert: .success
    case .update, .move: .plain
    case .delete: .warning
    }
  }
}
