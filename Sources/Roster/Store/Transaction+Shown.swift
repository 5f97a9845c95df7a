import Foundation

/// Writes that name their records by what a list shows.
extension StoreAccess where Mode == WritingMode {
  /// Moves records of a list as it is shown: before the shown one at the destination, or behind the last one.
  mutating func move<R: Record>(
    _ shown: some RandomAccessCollection<R>, _ offsets: IndexSet, _ destination: Int
  ) throws {
    try Self.check(offsets, destination, shown)
    guard !offsets.isUnmoved(to: destination) else { return }
    let record = { (offset: Int) in shown[shown.index(shown.startIndex, offsetBy: offset)] }
    let stays = { (offset: Int) in !offsets.contains(offset) }
    let ids = offsets.map { record($0).id }
    if let next = (destination..<shown.count).first(where: stays) {
      try move(R.self, ids: ids, to: .before(record(next).id))
    } else if let last = (0..<destination).last(where: stays) {
      try move(R.self, ids: ids, to: .after(record(last).id))
    }
  }

  /// Deletes records of a list as it is shown.
  mutating func delete<R: Record>(_ shown: some RandomAccessCollection<R>, _ offsets: IndexSet) throws {
    try Self.check(offsets, 0, shown)
    for offset in offsets {
      try delete(R.self, id: shown[shown.index(shown.startIndex, offsetBy: offset)].id)
    }
  }

  /// Stores another value of a shown record, or deletes it.
  mutating func replace<R: Record>(_ old: R?, with new: R?, id: R.ID) throws {
    guard let old else {
      throw RosterError(.noSuchRecord, "The list does not show a record with the id.", table: R.table.name)
    }
    guard let new else {
      try delete(R.self, id: id)
      return
    }
    guard new.id == id else {
      throw RosterError(.misuse, "A record cannot be replaced by one with another id.", table: R.table.name)
    }
    try update(new, from: old)
  }

  private static func check<R: Record>(
    _ offsets: IndexSet, _ destination: Int, _ shown: some RandomAccessCollection<R>
  ) throws {
    guard (offsets.first ?? 0) >= 0, (offsets.last ?? -1) < shown.count, (0...shown.count).contains(destination) else {
      throw RosterError(
        .outOfRange, "An offset is out of range: the list shows \(shown.count) rows.", table: R.table.name)
    }
  }
}
