import Foundation
import Testing

@testable import Roster

/// Lists that are kept current through random transactions, against a fetch of the whole.
@Suite("Live lists against fetches")
struct LiveModelTests {
  /// In all, shared out among the seeds. With ROSTER_OPERATIONS=100000 it takes four minutes in a debug build.
  private static let transactions =
    ProcessInfo.processInfo.environment["ROSTER_OPERATIONS"].flatMap { Int($0) } ?? 12_000

  private static let names: [String?] = ["a", "列表", nil]

  /// A list with all that is known of it.
  private final class Follower {
    let name: String
    let query: Query<Item>
    var state: ListState<Item>
    var records: [Item]

    init(_ name: String, _ query: Query<Item>, _ store: Store) throws {
      self.name = name
      self.query = query
      let reader = try ListReader(query)
      state = try store.read { try ListState(reader, on: $0.connection) }
      records = state.rows.map(\.record)
    }
  }

  private static func queries() -> [(String, Query<Item>)] {
    let three = 3
    return [
      ("all", Query()), ("in order", Query().inManualOrder()), ("one list", Query().inManualOrder(within: "a")),
      ("unnamed list", Query().inManualOrder(within: String?.none)),
      ("open ones", Query().filter(#Predicate { !$0.isDone }).inManualOrder(within: "列表")),
      (
        "by rank",
        Query().sorted(by: SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.title, comparator: .lexical))
      ),
      (
        "by list",
        Query().filter(#Predicate { $0.rank < three }).sorted(by: SortDescriptor(\.list, comparator: .lexical))
      ),
      ("first five", Query().inManualOrder(within: "a").limit(5)), ("odd ones", Query().filter(sql: "rank % 2 = 1")),
    ]
  }

  @Test(
    "after every transaction old rows and events are the new rows, which are those of a fetch",
    arguments: SeededGenerator.seeds)
  func random(seed: UInt64) throws {
    print("LiveModelTests: ROSTER_SEED=\(seed)")
    var dice = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var options = StoreOptions()
    options.durability = .normal
    options.changeLogLimit = 2_000
    let store = try Store.ordered(in: folder, options: options)
    let outside = try Connection(path: folder.file("ordered.db").path, mode: .readWrite)
    let followers = try LiveModelTests.queries().map { try Follower($0.0, $0.1, store) }
    var nextNumber = 0
    for step in 0..<(LiveModelTests.transactions / 20 / SeededGenerator.seeds.count) {
      // Twenty transactions for each look at the lists, on average; some come upon several at once.
      for _ in 0..<20 {
        if dice.below(6) == 0 {
          try outside.execute(LiveModelTests.foreign(&dice))
        } else {
          try store.write { (tx: inout Transaction) throws in
            for _ in 0...dice.below(3) { try LiveModelTests.change(&tx, &dice, &nextNumber) }
          }
        }
        guard dice.below(20) == 0 else { continue }
        try look(at: followers, in: store, seed, step)
      }
      try look(at: followers, in: store, seed, step)
    }
  }

  private func look(at followers: [Follower], in store: Store, _ seed: UInt64, _ step: Int) throws {
    for follower in followers {
      let message: Comment = "\(follower.name), ROSTER_SEED=\(seed), step \(step)"
      let (old, query) = (follower.state, follower.query)
      let (new, touched, fetched) = try store.read { (snapshot: inout Snapshot) throws in
        var state = old
        let touched: ListState<Item>.Touched? = try state.update(on: snapshot.connection)
        return (state, touched ?? .rows([]), try snapshot.fetch(query))
      }
      try #require(new.rows.map(\.record) == fetched, message)
      #expect(new.rows.checkInvariants() == [], message)
      let changes =
        ListState.changes(from: old.content, to: new.content, touched: touched)
        ?? ListChanges.none(new.content)
      try LiveModelTests.accept(changes, old.rows.count, new.rows.count, message)
      changes.apply(to: &follower.records)
      try #require(follower.records == fetched, message)
      #expect(changes.moves.count == LiveModelTests.fewestMoves(old.rows.map(\.record), fetched), message)
      for update in changes.updates { #expect(old.rows[update.from].record != update.record, message) }
      follower.state = new
    }
  }

  /// The rules that a table view has for a batch of updates.
  private static func accept<R>(_ changes: ListChanges<R>, _ old: Int, _ new: Int, _ message: Comment) throws {
    let sources = changes.deletions + changes.moves.map(\.from) + changes.updates.map(\.from)
    let targets = changes.insertions.map(\.index) + changes.moves.map(\.to) + changes.updates.map(\.to)
    try #require(Set(sources).count == sources.count && sources.allSatisfy { (0..<old).contains($0) }, message)
    try #require(Set(targets).count == targets.count && targets.allSatisfy { (0..<new).contains($0) }, message)
    try #require(old - changes.deletions.count + changes.insertions.count == new, message)
    #expect(changes.deletions == changes.deletions.sorted(), message)
    #expect(changes.insertions.map(\.index) == changes.insertions.map(\.index).sorted(), message)
    for move in changes.moves where !move.isChanged { #expect(move.from >= 0, message) }
  }

  private static func fewestMoves(_ old: [Item], _ new: [Item]) -> Int {
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, Int64($0)) })
    let kept = new.compactMap { places[$0.id] }
    return kept.count - longestRise(kept).count
  }

  private static func change(_ tx: inout Transaction, _ dice: inout SeededGenerator, _ nextNumber: inout Int) throws {
    let all = try tx.fetch("SELECT id FROM item ORDER BY rowid", as: UUID.self)
    let name = names[dice.below(names.count)]
    guard all.count > 4, let id = all.randomElement(using: &dice), all.count < 60 || dice.below(3) > 0 else {
      if all.count >= 60 { return try _ = tx.delete(Query<Item>().filter(sql: "rank = \(dice.below(5))")) }
      nextNumber += 1
      return try tx.insert(Item(nextNumber, in: name, isDone: dice.below(2) == 0, rank: dice.below(5)))
    }
    switch dice.below(12) {
    case 0, 1, 2:
      nextNumber += 1
      let place: ListPlace<UUID> = [.start, .end, .index(0)].randomElement(using: &dice) ?? .end
      try tx.insert(Item(nextNumber, in: name, isDone: dice.below(2) == 0, rank: dice.below(5)), at: place)
    case 3, 4:
      try tx.move(Item.self, ids: all.shuffled(using: &dice).prefix(1 + dice.below(3)), to: .start, within: name)
    case 5: try tx.move(Item.self, ids: [id], to: .after(all[dice.below(all.count)]))
    case 6: try tx.delete(Item.self, id: id)
    case 7: try tx.update(Query<Item>().filter(sql: "id = \(id)"), .set(\.isDone, to: dice.below(2) == 0))
    case 8: try tx.update(Query<Item>().filter(sql: "id = \(id)"), .set(\.rank, to: dice.below(5)))
    case 9:
      try tx.update(Query<Item>().filter(sql: "rank = \(dice.below(5))"), .set(\.title, to: "布局 \(dice.below(9))"))
    case 10:
      guard let item = try tx.fetch(Item.self, id: id) else { return }
      try tx.delete(Item.self, id: id)
      try tx.insert(item)
    default:
      _ = try? tx.savepoint { (tx: inout Transaction) throws in
        try tx.delete(Query<Item>())
        throw CancellationError()
      }
    }
  }

  private static func foreign(_ dice: inout SeededGenerator) -> String {
    let statements = [
      "UPDATE item SET position = NULL WHERE rank = 1", "UPDATE item SET position = 0 WHERE rank = 2",
      "UPDATE item SET title = title || '!' WHERE length(title) < 20", "UPDATE item SET list = 'a' WHERE rank = 3",
      "DELETE FROM item WHERE rank = 4 AND is_done", "UPDATE item SET position = 1.5 WHERE rank = 0",
      "UPDATE item SET position = 'x' WHERE rank = 1 AND is_done", "UPDATE item SET rank = rank",
      "REPLACE INTO item (id, list, title, is_done, rank) SELECT id, 'a', 'replaced', is_done, rank FROM item LIMIT 1",
      "INSERT INTO item (id, title, is_done, rank) SELECT lower(substr(id, 1, 9) || hex(randomblob(2)) || substr(id, 14)), "
        + "'foreign', 0, 1 FROM item LIMIT 1",
    ]
    return statements[dice.below(statements.count)]
  }
}
