import Foundation
import Testing

@testable import Roster

/// Readers, writers and lists that come and go, all at once; run it under the thread sanitizer, too.
@Suite("Lists under stress", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct ListStressTests {
  private struct Mismatch: Error { let message: String }

  /// A list that is open, and how it is looked at.
  private enum Followed {
    case live(LiveList<Item>)
    case updates(Task<Void, any Error>, Shared<[Item]>)

    @MainActor var items: [Item] {
      switch self {
      case .live(let list): Array(list)
      case .updates(_, let items): items.value
      }
    }
  }

  private struct Slot {
    let query: Query<Item>
    let followed: Followed
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> Store {
    var options = StoreOptions()
    options.durability = .normal
    options.busyTimeout = .seconds(60)
    return try Store.ordered(in: folder, options: options)
  }

  private func wait(_ what: String, _ condition: () throws -> Bool) async throws {
    for _ in 0..<10_000 {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Mismatch(message: "waited in vain: \(what); seed \(SeededGenerator.seed)")
  }

  private func fetch(_ query: Query<Item>, from store: Store) throws -> [Item] {
    try store.read { try $0.fetch(query) }
  }

  /// How many of the process's watches are on the folder.
  private func watchCount() throws -> Int? {
    #if os(Linux)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
      let number = try #require(attributes[.systemFileNumber] as? NSNumber).uint64Value
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
      // A descriptor may have been closed since they were listed. https://man7.org/linux/man-pages/man5/proc.5.html
      return names.count { name in
        let text = (try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)) ?? ""
        return text.contains("inotify wd:") && text.contains("ino:\(String(number, radix: 16)) ")
      }
    #else
      return nil
    #endif
  }

  // MARK: Who takes part

  private static func query(_ generator: inout SeededGenerator) -> Query<Item> {
    switch generator.below(5) {
    case 0: Query<Item>().inManualOrder(within: "a")
    case 1: Query<Item>().inManualOrder(within: "b")
    case 2: Query<Item>().filter(#Predicate { !$0.isDone }).inManualOrder(within: "a")
    case 3: Query<Item>().sorted(by: SortDescriptor(\.rank))
    default: Query<Item>().sorted(by: SortDescriptor(\.title, order: .reverse)).limit(7)
    }
  }

  private static func write(to store: Store, from number: Int, transactions: Int) async throws {
    for number in number..<(number + transactions) {
      try await store.write { tx in
        var generator = SeededGenerator(seed: SeededGenerator.seed &+ UInt64(number))
        let list = generator.below(2) == 0 ? "a" : "b"
        try tx.insert(Item(number, in: list, rank: generator.below(9)))
        for _ in 0..<generator.below(4) {
          let ids = try tx.fetch(Query<Item>().inManualOrder(within: list)).map(\.id)
          guard let id = ids.randomElement(using: &generator) else { continue }
          switch generator.below(ids.count > 30 ? 6 : 4) {
          case 0: try tx.move(Item.self, ids: [id], to: .start)
          case 1: try tx.update(Query<Item>().filter(sql: "id = \(id)"), .set(\.isDone, to: true))
          case 2: try tx.update(Query<Item>().filter(sql: "id = \(id)"), .set(\.rank, to: generator.below(9)))
          case 3: try tx.update(Query<Item>().filter(sql: "id = \(id)"), .set(\.title, to: "二 \(number)"))
          default: try tx.delete(Item.self, id: id)
          }
        }
      }
    }
  }

  /// Reads until it is told to stop, each time twice on one snapshot.
  private static func read(from store: Store, until stop: Shared<Bool>, seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    while !stop.value {
      let query = query(&generator)
      let (first, second) = try await store.read { (try $0.fetch(query), try $0.fetch(query)) }
      guard first == second, Set(first.map(\.id)).count == first.count else {
        throw Mismatch(message: "a snapshot changed while it was read")
      }
    }
  }

  /// Follows a list, and throws where the changes do not lead from one state to the next.
  private func follow(_ query: Query<Item>, in store: Store) -> Followed {
    let updates = store.updates(of: query)
    let seen = Shared<[Item]>([])
    let task = Task.detached {
      var old: [Item]?
      for try await update in updates {
        let items = Array(update.records)
        if var old {
          update.changes.apply(to: &old)
          guard old == items else { throw Mismatch(message: "the changes do not lead to \(items.map(\.number))") }
        }
        old = items
        seen.change { $0 = items }
      }
    }
    return .updates(task, seen)
  }

  @Test("a list that is let go while nobody writes goes at once")
  func letGo() async throws {
    let store = try open()
    weak var dropped: LiveList<Item>?
    do {
      let list = LiveList(Query<Item>(), in: store)
      dropped = list
      try await wait("for the list") { if case .loaded = list.state { store.signal.waiterCount == 1 } else { false } }
    }
    try await wait("for the list to go") { dropped == nil }
    try await wait("for its waiter to go") { store.signal.waiterCount == 0 }
  }

  // MARK: All at once

  @Test("8 readers, 2 writers and 20 lists that come and go: the lists end as a fetch does, and nothing is left over")
  func stress() async throws {
    let (signals, stores, lists) = try await run()
    try await wait("for lists to go") { lists.allSatisfy { $0.value == nil } }
    try await wait("for stores to go") { stores.allSatisfy { $0.value == nil } }
    for signal in signals { #expect(signal.waiterCount == 0) }
    try await wait("for the watches to end") { try watchCount() ?? 0 == 0 }
  }

  private func run() async throws -> ([CommitSignal], [Weak<Store>], [Weak<LiveList<Item>>]) {
    let stores = [try open(), try open()]
    let stop = Shared(false)
    let writers = stores.enumerated().map { index, store in
      Task.detached { try await ListStressTests.write(to: store, from: index * 100_000, transactions: 300) }
    }
    let readers = (0..<8).map { index in
      let store = stores[index % 2]
      return Task.detached { try await ListStressTests.read(from: store, until: stop, seed: UInt64(index)) }
    }
    var generator = SeededGenerator()
    var slots: [Slot?] = Array(repeating: nil, count: 20)
    var (lists, ended): ([Weak<LiveList<Item>>], [Task<Void, any Error>]) = ([], [])
    for _ in 0..<600 {
      let index = generator.below(slots.count)
      if case .updates(let task, _)? = slots[index]?.followed {
        task.cancel()
        ended.append(task)
      }
      let (query, store) = (ListStressTests.query(&generator), stores[generator.below(2)])
      if generator.below(2) == 0 {
        let list = LiveList(query, in: store)
        lists.append(Weak(list))
        slots[index] = Slot(query: query, followed: .live(list))
      } else {
        slots[index] = Slot(query: query, followed: follow(query, in: store))
      }
      if generator.below(3) == 0 { try await Task.sleep(for: .milliseconds(2)) } else { await Task.yield() }
    }
    for writer in writers { try await writer.value }
    stop.change { $0 = true }
    for reader in readers { try await reader.value }
    for task in ended { try await task.value }
    if let count = try watchCount() { #expect(count == 2) }
    for slot in slots.compactMap(\.self) {
      let wanted = try fetch(slot.query, from: stores[0])
      try await wait("for \(slot.query)") { slot.followed.items == wanted }
    }
    #expect(try fetch(Query<Item>(), from: stores[0]).count > 20)
    // Of the lists that were dropped none is left, and those that were not wait, each once.
    let alive = slots.count { if case .live? = $0?.followed { true } else { false } }
    try await wait("for dropped lists to go") { lists.count { $0.value != nil } == alive }
    try await wait("for waiters to go") { stores.reduce(0) { $0 + $1.signal.waiterCount } == slots.count }
    for case .updates(let task, _)? in slots.map({ $0?.followed }) { task.cancel() }
    return (stores.map(\.signal), stores.map { Weak($0) }, lists)
  }
}
