import Foundation
import Testing

@testable import Roster

@Suite("Queries")
struct QueryTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.notes(in: folder)
  }

  private func insert(_ notes: [Note]) throws { try store.write { try $0.insert(notes) } }

  private func texts(_ query: Query<Note>) throws -> [String] {
    try store.read { try $0.fetch(query) }.map(\.text)
  }

  @Test("without a sort records come as they were inserted")
  func insertionOrder() throws {
    let notes = (0..<50).map { Note("\($0)") }
    try insert(notes)
    #expect(try texts(Query()) == notes.map(\.text))
  }

  @Test("sorts put nil first, last in reverse, and break ties by insertion")
  func sorts() throws {
    try insert([Note("b", rank: 2), Note("n"), Note("a", rank: 2), Note("c", rank: 1), Note("m")])
    #expect(try texts(Query().sorted(by: SortDescriptor(\.rank))) == ["n", "m", "c", "b", "a"])
    #expect(
      try texts(Query().sorted(by: SortDescriptor(\.rank, order: .reverse))) == ["b", "a", "c", "n", "m"])
    #expect(
      try texts(Query().sorted(by: SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.text)))
        == ["a", "b", "c", "m", "n"])
  }

  @Test("text sorts by its bytes, composed after decomposed")
  func textOrder() throws {
    let texts = ["Z", "a", "é", "e\u{301}", "布", "局", "🙂", "", "~"]
    try insert(texts.map { Note($0) })
    let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let fetched = try self.texts(Query().sorted(by: SortDescriptor(\.text, comparator: .lexical)))
    #expect(fetched.map { Array($0.utf8) } == sorted.map { Array($0.utf8) })
  }

  #if canImport(Darwin)
    // Elsewhere there is no such comparator.
    @Test("a localized sort has no SQL, and the error says what has")
    func localizedSort() throws {
      let error = #expect(throws: RosterError.self) {
        _ = try texts(Query().sorted(by: SortDescriptor(\.text, comparator: .localizedStandard)))
      }
      #expect(error?.code == .cannotTranslate)
      #expect(error?.message.contains("\\Note.text") == true)
      #expect(error?.message.contains(".lexical") == true)
    }
  #endif

  @Test("limit and offset cut, beyond the end they leave nothing, and negative ones are errors")
  func limits() throws {
    try insert((0..<5).map { Note("\($0)") })
    #expect(try texts(Query().limit(2)) == ["0", "1"])
    #expect(try texts(Query().offset(3)) == ["3", "4"])
    #expect(try texts(Query().limit(2).offset(1)) == ["1", "2"])
    #expect(try texts(Query().limit(0)) == [])
    #expect(try texts(Query().offset(9)) == [])
    for query in [Query<Note>().limit(-1), Query<Note>().offset(-1)] {
      let error = #expect(throws: RosterError.self) { _ = try texts(query) }
      #expect(error?.code == .misuse)
    }
    try store.read { (snapshot: inout Snapshot) throws in
      #expect(try snapshot.first(Query<Note>())?.text == "0")
      #expect(try snapshot.first(Query<Note>().offset(4))?.text == "4")
      #expect(try snapshot.first(Query<Note>().limit(0)) == nil)
      #expect(try snapshot.count(Query<Note>().limit(3).offset(1)) == 3)
      #expect(try snapshot.count(Query<Note>()) == 5)
      #expect(try snapshot.exists(Query<Note>().offset(4)))
      #expect(try !snapshot.exists(Query<Note>().offset(5)))
    }
  }

  @Test("filters are all to be true, predicates and SQL alike")
  func filters() throws {
    try insert((0..<20).map { (number: Int) in Note("note \(number)", rank: number) })
    let (low, word) = (5, "1")
    let query = Query<Note>().filter(#Predicate { $0.rank ?? 0 > low }).filter(sql: "rank < \(15)")
    #expect(try texts(query) == (6..<15).map { "note \($0)" })
    #expect(try texts(query.filter(#Predicate { $0.text.contains(word) })) == (10..<15).map { "note \($0)" })
  }

  @Test("records are fetched by ids in the order of the ids, without those that are gone")
  func byIDs() throws {
    let notes = (0..<5).map { Note("\($0)") }
    try insert(notes)
    let ids = [notes[3].id, UUID(), notes[0].id]
    #expect(try store.read { try $0.fetch(Note.self, ids: ids) } == [notes[3], notes[0]])
    #expect(try store.read { try $0.exists(Note.self, id: notes[1].id) })
    #expect(try !store.read { try $0.exists(Note.self, id: UUID()) })
  }

  @Test("forEach sees every record in order, and stops where its closure throws")
  func forEach() throws {
    struct Enough: Error {}
    try insert((0..<10).map { Note("\($0)") })
    var seen: [String] = []
    try store.read { try $0.forEach(Query<Note>().limit(4)) { seen.append($0.text) } }
    #expect(seen == ["0", "1", "2", "3"])
    #expect(throws: Enough.self) {
      try store.read { try $0.forEach(Query<Note>()) { _ in throw Enough() } }
    }
    #expect(try texts(Query().limit(1)) == ["0"])
  }

  @Test("update and delete reach the records of a query and no others")
  func bulk() throws {
    try insert((0..<10).map { (number: Int) in Note("\(number)", rank: number) })
    let five = 5
    try store.write { (tx: inout Transaction) throws in
      let high = Query<Note>().filter(#Predicate { $0.rank ?? 0 >= five })
      #expect(try tx.update(high, .set(\.rank, to: nil), .set(\.text, to: "high")) == 5)
      #expect(try tx.count(high) == 0)
      #expect(try tx.update(Query<Note>().sorted(by: SortDescriptor(\.text)).limit(2), .set(\.rank, to: -1)) == 2)
      #expect(try tx.fetch(Query<Note>().filter(sql: "rank = -1")).map(\.text) == ["0", "1"])
      #expect(try tx.delete(Query<Note>().filter(sql: "text = 'high'").limit(3)) == 3)
      #expect(try tx.count(Query<Note>()) == 7)
      #expect(try tx.delete(Query<Note>()) == 7)
      #expect(try tx.delete(Query<Note>()) == 0)
      #expect(try tx.update(Query<Note>(), .set(\.rank, to: 1)) == 0)
    }
  }
}
