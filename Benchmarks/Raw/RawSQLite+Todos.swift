import CSQLite
import Foundation

// The statements of `BenchItem` and `BenchTask`, as Roster writes them.
extension RawSQLite {
  private static let columns =
    #""id", "list_id", "title", "note", "is_done", "priority", "due""#

  func insert(_ items: [BenchItem]) throws {
    try transaction {
      let statement = try prepared(
        "INSERT INTO \"item\" (\(RawSQLite.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      for item in items {
        bind(item, statement)
        try finish(statement)
      }
    }
  }

  func update(_ items: [BenchItem]) throws {
    try transaction {
      let statement = try prepared(
        """
        UPDATE "item" SET "list_id" = ?2, "title" = ?3, "note" = ?4, "is_done" = ?5, "priority" = ?6, "due" = ?7
        WHERE "id" = ?1
        """)
      for item in items {
        bind(item, statement)
        try finish(statement)
      }
    }
  }

  func delete(_ ids: [UUID]) throws {
    try transaction {
      let statement = try prepared(#"DELETE FROM "item" WHERE "id" = ?1"#)
      for id in ids {
        bind(id, statement, 1)
        try finish(statement)
      }
    }
  }

  /// A transaction for each.
  func annotate(_ ids: [UUID], _ note: String) throws {
    let statement = try prepared(#"UPDATE "item" SET "note" = ?1 WHERE "id" = ?2"#)
    for id in ids {
      try transaction {
        bind(note, statement, 1)
        bind(id, statement, 2)
        try finish(statement)
      }
    }
  }

  func fetchAll() throws -> [BenchItem] {
    var items: [BenchItem] = []
    try transaction("BEGIN") {
      items = try rows(prepared(#"SELECT \#(RawSQLite.columns) FROM "item" ORDER BY rowid"#), todo)
    }
    return items
  }

  func fetch(_ ids: [UUID]) throws -> [BenchItem] {
    var items: [BenchItem] = []
    try transaction("BEGIN") {
      let statement = try prepared(#"SELECT \#(RawSQLite.columns) FROM "item" WHERE "id" = ?1"#)
      for id in ids {
        bind(id, statement, 1)
        if sqlite3_step(statement) == SQLITE_ROW { items.append(try todo(statement)) }
        sqlite3_reset(statement)
      }
    }
    return items
  }

  func fetchUrgent() throws -> [BenchItem] {
    var items: [BenchItem] = []
    try transaction("BEGIN") {
      let sql = """
        SELECT \(RawSQLite.columns) FROM "item" WHERE "is_done" = 0 AND "priority" = 1 ORDER BY "due", rowid
        """
      items = try rows(prepared(sql), todo)
    }
    return items
  }

  // MARK: In order

  func fetchInOrder(_ list: UUID, limit: Int = -1) throws -> [BenchTask] {
    var tasks: [BenchTask] = []
    try transaction("BEGIN") {
      let statement = try prepared(
        """
        SELECT \(RawSQLite.columns) FROM "task" WHERE "list_id" = ?1 ORDER BY "position", rowid LIMIT ?2
        """)
      bind(list, statement, 1)
      sqlite3_bind_int64(statement, 2, Int64(limit))
      tasks = try rows(statement, todo)
    }
    return tasks
  }

  func page(after task: BenchTask, limit: Int) throws -> [BenchTask] {
    var tasks: [BenchTask] = []
    try transaction("BEGIN") {
      let statement = try prepared(
        """
        SELECT \(RawSQLite.columns) FROM "task" WHERE "list_id" = ?1 AND ("position", rowid)
          > (SELECT "position", rowid FROM "task" WHERE "id" = ?2)
        ORDER BY "position", rowid LIMIT ?3
        """)
      bind(task.listID, statement, 1)
      bind(task.id, statement, 2)
      sqlite3_bind_int64(statement, 3, Int64(limit))
      tasks = try rows(statement, todo)
    }
    return tasks
  }

  func page(after item: BenchItem, limit: Int) throws -> [BenchItem] {
    var items: [BenchItem] = []
    try transaction("BEGIN") {
      let statement = try prepared(
        """
        SELECT \(RawSQLite.columns) FROM "item" WHERE rowid > (SELECT rowid FROM "item" WHERE "id" = ?1)
        ORDER BY rowid LIMIT ?2
        """)
      bind(item.id, statement, 1)
      sqlite3_bind_int64(statement, 2, Int64(limit))
      items = try rows(statement, todo)
    }
    return items
  }

  private func bind(_ item: BenchItem, _ statement: OpaquePointer) {
    bind(item.id, statement, 1)
    bind(item.listID, statement, 2)
    bind(item.title, statement, 3)
    bind(item.note, statement, 4)
    sqlite3_bind_int64(statement, 5, item.isDone ? 1 : 0)
    sqlite3_bind_int64(statement, 6, Int64(item.priority))
    if let due = item.due { bind(due, statement, 7) } else { sqlite3_bind_null(statement, 7) }
  }
}
