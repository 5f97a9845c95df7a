import Foundation
import Roster

/// A page whose title is searched, in a file whose rows a process indexes and rewrites until it is killed.
struct Page: Record {
  let id: Int
  var title: String

  static let table = Table("page", Page.init, Column("id", \.id), Column("title", \.title), search: .substring(\.title))
  static let records: [any Record.Type] = [Page.self]
  static let migrations = [
    Migration(number: 1, name: "page", sql: "CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL);")
  ]

  /// Has all rows indexed anew, as another program does that has dropped a part of the index, and rewrites some meanwhile.
  static func rewriteForever(at url: URL) throws {
    let store = try Store(at: url, records: records, migrations: migrations)
    while true {
      try store.write { try $0.execute("DROP TRIGGER roster_search_page_insert") }
      for number in 0..<200 {
        try store.write { tx in
          let id = Int.random(in: 0..<3000)
          try tx.execute("REPLACE INTO page (id, title) VALUES (\(id), \("布局 \(id) written \(number)"))")
          if number % 7 == 0 { try tx.execute("DELETE FROM page WHERE id = \(Int.random(in: 0..<3000))") }
        }
        if number == 0 { say("writing") }
      }
    }
  }
}
