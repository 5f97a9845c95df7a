public import Foundation
public import Roster

/// A word that todos are marked with.
public struct Tag: Record, Hashable, Codable {
  /// Which tag it is.
  public let id: UUID
  /// Unique, and not blank.
  public var name: String

  /// A tag of all its properties.
  public init(id: UUID = UUID(), name: String) {
    self.id = id
    self.name = name
  }

  /// The table `tag`.
  public static let table = Table("tag", Tag.init(id:name:), Column("id", \.id), Column("name", \.name))
}

/// That a todo has a tag.
public struct TodoTag: Record, Hashable, Codable {
  /// Assigned by the database.
  public let id: Int64
  /// The todo.
  public var todoID: UUID
  /// The tag.
  public var tagID: UUID

  /// A pair of all its properties.
  public init(id: Int64 = 0, todoID: UUID, tagID: UUID) {
    self.id = id
    self.todoID = todoID
    self.tagID = tagID
  }

  /// The table `todo_tag`.
  public static let table = Table(
    "todo_tag", TodoTag.init(id:todoID:tagID:), Column("id", \.id), Column("todo_id", \.todoID),
    Column("tag_id", \.tagID))
}
