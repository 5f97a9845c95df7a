/// What happened to a list with sections between two moments: what goes, by its place before; what comes, by its place after.
///
/// Applying it to the records of before gives those of after, always. No place is in two events of one side, and no more
/// sections and rows move than have to.
///
/// A section that goes takes its rows with it, and one that comes brings them: those have no event, but for a row that moves
/// from one section to another, which is one move even where a section comes or goes with it. ``forTableViews`` has the same
/// in the form that table views demand, which refuse such a move.
public struct SectionedListChanges<R: Record, Key: Hashable & Sendable, Header: Sendable>: Sendable {
  /// A section that came.
  public struct SectionInsertion: Sendable {
    /// Its index after the changes.
    public let index: Int
    /// The section, with all its rows.
    public let section: ListSection<R, Key, Header>
  }

  /// A section that changed its place, its header or its count.
  public struct SectionChange: Sendable {
    /// Its index before the changes.
    public let from: Int
    /// Its index after the changes.
    public let to: Int
    /// The section after the changes.
    public let section: ListSection<R, Key, Header>
    /// Whether its header or its count is another than before.
    public let isChanged: Bool
  }

  /// A record that came.
  public struct Insertion: Sendable {
    /// Its place after the changes.
    public let index: SectionedIndex
    /// The record.
    public let record: R
  }

  /// A record that changed its place, its value, or both.
  public struct Change: Sendable {
    /// Its place before the changes.
    public let from: SectionedIndex
    /// Its place after the changes.
    public let to: SectionedIndex
    /// The record as it is after the changes.
    public let record: R
    /// Whether it is another value than before.
    public let isChanged: Bool
  }

  /// The indices, before the changes, of the sections that went, rising.
  public private(set) var deletedSections: [Int] = []
  /// The sections that came, by their indices after the changes, rising.
  public private(set) var insertedSections: [SectionInsertion] = []
  /// The sections that changed their places among those that stayed, by their indices after the changes.
  public private(set) var movedSections: [SectionChange] = []
  /// The sections with another header or count that did not move, by their indices after the changes.
  public private(set) var updatedSections: [SectionChange] = []
  /// The places, before the changes, of the records that went, rising.
  public private(set) var deletions: [SectionedIndex] = []
  /// The records that came, by their places after the changes, rising.
  public private(set) var insertions: [Insertion] = []
  /// The records that changed their section, or their place among those that stayed in it, by their places after the
  /// changes.
  public private(set) var moves: [Change] = []
  /// The records that are other values and did not move, by their places after the changes.
  public private(set) var updates: [Change] = []
  /// The sections and records before the changes.
  public let old: SectionedRecords<R, Key, Header>
  /// The sections and records after the changes.
  public let new: SectionedRecords<R, Key, Header>

  init(from old: SectionedRecords<R, Key, Header>, to new: SectionedRecords<R, Key, Header>) {
    self.old = old
    self.new = new
  }

  /// Whether nothing happened.
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && updatedSections.isEmpty
      && deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Makes the records of before, section by section, into those of after.
  ///
  /// - Complexity: O(*n*) in the records of the sections that something happens in, for each of them.
  public func apply(to sections: inout [[R]]) {
    var rest = sections
    for place in (deletions + moves.map(\.from)).sorted(by: >) where place.isValid(in: rest) {
      rest[place.section].remove(at: place.row)
    }
    let came = Dictionary(insertedSections.map { ($0.index, $0.section) }, uniquingKeysWith: { first, _ in first })
    let moved = Dictionary(movedSections.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
    let gone = Set(deletedSections + movedSections.map(\.from))
    var stayed = rest.indices.filter { !gone.contains($0) }.makeIterator()
    sections = new.indices.map { index in
      if let section = came[index] { return Array(section) }
      return (moved[index] ?? stayed.next()).map { rest[$0] } ?? []
    }
    let added = insertions.map { ($0.index, $0.record) } + moves.map { ($0.to, $0.record) }
    for (place, record) in added.sorted(by: { $0.0 < $1.0 }) where came[place.section] == nil {
      sections[place.section].insert(record, at: Swift.min(place.row, sections[place.section].count))
    }
    for update in updates where update.to.isValid(in: sections) {
      sections[update.to.section][update.to.row] = update.record
    }
  }
}

extension SectionedIndex {
  /// Whether records in sections have one at the place.
  fileprivate func isValid<R>(in sections: [[R]]) -> Bool {
    sections.indices.contains(section) && sections[section].indices.contains(row)
  }
}

extension SectionedListChanges {
  mutating func add(
    _ difference: ListDifference, _ old: SectionedRecords<R, Key, Header>, _ new: SectionedRecords<R, Key, Header>
  ) {
    let change = { (kept: ListDifference.Kept) in
      SectionChange(from: kept.from, to: kept.to, section: new[kept.to], isChanged: kept.isChanged)
    }
    deletedSections = difference.deletions
    insertedSections = difference.insertions.map { SectionInsertion(index: $0, section: new[$0]) }
    movedSections = difference.moves.map { change($0) }
    updatedSections = difference.updates.map { change($0) }
  }

  mutating func delete(_ place: SectionedIndex) { deletions.append(place) }
  mutating func insert(_ place: SectionedIndex) { insertions.append(Insertion(index: place, record: new[place])) }

  mutating func move(_ from: SectionedIndex, _ to: SectionedIndex, _ isChanged: Bool) {
    moves.append(Change(from: from, to: to, record: new[to], isChanged: isChanged))
  }

  mutating func update(_ from: SectionedIndex, _ to: SectionedIndex) {
    updates.append(Change(from: from, to: to, record: new[to], isChanged: true))
  }

  mutating func sort() {
    deletions.sort()
    insertions.sort { $0.index < $1.index }
    moves.sort { $0.to < $1.to }
    updates.sort { $0.to < $1.to }
  }
}
