import Foundation
import Roster
import TodoModel

extension Command.Export {
  /// Writes all todos, those of a list in its order.
  func run(in session: Session) throws -> ExitCode {
    if let output, Files.isDatabase(output, at: session.location.path) {
      throw Refusal.outputIsDatabase(output)
    }
    let store = try session.openForReading()
    var written = (count: 0, losses: [String]())
    guard let output else {
      written = try store.read { try write($0, to: session.console.out, session) }
      if !written.losses.isEmpty { session.note(Report.losses(written.losses, format)) }
      return .done
    }
    do {
      try Files.replace(output) { stream in written = try store.read { try write($0, to: stream, session) } }
    } catch let error as FileError {
      throw Refusal.unwritable(output, error)
    }
    session.report(
      .object([
        ("exported", .number(written.count)), ("output", .string(output)),
        ("losses", .array(written.losses.map(JSON.string))),
      ]),
      [Report.exported(written.count, to: output)])
    if !written.losses.isEmpty, !session.isJSON { session.note(Report.losses(written.losses, format)) }
    return .done
  }

  /// Writes the todos, some at a time, until the reader has gone. Tells how many there are and what was lost.
  private func write(
    _ snapshot: borrowing Snapshot, to stream: OutputStream, _ session: Session
  ) throws -> (Int, [String]) {
    let places = try format.groupsByList ? snapshot.placesByList() : snapshot.placesInFileOrder()
    let lists = try snapshot.listNames()
    var writer = format.writer(now: session.now)
    var progress = Progress("Exporting", of: places.count, session.console)
    defer { progress.end() }
    stream.write(writer.beginning())
    var count = 0
    var rest = places[...]
    while !rest.isEmpty, !stream.isClosed {
      let part = rest.prefix(400)
      rest = rest.dropFirst(400)
      let todos = try snapshot.fetch(Todo.self, ids: part.map(\.id))
      for entry in try snapshot.entries(of: todos, at: part.map(\.index), lists: lists) {
        stream.write(writer.text(for: entry))
        count += 1
      }
      progress.advance(to: count)
    }
    stream.write(writer.ending())
    return (count, writer.losses.messages)
  }
}

/// Where a todo is: which one, and its place in its list, from 0.
private struct TodoPlace {
  var id: UUID
  var index: Int
}

extension StoreAccess {
  /// The todos of each list in its order. Lists take turns as they did when the todos were added.
  ///
  /// So a file whose lines are of several lists comes back as it was, and one that is imported again has every
  /// list in its order.
  fileprivate func placesInFileOrder() throws -> [TodoPlace] {
    var lists = try placesOfLists().mapValues { $0.makeIterator() }
    return try fetch("SELECT list_id FROM \(Todo.self) ORDER BY rowid", as: UUID.self).compactMap { list in
      lists[list]?.next()
    }
  }

  /// The todos of each list in its order, and the lists in theirs. Todos whose list is missing come last.
  fileprivate func placesByList() throws -> [TodoPlace] {
    var lists = try placesOfLists()
    let known = try fetch(Query<TodoList>().inManualOrder()).flatMap { lists.removeValue(forKey: $0.id) ?? [] }
    return known + lists.values.joined()
  }

  private func placesOfLists() throws -> [UUID: [TodoPlace]] {
    var lists: [UUID: [TodoPlace]] = [:]
    try forEach(Query<Todo>().inManualOrder()) { todo in
      let count = lists[todo.listID]?.count ?? 0
      lists[todo.listID, default: []].append(TodoPlace(id: todo.id, index: count))
    }
    return lists
  }
}
