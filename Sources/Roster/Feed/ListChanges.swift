/// The records of a list at one moment.
///
/// A value: a copy costs nothing and stays as it is while the list goes on.
public struct ListRecords<R: Record>: RandomAccessCollection, Sendable {
  var rows: ListState<R>.Rows

  /// 0.
  public var startIndex: Int { 0 }
  /// How many records there are.
  public var endIndex: Int { rows.count }

  /// The record at an index.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> R { rows[index].record }
}

/// What happened to a list between two moments, in the terms of list views: what goes, by its place before; what comes, by
/// its place after.
///
/// Applying it to the records of before gives those of after, always. No index is in two events of one side, and no more
/// rows move than have to. A record that is stored as it was has no event.
public struct ListChanges<R: Record>: Sendable {
  /// A record that came.
  public struct Insertion: Sendable {
    /// Its index after the changes.
    public let index: Int
    /// The record.
    public let record: R
  }

  /// A record that changed its place, its value, or both.
  public struct Change: Sendable {
    /// Its index before the changes.
    public let from: Int
    /// Its index after the changes.
    public let to: Int
    /// The record as it is after the changes.
    public let record: R
    /// Whether it is another value than before.
    public let isChanged: Bool
  }

  /// The indices, before the changes, of the records that went, rising.
  public let deletions: [Int]
  /// The records that came, by their indices after the changes, rising.
  public let insertions: [Insertion]
  /// The records that changed their places among those that stayed, by their indices after the changes.
  public let moves: [Change]
  /// The records that are other values and did not move, by their indices after the changes.
  public let updates: [Change]

  /// Whether the consumer has to show the list anew, and there are no changes to tell: its own writes, which it asked not to
  /// hear of, met with those of others that it had not heard of, and what it shows is not known. Only for one that ignores
  /// an origin.
  public let isReload: Bool
  /// The records before the changes.
  public let old: ListRecords<R>
  /// The records after the changes.
  public let new: ListRecords<R>

  init(_ difference: ListDifference, from old: ListRecords<R>, to new: ListRecords<R>, isReload: Bool = false) {
    let rows = new.rows
    self.isReload = isReload
    self.old = old
    self.new = new
    deletions = difference.deletions
    insertions = difference.insertions.map { Insertion(index: $0, record: rows[$0].record) }
    moves = difference.moves.map {
      Change(from: $0.from, to: $0.to, record: rows[$0.to].record, isChanged: $0.isChanged)
    }
    updates = difference.updates.map { Change(from: $0.from, to: $0.to, record: rows[$0.to].record, isChanged: true) }
  }

  /// No changes.
  static func none(_ records: ListRecords<R>) -> ListChanges {
    ListChanges(
      ListDifference(deletions: [], insertions: [], kept: [], oldCount: records.count), from: records, to: records)
  }

  /// Whether nothing happened.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty && !isReload
  }

  /// The same for APIs that take differences of collections. A record that changed is taken out and put in again.
  ///
  /// - Complexity: O(*k* log *n*) in the changes.
  public var difference: CollectionDifference<R> {
    typealias Change = CollectionDifference<R>.Change
    var changes: [Change] = deletions.map { .remove(offset: $0, element: old[$0], associatedWith: nil) }
    changes += insertions.map { .insert(offset: $0.index, element: $0.record, associatedWith: nil) }
    for change in moves + updates {
      changes.append(.remove(offset: change.from, element: old[change.from], associatedWith: change.to))
      changes.append(.insert(offset: change.to, element: change.record, associatedWith: change.from))
    }
    // No offset is in two events of one side, which is all that is asked for.
    return CollectionDifference(changes) ?? EmptyCollection<R>().difference(from: []) { _, _ in true }
  }

  /// Makes the records of before into those of after.
  ///
  /// - Complexity: O(*n*) for each deletion, insertion and move.
  public func apply(to records: inout [R]) {
    guard !isReload else { return records = Array(new) }
    for index in (deletions + moves.map(\.from)).sorted(by: >) where records.indices.contains(index) {
      records.remove(at: index)
    }
    let added = insertions.map { ($0.index, $0.record) } + moves.map { ($0.to, $0.record) }
    for (index, record) in added.sorted(by: { $0.0 < $1.0 }) {
      records.insert(record, at: Swift.min(index, records.count))
    }
    for update in updates where records.indices.contains(update.to) { records[update.to] = update.record }
  }
}
