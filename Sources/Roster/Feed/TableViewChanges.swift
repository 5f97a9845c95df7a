/// The changes of a list with sections as a table view takes them in one batch.
///
/// Table views refuse to move a row out of a section that goes, or into one that comes or moves. So here such a move is
/// only what is left of it: a deletion or an insertion in the other section, or nothing. A section that moves while rows in
/// it change is deleted and inserted.
public struct TableViewChanges: Hashable, Sendable {
  /// A section or a row that changed its place.
  public struct Move<Index: Hashable & Sendable>: Hashable, Sendable {
    /// Its index before the changes.
    public let from: Index
    /// Its index after the changes.
    public let to: Index
  }

  /// The sections to delete, by their indices before the changes, rising.
  public let deletedSections: [Int]
  /// The sections to insert, by their indices after the changes, rising.
  public let insertedSections: [Int]
  /// The sections to move.
  public let movedSections: [Move<Int>]
  /// The rows to delete, by their places before the changes, rising.
  public let deletedRows: [SectionedIndex]
  /// The rows to insert, by their places after the changes, rising.
  public let insertedRows: [SectionedIndex]
  /// The rows to move.
  public let movedRows: [Move<SectionedIndex>]
  /// The rows to draw anew, those that moved among them: `to` has their places after the changes.
  public let updatedRows: [Move<SectionedIndex>]
}

extension SectionedListChanges {
  /// The same as a table view takes it in one batch.
  ///
  /// - Complexity: O(*k* log *k*) in the changes.
  public var forTableViews: TableViewChanges {
    let sources = Set(deletions.map(\.section) + (moves + updates).map(\.from.section))
    let targets = Set(insertions.map(\.index.section) + (moves + updates).map(\.to.section))
    let redone = movedSections.filter { sources.contains($0.from) || targets.contains($0.to) }
    let lost = Set(deletedSections + redone.map(\.from))
    let made = Set(insertedSections.map(\.index) + redone.map(\.to))
    var deleted = deletions.filter { !lost.contains($0.section) }
    var inserted = insertions.map(\.index).filter { !made.contains($0.section) }
    var moved: [TableViewChanges.Move<SectionedIndex>] = []
    var updated = updates.filter { !lost.contains($0.from.section) }.map {
      TableViewChanges.Move(from: $0.from, to: $0.to)
    }
    for move in moves {
      switch (lost.contains(move.from.section), made.contains(move.to.section)) {
      case (false, false):
        moved.append(TableViewChanges.Move(from: move.from, to: move.to))
        if move.isChanged { updated.append(TableViewChanges.Move(from: move.from, to: move.to)) }
      case (false, true): deleted.append(move.from)
      case (true, false): inserted.append(move.to)
      case (true, true): break
      }
    }
    return TableViewChanges(
      deletedSections: lost.sorted(), insertedSections: made.sorted(),
      movedSections: movedSections.filter { !lost.contains($0.from) }.map {
        TableViewChanges.Move(from: $0.from, to: $0.to)
      },
      deletedRows: deleted.sorted(), insertedRows: inserted.sorted(), movedRows: moved, updatedRows: updated)
  }
}
