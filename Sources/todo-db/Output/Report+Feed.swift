import TodoModel

/// What is said of changes.
extension Report {
  static let noChanges = "no changes"

  static func goOn(from sequence: Int64) -> String { "Go on with --since \(sequence)" }

  static func reset(_ told: ToldChanges) -> String {
    told.changes.isEmpty
      ? "Reset: the log does not tell all that happened since \(told.start). Read the database anew."
      : "Reset: the log reaches back to \(told.start) only. Read the database anew; what follows is what it tells."
  }

  static func more(_ count: Int) -> String { "\(count) more" }

  /// What a screen shows.
  static func watching(
    _ list: String?, _ state: Command.List.State, _ search: String? = nil, count: Int, done: Int
  ) -> String {
    let kind =
      switch state {
      case .all: ""
      case .open: "open "
      case .done: "done "
      }
    let counts = "\(count) \(kind)todo\(count == 1 ? "" : "s")" + (state == .all ? ", \(done) done" : "")
    let place = (list?.visible ?? "All lists") + (search.map { ", '\($0.visible)'" } ?? "")
    return "\(place): \(counts)  (Ctrl-C ends)"
  }

  /// One event of a list.
  static func event(_ event: ListEvent, _ entry: TodoEntry, isNumbered: Bool, showsList: Bool) -> String {
    let place = [event.from, event.to].compactMap { $0.map(String.init) }
    let list = showsList ? entry.list.map { "  (\($0.visible))" } ?? "" : ""
    let numbers = event.kind == .move ? place.joined(separator: " to ") : place.last ?? ""
    return "\(event.kind.sign) \(isNumbered ? numbers + "  " : "")\(entry.shortID)  \(entry.todo.title.visible)\(list)"
  }
}

extension ListEvent.Kind {
  fileprivate var sign: String {
    switch self {
    case .insert: "+"
    case .delete: "-"
    case .update: "~"
    case .move: ">"
    }
  }
}
