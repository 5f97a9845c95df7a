/// A list with sections at one state of the database.
///
/// Its rows stand in one sequence, by the number of their section first. A section gets its number when it is first seen and
/// keeps it, so that sections that change their order move no row.
struct SectionState<R: Record, Key: Hashable & Sendable, Header: Sendable>: Sendable {
  private var list: ListState<R>
  private(set) var numbers: Numbers
  private var headers: any SectionHeaders<Key, Header>
  private let sections: ListSections<R, Key, Header>
  /// How many rows each section has, by its number.
  private var counts: [Int] = []
  private(set) var content: SectionedRecords<R, Key, Header>

  var isMaintained: Bool { list.isMaintained }

  /// The numbers of the sections.
  struct Numbers: Sendable {
    private(set) var keys: [Key] = []
    private var numbers: [Key: Int] = [:]

    mutating func number(of key: Key) -> Int {
      if let number = numbers[key] { return number }
      numbers[key] = keys.count
      keys.append(key)
      return keys.count - 1
    }
  }

  /// Fetches all rows. Sections that have a number keep it, so that the state can be compared with an earlier one.
  init(
    _ reader: ListReader<R>, _ sections: ListSections<R, Key, Header>, numbers known: Numbers = Numbers(),
    on connection: Connection
  ) throws {
    self.sections = sections
    headers = try sections.headers(connection)
    var numbers = known
    list = try ListState(reader, on: connection, numbering: { Int64(numbers.number(of: sections.key($0))) })
    self.numbers = numbers
    content = SectionedRecords(rows: list.rows, sections: [], sectionCount: 0, isChanged: sections.isChanged)
    recount()
    arrange()
  }

  /// What may be other after an update.
  struct Touched: Equatable, Sendable {
    var rows: ListState<R>.Touched
    var headers: Bool
  }

  private mutating func recount() {
    counts = Array(repeating: 0, count: numbers.keys.count)
    for row in list.rows { count(row, 1) }
  }

  private mutating func count(_ row: ListRow<R>, _ change: Int) {
    guard let number = row.section.map({ Int($0) }), number >= 0 else { return }
    while counts.count <= number { counts.append(0) }
    counts[number] += change
  }

  /// Makes the sections that are shown, in their order.
  ///
  /// - Complexity: O(*s* log *s*) in the sections.
  private mutating func arrange() {
    let kept = Set(headers.kept)
    for key in kept { _ = numbers.number(of: key) }
    while counts.count < numbers.keys.count { counts.append(0) }
    var shown: [(section: ListSection<R, Key, Header>, rank: SectionRank)] = []
    var start = 0
    for (number, key) in numbers.keys.enumerated() {
      let count = counts[number]
      if count > 0 || kept.contains(key), let (header, rank) = headers.header(of: key) {
        let section = ListSection<R, Key, Header>(
          id: key, header: header, rows: list.rows, number: number, start: start, count: count)
        shown.append((section, rank))
      }
      start += count
    }
    shown.sort { $0.rank != $1.rank ? $0.rank < $1.rank : $0.section.number < $1.section.number }
    content = SectionedRecords(
      rows: list.rows, sections: shown.map(\.section), sectionCount: counts.count,
      isChanged: sections.isChanged)
  }
}

extension SectionState: Followed {
  typealias Changes = SectionedListChanges<R, Key, Header>

  var cursor: FeedCursor? { list.cursor }

  func isQuick(on connection: Connection) throws(RosterError) -> Bool {
    try list.isQuick(on: connection) && content.count <= 64
  }

  static var nothing: SectionedRecords<R, Key, Header> {
    SectionedRecords(rows: ListState<R>.nothing.rows, sections: [], sectionCount: 0, isChanged: { _, _ in true })
  }

  static var everything: Touched { Touched(rows: .all, headers: true) }

  /// - Complexity: O(*k* log *n*) in the rows that were touched, and O(*s* log *s*) in the sections.
  mutating func update(on connection: Connection) throws(RosterError) -> Touched? {
    let old = list.rows
    let key = sections.key
    var numbers = numbers
    let rows = try list.catchUp(on: connection, numbering: { Int64(numbers.number(of: key($0))) })
    self.numbers = numbers
    let touched = Touched(rows: rows, headers: try headers.update(on: connection))
    guard touched != Touched(rows: .rows([]), headers: false) else { return nil }
    switch rows {
    case .all: recount()
    case .rows(let keys):
      for key in keys {
        if let row = old.row(forKey: key) { count(row, -1) }
        if let row = list.rows.row(forKey: key) { count(row, 1) }
      }
    }
    arrange()
    return touched
  }

  static func union(_ touched: Touched, _ more: Touched) -> Touched {
    Touched(rows: touched.rows.union(more.rows), headers: touched.headers || more.headers)
  }

  static func changes(from old: Content, to new: Content, touched: Touched) -> Changes? {
    let changes = SectionDifference(from: old, to: new, touched: touched).changes
    return changes.isEmpty ? nil : changes
  }
}
