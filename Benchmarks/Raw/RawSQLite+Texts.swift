import CSQLite
import Foundation

// What is searched, with an index that triggers keep, and without one.
extension RawSQLite {
  func insert(texts: [String]) throws {
    try transaction {
      let statement = try prepared(#"INSERT INTO "text" ("id", "title", "is_done") VALUES (?1, ?2, 0)"#)
      for (id, title) in texts.enumerated() {
        sqlite3_bind_int64(statement, 1, Int64(id))
        bind(title, statement, 2)
        try finish(statement)
      }
    }
  }

  /// In a transaction.
  func completeText(_ id: Int) throws {
    try transaction {
      let statement = try prepared(#"UPDATE "text" SET "is_done" = 1 WHERE "id" = ?1"#)
      sqlite3_bind_int64(statement, 1, Int64(id))
      try finish(statement)
    }
  }

  /// The best 20 by the index of triggers, which finds three characters and more; shorter words by a look at every row.
  func search(_ words: [String]) throws -> [BenchText] {
    let isIndexed = words.allSatisfy { $0.unicodeScalars.count >= 3 }
    var found: [BenchText] = []
    try transaction("BEGIN") {
      let statement = try prepared(
        isIndexed
          ? """
          SELECT t."id", t."title", t."is_done" FROM by_hand JOIN "text" t ON t."id" = by_hand.rowid
          WHERE by_hand MATCH ?1 ORDER BY rank LIMIT 20
          """
          : """
          SELECT "id", "title", "is_done" FROM "text" WHERE \(RawSQLite.scan(words.count)) ORDER BY "id" DESC LIMIT 20
          """)
      bindSearch(words, isIndexed, statement)
      found = try rows(statement) { statement in
        BenchText(
          id: sqlite3_column_int64(statement, 0), title: text(statement, 1),
          isDone: sqlite3_column_int64(statement, 2) != 0)
      }
    }
    return found
  }

  func searchCount(_ words: [String]) throws -> Int {
    let isIndexed = words.allSatisfy { $0.unicodeScalars.count >= 3 }
    let statement = try prepared(
      isIndexed
        ? "SELECT count(*) FROM by_hand WHERE by_hand MATCH ?1"
        : #"SELECT count(*) FROM "text" WHERE \#(RawSQLite.scan(words.count))"#)
    bindSearch(words, isIndexed, statement)
    return try rows(statement) { Int(sqlite3_column_int64($0, 0)) }.first ?? 0
  }

  private static func scan(_ count: Int) -> String {
    (1...count).map { #""title" LIKE ?\#($0) ESCAPE '\'"# }.joined(separator: " AND ")
  }

  private func bindSearch(_ words: [String], _ isIndexed: Bool, _ statement: OpaquePointer) {
    if isIndexed {
      let quoted = words.map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
      return bind(quoted.joined(separator: " "), statement, 1)
    }
    for (index, word) in words.enumerated() {
      let plain = ["\\", "%", "_"].reduce(word) { $0.replacingOccurrences(of: $1, with: "\\" + $1) }
      bind("%\(plain)%", statement, Int32(index + 1))
    }
  }
}
