import Foundation
import Roster

/// The record that is measured: seven columns, as a todo has them.
struct BenchItem: Record, Equatable {
  let id: UUID
  var listID: UUID
  var title: String
  var note: String
  var isDone: Bool
  var priority: Int
  var due: Date?

  static let table = Table(
    "item", BenchItem.init, Column("id", \.id), Column("list_id", \.listID), Column("title", \.title),
    Column("note", \.note), Column("is_done", \.isDone), Column("priority", \.priority), Column("due", \.due))

  static let migrations = [
    Migration(
      number: 1, name: "item",
      sql: """
        CREATE TABLE item (
          row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list_id TEXT NOT NULL, title TEXT NOT NULL,
          note TEXT NOT NULL, is_done INTEGER NOT NULL, priority INTEGER NOT NULL, due TEXT
        );
        """)
  ]

  /// Items of mixed scripts; three of four have a due date.
  static func make(_ count: Int) -> [BenchItem] {
    let titles = ["Renew the library card", "学习 SwiftUI 布局", "牛乳を買う", "🎉 plan the launch", "Call Zoë back"]
    let list = UUID()
    return (0..<count).map { index in
      BenchItem(
        id: UUID(), listID: list, title: "\(titles[index % titles.count]) \(index)",
        note: index % 3 == 0 ? "两行\n备注" : "",
        isDone: index % 2 == 0, priority: index % 3 + 1,
        due: index % 4 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(812_000_000 + index * 61)))
    }
  }
}
