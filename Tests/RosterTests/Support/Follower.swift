import Foundation
import Testing

@testable import Roster

/// Something that follows a list, and compares it with what a fetch brings.
protocol Follower: AnyObject {
  var name: String { get }
  func look(_ store: Store, _ message: Comment) throws
}

/// The fewest moves that make one order of ids of another.
func fewestMoves<ID: Hashable>(_ old: [ID], _ new: [ID]) -> Int {
  let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, Int64($0)) })
  let kept = new.compactMap { places[$0] }
  return kept.count - longestRise(kept).count
}

/// Follows a list of one sequence.
class FlatFollower<R: Record & Equatable>: Follower {
  let name: String
  private var state: ListState<R>
  private var records: [R]
  private let fetch: (borrowing Snapshot) throws -> [R]

  init(
    _ name: String, _ source: ListReader<R>.Source, isMaintained: Bool, _ store: Store,
    fetch: @escaping (borrowing Snapshot) throws -> [R]
  ) throws {
    self.name = name
    self.fetch = fetch
    let reader = try ListReader(source)
    state = try store.read { try ListState(reader, on: $0.connection) }
    records = Array(state.content)
    #expect(state.isMaintained == isMaintained, "\(name)")
  }

  func look(_ store: Store, _ message: Comment) throws {
    let (old, fetch) = (state, fetch)
    let (new, touched, fetched) = try store.read { (snapshot: inout Snapshot) throws in
      var state = old
      let touched = try state.update(on: snapshot.connection)
      return (state, touched, try fetch(snapshot))
    }
    try #require(Array(new.content) == fetched, message)
    #expect(new.rows.checkInvariants() == [], message)
    let changes = touched.flatMap { ListState.changes(from: old.content, to: new.content, touched: $0) }
    if let changes {
      #expect(!changes.isEmpty, message)
      var table = TableViewReplica(sections: [records.map(\.id)])
      try table.perform(TableViewChanges(changes), [fetched.map(\.id)])
      #expect(changes.moves.count == fewestMoves(records.map(\.id), fetched.map(\.id)), message)
      for change in changes.updates + changes.moves where change.isChanged {
        #expect(records[change.from] != change.record && fetched[change.to] == change.record, message)
      }
      #expect(records.applying(changes.difference) == fetched, message)
      changes.apply(to: &records)
    }
    try #require(records == fetched, message)
    state = new
  }
}

extension TableViewChanges {
  /// The changes of a list without sections.
  init<R>(_ changes: ListChanges<R>) {
    let place = { (row: Int) in SectionedIndex(section: 0, row: row) }
    self.init(
      deletedSections: [], insertedSections: [], movedSections: [], deletedRows: changes.deletions.map(place),
      insertedRows: changes.insertions.map { place($0.index) },
      movedRows: changes.moves.map { Move(from: place($0.from), to: place($0.to)) },
      updatedRows: (changes.updates + changes.moves.filter(\.isChanged)).map {
        Move(from: place($0.from), to: place($0.to))
      })
  }
}

/// Follows the list of a query.
final class ListFollower<R: Record & Equatable>: FlatFollower<R> {
  init(_ name: String, _ query: Query<R>, isMaintained: Bool, _ store: Store) throws {
    try super.init(name, .query(query), isMaintained: isMaintained, store) { try $0.fetch(query) }
  }
}

/// How many items there are of each rank.
struct RankCount: Record, Hashable {
  let id: Int
  let count: Int

  // There is no such table; a statement has columns of these names.
  static let table = Table("rank_count", RankCount.init, Column("id", \.id), Column("count", \.count))
}

/// Follows what a statement returns.
final class StatementFollower: FlatFollower<RankCount> {
  init(_ store: Store) throws {
    let sql: SQL = "SELECT rank AS id, count(*) AS count FROM item GROUP BY rank ORDER BY count(*), rank"
    try super.init("counts", .sql(sql), isMaintained: false, store) { try $0.fetch(sql, as: RankCount.self) }
  }
}

/// Follows a list with sections.
final class SectionFollower<Key: Hashable & Sendable, Header: Sendable>: Follower {
  let name: String
  private let query: Query<Item>
  private let sections: ListSections<Item, Key, Header>
  private let keys: (borrowing Snapshot, [Item]) throws -> [Key]
  private var state: SectionState<Item, Key, Header>
  private var records: [[Item]]

  init(
    _ name: String, _ query: Query<Item>, _ sections: ListSections<Item, Key, Header>, _ store: Store,
    keys: @escaping (borrowing Snapshot, [Item]) throws -> [Key]
  ) throws {
    (self.name, self.query, self.sections, self.keys) = (name, query, sections, keys)
    let reader = try ListReader(query)
    state = try store.read { try SectionState(reader, sections, on: $0.connection) }
    records = state.content.map { Array($0) }
  }

  func look(_ store: Store, _ message: Comment) throws {
    let (old, keys, query) = (state, keys, query)
    let (new, touched, items, expected) = try store.read { (snapshot: inout Snapshot) throws in
      var state = old
      let touched = try state.update(on: snapshot.connection)
      let items = try snapshot.fetch(query)
      return (state, touched, items, try keys(snapshot, items))
    }
    let content = new.content
    let rows = expected.map { key in items.filter { sections.key($0) == key } }
    try #require(content.map(\.id) == expected && content.map { Array($0) } == rows, message)
    #expect(content.map(\.count) == rows.map(\.count) && content.recordCount == rows.joined().count, message)
    guard let touched, let changes = SectionState.changes(from: old.content, to: content, touched: touched) else {
      try #require(records == rows && old.content.map(\.id) == expected, message)
      state = new
      return
    }
    try check(changes, records, rows, message)
    var table = TableViewReplica(sections: records.map { $0.map(\.id) })
    do { try table.perform(changes.forTableViews, rows.map { $0.map(\.id) }) } catch {
      Issue.record("\(error.reason) \(message)")
    }
    changes.apply(to: &records)
    try #require(records == rows, message)
    state = new
  }

  /// The events are as few as they can be, and of the rows that they say.
  private func check(
    _ changes: SectionedListChanges<Item, Key, Header>, _ old: [[Item]], _ new: [[Item]], _ message: Comment
  ) throws {
    let (before, after) = (changes.old.map(\.id), changes.new.map(\.id))
    #expect(!changes.isEmpty, message)
    #expect(changes.movedSections.count == fewestMoves(before, after), message)
    var moves = 0
    for (section, key) in before.enumerated() {
      guard let place = after.firstIndex(of: key) else { continue }
      moves += fewestMoves(old[section].map(\.id), new[place].map(\.id))
    }
    let sections = { (rows: [[Item]], keys: [Key]) in
      Dictionary(uniqueKeysWithValues: zip(keys, rows).flatMap { key, rows in rows.map { ($0.id, key) } })
    }
    let (from, to) = (sections(old, before), sections(new, after))
    moves += from.count { id, key in to[id].map { $0 != key } ?? false }
    #expect(changes.moves.count == moves, message)
    for change in changes.moves + changes.updates {
      let (item, was) = (new[change.to.section][change.to.row], old[change.from.section][change.from.row])
      #expect(item == change.record && item.id == was.id && (item != was) == change.isChanged, message)
    }
    for insertion in changes.insertions {
      #expect(new[insertion.index.section][insertion.index.row] == insertion.record, message)
    }
  }
}
