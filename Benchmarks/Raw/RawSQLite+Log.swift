import CSQLite

extension RawSQLite {
  /// A row of the change log.
  struct LogRow {
    let seq: Int64
    let kind: Int64
    let source: String
    let rowKey: Int64
    let id: String
  }

  /// The last row of the log for each record since a number.
  func changes(since seq: Int64) throws -> [String: LogRow] {
    var changes: [String: LogRow] = [:]
    try transaction("BEGIN") {
      let statement = try prepared(
        "SELECT seq, kind, source, row_key, record_id FROM roster_log WHERE seq > ?1 ORDER BY seq")
      sqlite3_bind_int64(statement, 1, seq)
      let found = try rows(statement) { statement in
        LogRow(
          seq: sqlite3_column_int64(statement, 0), kind: sqlite3_column_int64(statement, 1), source: text(statement, 2),
          rowKey: sqlite3_column_int64(statement, 3), id: text(statement, 4))
      }
      for row in found { changes[row.id] = row }
    }
    return changes
  }
}
