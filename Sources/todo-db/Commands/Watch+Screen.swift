import Foundation
import Roster
import TodoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension WatchedList {
  /// Shows the list on a screen of its own, until the command is told to end.
  func show(in session: Session) throws -> ExitCode {
    let wishes = ScreenWishes()
    let mode = TerminalMode()
    let out = session.console.out
    let ending = Ending(readerOf: out, end: { wishes.end(nil) }, cleanUp: { mode.leave() })
    let signals = wishes.signals()
    let start = try? store.read { try $0.feedCursor() }
    let tasks = [Task.detached { await follow(wishes) }, Task.detached { await followNames(wishes, since: start) }]
    mode.enter(out)
    defer {
      mode.leave(out)
      for task in tasks { task.cancel() }
      for signal in signals { signal.cancel() }
      try? store.close()
    }
    var (screen, drawing) = (Screen?.none, WatchScreen(isNumbered: isNumbered, search: query))
    while let wish = wishes.next() {
      if wish.isStop {
        mode.leave(out)
        kill(getpid(), SIGSTOP)
        mode.enter(out)
      }
      let size = out.terminalSize ?? (width: 80, height: 24)
      guard let new = try frame(wish, size, &drawing, session.console.outStyle) else { continue }
      out.write(new.update(from: wish.isAnew ? nil : screen))
      guard out.handOver() else { break }
      screen = new
    }
    if let error = wishes.error { throw error }
    return ending.code()
  }

  /// The screen to be shown; nil where nothing is known yet.
  private func frame(
    _ wish: ScreenWishes.Wish, _ size: (width: Int, height: Int), _ drawing: inout WatchScreen, _ style: Style
  ) throws -> Screen? {
    guard wish.content != nil || wish.problem != nil else { return nil }
    let count = wish.content?.records.count ?? 0
    let entries = try store.read { snapshot in
      guard let records = wish.content?.records else { return [TodoEntry]() }
      let shown = ShownTodos(records, lists: try snapshot.listsInOrder())
      let todos = shown.first(WatchScreen.room(for: count, height: size.height))
      return try snapshot.entries(of: todos.map(\.todo), at: todos.map { isNumbered ? $0.number : nil })
    }
    let status = wish.problem ?? Report.watching(name, state, search, count: count, done: wish.content?.done ?? 0)
    return drawing.screen(
      entries, of: count, status: status, overdue: Overdue(now: Date()), width: size.width, height: size.height,
      style: style)
  }

  private func follow(_ wishes: ScreenWishes) async {
    let follower = ListFollower(query, in: store)
    var (old, done) = (ListRecords<Todo>?.none, 0)
    do {
      while let step = try await follower.next() {
        switch step {
        case .unreadable(let problem): wishes.show(problem)
        case .state(let update):
          if let old {
            done += update.changes.doneBalance(from: old)
          } else {
            done = update.records.count(where: \.isDone)
          }
          old = update.records
          wishes.show(ScreenWishes.Content(records: update.records, done: done))
        }
      }
      wishes.end(nil)
    } catch { wishes.end(error) }
  }

  /// Names of lists and tags are shown, and changes of them are none of the todos. Without a log nothing tells of them.
  private func followNames(_ wishes: ScreenWishes, since start: FeedCursor?) async {
    guard let start else { return }
    do {
      for try await batch in store.changes(since: start)
      where batch.isReset || batch.changes.contains(where: \.isOfName) { wishes.draw() }
    } catch { wishes.end(error) }
  }
}

extension RecordChange {
  fileprivate var isOfName: Bool { table != Todo.table.name }
}

extension ListChanges<Todo> {
  /// How many more todos are done after the changes.
  fileprivate func doneBalance(from old: ListRecords<Todo>) -> Int {
    insertions.count(where: \.record.isDone) - deletions.count { old[$0].isDone }
      + (moves + updates).reduce(0) { $0 + ($1.record.isDone ? 1 : 0) - (old[$1.from].isDone ? 1 : 0) }
  }
}
