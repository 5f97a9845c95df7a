/// One section of a list: its header and its records.
///
/// A value: it stays as it is while the list goes on.
public struct ListSection<R: Record, Key: Hashable & Sendable, Header: Sendable>: RandomAccessCollection, Identifiable,
  Sendable
{
  /// The value that the section's records have in common, which tells it from the other sections.
  public let id: Key
  /// What heads it: the value itself, or the record that the section's records refer to.
  public let header: Header
  let rows: ListState<R>.Rows
  /// The number by which the rows are sorted first.
  let number: Int
  /// The index of its first row among all rows.
  let start: Int
  /// How many records it has.
  ///
  /// - Complexity: O(1).
  public let count: Int

  /// 0.
  public var startIndex: Int { 0 }
  /// How many records it has.
  public var endIndex: Int { count }

  /// The record at an index.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> R { rows[start + index].record }
}

/// The place of a record in a list with sections, as list views count.
public struct SectionedIndex: Hashable, Comparable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the record in it.
  public var row: Int

  /// The place of a row in a section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// By the section, then by the row.
  public static func < (left: SectionedIndex, right: SectionedIndex) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// The records of a list with sections at one moment.
///
/// A value: a copy costs nothing and stays as it is while the list goes on.
public struct SectionedRecords<R: Record, Key: Hashable & Sendable, Header: Sendable>: RandomAccessCollection, Sendable
{
  /// One section.
  public typealias Element = ListSection<R, Key, Header>

  let rows: ListState<R>.Rows
  private let sections: [Element]
  /// The index of each section by its number; nil for one that is not shown.
  private let places: [Int?]

  /// Whether a header is another one than before.
  let isChanged: @Sendable (Header, Header) -> Bool

  init(
    rows: ListState<R>.Rows, sections: [Element], sectionCount: Int,
    isChanged: @escaping @Sendable (Header, Header) -> Bool
  ) {
    self.rows = rows
    self.isChanged = isChanged
    self.sections = sections
    var places = [Int?](repeating: nil, count: sectionCount)
    for (place, section) in sections.enumerated() { places[section.number] = place }
    self.places = places
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// How many sections there are.
  public var endIndex: Int { sections.count }

  /// The section at an index.
  ///
  /// - Complexity: O(1).
  public subscript(index: Int) -> Element { sections[index] }

  /// How many records there are in all sections.
  ///
  /// - Complexity: O(*s*) in the sections.
  public var recordCount: Int { sections.reduce(0) { $0 + $1.count } }

  /// The record at a place.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: SectionedIndex) -> R { sections[index.section][index.row] }

  /// The section with a key; nil where it is not shown.
  ///
  /// - Complexity: O(*s*) in the sections.
  public func section(_ key: Key) -> Element? { sections.first { $0.id == key } }

  /// The index of the section with a number.
  func place(ofSection number: Int) -> Int? { places.indices.contains(number) ? places[number] : nil }

  /// Where the row at an index among all rows is shown.
  func place(ofRow index: Int) -> SectionedIndex? {
    guard let number = rows[index].section, let place = place(ofSection: Int(number)) else { return nil }
    return SectionedIndex(section: place, row: index - sections[place].start)
  }
}
