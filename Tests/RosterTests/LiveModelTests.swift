import Foundation
import Testing

@testable import Roster

/// Lists that are kept current through random transactions, against a fetch of the whole.
@Suite("Live lists against fetches")
struct LiveModelTests {
  /// In all, shared out among the seeds. With ROSTER_TRANSACTIONS=100000 it takes seven minutes in a debug build.
  private static let transactions =
    ProcessInfo.processInfo.environment["ROSTER_TRANSACTIONS"].flatMap { Int($0) } ?? 6000

  private static func followers(_ store: Store) throws -> [any Follower] {
    let three = 3
    let byTitle = SortDescriptor(\Item.title, comparator: .lexical)
    let byRank = Query<Item>().sorted(by: SortDescriptor(\.rank, order: .reverse), byTitle)
    let open = Query<Item>().filter(#Predicate { !$0.isDone })
    let flat: [(String, Query<Item>, Bool)] = [
      ("all", Query(), true), ("in order", Query().inManualOrder(), true),
      ("one list", Query().inManualOrder(within: "a"), true),
      ("unnamed list", Query().inManualOrder(within: String?.none), true),
      ("open ones", open.inManualOrder(within: "列表"), true), ("by rank", byRank, true),
      (
        "by list",
        Query().filter(#Predicate { $0.rank < three }).sorted(by: SortDescriptor(\.list, comparator: .lexical)), true
      ),
      ("first five", Query().inManualOrder(within: "a").limit(5), false),
      ("odd ones", Query().filter(sql: "rank % 2 = 1"), true),
      ("highest", Query().filter(sql: "rank = (SELECT max(rank) FROM item)"), false),
      ("of songs", Query().filter(sql: "rank IN (SELECT id FROM song)").sorted(by: byTitle), false),
    ]
    var followers: [any Follower] = [try StatementFollower(store)]
    for (name, query, isMaintained) in flat {
      followers.append(try ListFollower(name, query, isMaintained: isMaintained, store))
    }
    let found: [(String, Query<SearchedItem>, Bool)] = [
      ("found by two characters", Query().matching("布局").inManualOrder(), true),
      ("found by one", Query().matching("7").sorted(by: SortDescriptor(\.title, comparator: .lexical)), true),
      ("found by two words", Query().matching("m 1").inManualOrder(within: "a"), true),
      ("found, the first three", Query().matching("!").limit(3), false),
    ]
    for (name, query, isMaintained) in found {
      followers.append(try ListFollower(name, query, isMaintained: isMaintained, store))
    }
    return followers + (try sectioned(store, byRank, open))
  }

  private static func sectioned(
    _ store: Store, _ byRank: Query<Item>, _ open: Query<Item>
  ) throws -> [any Follower] {
    var followers: [any Follower] = []
    func add<Key, Header>(
      _ name: String, _ query: Query<Item>, _ sections: ListSections<Item, Key, Header>,
      _ keys: @escaping (borrowing Snapshot, [Item]) throws -> [Key]
    ) throws {
      followers.append(try SectionFollower(name, query, sections, store, keys: keys))
    }
    let all = Query<Item>()
    let folders = Query<Folder>().inManualOrder()
    try add("done", byRank, .by(\.isDone)) { _, items in
      [false, true].filter { done in items.contains { $0.isDone == done } }
    }
    try add("done, kept", all, .by(\.isDone, ranked: [true, false], keepsEmpty: true)) { _, _ in [true, false] }
    try add("ranks", all.inManualOrder(), .by(\.rank, order: .reverse)) { _, items in
      Set(items.map(\.rank)).sorted(by: >)
    }
    try add("lists", all.inManualOrder(), .by(\.list, ranked: ["列表"])) { _, items in
      let names: [String?] = ["列表", nil, "a"]
      return names.filter { list in items.contains { $0.list == list } }
    }
    try add("some", byRank.limit(7), .by(\.rank)) { _, items in Set(items.map(\.rank)).sorted() }
    try add("songs", open, .by(\.rank, of: Query<Song>().inManualOrder())) { tx, items in
      try tx.songs().filter { song in items.contains { $0.rank == song } }
    }
    try add("songs, kept", byRank, .by(\.rank, of: Query<Song>(), keepsEmpty: true)) { tx, items in
      try tx.fetch(Query<Song>()).map(\.id)
    }
    try add("folders", all.inManualOrder(), .by(\.list, of: folders)) { tx, items in
      let ids = try tx.fetch(folders).map { Optional($0.id) }.filter { id in items.contains { $0.list == id } }
      return ids + (items.contains { $0.list == nil } ? [nil] : [])
    }
    return followers
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
    let store = try Store(
      at: folder.file("model.db"), records: Ordered.records + [SearchedItem.self, Folder.self],
      migrations: Ordered.migrations + [Folder.migration], options: options)
    let outside = try Connection(path: folder.file("model.db").path, mode: .readWrite)
    let followers = try LiveModelTests.followers(store)
    var changes = RandomChanges()
    for step in 0..<(LiveModelTests.transactions / 20 / SeededGenerator.seeds.count) {
      // Twenty transactions for each look at the lists, on average; some come upon several at once.
      for _ in 0..<20 {
        if dice.below(6) == 0 {
          try outside.execute(RandomChanges.foreign(&dice))
        } else {
          try store.write { (tx: inout Transaction) throws in
            for _ in 0...dice.below(3) { try changes.change(&tx, &dice) }
          }
        }
        guard dice.below(20) == 0 else { continue }
        for follower in followers { try follower.look(store, "\(follower.name), ROSTER_SEED=\(seed), step \(step)") }
      }
      for follower in followers { try follower.look(store, "\(follower.name), ROSTER_SEED=\(seed), step \(step)") }
    }
  }
}
