import Roster
import TodoModel

/// What a listing is divided by.
enum SectionKey: String, CaseIterable, Sendable {
  case state, priority, list
}

/// Todos with something in common.
struct TodoSection: Equatable {
  /// What they have in common, for people.
  var title: String
  /// The same for programs; nil where they have none, as no priority.
  var value: String?
  /// How many there are, though fewer may be shown.
  var count = 0
  var entries: [TodoEntry] = []

  /// The sections of a listing, each with its todos in the order of the listing. Of states both are there, of priorities
  /// and lists those that some todo has.
  ///
  /// - Parameter limit: how many todos of each are kept.
  static func sections(of entries: [TodoEntry], by key: SectionKey, _ state: Command.List.State, limit: Int?)
    -> [TodoSection]
  {
    var sections = key == .state ? states(state) : key == .priority ? priorities : []
    for entry in entries {
      let (title, value) = name(of: entry, key)
      let index = sections.firstIndex { $0.value == value && $0.title == title } ?? sections.count
      if index == sections.count { sections.append(TodoSection(title: title, value: value)) }
      sections[index].count += 1
      if sections[index].entries.count < limit ?? .max { sections[index].entries.append(entry) }
    }
    return key == .priority ? sections.filter { $0.count > 0 } : sections
  }

  private static func states(_ state: Command.List.State) -> [TodoSection] {
    let all = [TodoSection(title: "Open", value: "open"), TodoSection(title: "Done", value: "done")]
    switch state {
    case .all: return all
    case .open: return Array(all.prefix(1))
    case .done: return Array(all.suffix(1))
    }
  }

  private static var priorities: [TodoSection] {
    DraftPriority.allCases.map { TodoSection(title: title(of: $0), value: $0.rawValue) }
      + [TodoSection(title: "No priority", value: nil)]
  }

  private static func title(of priority: DraftPriority) -> String {
    switch priority {
    case .high: "High"
    case .medium: "Medium"
    case .low: "Low"
    }
  }

  private static func name(of entry: TodoEntry, _ key: SectionKey) -> (title: String, value: String?) {
    switch key {
    case .state: entry.todo.isDone ? ("Done", "done") : ("Open", "open")
    case .priority:
      entry.todo.priority.map { (title(of: DraftPriority($0)), DraftPriority($0).rawValue) } ?? ("No priority", nil)
    case .list: (entry.list ?? "No list", entry.list)
    }
  }

  /// The object that `--json` prints.
  var json: JSON {
    .object([
      ("section", .string(value)), ("count", .number(count)), ("todos", .array(entries.map(\.json))),
    ])
  }
}
