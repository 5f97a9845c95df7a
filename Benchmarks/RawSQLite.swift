import CSQLite
import Foundation

/// The limit: the same SQL, pragmas and representations by hand-written calls of SQLite's C interface.
final class RawSQLite {
  private var database: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  init(path: String) throws {
    try check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil))
    for pragma in ["synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON", "cache_size = -16000"] {
      try run("PRAGMA \(pragma)")
    }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  func insert(_ items: [BenchItem]) throws {
    try run("BEGIN IMMEDIATE")
    let statement = try prepared(
      """
      INSERT INTO "item" ("id", "list_id", "title", "note", "is_done", "priority", "due")
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    for item in items {
      bind(item.id, statement, 1)
      bind(item.listID, statement, 2)
      bind(item.title, statement, 3)
      bind(item.note, statement, 4)
      sqlite3_bind_int64(statement, 5, item.isDone ? 1 : 0)
      sqlite3_bind_int64(statement, 6, Int64(item.priority))
      if let due = item.due { bind(due, statement, 7) } else { sqlite3_bind_null(statement, 7) }
      guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
      sqlite3_reset(statement)
    }
    try run("COMMIT")
  }

  func fetchAll() throws -> [BenchItem] {
    try run("BEGIN")
    let statement = try prepared(
      """
      SELECT "id", "list_id", "title", "note", "is_done", "priority", "due" FROM "item" ORDER BY rowid
      """)
    var items: [BenchItem] = []
    while sqlite3_step(statement) == SQLITE_ROW { items.append(try item(statement)) }
    sqlite3_reset(statement)
    try run("COMMIT")
    return items
  }

  func fetch(_ ids: [UUID]) throws -> [BenchItem] {
    try run("BEGIN")
    let statement = try prepared(
      """
      SELECT "id", "list_id", "title", "note", "is_done", "priority", "due" FROM "item" WHERE "id" = ?1
      """)
    var items: [BenchItem] = []
    for id in ids {
      bind(id, statement, 1)
      if sqlite3_step(statement) == SQLITE_ROW { items.append(try item(statement)) }
      sqlite3_reset(statement)
    }
    try run("COMMIT")
    return items
  }

  func complete(_ ids: [UUID]) throws {
    let statement = try prepared("UPDATE \"item\" SET \"is_done\" = ?1 WHERE \"id\" = ?2")
    for id in ids {
      try run("BEGIN IMMEDIATE")
      sqlite3_bind_int64(statement, 1, 1)
      bind(id, statement, 2)
      guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
      sqlite3_reset(statement)
      try run("COMMIT")
    }
  }

  // MARK: One long list

  func insert(titles: [(Int64, String)], position: (Int) -> Int64) throws {
    try run("BEGIN IMMEDIATE")
    let statement = try prepared("INSERT INTO \"row\" (\"id\", \"title\", \"position\") VALUES (?1, ?2, ?3)")
    for (index, (id, title)) in titles.enumerated() {
      sqlite3_bind_int64(statement, 1, id)
      bind(title, statement, 2)
      sqlite3_bind_int64(statement, 3, position(index))
      guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
      sqlite3_reset(statement)
    }
    try run("COMMIT")
  }

  func insert(texts: [String]) throws {
    try run("BEGIN IMMEDIATE")
    let statement = try prepared("INSERT INTO \"text\" (\"id\", \"title\", \"is_done\") VALUES (?1, ?2, 0)")
    for (id, title) in texts.enumerated() {
      sqlite3_bind_int64(statement, 1, Int64(id))
      bind(title, statement, 2)
      guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
      sqlite3_reset(statement)
    }
    try run("COMMIT")
  }

  func retitle(_ id: Int64, _ title: String) throws {
    try run("BEGIN IMMEDIATE")
    let statement = try prepared("UPDATE \"row\" SET \"title\" = ?1 WHERE \"id\" = ?2")
    bind(title, statement, 1)
    sqlite3_bind_int64(statement, 2, id)
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
    sqlite3_reset(statement)
    try run("COMMIT")
  }

  /// Puts a row in front, as is done where positions are numbers without gaps: every other row is written.
  func shiftAll(_ id: Int64) throws {
    try run("BEGIN IMMEDIATE")
    try run("UPDATE \"row\" SET \"position\" = \"position\" + 1")
    let statement = try prepared("UPDATE \"row\" SET \"position\" = 0 WHERE \"id\" = ?1")
    sqlite3_bind_int64(statement, 1, id)
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
    sqlite3_reset(statement)
    try run("COMMIT")
  }

  func order() throws -> [Int64] {
    let statement = try prepared("SELECT \"id\" FROM \"row\" ORDER BY \"position\"")
    var ids: [Int64] = []
    while sqlite3_step(statement) == SQLITE_ROW { ids.append(sqlite3_column_int64(statement, 0)) }
    sqlite3_reset(statement)
    return ids
  }

  // MARK: Representations

  private func item(_ statement: OpaquePointer) throws -> BenchItem {
    guard let id = uuid(statement, 0), let list = uuid(statement, 1) else { throw failure() }
    return BenchItem(
      id: id, listID: list, title: text(statement, 2), note: text(statement, 3),
      isDone: sqlite3_column_int64(statement, 4) != 0, priority: Int(sqlite3_column_int64(statement, 5)),
      due: sqlite3_column_type(statement, 6) == SQLITE_NULL ? nil : date(statement, 6))
  }

  private func bind(_ value: String, _ statement: OpaquePointer, _ index: Int32) {
    var value = value
    value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        guard let base = text.baseAddress else { return }
        roster_bind_text(statement, index, base, UInt64(text.count))
      }
    }
  }

  private static let hex = Array("0123456789abcdef".utf8CString)

  private func bind(_ value: UUID, _ statement: OpaquePointer, _ index: Int32) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 36) { text in
      var place = 0
      withUnsafeBytes(of: value.uuid) { bytes in
        for (index, byte) in bytes.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            text[place] = 45
            place += 1
          }
          text[place] = RawSQLite.hex[Int(byte >> 4)]
          text[place + 1] = RawSQLite.hex[Int(byte & 15)]
          place += 2
        }
      }
      if let base = text.baseAddress { roster_bind_text(statement, index, base, 36) }
    }
  }

  private func bind(_ value: Date, _ statement: OpaquePointer, _ index: Int32) {
    var seconds = Int(value.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      guard let base = text.baseAddress else { return }
      let count = strftime(base, 32, "%Y-%m-%d %H:%M:%S", &parts)
      roster_bind_text(statement, index, base, UInt64(count))
    }
  }

  private func text(_ statement: OpaquePointer, _ index: Int32) -> String {
    let bytes = UnsafeBufferPointer(
      start: sqlite3_column_text(statement, index), count: Int(sqlite3_column_bytes(statement, index)))
    return String(decoding: bytes, as: UTF8.self)
  }

  private func uuid(_ statement: OpaquePointer, _ index: Int32) -> UUID? {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    guard let text = sqlite3_column_text(statement, index), sqlite3_column_bytes(statement, index) == 36 else {
      return nil
    }
    withUnsafeMutableBytes(of: &uuid) { bytes in
      var place = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 { place += 1 }
        bytes[index] = RawSQLite.nibble(text[place]) << 4 | RawSQLite.nibble(text[place + 1])
        place += 2
      }
    }
    return UUID(uuid: uuid)
  }

  private static func nibble(_ digit: UInt8) -> UInt8 { digit < 58 ? digit - 48 : digit - 87 }

  private func date(_ statement: OpaquePointer, _ index: Int32) -> Date? {
    guard let text = sqlite3_column_text(statement, index), sqlite3_column_bytes(statement, index) == 19 else {
      return nil
    }
    func two(_ place: Int) -> Int { Int(text[place] - 48) * 10 + Int(text[place + 1] - 48) }
    let year = two(0) * 100 + two(2)
    let month = two(5)
    // Days from civil, as in Hinnant's paper.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + two(8) - 1
    let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    return Date(timeIntervalSince1970: Double(days * 86_400 + two(11) * 3600 + two(14) * 60 + two(17)))
  }

  // MARK: Statements

  private func prepared(_ sql: String) throws -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw failure() }
    statements[sql] = statement
    return statement
  }

  func run(_ sql: String) throws {
    let statement = try prepared(sql)
    while sqlite3_step(statement) == SQLITE_ROW {}
    try check(sqlite3_reset(statement))
  }

  private func check(_ result: Int32) throws {
    guard result == SQLITE_OK else { throw failure() }
  }

  private func failure() -> BenchFailure { BenchFailure(String(cString: sqlite3_errmsg(database))) }
}

/// What stops a benchmark: a call that failed, or two variants that do not agree.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
