@testable import Roster

/// What a table view shows, and the rules by which it takes a batch of updates.
///
/// The rules are those of UITableView's and UICollectionView's batch updates: what goes has its index before, what comes its
/// index after; no index is in two events of one side; the counts add up in every section; and no row moves out of a
/// section that goes, or into one that comes or moves.
struct TableViewReplica<ID: Hashable> {
  private(set) var sections: [[ID]]

  struct Refusal: Error {
    let reason: String
  }

  /// Takes a batch. `new` is what the data source answers during it.
  mutating func perform(_ changes: TableViewChanges, _ new: [[ID]]) throws(Refusal) {
    let old = sections
    func check(_ condition: Bool, _ reason: String) throws(Refusal) {
      if !condition { throw Refusal(reason: "\(reason): \(changes), \(old) to \(new)") }
    }
    func unique<T: Hashable>(_ values: [T], _ name: String) throws(Refusal) {
      try check(Set(values).count == values.count, "\(name) has an index twice")
    }
    func has(_ place: SectionedIndex, _ rows: [[ID]]) -> Bool {
      rows.indices.contains(place.section) && rows[place.section].indices.contains(place.row)
    }
    let (from, to) = (changes.movedSections.map(\.from), changes.movedSections.map(\.to))
    try unique(changes.deletedSections + from, "sections before")
    try unique(changes.insertedSections + to, "sections after")
    try check((changes.deletedSections + from).allSatisfy { old.indices.contains($0) }, "a section before")
    try check((changes.insertedSections + to).allSatisfy { new.indices.contains($0) }, "a section after")
    try check(old.count - changes.deletedSections.count + changes.insertedSections.count == new.count, "section count")

    let sources = changes.deletedRows + changes.movedRows.map(\.from)
    let targets = changes.insertedRows + changes.movedRows.map(\.to)
    try unique(sources, "rows before")
    try unique(targets, "rows after")
    try check(sources.allSatisfy { has($0, old) } && targets.allSatisfy { has($0, new) }, "a row out of range")
    let (lost, made) = (Set(changes.deletedSections + from), Set(changes.insertedSections + to))
    try check(!sources.contains { lost.contains($0.section) }, "a row leaves a section that goes or moves")
    try check(!targets.contains { made.contains($0.section) }, "a row comes into a section that comes or moves")
    try check(changes.movedRows.allSatisfy { $0.from != $0.to || !sources.isEmpty }, "a move to itself")
    try unique(changes.updatedRows.map(\.from), "rows to draw")
    try check(
      changes.updatedRows.allSatisfy { has($0.from, old) && has($0.to, new) && !changes.deletedRows.contains($0.from) },
      "a row to draw is not there")

    // Which section each one was: those that stay keep their order.
    let inserted = Set(changes.insertedSections)
    let moves = Dictionary(uniqueKeysWithValues: zip(to, from))
    var stayed = old.indices.filter { !lost.contains($0) }.makeIterator()
    var result: [[ID]] = []
    for index in new.indices {
      if inserted.contains(index) {
        result.append(new[index])
        continue
      }
      guard let source = moves[index] ?? stayed.next() else { throw Refusal(reason: "a section from nowhere") }
      let gone = Set(sources.filter { $0.section == source }.map(\.row))
      var rows = old[source].enumerated().filter { !gone.contains($0.offset) }.map(\.element)
      let come = targets.filter { $0.section == index }.map(\.row).sorted()
      try check(rows.count + come.count == new[index].count, "the count of section \(index)")
      for row in come { rows.insert(new[index][row], at: row) }
      result.append(rows)
    }
    try check(result == new, "the rows")
    for move in changes.movedRows {
      try check(old[move.from.section][move.from.row] == new[move.to.section][move.to.row], "a move of another row")
    }
    for row in changes.updatedRows {
      try check(old[row.from.section][row.from.row] == new[row.to.section][row.to.row], "an update of another row")
    }
    sections = result
  }
}
