import enum Foundation.ComparisonResult

/// Which sections a list has, in what order, and what heads them, at one state of the database.
protocol SectionHeaders<Key, Header>: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype Header: Sendable

  /// The header of a section and its place; nil where rows with the key are not shown.
  func header(of key: Key) -> (header: Header, rank: SectionRank)?
  /// The sections that are there without rows.
  var kept: [Key] { get }
  /// Brings them to the state of the database that the connection sees. False where they are as they were.
  mutating func update(on connection: Connection) throws(RosterError) -> Bool
}

/// The place of a section: by a number, then by a value.
struct SectionRank: Comparable {
  let number: Int
  var value = SQLiteValue.null
  var isDescending = false

  static func < (left: SectionRank, right: SectionRank) -> Bool {
    left.number != right.number
      ? left.number < right.number
      : SortTerm(isDescending: left.isDescending).compare(left.value, right.value) == .orderedAscending
  }
}

/// Sections of values.
struct ValueHeaders<Key: ColumnValue & Hashable & Sendable>: SectionHeaders {
  private let ranks: [Key: Int]
  private let isDescending: Bool
  let kept: [Key]

  init(ranked values: [Key], isDescending: Bool, keepsEmpty: Bool) {
    ranks = Dictionary(values.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.isDescending = isDescending
    kept = keepsEmpty ? Array(ranks.keys) : []
  }

  func header(of key: Key) -> (header: Key, rank: SectionRank)? {
    if let rank = ranks[key] { return (key, SectionRank(number: rank)) }
    // A value that cannot be stored is on no row.
    let value = try? SQLiteValue.capture { (parameter) throws(RosterError) in try key.encode(to: parameter) }
    return (key, SectionRank(number: ranks.count, value: value ?? .null, isDescending: isDescending))
  }

  mutating func update(on connection: Connection) throws(RosterError) -> Bool { false }
}

/// Sections of records that others refer to.
struct RelatedHeaders<Parent: Record>: SectionHeaders {
  private var parents: ListState<Parent>
  private var places: [Parent.ID: Int]
  private let keepsEmpty: Bool

  init(_ parents: ListState<Parent>, keepsEmpty: Bool) {
    self.parents = parents
    self.keepsEmpty = keepsEmpty
    places = RelatedHeaders.places(of: parents)
  }

  private static func places(of parents: ListState<Parent>) -> [Parent.ID: Int] {
    Dictionary(parents.rows.enumerated().map { ($1.record.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func header(of key: Parent.ID) -> (header: Parent, rank: SectionRank)? {
    places[key].map { (parents.rows[$0].record, SectionRank(number: $0)) }
  }

  var kept: [Parent.ID] { keepsEmpty ? Array(places.keys) : [] }

  mutating func update(on connection: Connection) throws(RosterError) -> Bool {
    guard try parents.catchUp(on: connection) != .rows([]) else { return false }
    places = RelatedHeaders.places(of: parents)
    return true
  }
}

/// Sections of records that others may refer to.
struct OptionalHeaders<Parent: Record>: SectionHeaders {
  var base: RelatedHeaders<Parent>

  func header(of key: Parent.ID?) -> (header: Parent?, rank: SectionRank)? {
    guard let key else { return (nil, SectionRank(number: .max)) }
    return base.header(of: key).map { ($0.header, $0.rank) }
  }

  var kept: [Parent.ID?] { base.kept }

  mutating func update(on connection: Connection) throws(RosterError) -> Bool { try base.update(on: connection) }
}
