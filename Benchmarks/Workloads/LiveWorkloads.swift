import Foundation
import Roster

extension Workload {
  /// One change in a list that is kept current, from the commit to the events, against a fetch of the list by C calls and a
  /// comparison by ids.
  static var lists: [Workload] {
    let changes: [LiveChange] = [.toggle, .move, .insert, .delete, .few, .bulk]
    return changes.map { change in
      Workload(
        "live-\(change)", change.title, sizes: change == .bulk ? [10_000, 100_000, 1_000_000] : sweep,
        quick: change.quickSizes, isFlat: true, holdsGrowth: change.isOne,
        chart: ChartPlace(
          family: .lists, variant: "\(change.line), Roster", baseline: change == .toggle ? "fetch and compare" : nil)
      ) { run in
        let bench = try await LiveBench(run)
        try await run.race(
          Lane("Roster") { _ in try await bench.events(of: change) },
          against: Lane("refetch + diff") { _ in [try await bench.refetch(after: change)] },
          bar: change.isOne && run.rows >= 100_000 ? .faster(atLeast: 300) : nil, run.listRounds)
        try bench.check()
      }
    }
  }
}

extension Run {
  /// More than of other work: the threads that wake up take most of the time, and each time another one, so that a median
  /// of twenty varies by a third.
  var listRounds: Rounds {
    var rounds = rounds
    rounds.minimum = max(rounds.minimum, rows < 100_000 ? 9 : 5)
    rounds.maximum = 60
    return rounds
  }
}

/// What happens to a list.
enum LiveChange: String {
  case toggle, move, insert, delete, few, bulk

  var isOne: Bool { self != .few && self != .bulk }

  /// Its name in a chart.
  var line: String {
    switch self {
    case .few: "5 toggles"
    case .bulk: "1,000 toggles"
    default: rawValue
    }
  }

  var quickSizes: [Int] {
    switch self {
    case .toggle, .few: [1000, 10_000, 100_000]
    case .bulk: [10_000, 100_000]
    default: [1000, 10_000]
    }
  }

  var title: String {
    switch self {
    case .toggle: "a flag of one row of a live list"
    case .move: "one row of a live list moves"
    case .insert: "one row comes into a live list"
    case .delete: "one row of a live list goes"
    case .few: "a flag of 5 rows of a live list, in one transaction"
    case .bulk: "a flag of 1,000 rows of a live list, in one transaction"
    }
  }
}

/// A list that is kept current, and what a consumer has made of its events.
final class LiveBench {
  private let run: Run
  private let store: Store
  private let raw: RawSQLite
  private let list: UUID
  private var updates: ListUpdates<BenchTask>.Iterator
  private var tasks: [BenchTask] = []
  private var dice = BenchDice(seed: 3)

  init(_ run: Run) async throws {
    self.run = run
    (store, raw) = try run.openTasks()
    list = run.todos(BenchTask.self)[0].listID
    updates = store.updates(of: Query<BenchTask>().inManualOrder(within: list)).makeAsyncIterator()
    tasks = Array(try await nextUpdate().records)
    try run.expect(tasks == run.todos(BenchTask.self), "the list is not what was inserted")
  }

  /// The seconds from commits to their events. Several, as what was compared before has emptied the caches.
  func events(of change: LiveChange) async throws -> [Double] {
    var times: [Double] = []
    for _ in 0..<(change == .bulk ? 3 : 10) {
      try write(change)
      let start = ContinuousClock.now
      let update = try await nextUpdate()
      times.append(seconds(ContinuousClock.now - start))
      try run.expect(isRight(update.changes, change), "the events of a \(change) are \(update.changes)")
      update.changes.apply(to: &tasks)
    }
    return times
  }

  /// The seconds to fetch the list and to find what is other.
  func refetch(after change: LiveChange) async throws -> Double {
    try write(change)
    var new: [BenchTask] = []
    var found: HandDiff?
    let time = try seconds {
      new = try raw.fetchInOrder(list)
      found = HandDiff(from: tasks, to: new)
    }
    let update = try await nextUpdate()
    let changes = update.changes
    try run.expect(
      found?.deletions == changes.deletions && found?.insertions == changes.insertions.map(\.index)
        && found?.moves == changes.moves.count && found?.updates == changes.updates.map(\.to),
      "the events are \(changes), and the comparison finds others")
    changes.apply(to: &tasks)
    try run.expect(tasks == new, "applying the events does not give the list")
    return time
  }

  func check() throws { try run.expect(try raw.fetchInOrder(list) == tasks) }

  private func nextUpdate() async throws -> ListUpdates<BenchTask>.Element {
    guard let update = try await updates.next() else { throw BenchFailure("the list has ended") }
    return update
  }

  private func isRight(_ changes: ListChanges<BenchTask>, _ change: LiveChange) -> Bool {
    let counts = [changes.updates, changes.moves].map(\.count) + [changes.insertions.count, changes.deletions.count]
    return switch change {
    case .toggle: counts == [1, 0, 0, 0]
    case .move: counts == [0, 1, 0, 0]
    case .insert: counts == [0, 0, 1, 0]
    case .delete: counts == [0, 0, 0, 1]
    case .few: counts == [LiveBench.few, 0, 0, 0]
    case .bulk: counts == [LiveBench.bulk, 0, 0, 0]
    }
  }

  private static let (few, bulk) = (5, 1000)

  private func write(_ change: LiveChange) throws {
    // What the write before has set going is over by then.
    usleep(5_000)
    func toggle(_ places: [Int]) throws {
      let ids = places.map { tasks[$0].id }
      try store.write { tx in
        for id in ids { try tx.execute("UPDATE task SET is_done = NOT is_done WHERE id = \(id)") }
      }
    }
    switch change {
    case .toggle: try toggle([dice.below(tasks.count)])
    case .few: try toggle(dice.some(LiveBench.few, below: tasks.count))
    case .bulk: try toggle(dice.some(LiveBench.bulk, below: tasks.count))
    case .move:
      // Two that are not neighbours, so that it is a move in any case.
      var places = dice.some(2, below: tasks.count)
      while abs(places[0] - places[1]) < 2 { places = dice.some(2, below: tasks.count) }
      let (id, other) = (tasks[places[0]].id, tasks[places[1]].id)
      try store.write { tx in try tx.move(BenchTask.self, ids: [id], to: .before(other)) }
    case .insert:
      var task = tasks[dice.below(tasks.count)]
      let place = task.id
      task = BenchTask(
        id: dice.id(), listID: list, title: task.title, note: "", isDone: false, priority: 2, due: nil)
      try store.write { tx in try tx.insert(task, at: .after(place)) }
    case .delete:
      let id = tasks[dice.below(tasks.count)].id
      try store.write { tx in _ = try tx.delete(BenchTask.self, id: id) }
    }
  }
}
