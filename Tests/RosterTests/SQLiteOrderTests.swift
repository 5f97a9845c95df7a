import Foundation
import Testing

@testable import Roster

@Suite("SQLite's order of values")
struct SQLiteOrderTests {
  /// A row with the values that it is sorted by.
  private struct Sample: SortedRow {
    let rowKey: Int64
    let sortValues: [SQLiteValue]
  }

  private static let integers: [Int64] = [
    .min, .min + 1, -9_007_199_254_740_993, -9_007_199_254_740_992, -2, -1, 0, 1, 2, 9_007_199_254_740_991,
    9_007_199_254_740_992, 9_007_199_254_740_993, 9_223_372_036_854_774_784, 9_223_372_036_854_775_296, .max - 1, .max,
  ]
  private static let reals: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -9.3e18, -0x1p63, (-0x1p63).nextUp, -9_007_199_254_740_992, -2.5, -1, -0.5,
    -.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude, 0.5, 1, 1.5, (2.0).nextDown, 2, 9_007_199_254_740_992,
    9_007_199_254_740_994, (0x1p63).nextDown, 0x1p63, 9.3e18, .greatestFiniteMagnitude, .infinity,
  ]
  private static let texts = [
    "", " ", "  ", "a", "A", "a ", "A  ", " a", "a\t", "ab", "aB", "AB", "b", "Z", "z", "[", "_", "`", "@", "{", "é",
    "É",
    "e\u{301}", "ß", "字", "字 ", "🎉", "\u{FFFD}", "\u{FFFF}", "\0", "\0\0", "a\0", "a\0b", "A\0c", "a\0bcd", "ab\0",
    "a \0 ",
    "1", "10", "9", "a longer text than fits in a string's own bytes",
    "A longer text than fits in a string's own bytes ",
  ]
  private static let blobs = [
    Data(), Data([0]), Data([0, 0]), Data([1]), Data([0x61]), Data([0x61, 0x20]), Data([0x41]), Data([0x7F]),
    Data([0x80]),
    Data([0xFF]), Data([0xFF, 0]), Data([9, 8, 0x61, 0x62])[2...],
  ]
  private static let corners: [SQLiteValue] =
    [.null] + integers.map { .integer($0) } + reals.map { .real($0) } + texts.map { .text($0) }
    + blobs.map { .blob($0) }

  /// Every term that there is.
  private static let terms: [SortTerm] = [Collation.binary, .nocase, .rtrim].flatMap { collation in
    [false, true].flatMap { isDescending in
      [false, true].map { SortTerm(collation: collation, isDescending: isDescending, isNullLast: $0) }
    }
  }

  private static func sql(_ column: String, _ term: SortTerm) -> String {
    "\(column) COLLATE \(term.collation.rawValue)\(term.isDescending ? " DESC" : "")"
      + (term.isNullLast ? " NULLS LAST" : " NULLS FIRST")
  }

  /// The rows in a database in memory, in columns without an affinity, which would convert numbers and text.
  private func database(_ rows: [Sample]) throws -> Connection {
    let connection = try Connection(path: ":memory:", mode: .memory)
    try connection.execute("CREATE TABLE sample (key INTEGER PRIMARY KEY, a, b)")
    try connection.control("BEGIN")
    for row in rows {
      try connection.execute(
        "INSERT INTO sample VALUES (?, ?, ?)", ([.integer(row.rowKey)] + row.sortValues).map { SQLArgument($0) })
    }
    try connection.control("COMMIT")
    return connection
  }

  private func keys(_ connection: Connection, _ order: String) throws -> [Int64] {
    try connection.rows("SELECT key FROM sample ORDER BY \(order), key").compactMap { row in
      if case .integer(let key)? = row.first { key } else { nil }
    }
  }

  /// Values of two columns, of the corners and others near them, with many that are equal.
  private func value(_ dice: inout SeededGenerator) -> SQLiteValue {
    let corners = SQLiteOrderTests.corners
    switch dice.below(8) {
    case 0: return .integer(Int64(dice.below(20)) - 10)
    case 1: return .real(Double(dice.below(80)) / 4 - 10)
    case 2: return .integer(Int64(bitPattern: dice.next()))
    case 3:
      let real = Double(bitPattern: dice.next())
      return .real(real.isNaN ? 0x1p63 : real)
    case 4:
      // Beside an integer, where rounding decides.
      let real = Double(SQLiteOrderTests.integers[dice.below(SQLiteOrderTests.integers.count)])
      return .real([real.nextDown, real, real.nextUp][dice.below(3)])
    case 5:
      let letters = ["a", "A", "b", "B", " ", "\0", "é", "_"]
      return .text((0..<dice.below(5)).map { _ in letters[dice.below(letters.count)] }.joined())
    default: return corners[dice.below(corners.count)]
    }
  }

  private func samples(_ count: Int, _ dice: inout SeededGenerator) -> [Sample] {
    (1...count).map { Sample(rowKey: Int64($0), sortValues: [value(&dice), value(&dice)]) }
  }

  @Test("rows of any values are sorted as ORDER BY sorts them, by every term", arguments: SeededGenerator.seeds)
  func random(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let rows = samples(1000, &dice)
    let connection = try database(rows)
    for term in SQLiteOrderTests.terms {
      let comparator = SQLiteRowComparator<Sample>(order: SQLiteOrder(terms: [term]))
      let order = SQLiteOrderTests.sql("a", term)
      let sorted = rows.shuffled(using: &dice).sorted { comparator.isBefore($0, $1) }.map(\.rowKey)
      #expect(try sorted == keys(connection, order), "\(order), ROSTER_SEED=\(seed)")
    }
  }

  @Test("the second term decides where the first doesn't, in chunked rows too", arguments: SeededGenerator.seeds)
  func terms(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let few = (0..<5).map { _ in value(&dice) }
    let rows = (1...600).map {
      Sample(rowKey: Int64($0), sortValues: [few[dice.below(few.count)], value(&dice)])
    }
    let connection = try database(rows)
    for _ in 0..<6 {
      let terms = (0..<2).map { _ in SQLiteOrderTests.terms[dice.below(SQLiteOrderTests.terms.count)] }
      let order = zip(["a", "b"], terms).map(SQLiteOrderTests.sql).joined(separator: ", ")
      let comparator = SQLiteRowComparator<Sample>(order: SQLiteOrder(terms: terms))
      var list = ChunkedRows<Sample, SQLiteRowComparator<Sample>>(by: comparator)
      for row in rows.shuffled(using: &dice) { list.insert(row) }
      #expect(try list.map(\.rowKey) == keys(connection, order), "\(order), ROSTER_SEED=\(seed)")
    }
  }

  @Test("any two corner values compare as SQLite compares them, by every collation")
  func pairs() throws {
    let corners = SQLiteOrderTests.corners.filter { $0 != .null }
    let rows = corners.enumerated().map { Sample(rowKey: Int64($0.offset), sortValues: [$0.element, .null]) }
    let connection = try database(rows)
    for collation in [Collation.binary, .nocase, .rtrim] {
      let name = collation.rawValue
      let results = try connection.rows(
        """
        SELECT (l.a COLLATE \(name) > r.a) - (l.a COLLATE \(name) < r.a)
        FROM sample AS l, sample AS r ORDER BY l.key, r.key
        """
      ).compactMap(\.first)
      let term = SortTerm(collation: collation)
      let own = corners.flatMap { left in
        corners.map { SQLiteValue.integer(Int64(term.compare(left, $0).rawValue)) }
      }
      #expect(results.count == corners.count * corners.count)
      #expect(results == own, "\(name)")
    }
  }

  @Test("NULL comes first, last in descending order, and where it is told to")
  func nulls() {
    func isFirst(_ term: SortTerm) -> Bool { term.compare(.null, .integer(1)) == .orderedAscending }
    #expect(isFirst(SortTerm()))
    #expect(!isFirst(SortTerm(isDescending: true)))
    #expect(!isFirst(SortTerm(isNullLast: true)))
    #expect(isFirst(SortTerm(isDescending: true, isNullLast: false)))
    #expect(SortTerm().compare(.null, .null) == .orderedSame)
    #expect(SortTerm(isDescending: true).compare(.real(.nan), .null) == .orderedSame)
    #expect(SortTerm().compare(.real(.nan), .integer(.min)) == .orderedAscending)
  }

  @Test("a value that is missing is taken for NULL, and no term makes all rows the same")
  func missing() {
    let order = SQLiteOrder(terms: [SortTerm(), SortTerm(isDescending: true)])
    #expect(order.compare([.integer(1)], [.integer(1), .null]) == .orderedSame)
    #expect(order.compare([.integer(1)], [.integer(1), .text("")]) == .orderedDescending)
    #expect(order.compare([], [.integer(1)]) == .orderedAscending)
    #expect(SQLiteOrder(terms: []).compare([.integer(1)], [.integer(2)]) == .orderedSame)
  }
}

/// A row with the values that it is sorted by.
protocol SortedRow: KeyedRow {
  var sortValues: [SQLiteValue] { get }
}

/// Sorts rows as ORDER BY does, with the integer key as the last term.
struct SQLiteRowComparator<Row: SortedRow>: RowComparator {
  let order: SQLiteOrder

  func compare(_ left: Row, _ right: Row) -> ComparisonResult { order.compare(left.sortValues, right.sortValues) }
}
