import Roster
import TodoModel

extension Session {
  func show(_ id: String) throws -> ExitCode {
    let entry = try openForReading().read { try $0.entry(of: $0.todo(id)) }
    report(
      entry.json, Report.details(of: entry, isOverdue: Overdue(now: now).contains(entry), console.outStyle))
    return .done
  }
}
