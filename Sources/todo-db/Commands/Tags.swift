import Foundation
import Roster
import TodoModel

extension Command.Tags {
  func run(in session: Session) throws -> ExitCode {
    if self == .show { return session.show(try session.openForReading().read { try $0.countedTags() }) }
    let tags = try session.openForWriting().write { tx in
      switch self {
      case .show: break
      case .rename(let name, let new):
        var tag = try tx.tag(named: name)
        guard try tag.name == new || !tx.exists(Query<Tag>().filter(#Predicate { $0.name == new })) else {
          throw Refusal.tagExists(new)
        }
        tag.name = new
        try tx.update(tag)
      case .remove(let name):
        // It is taken from its todos by the foreign key.
        try tx.delete(Tag.self, id: tx.tag(named: name).id)
      }
      return try tx.countedTags()
    }
    return session.show(tags)
  }
}

extension StoreAccess {
  /// The tags by name, each with how many todos have it.
  fileprivate func countedTags() throws -> [CountedName] {
    let counts = try counts(
      """
      SELECT todo_tag.tag_id, sum(todo.is_done = 0), sum(todo.is_done <> 0)
      FROM \(TodoTag.self) JOIN \(Todo.self) ON todo.id = todo_tag.todo_id GROUP BY 1
      """)
    return try fetch(Query<Tag>().sorted(by: SortDescriptor(\.name))).map {
      CountedName(id: $0.id, name: $0.name, counts)
    }
  }
}
