public import Foundation
public import Roster

/// How soon a todo wants to be done. It sorts by rank: high before medium before low.
public enum Priority: Int, ColumnValue, Codable, CaseIterable, Comparable {
  case high = 1
  case medium = 2
  case low = 3

  /// High comes first.
  public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
}

/// One thing to do. Todos are kept in order by hand, each list by itself.
public struct Todo: Record, Hashable, Codable {
  /// Which todo it is.
  public let id: UUID
  /// The list it is in.
  public var listID: UUID
  /// What is to be done. Not blank.
  public var title: String
  /// A longer text; empty where there is none.
  public var note: String
  /// Whether it has been done.
  public var isDone: Bool
  /// How soon it wants to be done; nil where nobody said.
  public var priority: Priority?
  /// In UTC. A due day without a time of day is its midnight, with ``dueHasTime`` false.
  public var due: Date?
  /// Whether ``due`` is a moment, and not a whole day.
  public var dueHasTime: Bool
  /// When it was written down; nil where the file it came from doesn't say.
  public var created: Date?
  /// When it was done; nil where it isn't, or the file it came from doesn't say.
  public var completed: Date?
  /// The line or item that the todo came from, such as a line of a todo.txt file, so that an untouched one is exported as
  /// it was and nothing in it is lost.
  public var source: String?
  /// The format of ``source``; nil is a line of todo.txt.
  public var sourceFormat: String?
  /// What another program calls the todo where that is no UUID, such as the UID of a calendar. Unique.
  public var externalID: String?

  /// A todo of all its properties.
  public init(
    id: UUID = UUID(), listID: UUID, title: String, note: String = "", isDone: Bool = false,
    priority: Priority? = nil, due: Date? = nil, dueHasTime: Bool = false, created: Date? = nil,
    completed: Date? = nil, source: String? = nil, sourceFormat: String? = nil, externalID: String? = nil
  ) {
    self.id = id
    self.listID = listID
    self.title = title
    self.note = note
    self.isDone = isDone
    self.priority = priority
    self.due = due
    self.dueHasTime = dueHasTime
    self.created = created
    self.completed = completed
    self.source = source
    self.sourceFormat = sourceFormat
    self.externalID = externalID
  }

  /// The table `todo`.
  public static let table = Table(
    "todo",
    Todo.init(
      id:listID:title:note:isDone:priority:due:dueHasTime:created:completed:source:sourceFormat:externalID:),
    Column("id", \.id), Column("list_id", \.listID), Column("title", \.title), Column("note", \.note),
    Column("is_done", \.isDone), Column("priority", \.priority), Column("due", \.due),
    Column("due_has_time", \.dueHasTime), Column("created", \.created), Column("completed", \.completed),
    Column("source", \.source), Column("source_format", \.sourceFormat), Column("external_id", \.externalID),
    order: .manual("position", within: \.listID),
    search: .substring(\.title, \.note, weights: [4, 1]))
}
