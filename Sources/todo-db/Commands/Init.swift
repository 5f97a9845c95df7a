import Roster
import TodoModel

extension Session {
  /// Makes the database. One that is there stays as it is, also where migrations are pending.
  func initialise() throws -> ExitCode {
    let isThere = try DatabaseFile(at: location) == .todos
    if !isThere { try openOrCreate().close() }
    report(
      .object([("database", .string(location.path)), ("created", .bool(!isThere))]),
      [isThere ? Report.alreadyThere(location.shown) : Report.created(location.shown)])
    return .done
  }
}
