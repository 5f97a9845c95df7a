public import Roster

/// The records of a todo app, and the migrations that make their tables.
public enum TodoModel {
  /// Every record of the model.
  public static let records: [any Record.Type] = [TodoList.self, Todo.self, Tag.self, TodoTag.self]

  /// The migrations of the top-level `Migrations` folder, embedded.
  public static let migrations: [Migration] = embeddedMigrations
}
