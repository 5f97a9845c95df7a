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

  init(_ difference: ListDifference, to rows: ListState<R>.Rows) {
    deletions = difference.deletions
    insertions = difference.insertions.map { Insertion(index: $0, record: rows[$0].record) }
    moves = difference.moves.map {
      Change(from: $0.from, to: $0.to, record: rows[$0.to].record, isChanged: $0.isChanged)
    }
    updates = difference.updates.map { Change(from: $0.from, to: $0.to, record: rows[$0.to].record, isChanged: true) }
  }

  /// Whether nothing happened.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

  /// Makes the records of before into those of after.
  ///
  /// - Complexity: O(*n*) for each deletion, insertion and move.
  public func apply(to records: inout [R]) {
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
