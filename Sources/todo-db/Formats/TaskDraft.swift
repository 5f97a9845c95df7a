import Foundation

/// How urgent a task is said to be; no priority at all is `nil`.
enum DraftPriority: String, CaseIterable, Sendable {
  case high, medium, low
}

/// What a file format carries for one todo.
///
/// The title of a draft that a format has read is never blank, and a due day without a time of day
/// is its midnight in UTC with `dueHasTime` false.
struct TaskDraft: Equatable, Sendable {
  var title: String
  var note = ""
  var isDone = false
  var priority: DraftPriority?
  var due: Date?
  var dueHasTime = false
  var created: Date?
  var completed: Date?
  var list: String?
  var tags: [String] = []
  /// The line or item that it came from, without its line ending, where the format keeps it.
  var source: String?
  /// What format `source` is in.
  var sourceFormat = TaskFormat.todotxt
  /// The line of the file on which it began, counted from 1.
  var line = 1
}

/// Parts of a draft.
struct DraftFields: OptionSet, Sendable {
  let rawValue: Int

  static let title = DraftFields(rawValue: 1)
  static let note = DraftFields(rawValue: 2)
  static let isDone = DraftFields(rawValue: 4)
  static let priority = DraftFields(rawValue: 8)
  static let due = DraftFields(rawValue: 16)
  static let list = DraftFields(rawValue: 32)
  static let tags = DraftFields(rawValue: 64)
  static let created = DraftFields(rawValue: 128)
  static let completed = DraftFields(rawValue: 256)
  static let all = DraftFields(rawValue: 511)
}

extension TaskDraft {
  /// In what it is not as another one. Texts are compared by their bytes, tags without regard to their order, and no list
  /// is the default one.
  func differences(from other: TaskDraft) -> DraftFields {
    var found: DraftFields = []
    if !title.hasSameBytes(as: other.title) { found.insert(.title) }
    if !note.hasSameBytes(as: other.note) { found.insert(.note) }
    if isDone != other.isDone { found.insert(.isDone) }
    if priority != other.priority { found.insert(.priority) }
    if due != other.due || dueHasTime != other.dueHasTime { found.insert(.due) }
    let (list, otherList) = (list ?? TodoEntry.defaultList, other.list ?? TodoEntry.defaultList)
    if !list.hasSameBytes(as: otherList) { found.insert(.list) }
    if Set(tags.map { Array($0.utf8) }) != Set(other.tags.map { Array($0.utf8) }) { found.insert(.tags) }
    if created != other.created { found.insert(.created) }
    if completed != other.completed { found.insert(.completed) }
    return found
  }
}

extension Unicode.Scalar {
  /// White space as Unicode has it. ASCII is answered without a look into Unicode's tables: the
  /// formats ask this of every character.
  var isWhite: Bool {
    value < 0x80 ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}

extension String {
  /// True where there is nothing in it that a reader could see: no character but white space.
  var isBlank: Bool { unicodeScalars.allSatisfy(\.isWhite) }

  /// The text without the white space at its two ends.
  var trimmed: String {
    var rest = unicodeScalars[...]
    while rest.first?.isWhite == true { rest.removeFirst() }
    while rest.last?.isWhite == true { rest.removeLast() }
    return String(rest)
  }

  /// True where the bytes are the same. Swift's `==` also accepts another spelling of the same
  /// characters, which an export must not mistake for the text that it was given.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Array where Element: Hashable {
  /// The elements in their order, each only where it occurs first.
  var withoutRepeats: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
