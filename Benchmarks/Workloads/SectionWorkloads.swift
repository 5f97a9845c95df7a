import Foundation
import Roster

extension Workload {
  static var sections: [Workload] {
    [
      Workload(
        "live-section", "one row of a live list goes to another section", sizes: sweep, quick: [1000, 10_000],
        isFlat: true, holdsGrowth: true,
        chart: ChartPlace(family: .lists, variant: "another section, Roster")
      ) { run in
        let bench = try await SectionBench(run)
        try await run.race(
          Lane("Roster") { _ in try await bench.events() },
          against: Lane("refetch + diff") { _ in [try await bench.refetch()] },
          bar: run.rows >= 100_000 ? .faster(atLeast: 300) : nil, run.listRounds)
      }
    ]
  }
}

/// A list in sections that is kept current.
final class SectionBench {
  private let run: Run
  private let store: Store
  private let raw: RawSQLite
  private let list: UUID
  private let ids: [UUID]
  private var updates: SectionedListUpdates<BenchTask, Int, Int>.Iterator
  private var shown: SectionedRecords<BenchTask, Int, Int>
  private var dice = BenchDice(seed: 3)

  init(_ run: Run) async throws {
    self.run = run
    (store, raw) = try run.openTasks()
    ids = run.todos(BenchTask.self).map(\.id)
    list = run.todos(BenchTask.self)[0].listID
    updates = store.updates(
      of: Query<BenchTask>().inManualOrder(within: list),
      sections: .by(\.priority, ranked: [1, 2, 3])
    ).makeAsyncIterator()
    guard let first = try await updates.next() else { throw BenchFailure("the list has ended") }
    shown = first.sections
    try run.expect(shown.recordCount == run.rows && shown.count == 3)
  }

  /// The seconds from commits to their events.
  func events() async throws -> [Double] {
    var times: [Double] = []
    for _ in 0..<10 {
      let id = try write()
      let start = ContinuousClock.now
      let changes = try await nextChanges()
      times.append(seconds(ContinuousClock.now - start))
      try run.expect(
        changes.moves.count == 1 && changes.moves[0].record.id == id && changes.moves[0].isChanged
          && changes.updates.isEmpty && changes.insertions.isEmpty && changes.deletions.isEmpty,
        "the events are \(changes.moves), \(changes.updates)")
    }
    return times
  }

  /// The seconds to fetch the list, to divide it, and to find what is other.
  func refetch() async throws -> Double {
    let old = SectionBench.divide(shown.flatMap { Array($0) })
    let id = try write()
    var new: [[BenchTask]] = []
    var found: [(UUID, SectionedIndex, SectionedIndex)] = []
    let time = try seconds {
      new = SectionBench.divide(try raw.fetchInOrder(list))
      found = SectionBench.compare(old, new)
    }
    let changes = try await nextChanges()
    try run.expect(
      found.count == 1 && found[0].0 == id && changes.moves.count == 1 && changes.moves[0].from == found[0].1
        && changes.moves[0].to == found[0].2,
      "the events are \(changes.moves), and the comparison finds \(found)")
    try run.expect(shown.map { Array($0) } == new, "the sections are not those of the file")
    return time
  }

  private func write() throws -> UUID {
    usleep(5_000)
    let id = ids[dice.below(ids.count)]
    try store.write { tx in try tx.execute("UPDATE task SET priority = priority % 3 + 1 WHERE id = \(id)") }
    return id
  }

  private func nextChanges() async throws -> SectionedListChanges<BenchTask, Int, Int> {
    guard let update = try await updates.next() else { throw BenchFailure("the list has ended") }
    shown = update.sections
    return update.changes
  }

  private static func divide(_ tasks: [BenchTask]) -> [[BenchTask]] {
    var sections = [[BenchTask]](repeating: [], count: 3)
    for task in tasks where sections.indices.contains(task.priority - 1) { sections[task.priority - 1].append(task) }
    return sections
  }

  /// The rows that are in another section than before, with their places before and after.
  private static func compare(
    _ old: [[BenchTask]], _ new: [[BenchTask]]
  ) -> [(UUID, SectionedIndex, SectionedIndex)] {
    var places: [UUID: SectionedIndex] = [:]
    places.reserveCapacity(old.reduce(0) { $0 + $1.count })
    for (section, tasks) in old.enumerated() {
      for (row, task) in tasks.enumerated() { places[task.id] = SectionedIndex(section: section, row: row) }
    }
    var changed: [(UUID, SectionedIndex, SectionedIndex)] = []
    for (section, tasks) in new.enumerated() {
      for (row, task) in tasks.enumerated() {
        guard let place = places.removeValue(forKey: task.id) else { continue }
        if place.section != section || old[place.section][place.row] != task {
          changed.append((task.id, place, SectionedIndex(section: section, row: row)))
        }
      }
    }
    return changed
  }
}
