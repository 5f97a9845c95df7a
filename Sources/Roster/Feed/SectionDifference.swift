/// How a list with sections got from one state to a later one.
///
/// Rows that stay in their section are compared in the one sequence of all rows, where no section passes another: so the
/// fewest moves there are the fewest in each section. A row that changes its section is a move, whatever its place.
struct SectionDifference<R: Record, Key: Hashable & Sendable, Header: Sendable> {
  typealias Content = SectionedRecords<R, Key, Header>

  let changes: SectionedListChanges<R, Key, Header>

  /// - Complexity: O(*k* log *n*) in the rows touched, and O(*s* log *s*) in the sections.
  init(from old: Content, to new: Content, touched: SectionState<R, Key, Header>.Touched) {
    let rows = RowDifference(from: old.rows, to: new.rows, touched: touched.rows)
    let crossing = rows.kept.filter { old.rows[$0.from].section != new.rows[$0.to].section }
    let difference = ListDifference(
      deletions: rows.gone + crossing.map(\.from), insertions: rows.come + crossing.map(\.to),
      kept: rows.kept.filter { old.rows[$0.from].section == new.rows[$0.to].section }, oldCount: old.rows.count)
    var changes = SectionedListChanges(from: old, to: new)
    changes.add(SectionDifference.sections(from: old, to: new), old, new)
    // Where a section goes or comes as a whole, its rows go and come with it.
    let leaves = { (index: Int) in old.place(ofRow: index) }
    let arrives = { (index: Int) in new.place(ofRow: index) }
    let isThereAfter = { (place: SectionedIndex) in new.place(ofSection: old[place.section].number) != nil }
    let wasThereBefore = { (place: SectionedIndex) in old.place(ofSection: new[place.section].number) != nil }
    for index in rows.gone { if let place = leaves(index), isThereAfter(place) { changes.delete(place) } }
    for index in rows.come { if let place = arrives(index), wasThereBefore(place) { changes.insert(place) } }
    for row in crossing + difference.moves {
      switch (leaves(row.from), arrives(row.to)) {
      case (let from?, let to?): changes.move(from, to, row.isChanged)
      case (let from?, nil): if isThereAfter(from) { changes.delete(from) }
      case (nil, let to?): if wasThereBefore(to) { changes.insert(to) }
      case (nil, nil): break
      }
    }
    for row in difference.updates {
      if let from = leaves(row.from), let to = arrives(row.to) { changes.update(from, to) }
    }
    changes.sort()
    self.changes = changes
  }

  /// What became of the sections, with the fewest moves.
  private static func sections(from old: Content, to new: Content) -> ListDifference {
    var (deletions, kept): ([Int], [ListDifference.Kept]) = ([], [])
    for (from, section) in old.enumerated() {
      guard let to = new.place(ofSection: section.number) else {
        deletions.append(from)
        continue
      }
      let isChanged = section.count != new[to].count || new.isChanged(section.header, new[to].header)
      kept.append(ListDifference.Kept(from: from, to: to, isChanged: isChanged))
    }
    let insertions = new.indices.filter { old.place(ofSection: new[$0].number) == nil }
    return ListDifference(deletions: deletions, insertions: insertions, kept: kept, oldCount: old.count)
  }
}
