import Foundation
import Roster

/// The record that is measured: seven columns, as a todo has them.
struct BenchItem: BenchTodo, Equatable {
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
}

/// The same in an order that is kept by hand.
struct BenchTask: BenchTodo, Equatable {
  let id: UUID
  var listID: UUID
  var title: String
  var note: String
  var isDone: Bool
  var priority: Int
  var due: Date?

  static let table = Table(
    "task", BenchTask.init, Column("id", \.id), Column("list_id", \.listID), Column("title", \.title),
    Column("note", \.note), Column("is_done", \.isDone), Column("priority", \.priority), Column("due", \.due),
    order: .manual("position", within: \.listID))
}

/// The seven columns, so that C's values are made into either record in one place.
protocol BenchTodo: Record where ID == UUID {
  var listID: UUID { get set }
  var title: String { get set }
  var note: String { get set }
  var isDone: Bool { get set }
  var priority: Int { get set }
  var due: Date? { get set }
  init(id: UUID, listID: UUID, title: String, note: String, isDone: Bool, priority: Int, due: Date?)
}

extension BenchTodo {
  /// Todos of mixed scripts in one list, the same ones in each run; three of four have a due date.
  static func make(_ count: Int, seed: UInt64 = 1) -> [Self] {
    var dice = BenchDice(seed: seed)
    let titles = ["Renew the library card", "学习 SwiftUI 布局", "牛乳を買う", "🎉 plan the launch", "Call Zoë back"]
    let list = dice.id()
    return (0..<count).map { index in
      Self(
        id: dice.id(), listID: list, title: "\(titles[index % titles.count]) \(index)",
        note: index % 3 == 0 ? "两行\n备注" : "",
        isDone: index % 2 == 0, priority: index % 3 + 1,
        due: index % 4 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(812_000_000 + index * 61)))
    }
  }
}

extension BenchDice {
  mutating func id() -> UUID {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) { bytes in
      bytes.storeBytes(of: next(), as: UInt64.self)
      bytes.storeBytes(of: next(), toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: uuid)
  }
}
