public import Foundation
public import Roster

/// A list of todos. Lists are kept in order by hand.
public struct TodoList: Record, Hashable, Codable {
  /// Which list it is.
  public let id: UUID
  /// Unique, and not blank.
  public var name: String

  /// A list of all its properties.
  public init(id: UUID = UUID(), name: String) {
    self.id = id
    self.name = name
  }

  /// The table `todo_list`.
  public static let table = Table(
    "todo_list", TodoList.init(id:name:), Column("id", \.id), Column("name", \.name),
    order: .manual("position"))
}
