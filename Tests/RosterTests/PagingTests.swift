import Foundation
import Testing

@testable import Roster

@Suite("Paging after a record")
struct PagingTests {
  let folder: TemporaryFolder
  let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.notes(in: folder)
  }

  /// All records of a query, a page at a time.
  private func pages(_ query: Query<Note>, size: Int) throws -> [Note] {
    var all: [Note] = []
    while true {
      let next = all.last.map { query.after($0) } ?? query
      let page = try store.read { try $0.fetch(next.limit(size)) }
      all += page
      if page.count < size { return all }
    }
  }

  @Test("pages together are the whole, for every order, with ties and nils", arguments: SeededGenerator.seeds)
  func whole(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = ["", "a", "b", "布", "é"]
    let notes = (0..<300).map { _ in
      let rank = Int.random(in: 0...5, using: &random)
      return Note(texts.randomElement(using: &random) ?? "", rank: rank == 0 ? nil : rank)
    }
    try store.write { try $0.insert(notes) }
    let sorts: [[SortDescriptor<Note>]] = [
      [], [SortDescriptor(\.rank)], [SortDescriptor(\.rank, order: .reverse)],
      [SortDescriptor(\.text, order: .reverse), SortDescriptor(\.rank)],
      [SortDescriptor(\.rank), SortDescriptor(\.text, order: .reverse)],
      [SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.text, order: .reverse)],
    ]
    for (index, sort) in sorts.enumerated() {
      let two = 2
      for query in [Query<Note>(), Query<Note>().filter(#Predicate { $0.rank ?? 2 >= two })] {
        let sorted = query.sorted(by: sort)
        let whole = try store.read { try $0.fetch(sorted) }
        #expect(try pages(sorted, size: 7) == whole, "seed \(seed), sort \(index)")
      }
    }
  }

  @Test("a page after a deleted record follows by its sorted values")
  func deleted() throws {
    let notes = (0..<6).map { (number: Int) in Note("\(number)", rank: number) }
    try store.write { try $0.insert(notes) }
    try store.write { _ = try $0.delete(Note.self, id: notes[2].id) }
    let after = Query<Note>().sorted(by: SortDescriptor(\.rank)).after(notes[2])
    #expect(try store.read { try $0.fetch(after) } == Array(notes[3...]))
  }

  @Test("where its place among ties, or by insertion, is lost, that is an error")
  func lost() throws {
    let notes = (0..<6).map { (number: Int) in Note("\(number)", rank: number / 3) }
    try store.write { try $0.insert(notes) }
    try store.write { _ = try $0.delete(Note.self, id: notes[1].id) }
    for query in [Query<Note>(), Query<Note>().sorted(by: SortDescriptor(\.rank))] {
      let error = #expect(throws: RosterError.self) {
        _ = try store.read { try $0.fetch(query.after(notes[1])) }
      }
      #expect(error?.code == .noSuchRecord)
    }
  }
}
