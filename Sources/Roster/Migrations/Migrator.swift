import Foundation

/// Applies migrations to a database, each in a transaction of its own, and keeps the record of them in the
/// table `roster_migrations`.
struct Migrator: Sendable {
  static let table = "roster_migrations"
  /// By number, without duplicates.
  let migrations: [Migration]

  init(_ migrations: [Migration]) throws(RosterError) {
    self.migrations = migrations.sorted { $0.number < $1.number }
    for migration in self.migrations where migration.number < 1 {
      throw RosterError(.migrationInvalid, "Migration \(migration.fileName): migrations are numbered from 1.")
    }
    for (one, next) in zip(self.migrations, self.migrations.dropFirst()) where one.number == next.number {
      throw RosterError(
        .migrationInvalid, "Migrations \(one.fileName) and \(next.fileName) have the same number.")
    }
  }

  /// How each migration, given or recorded, stands.
  func status(on connection: Connection) throws(RosterError) -> [MigrationStatus] {
    let recorded = try recorded(on: connection)
    let newest = recorded.keys.max() ?? 0
    let known = migrations.last?.number ?? 0
    var status: [MigrationStatus] = migrations.map { migration in
      let record = recorded[migration.number]
      let state: MigrationStatus.State =
        if let record {
          record.checksum == migration.checksum ? .applied : .edited
        } else {
          migration.number < newest ? .outOfOrder : .pending
        }
      return MigrationStatus(
        number: migration.number, name: migration.name, state: state, appliedAt: record?.appliedAt)
    }
    let given = Set(migrations.map(\.number))
    for (number, record) in recorded where !given.contains(number) {
      status.append(
        MigrationStatus(
          number: number, name: record.name, state: number > known ? .fromNewerVersion : .missing,
          appliedAt: record.appliedAt))
    }
    return status.sorted { $0.number < $1.number }
  }

  /// Refuses a database whose record does not fit the migrations given. Where none are given, the schema is
  /// somebody else's business, as it is for a tool that inspects any database.
  func check(_ status: [MigrationStatus]) throws(RosterError) {
    guard !migrations.isEmpty else { return }
    for (state, code) in Migrator.refusals {
      let at = status.filter { $0.state == state }
      guard !at.isEmpty else { continue }
      let names = at.map { Migration(number: $0.number, name: $0.name, sql: "").fileName }
      throw RosterError(code, Migrator.sentence(state, names.joined(separator: ", ")))
    }
  }

  private static let refusals: [(MigrationStatus.State, RosterError.Code)] = [
    (.fromNewerVersion, .fromNewerVersion), (.missing, .migrationMissing), (.edited, .migrationEdited),
    (.outOfOrder, .migrationOutOfOrder),
  ]

  private static func sentence(_ state: MigrationStatus.State, _ names: String) -> String {
    switch state {
    case .fromNewerVersion:
      "The database is from a newer version of the app, which applied \(names). Open it read-only, or update the app."
    case .missing:
      "The database was made with \(names), which is no longer among the app's migrations. Put the file back."
    case .edited:
      "\(names) was edited after it was applied to this database. Restore its text, and write a new migration."
    case .outOfOrder:
      "\(names) has a lower number than a migration already applied to this database. Give it a higher one."
    case .applied, .pending: names
    }
  }

  /// Applies what is pending. Safe against other processes doing the same at the same time.
  ///
  /// - Throws: ``RosterError/Code/migrationFailed`` with the file, the statement and the line. What was applied
  ///   before stays; the failed one leaves nothing.
  func apply(on connection: Connection, at now: Date = Date()) throws(RosterError) {
    // Rebuilding a table drops it, and with enforcement on that would delete the rows that refer to it. The
    // pragma does nothing inside a transaction. https://www.sqlite.org/lang_altertable.html#otheralter
    try connection.setForeignKeys(false)
    var failure: RosterError?
    for migration in migrations where failure == nil {
      do throws(RosterError) { try apply(migration, on: connection, at: now) } catch { failure = error }
    }
    try connection.setForeignKeys(true)
    if let failure { throw failure }
  }

  private func apply(_ migration: Migration, on connection: Connection, at now: Date) throws(RosterError) {
    try connection.control("BEGIN IMMEDIATE")
    do throws(RosterError) {
      // Asked inside the transaction: another process may have applied it since.
      try check(status(on: connection))
      if try recorded(on: connection)[migration.number] == nil {
        let before = try violations(on: connection)
        try dropDerived(on: connection)
        try run(migration, on: connection)
        try refuseViolations(beyond: before, of: migration, on: connection)
        try record(migration, on: connection, at: now)
      }
      try connection.control("COMMIT")
    } catch {
      try? connection.rollBack()
      throw error
    }
  }

  /// Drops what stores derive from the declarations of tables: a trigger on a column keeps it from being dropped. They make
  /// it anew when they open.
  private func dropDerived(on connection: Connection) throws(RosterError) {
    let derived = try connection.rows(
      """
      SELECT type, name FROM sqlite_schema
      WHERE type IN ('trigger', 'index') AND (name GLOB 'roster_feed_*' OR name GLOB 'roster_order_*')
        AND sql LIKE 'CREATE ' || type || ' "' || replace(name, '"', '""') || '" %'
      """)
    for row in derived {
      guard row.count == 2, case .text(let type) = row[0], case .text(let name) = row[1] else { continue }
      try connection.execute("DROP \(type.uppercased()) \(quoted(name))")
    }
    try SearchPart.drop(try SearchPart.all(on: connection), on: connection)
  }

  private func run(_ migration: Migration, on connection: Connection) throws(RosterError) {
    try connection.executeScript(migration.sql) { error, number, offset in
      let place = Migrator.place(in: migration.sql, statement: offset, fault: error.sqlOffset)
      let reason =
        error.code == .notAuthorized
        ? "it begins or ends a transaction, or attaches a database, and a migration is one transaction on one database"
        : error.message
      return RosterError(
        error.code == .notAuthorized ? .migrationInvalid : .migrationFailed,
        "Migration \(migration.fileName), statement \(number), line \(place.line): \(reason)",
        sqliteCode: error.sqliteCode, sql: place.statement, table: error.table, columns: error.columns,
        cause: error)
    }
    guard connection.isInTransaction else {
      throw RosterError(.migrationFailed, "Migration \(migration.fileName) ended its transaction.")
    }
  }

  private func record(_ migration: Migration, on connection: Connection, at now: Date) throws(RosterError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(Migrator.table) (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        checksum TEXT NOT NULL,
        applied_at TEXT NOT NULL
      )
      """)
    try connection.execute(
      """
      INSERT INTO \(Migrator.table) (number, name, checksum, applied_at)
      VALUES (?, ?, ?, datetime(?, 'unixepoch'))
      """,
      [
        SQLArgument(.integer(Int64(migration.number))), SQLArgument(.text(migration.name)),
        SQLArgument(.text(migration.checksum)), SQLArgument(.integer(Int64(now.timeIntervalSince1970))),
      ])
  }

  private struct Recorded {
    let name: String
    let checksum: String
    let appliedAt: Date?
  }

  private func rows(on connection: Connection) throws(RosterError) -> [[SQLiteValue]] {
    do throws(RosterError) {
      return try connection.rows(
        "SELECT number, name, checksum, unixepoch(applied_at) FROM \(Migrator.table)")
    } catch {
      guard error.code == .sql else { throw error }
      throw RosterError(
        .corrupt, "The table \(Migrator.table) is not the record of migrations: \(error.message).",
        sqliteCode: error.sqliteCode, table: Migrator.table, cause: error)
    }
  }

  private func recorded(on connection: Connection) throws(RosterError) -> [Int: Recorded] {
    guard try connection.value("SELECT 1 FROM sqlite_schema WHERE name = '\(Migrator.table)'") != nil else {
      return [:]
    }
    var records: [Int: Recorded] = [:]
    for row in try rows(on: connection) {
      guard row.count == 4, case .integer(let number) = row[0], case .text(let name) = row[1],
        case .text(let checksum) = row[2]
      else {
        throw RosterError(
          .corrupt, "The table \(Migrator.table) holds a row that no migration wrote.", table: Migrator.table)
      }
      var appliedAt: Date?
      if case .integer(let time) = row[3] { appliedAt = Date(timeIntervalSince1970: Double(time)) }
      records[Int(number)] = Recorded(name: name, checksum: checksum, appliedAt: appliedAt)
    }
    return records
  }
}
