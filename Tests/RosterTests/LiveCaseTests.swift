import Foundation
import Testing

@testable import Roster

/// Cases 9 to 12 and 40, sections, single records and selections, as a screen meets them.
@Suite("Cases from the field: live lists", .serialized)
@MainActor
struct LiveCaseTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.ordered(in: folder)
    try store.write { tx in for number in 1...4 { try tx.insert(Item(number, in: "a", isDone: number > 2)) } }
  }

  private typealias Sectioned = SectionedLiveList<Item, Bool, Bool>

  private func sectioned(_ sections: ListSections<Item, Bool, Bool> = .by(\.isDone)) async throws -> Sectioned {
    let list = SectionedLiveList(Query<Item>().inManualOrder(within: "a"), sections: sections, in: store)
    try await eventually { list.state.isLoaded }
    return list
  }

  private func list() async throws -> LiveList<Item> {
    let list = LiveList(Query<Item>().inManualOrder(within: "a"), in: store)
    try await eventually { list.state.isLoaded }
    return list
  }

  private func numbers(_ list: Sectioned) -> [[Int]] { list.map { $0.map(\.number) } }

  private nonisolated static func setDone(_ done: [Int: Bool], _ tx: inout Transaction) throws {
    for (number, isDone) in done.sorted(by: { $0.key < $1.key }) {
      try tx.update(Query<Item>().filter(sql: "id = \(UUID.item(number))"), .set(\.isDone, to: isDone))
    }
  }

  // MARK: Sections

  @Test("case 9: two sections swap their rows in one transaction")
  func swapped() async throws {
    let list = try await sectioned()
    var iterator = list.changes.makeAsyncIterator()
    #expect(numbers(list) == [[1, 2], [3, 4]])
    try await store.write { try LiveCaseTests.setDone([1: true, 2: true, 3: false, 4: false], &$0) }
    let batch = try #require(await iterator.next())
    #expect(numbers(list) == [[3, 4], [1, 2]])
    #expect(batch.moves.count == 4 && batch.moves.allSatisfy { $0.isChanged && $0.from.section != $0.to.section })
    #expect(
      batch.deletions.isEmpty && batch.insertions.isEmpty && batch.updates.isEmpty && batch.updatedSections.isEmpty)
    try check(batch, [[1, 2], [3, 4]], list)
  }

  @Test("case 10: the only row of a section takes it along to another, as one move beside the section's deletion")
  func vanishing() async throws {
    let list = try await sectioned()
    try await store.write { _ = try $0.delete(Item.self, id: .item(2)) }
    try await eventually { numbers(list) == [[1], [3, 4]] }
    var iterator = list.changes.makeAsyncIterator()
    try await store.write { try LiveCaseTests.setDone([1: true], &$0) }
    let batch = try #require(await iterator.next())
    #expect(numbers(list) == [[1, 3, 4]])
    #expect(batch.deletedSections == [0] && batch.moves.count == 1 && batch.deletions.isEmpty)
    let move = try #require(batch.moves.first)
    #expect(move.from == SectionedIndex(section: 0, row: 0) && move.to == SectionedIndex(section: 0, row: 0))
    // To a table view it is what is left of it: the section's deletion takes the row, and it comes anew.
    #expect(batch.forTableViews.insertedRows == [move.to] && batch.forTableViews.movedRows.isEmpty)
    try check(batch, [[1], [3, 4]], list)
    var back = list.changes.makeAsyncIterator()
    try await store.write { try LiveCaseTests.setDone([4: false], &$0) }
    let second = try #require(await back.next())
    #expect(second.insertedSections.map(\.index) == [0] && second.moves.count == 1)
    try check(second, [[1, 3, 4]], list)
  }

  @Test("declared sections stay when they are empty, and each batch tells the counts that changed")
  func kept() async throws {
    let list = try await sectioned(.by(\.isDone, ranked: [true, false], keepsEmpty: true))
    var iterator = list.changes.makeAsyncIterator()
    #expect(list.map(\.header) == [true, false] && list.map(\.count) == [2, 2])
    try await store.write { try LiveCaseTests.setDone([3: false, 4: false], &$0) }
    let batch = try #require(await iterator.next())
    #expect(list.map(\.count) == [0, 4] && batch.deletedSections.isEmpty && batch.updatedSections.map(\.to) == [0, 1])
    list.remove(atOffsets: [0, 3], inSection: false)
    #expect(list.writeError == nil && numbers(list) == [[], [2, 3]])
    list.move(fromOffsets: [1], toOffset: 0, inSection: false)
    #expect(numbers(list) == [[], [3, 2]])
    list[id: .item(2)]?.isDone = true
    #expect(numbers(list) == [[2], [3]] && list.index(id: .item(3)) == SectionedIndex(section: 1, row: 0))
    list.remove(atOffsets: [0], inSection: true)
    #expect(numbers(list) == [[], [3]])
    list.move(fromOffsets: [4], toOffset: 0, inSection: false)
    #expect((list.writeError as? RosterError)?.code == .outOfRange)
  }

  private func check(
    _ batch: SectionedListChanges<Item, Bool, Bool>, _ old: [[Int]], _ list: Sectioned
  ) throws {
    var table = TableViewReplica(sections: old)
    try table.perform(batch.forTableViews, numbers(list))
    var records = batch.old.map { Array($0) }
    #expect(records.map { $0.map(\.number) } == old)
    batch.apply(to: &records)
    #expect(records == list.map { Array($0) })
  }

  @Test("a section of another record has that record as its header, in its order, and goes with it")
  func related() async throws {
    try await store.write { tx in for id in [1, 0] { try tx.insert(Song(id: id, title: "song \(id)")) } }
    let items = Query<Item>().inManualOrder(within: "a")
    let list = SectionedLiveList(
      items, sections: .by(\.rank, of: Query<Song>().inManualOrder(), keepsEmpty: true), in: store)
    try await eventually { list.state.isLoaded }
    #expect(list.map(\.header.title) == ["song 1", "song 0"] && list.map(\.count) == [0, 4])
    var iterator = list.changes.makeAsyncIterator()
    try await store.write { tx in
      try tx.move(Song.self, ids: [0], to: .start)
      try tx.update(Query<Song>().filter(sql: "id = 1"), .set(\.title, to: "改名"))
    }
    var batch = try #require(await iterator.next())
    #expect(list.map(\.header.title) == ["song 0", "改名"] && batch.moves.isEmpty && batch.updates.isEmpty)
    #expect(batch.movedSections.count == 1 && (batch.movedSections + batch.updatedSections).contains { $0.isChanged })
    try await store.write { _ = try $0.delete(Song.self, id: 0) }
    batch = try #require(await iterator.next())
    #expect(batch.deletedSections == [0] && batch.deletions.isEmpty && list.sections.recordCount == 0)
    try await store.write { tx in _ = try tx.update(items, .set(\.rank, to: 1)) }
    batch = try #require(await iterator.next())
    #expect(batch.insertions.count == 4 && batch.moves.isEmpty && list.map(\.count) == [4])
  }

  // MARK: Single rows

  @Test("case 11: a row that is updated and moved in one transaction is one move that says that it changed")
  func updatedAndMoved() async throws {
    let list = try await list()
    var iterator = list.changes.makeAsyncIterator()
    try await store.write { tx in
      try tx.move(Item.self, ids: [.item(4)], to: .start)
      try tx.update(Query<Item>().filter(sql: "id = \(UUID.item(4))"), .set(\.title, to: "二"))
    }
    let batch = try #require(await iterator.next())
    #expect(batch.updates.isEmpty && batch.moves.map(\.from) == [3] && batch.moves.map(\.to) == [0])
    #expect(batch.moves.map(\.isChanged) == [true] && batch.moves.map(\.record.title) == ["二"])
  }

  @Test("case 12: what came and went has no event, and what went and came again as it was has none")
  func cameAndWent() async throws {
    let list = try await list()
    var iterator = list.changes.makeAsyncIterator()
    let second = list[1]
    try await store.write { tx in
      try tx.insert(Item(9, in: "a"), at: .start)
      try tx.delete(Item.self, id: .item(9))
      try tx.delete(Item.self, id: second.id)
      try tx.insert(second, at: .after(.item(1)))
    }
    try await store.write { tx in
      try tx.delete(Item.self, id: .item(3))
      var third = Item(3, in: "a", isDone: true)
      third.title = "other"
      try tx.insert(third, at: .after(.item(2)))
    }
    let batch = try #require(await iterator.next())
    #expect(batch.updates.map(\.record.title) == ["other"] && batch.updates.map(\.to) == [2])
    #expect(batch.deletions.isEmpty && batch.insertions.isEmpty && batch.moves.isEmpty)
    #expect(list.map(\.number) == [1, 2, 3, 4])
  }

  @Test("a consumer that came while the list was loading gets the rows as insertions")
  func loading() async throws {
    let list = LiveList(Query<Item>().inManualOrder(within: "a"), in: store)
    #expect(list.isEmpty)
    var iterator = list.changes.makeAsyncIterator()
    let batch = try #require(await iterator.next())
    #expect(batch.insertions.map(\.record.number) == [1, 2, 3, 4] && batch.old.isEmpty)
  }

  @Test("a record is found and written by its id; nil deletes it; a difference of collections is the same as the batch")
  func byID() async throws {
    let list = try await list()
    #expect(list[id: .item(3)]?.number == 3 && list[id: .item(9)] == nil && list.index(id: .item(3)) == 2)
    var iterator = list.changes.makeAsyncIterator()
    let old = Array(list)
    list[id: .item(3)]?.title = "改"
    list[id: .item(1)] = nil
    list.move(ids: [UUID.item(4)], to: .start)
    #expect(list.writeError == nil && list.map(\.number) == [4, 2, 3] && list[2].title == "改")
    #expect(list[id: .item(1)] == nil && list.index(id: .item(3)) == 2)
    let batch = try #require(await iterator.next())
    #expect(old.applying(batch.difference) == Array(list))
    #expect(batch.difference.removals.count == 3 && batch.difference.insertions.count == 2)
    list[id: .item(9)] = Item(9, in: "a")
    #expect((list.writeError as? RosterError)?.code == .noSuchRecord)
    list[id: .item(2)] = Item(9, in: "a")
    #expect((list.writeError as? RosterError)?.code == .misuse && list.map(\.number) == [4, 2, 3])
    list[id: .item(2)]?.list = "other"
    #expect(list.map(\.number) == [4, 3] && list[id: .item(2)] == nil)
    try await store.write { tx in _ = try tx.update(Query<Item>(), .set(\.list, to: "a")) }
    try await eventually { list.count == 3 }
    #expect(list[id: .item(2)] != nil)
  }

  // MARK: Statements

  @Test("a list says whether it is maintained; one over a statement is current, and two rows of one id are an error")
  func statements() async throws {
    let highest = Query<Item>().filter(sql: "rank = (SELECT max(rank) FROM item)")
    #expect(try !isMaintained(highest))
    #expect(try !isMaintained(Query<Item>().limit(3)) && isMaintained(Query<Item>().filter(sql: "rank > 2")))
    let counts = LiveList<RankCount>("SELECT rank AS id, count(*) AS count FROM item GROUP BY rank", in: store)
    try await eventually { counts.state.isLoaded }
    #expect(counts.map(\.count) == [4] && !counts.isMaintained)
    var iterator = counts.changes.makeAsyncIterator()
    try await store.write { tx in try tx.insert(Song(id: 1, title: "no item")) }
    try await store.write { tx in try tx.insert(Item(5, in: "b", rank: 2)) }
    let batch = try #require(await iterator.next())
    #expect(batch.insertions.map(\.record) == [RankCount(id: 2, count: 1)] && batch.updates.isEmpty)
    let doubled = LiveList<RankCount>("SELECT 1 AS id, rank AS count FROM item", in: store)
    try await eventually { if case .failed = doubled.state { true } else { false } }
    guard case .failed(let error) = doubled.state else { return }
    #expect((error as? RosterError)?.code == .misuse)
  }

  @Test("records that the store was not opened with have no log, and lists of them are current all the same")
  func unlogged() async throws {
    let store = try Store(at: folder.file("other.db"), records: [Item.self], migrations: Ordered.migrations)
    let songs = LiveList(Query<Song>(), in: store)
    let song = LiveRecord(Song.self, id: 1, in: store)
    let selection = Selection([1, 2], of: Song.self, in: store)
    try await eventually { songs.state.isLoaded && song.state.isLoaded && selection.ids.isEmpty }
    #expect(!songs.isMaintained && song.isGone)
    try await store.write { tx in _ = try tx.execute("INSERT INTO song (id, title) VALUES (1, 'one')") }
    try await eventually { songs.map(\.title) == ["one"] && song.value?.title == "one" }
    selection.ids = [1]
    try await store.write { tx in _ = try tx.execute("DELETE FROM song") }
    try await eventually { songs.isEmpty && song.isGone && selection.ids.isEmpty }
  }

  private func isMaintained(_ query: Query<Item>) throws -> Bool { try store.isMaintained(query) }

  // MARK: Origins

  @Test("case 40: a view hears nothing of its own writes, and of others' with indices that are right after its own")
  func origins() async throws {
    let list = try await list()
    let screen = ChangeOrigin()
    var iterator = list.changes(ignoring: screen).makeAsyncIterator()
    // The view has moved the last row to the front, and writes that in the background.
    var rows = [4, 1, 2, 3]
    try await store.write(origin: screen) { tx in _ = try tx.move(Item.self, ids: [.item(4)], to: .start) }
    try await store.write { tx in
      try tx.delete(Item.self, id: .item(1))
      try tx.insert(Item(5, in: "a"))
    }
    let batch = try #require(await iterator.next())
    #expect(batch.moves.isEmpty && batch.deletions == [1] && batch.insertions.map(\.index) == [3])
    rows.remove(at: 1)
    rows.append(5)
    #expect(list.map(\.number) == rows && batch.old.map(\.number) == [4, 1, 2, 3])
    // Another moves the row that the view has moved just before.
    list.origin = screen
    list.move(fromOffsets: [0], toOffset: 4)
    #expect(list.map(\.number) == [2, 3, 5, 4])
    try await store.write { tx in _ = try tx.move(Item.self, ids: [.item(4)], to: .after(.item(2))) }
    let second = try #require(await iterator.next())
    #expect(
      second.old.map(\.number) == [2, 3, 5, 4] && second.moves.map(\.from) == [3] && second.moves.map(\.to) == [1])
    // Rolled back, it is not its own.
    try? await store.write(origin: screen) { tx in
      try tx.delete(Item.self, id: .item(2))
      throw CancellationError()
    }
    try await store.write { tx in _ = try tx.delete(Item.self, id: .item(3)) }
    #expect(await iterator.next()?.deletions == [2])
  }

  @Test("the feed tells whose a change is, where all writes to the record were of one origin")
  func originsInFeed() async throws {
    let start = try await store.read { try $0.feedCursor() }
    let (screen, sync) = (ChangeOrigin("screen"), ChangeOrigin("sync"))
    try await store.write(origin: screen) { try LiveCaseTests.setDone([1: true, 2: true], &$0) }
    try await store.write(origin: sync) { try LiveCaseTests.setDone([2: false, 3: false], &$0) }
    try await store.write { try LiveCaseTests.setDone([4: false], &$0) }
    try await store.write(origin: screen) { tx in _ = try tx.fetch(Query<Item>()) }
    let batch = try await store.read { try $0.changes(since: start) }
    // The second item's two writes come to nothing but an update.
    let origins = batch.changes.map { change in change.origin?.name ?? "none" }
    #expect(origins == ["screen", "none", "sync", "none"])
  }

  // MARK: One record

  @Test("one record: its value, its changes, that it is gone, and writing through it")
  func record() async throws {
    let live = LiveRecord(Item.self, id: .item(1), in: store)
    try await eventually { live.state.isLoaded }
    #expect(live.value?.number == 1 && !live.isGone)
    var iterator = live.changes.makeAsyncIterator()
    live.value?.title = "through"
    #expect(try await store.read { try $0.fetch(Item.self, id: .item(1))?.title } == "through")
    guard case .changed(let changed)? = await iterator.next() else {
      Issue.record("no change")
      return
    }
    #expect(changed.title == "through" && live.value == changed)
    // Another record's change is none of it.
    try await store.write { _ = try $0.delete(Item.self, id: .item(2)) }
    try await store.write { _ = try $0.delete(Item.self, id: .item(1)) }
    guard case .gone? = await iterator.next() else {
      Issue.record("not gone")
      return
    }
    #expect(live.isGone && live.value == nil)
    live.value = Item(1, in: "a")
    #expect((live.writeError as? RosterError)?.code == .noSuchRecord)
    try await store.write { tx in try tx.insert(Item(1, in: "a")) }
    guard case .changed? = await iterator.next() else {
      Issue.record("not there again")
      return
    }
    var values = store.updates(of: Item.self, id: .item(1)).makeAsyncIterator()
    #expect(try await values.next()??.number == 1)
    try await store.write { _ = try $0.delete(Item.self, id: .item(1)) }
    let gone = try await values.next()
    #expect(gone == .some(nil))
  }

  @Test("a selection drops what is deleted, whoever did it, and what was deleted before it was chosen")
  func selection() async throws {
    let selection = Selection([.item(1), .item(2), .item(3)], of: Item.self, in: store)
    try await store.write { _ = try $0.delete(Item.self, id: .item(2)) }
    try await eventually { selection.ids == [.item(1), .item(3)] }
    let url = folder.file("ordered.db")
    try await onThread {
      let other = try Connection(path: url.path, mode: .readWrite)
      try other.execute("DELETE FROM item WHERE title = 'item 3'")
    }
    try await eventually { selection.ids == [.item(1)] }
    selection.ids.insert(.item(2))
    try await eventually { selection.ids == [.item(1)] }
    try await store.write { try LiveCaseTests.setDone([1: true], &$0) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(selection.ids == [.item(1)])
  }

  @Test("live objects keep neither themselves nor the store alive")
  func lifetimes() async throws {
    weak var store: Store?
    weak var sectioned: Sectioned?
    weak var record: LiveRecord<Item>?
    weak var selection: Selection<Item>?
    do {
      let held = try Store.ordered(in: folder)
      let one = SectionedLiveList(Query<Item>(), sections: .by(\.isDone), in: held)
      let two = LiveRecord(Item.self, id: .item(1), in: held)
      let three = Selection([.item(1)], of: Item.self, in: held)
      (store, sectioned, record, selection) = (held, one, two, three)
      var iterator = one.changes.makeAsyncIterator()
      try await eventually { one.state.isLoaded && two.state.isLoaded }
      _ = await iterator.next()
      _ = three.ids
    }
    try await eventually { store == nil && sectioned == nil && record == nil && selection == nil }
  }
}
