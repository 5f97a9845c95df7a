import Foundation
import Roster
import TodoModel

/// The todos of a listing, each with its offset in its list as it is shown, and how many rows are no todos. Those count
/// in the offsets, as they do in a move.
struct ListedTodos {
  var todos: [Todo] = []
  var offsets: [Int] = []
  var unreadable = 0
}

extension StoreAccess {
  /// The first todos of a statement: one bad row must not hide the others, and is none of so many.
  func readableTodos(_ sql: SQL, limit: Int? = nil) throws -> ListedTodos {
    do {
      let todos = try fetch("\(sql) LIMIT \(limit ?? -1)", as: Todo.self)
      return ListedTodos(todos: todos, offsets: todos.map(\.listID).occurrences)
    } catch let error as RosterError {
      guard error.code == .typeMismatch else { throw error }
    }
    var listed = ListedTodos()
    let rows = try fetch("SELECT row_key, CAST(list_id AS TEXT) FROM (\(sql))", as: (Int64, String).self)
    for ((key, _), offset) in zip(rows, rows.map(\.1).occurrences) where listed.todos.count < limit ?? .max {
      if let todo = try? fetch("SELECT * FROM \(Todo.self) WHERE row_key = \(key)", as: Todo.self).first {
        listed.todos.append(todo)
        listed.offsets.append(offset)
      } else {
        listed.unreadable += 1
      }
    }
    return listed
  }

  /// The todos of a listing that a query finds. All of the listing counts in the offsets, as it does in a move.
  ///
  /// `rows` is the listing's statement from its FROM on.
  func todos(of rows: SQL, foundBy query: Query<Todo>, limit: Int?) throws -> ListedTodos {
    let found = try readableTodos(of: query)
    let todos = Dictionary(found.todos.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var listed = ListedTodos(unreadable: found.unreadable)
    let ids = try fetch("SELECT CAST(id AS TEXT), CAST(list_id AS TEXT) \(rows)", as: (String, String).self)
    for ((id, _), offset) in zip(ids, ids.map(\.1).occurrences) where listed.todos.count < limit ?? .max {
      guard let todo = UUID(uuidString: id).flatMap({ todos[$0] }) else { continue }
      listed.todos.append(todo)
      listed.offsets.append(offset)
    }
    return listed
  }

  /// The first todos of a query, and how many rows that are no todos were passed over for them.
  func readableTodos(of query: Query<Todo>, limit: Int? = nil) throws -> (todos: [Todo], unreadable: Int) {
    do {
      return (try fetch(limit.map(query.limit) ?? query), 0)
    } catch let error as RosterError {
      guard error.code == .typeMismatch else { throw error }
    }
    var (todos, unreadable): ([Todo], Int) = ([], 0)
    let total = try count(query)
    var start = 0
    while start < total, todos.count < limit ?? .max {
      let end = min(total, start + (limit.map { $0 - todos.count } ?? total))
      let page = try readableTodos(of: query, start..<end)
      todos += page.todos
      unreadable += page.unreadable
      start = end
    }
    return (todos, unreadable)
  }

  /// Halves the range until what is left of it can be read, or is one row.
  private func readableTodos(of query: Query<Todo>, _ range: Range<Int>) throws -> (todos: [Todo], unreadable: Int) {
    guard !range.isEmpty else { return ([], 0) }
    do {
      return (try fetch(query.offset(range.lowerBound).limit(range.count)), 0)
    } catch let error as RosterError {
      guard error.code == .typeMismatch else { throw error }
      guard range.count > 1 else { return ([], 1) }
    }
    let middle = range.lowerBound + range.count / 2
    let first = try readableTodos(of: query, range.lowerBound..<middle)
    let second = try readableTodos(of: query, middle..<range.upperBound)
    return (first.todos + second.todos, first.unreadable + second.unreadable)
  }
}

extension Array where Element: Hashable {
  /// For each element, how many like it stand before it.
  var occurrences: [Int] {
    var counts: [Element: Int] = [:]
    return map { element in
      defer { counts[element, default: 0] += 1 }
      return counts[element, default: 0]
    }
  }
}
