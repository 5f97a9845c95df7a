import Roster
import TodoModel

extension Session {
  /// Applies the pending migrations.
  func migrate() throws -> ExitCode {
    try requireTodos()
    let pending = try migrationStatus().filter { $0.state == .pending }
    try openForWriting().close()
    report(
      .object([("applied", .array(pending.map { .string($0.fileName) }))]),
      pending.isEmpty ? [Report.upToDate] : pending.map { Report.applied($0.fileName) })
    return .done
  }

  /// Lists the migrations, without applying any.
  func showMigrations() throws -> ExitCode {
    try requireTodos()
    let status = try migrationStatus()
    report(.array(status.map(\.json)), lines(status))
    return .done
  }

  private func lines(_ status: [MigrationStatus]) -> [String] {
    var table = TextTable([
      .init("MIGRATION", minimumWidth: 12), .init("STATE", minimumWidth: 8), .init("APPLIED (UTC)", leaving: 0),
    ])
    for migration in status {
      let applied = migration.appliedAt.flatMap { DueDate(date: $0, hasTime: true).display }
      table.append([
        .init(migration.fileName), .init(Report.state(migration.state), role: migration.state.role),
        .init(applied ?? ""),
      ])
    }
    return table.lines(width: console.out.terminalWidth, style: console.outStyle)
  }
}

extension MigrationStatus {

  fileprivate var json: JSON {
    .object([
      ("number", .number(number)), ("name", .string(name)), ("state", .string(state.rawValue)),
      ("applied", .string(appliedAt.flatMap(DueDate.timestamp))),
    ])
  }
}

extension MigrationStatus.State {
  fileprivate var role: Style.Role {
    switch self {
    case .applied: .success
    case .pending: .warning
    case .edited, .missing, .fromNewerVersion, .outOfOrder: .urgent
    }
  }
}
