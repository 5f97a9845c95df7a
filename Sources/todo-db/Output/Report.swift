import Foundation
import Roster
import TodoModel

/// The sentences in which commands tell what they have done.
enum Report {
  enum Change { case added, changed, moved, alreadyThere, done, alreadyDone, reopened, alreadyOpen, removed }

  static let noTodos = "no todos to list"
  static let noNames = "there is none"
  static let nothingFound = "no todos found"
  static let upToDate = "Up to date; no migration is pending."

  /// One line that begins with the id, for programs that cut lines into words.
  ///
  /// A date that was typed is told as it was understood.
  static func change(_ change: Change, to entry: TodoEntry, due: DueDate? = nil) -> String {
    let what =
      switch change {
      case .added: "Added to \((entry.list ?? "").visible)"
      case .changed: "Changed"
      case .moved: "Moved to \(entry.index.map { "\($0) in " } ?? "")\((entry.list ?? "").visible)"
      case .alreadyThere: "Was there already"
      case .done: "Done"
      case .alreadyDone: "Was done already"
      case .reopened: "Open again"
      case .alreadyOpen: "Was open already"
      case .removed: "Removed"
      }
    let date = due?.displayWithWeekday.map { ", due \($0)" } ?? ""
    return "\(entry.shortID)  \(what)\(date): \(entry.todo.title.visible)"
  }

  static func created(_ path: String) -> String { "Created \(path)" }

  static func alreadyThere(_ path: String) -> String { "\(path) is there already, and was left as it is." }

  static func newerVersion(_ path: String) -> String {
    "\(path) is from a newer version of todo-db; it can be read, and changed only after an update"
  }

  /// What opening a database without the index of its order did to rows that had no place of their own.
  static func adopted(_ adoptions: [OrderAdoption]) -> String {
    let parts = adoptions.map { adoption in
      adoption.table == TodoList.table.name
        ? "\(counted(adoption.rows, "list")) a place"
        : "\(todos(adoption.rows)) a place in \(adoption.rows == 1 ? "its list" : "their lists")"
    }
    return "gave \(parts.joined(separator: " and "))"
  }

  /// One list is named, several are counted.
  static func sorted(by key: SortKey, list: String?, of count: Int, moved: Int) -> String {
    "Sorted \(list?.visible ?? counted(count, "list")) by \(key.rawValue): \(moved == 0 ? "no todo" : todos(moved)) moved."
  }

  /// A file whose tasks are all new needs no more than their number.
  static func imported(_ counts: ImportCounts, from file: String, isDryRun: Bool) -> String {
    let source = file == "-" ? "standard input" : file.visible
    let verb = isDryRun ? "Would import" : "Imported"
    if counts.added == counts.total { return "\(verb) \(todos(counts.added)) from \(source)." }
    let parts = [
      "\(counts.added) new", counts.updated > 0 ? "\(counts.updated) updated" : nil,
      counts.unchanged > 0 ? "\(counts.unchanged) unchanged" : nil,
      counts.skipped > 0 ? "\(counts.skipped) skipped" : nil,
    ]
    return "\(verb) from \(source): \(parts.compactMap(\.self).joined(separator: ", "))."
  }

  /// What the user should know about a file that was imported.
  static func remarks(on survey: ImportSurvey) -> [String] {
    survey.notices.map(\.message) + survey.problems.map { "left out: \($0.message)" }
  }

  static func progress(_ verb: String, _ count: Int, of total: Int) -> String { "\(verb) \(count) of \(total)" }

  static func exported(_ count: Int, to file: String) -> String {
    "Exported \(todos(count)) to \(file.visible)."
  }

  static func losses(_ losses: [String], _ format: TaskFormat) -> String {
    (["the export lacks what \(format.title) has no place for:"] + losses.map { "  \($0)" })
      .joined(separator: "\n")
  }

  static func applied(_ migration: String) -> String { "Applied \(migration)" }

  static func state(_ state: MigrationStatus.State) -> String {
    switch state {
    case .applied: "applied"
    case .pending: "pending"
    case .edited: "edited since it was applied"
    case .missing: "applied, and unknown here"
    case .fromNewerVersion: "from a newer version"
    case .outOfOrder: "passed over by a later one"
    }
  }

  static func sound(_ counts: ContentCounts) -> String {
    "No problems: \(todos(counts.todos)), \(counted(counts.lists, "list")), \(counted(counts.tags, "tag"))."
  }

  static func unreadable(_ count: Int) -> String {
    "\(count == 1 ? "1 todo" : "\(count) todos") cannot be read and \(count == 1 ? "is" : "are") left out; "
      + "'todo-db check' says why"
  }

  static func part(_ count: Int, of total: Int) -> String { "\(count) of \(todos(total))" }

  static func noSuggestion(for prefix: String) -> String { "no title has '\(prefix.visible)' in it" }

  static func problems(_ count: Int, repairable: Int = 0, in path: String) -> String {
    let whole = count == 1 ? "it" : "them"
    let hint =
      repairable == 0
      ? "" : "; 'todo-db check --repair' puts \(repairable == count ? whole : "\(repairable) of them") right"
    return "\(counted(count, "problem")) in \(path)\(hint); keep a copy of the file before anything is repaired"
  }

  static func repaired(_ problem: String) -> String { "Put right: \(problem)" }

  static func section(_ section: TodoSection) -> String {
    let shown = section.entries.count
    return "\(section.title) (\(shown < section.count ? "\(shown) of \(section.count)" : "\(section.count)"))"
  }

  static func marked(_ count: Int, isDone: Bool, in list: String?) -> String {
    let scope = list.map { " in \($0.visible)" } ?? ""
    guard count > 0 else { return "No todo\(scope) was \(isDone ? "open" : "done")." }
    return "\(isDone ? "Done" : "Open again")\(scope): \(todos(count))."
  }

  static func cleared(_ count: Int, in list: String?) -> String {
    let scope = list.map { " in \($0.visible)" } ?? ""
    return count == 0 ? "No todo\(scope) is done." : "Removed\(scope): \(counted(count, "done todo"))."
  }

  static func askToClear(_ count: Int, in list: String?) -> String {
    "Delete \(counted(count, "done todo"))\(list.map { " in \($0.visible)" } ?? "")? This can't be undone."
  }

  static func askToRemove(_ list: String, _ count: Int) -> String {
    "Delete the list \(list.visible) with \(todos(count))? This can't be undone."
  }

  static let kept = "nothing was deleted"

  private static func todos(_ count: Int) -> String { counted(count, "todo") }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension Report {
  /// All that is known of a todo, a line for each thing there is to say, and the lines of the note.
  static func details(of entry: TodoEntry, isOverdue: Bool, _ style: Style) -> [String] {
    let todo = entry.todo
    var facts: [(name: String, value: String?, role: Style.Role)] = [
      ("ID", entry.id, .plain), ("Title", todo.title, .plain), ("List", entry.list, .plain),
      ("State", todo.isDone ? "done" : "open", todo.isDone ? .success : .plain),
      ("Priority", todo.priority.map { DraftPriority($0).rawValue }, .plain),
    ]
    let zone = todo.dueHasTime ? " UTC" : ""
    facts.append(
      (
        "Due", entry.due?.display.map { $0 + zone + (isOverdue ? ", overdue" : "") },
        isOverdue ? .urgent : .plain
      ))
    facts.append(("Tags", entry.tags.isEmpty ? nil : entry.tags.joined(separator: ", "), .plain))
    facts.append(("Created", todo.created.flatMap(moment), .plain))
    facts.append(("Completed", todo.completed.flatMap(moment), .plain))
    var lines = facts.compactMap { name, value, role in
      value.map { style.apply(.heading, to: name.fitted(toWidth: 11)) + style.apply(role, to: $0.visible) }
    }
    if !todo.note.isEmpty {
      let note = todo.note.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      lines.append(style.apply(.heading, to: "Note"))
      lines += note.map { $0.isEmpty ? "" : "  " + String($0).visible }
    }
    return lines
  }

  /// A midnight is shown as the day that it most likely stands for.
  private static func moment(_ date: Date) -> String? {
    let hasTime = DueDate.startOfDay(date) != date
    return DueDate(date: date, hasTime: hasTime).display.map { hasTime ? $0 + " UTC" : $0 }
  }
}
