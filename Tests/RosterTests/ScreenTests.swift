import Foundation
import Roster
import Testing

/// The screens of list apps, driven end to end through the public interface: act, close, open again, compare.
@Suite("Screens", .serialized)
@MainActor
struct ScreenTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Priority: Int, ColumnValue, CaseIterable, Comparable {
    case high, medium, low
    static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }

  struct Errand: Record, Hashable {
    let id: UUID
    var title: String
    var isDone = false
    var priority = Priority.medium

    static let table = Table(
      "errand", Errand.init(id:title:isDone:priority:), Column("id", \.id), Column("title", \.title),
      Column("is_done", \.isDone), Column("priority", \.priority), order: .manual("position"))
  }

  struct Department: Record, Hashable {
    let id: UUID
    var name: String

    static let table = Table(
      "department", Department.init, Column("id", \.id), Column("name", \.name), order: .manual("position"))
  }

  struct Person: Record, Hashable {
    let id: UUID
    var departmentID: UUID
    var name: String

    static let table = Table(
      "person", Person.init, Column("id", \.id), Column("department_id", \.departmentID), Column("name", \.name),
      order: .manual("position", within: \.departmentID))
  }

  nonisolated static let migration = Migration(
    number: 1, name: "screens",
    sql: """
      CREATE TABLE errand (
        row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL CHECK (trim(title) <> ''),
        is_done INTEGER NOT NULL, priority INTEGER NOT NULL, position INTEGER
      );
      CREATE TABLE department (
        row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, position INTEGER
      );
      CREATE TABLE person (
        row_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        department_id TEXT NOT NULL REFERENCES department (id) ON DELETE CASCADE, name TEXT NOT NULL, position INTEGER
      );
      """)

  private func open() throws -> Store {
    try Store(
      at: folder.file("screens.db"), records: [Errand.self, Department.self, Person.self],
      migrations: [ScreenTests.migration])
  }

  private func isLoaded(_ state: LiveState) -> Bool { if case .loaded = state { true } else { false } }

  private func errands() -> [Errand] {
    zip(["买牛奶 🥛", "Call Zoë", "修自行车", "Water the plants", "Pay rent"], [.low, .high, .medium, .low, .medium])
      .map { Errand(id: UUID(), title: $0, priority: $1) }
  }

  @Test("a todo list with a pending and a done section, each with its count")
  func sections() async throws {
    let store = try open()
    let errands = errands()
    try await store.write { try $0.insert(errands) }
    let query = Query<Errand>().sorted(by: SortDescriptor(\.priority), SortDescriptor(\.title, comparator: .lexical))
    let list = SectionedLiveList(query, sections: .by(\.isDone, ranked: [false, true], keepsEmpty: true), in: store)
    try await eventually { isLoaded(list.state) }
    #expect(list.map(\.count) == [5, 0] && list[0].first?.title == "Call Zoë")

    var changes = list.changes.makeAsyncIterator()
    list[id: errands[1].id]?.isDone.toggle()
    var batch = try #require(await changes.next())
    #expect(batch.moves.count == 1 && batch.moves.first?.from == SectionedIndex(section: 0, row: 0))
    #expect(batch.moves.first?.to == SectionedIndex(section: 1, row: 0) && batch.moves.first?.isChanged == true)
    #expect(batch.deletions.isEmpty && batch.insertions.isEmpty && batch.updates.isEmpty)
    #expect(batch.updatedSections.map { [$0.section.count] } == [[4], [1]] && list.map(\.count) == [4, 1])

    list[id: errands[0].id]?.title = "买豆浆"
    batch = try #require(await changes.next())
    #expect(batch.updates.map(\.record.title) == ["买豆浆"] || batch.moves.map(\.record.title) == ["买豆浆"])
    list[id: errands[0].id]?.title = "  "
    #expect((list.writeError as? RosterError)?.code == .checkViolation && list[id: errands[0].id]?.title == "买豆浆")

    for errand in errands.dropFirst(2) { list[id: errand.id]?.isDone = true }
    _ = await changes.next()
    // "Clear completed": one transaction, one batch.
    let cleared = try await store.write { tx in try tx.delete(Query<Errand>().filter(#Predicate { $0.isDone })) }
    batch = try #require(await changes.next())
    #expect(cleared == 4 && batch.deletions.count == 4 && list.map(\.count) == [1, 0])
    try store.close()
    #expect(try await open().read { try $0.fetch(Query<Errand>()).map(\.title) } == ["买豆浆"])
  }

  @Test("a list in an order kept by hand, also while it is filtered, and after a restart")
  func handOrdered() async throws {
    let store = try open()
    let errands = errands()
    try await store.write { try $0.insert(errands) }
    let all = LiveList(Query<Errand>().inManualOrder(), in: store)
    let pending = LiveList(Query<Errand>().filter(#Predicate { !$0.isDone }).inManualOrder(), in: store)
    try await eventually { isLoaded(all.state) && isLoaded(pending.state) }
    let number = Dictionary(uniqueKeysWithValues: errands.enumerated().map { ($1.id, $0) })
    all.move(fromOffsets: [0, 2], toOffset: 5)
    #expect(all.map { number[$0.id] } == [1, 3, 4, 0, 2])
    all[id: errands[3].id]?.isDone = true
    try await eventually { pending.count == 4 }
    // The last row shown to the first place shown; the hidden one stays where it was among the others.
    pending.move(fromOffsets: [3], toOffset: 0)
    #expect(pending.map { number[$0.id] } == [2, 1, 4, 0])
    try await eventually { all.first?.id == errands[2].id }
    #expect(all.map { number[$0.id] } == [2, 1, 3, 4, 0])
    pending.remove(atOffsets: [1])
    #expect(pending.map { number[$0.id] } == [2, 4, 0])
    var changes = pending.changes.makeAsyncIterator()
    let top = Errand(id: UUID(), title: "At the top")
    try await store.write { tx in
      try tx.insert(top, at: .start)
      try tx.update(Query<Errand>(), .set(\.isDone, to: true))
    }
    let batch = try #require(await changes.next())
    #expect(batch.deletions == [0, 1, 2] && batch.insertions.isEmpty && pending.isEmpty)
    try store.close()
    let again = try open()
    let titles = try await again.read { try $0.fetch(Query<Errand>().inManualOrder()).map(\.title) }
    #expect(titles == ["At the top"] + [2, 3, 4, 0].map { errands[$0].title })
  }

  @Test("a staff directory: sections of departments, both levels ordered by hand, and people who share a name")
  func directory() async throws {
    let store = try open()
    let departments = ["设计", "Engineering", "Sales"].map { Department(id: UUID(), name: $0) }
    let people = [0, 0, 1, 1, 2].map { Person(id: UUID(), departmentID: departments[$0].id, name: "Wang Wei") }
    try await store.write { tx in
      try tx.insert(departments)
      try tx.insert(people)
    }
    let list = SectionedLiveList(
      Query<Person>().inManualOrder(),
      sections: .by(\.departmentID, of: Query<Department>().inManualOrder(), keepsEmpty: true), in: store)
    try await eventually { isLoaded(list.state) }
    #expect(list.map(\.header.name) == ["设计", "Engineering", "Sales"] && list.map(\.count) == [2, 2, 1])
    var changes = list.changes.makeAsyncIterator()
    list.move(ids: [people[0].id], to: .before(people[4].id))
    var batch = try #require(await changes.next())
    #expect(batch.moves.map(\.from) == [SectionedIndex(section: 0, row: 0)])
    #expect(batch.moves.map(\.to) == [SectionedIndex(section: 2, row: 0)])
    #expect(list[2].map(\.id) == [people[0].id, people[4].id] && list.index(id: people[1].id)?.row == 0)
    list.move(fromOffsets: [1], toOffset: 0, inSection: departments[1].id)
    #expect(list[1].map(\.id) == [people[3].id, people[2].id])
    _ = await changes.next()
    try await store.write { tx in
      try tx.move(Department.self, ids: [departments[2].id], to: .start)
      try tx.delete(Department.self, id: departments[1].id)
    }
    batch = try #require(await changes.next())
    #expect(batch.deletedSections == [1] && batch.movedSections.count == 1 && batch.deletions.isEmpty)
    #expect(list.map(\.header.name) == ["Sales", "设计"] && list.map(\.count) == [2, 1])
    try store.close()
    let again = try open()
    #expect(try await again.read { try $0.count(Query<Person>()) } == 3)
  }
}
