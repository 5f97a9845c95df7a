import Foundation
import Testing

@testable import Roster

// Codable, since a predicate can only capture what is.
enum Level: Int, ColumnValue, Codable, CaseIterable, Comparable {
  case low = -1
  case middle = 3
  case high = 20

  static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
}

/// An enum whose cases sort otherwise than their raw values.
enum Size: String, ColumnValue, Codable, CaseIterable, Comparable {
  case small, medium, large

  static func < (left: Size, right: Size) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// A record with a property of each kind of column.
struct Sample: Record {
  let id: Int
  var title: String
  var note: String?
  var count: Int
  var rank: Int?
  var big: Int64
  var weight: Double
  var share: Double?
  var isDone: Bool
  var isShared: Bool?
  var level: Level
  var nextLevel: Level?
  var size: Size
  var owner: UUID
  var editor: UUID?
  var key: UUID
  var otherKey: UUID?
  var created: Date
  var due: Date?
  var started: Date
  var ended: Date?
  var body: Data
  var extra: Data?
  var tags: [String]

  static let table = Table(
    "sam\"ple", Sample.init, Column("id", \.id), Column("title", \.title), Column("note", \.note),
    Column("count", \.count), Column("rank", \.rank), Column("big", \.big), Column("weight", \.weight),
    Column("share", \.share), Column("is_done", \.isDone), Column("is_shared", \.isShared),
    Column("level", \.level), Column("next_level", \.nextLevel), Column("size", \.size),
    Column("owner", \.owner), Column("editor", \.editor), Column("key", \.key, as: .blob),
    Column("other_key", \.otherKey, as: .blob), Column("created", \.created), Column("due", \.due),
    Column("started", \.started, as: .unixTime), Column("ended", \.ended, as: .unixTime),
    Column("body", \.body), Column("extra", \.extra), Column("tags", \.tags, as: .json))

  // A text column that compares without regard to case, to see that predicates do not.
  static let schema = """
    CREATE TABLE "sam""ple" (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL COLLATE NOCASE, note TEXT, count INTEGER NOT NULL, rank INTEGER,
      big INTEGER NOT NULL, weight REAL NOT NULL, share REAL, is_done INTEGER NOT NULL, is_shared INTEGER,
      level INTEGER NOT NULL, next_level INTEGER, size TEXT NOT NULL, owner TEXT NOT NULL, editor TEXT,
      key BLOB NOT NULL, other_key BLOB, created TEXT NOT NULL, due TEXT, started REAL NOT NULL, ended REAL,
      body BLOB NOT NULL, extra BLOB, tags TEXT NOT NULL)
    """
}

/// A generator that gives the same numbers for the same seed. (SplitMix64)
struct SeededGenerator: RandomNumberGenerator {
  /// The seed of this run: `ROSTER_SEED` where it is set.
  static let seed: UInt64 =
    ProcessInfo.processInfo.environment["ROSTER_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...999_999)

  private var state: UInt64

  init(seed: UInt64 = SeededGenerator.seed) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension Sample {
  // No part of a character is an atom or arises where two meet, and none joins with a neighbour: so matching
  // by characters, as in memory, and by scalars, as in SQL, agree.
  static let atoms = [
    "a", "b", "A", "é", "x\u{301}", "布", "局", "日", "の", "👍🏽", "👨‍👩‍👧", "🇩🇪", "%", "_", "'", "\"", "\\", "\0", " ",
    "~", "~0", "?", "\n", "\u{1}",
  ]

  static let records: [Sample] = {
    var random = SeededGenerator()
    return (1...1000).map { Sample(id: $0, random: &random) }
  }()

  /// A few ids that many records share, so that equality has something to find.
  static let ids: [UUID] = {
    var random = SeededGenerator(seed: SeededGenerator.seed &+ 1)
    return (0..<20).map { _ in
      func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
      return UUID(
        uuid: (
          byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(),
          byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte()
        ))
    }
  }()

  private init(id: Int, random: inout SeededGenerator) {
    func text() -> String {
      (0..<Int.random(in: 0...5, using: &random)).map { _ in pick(Sample.atoms) }.joined()
    }
    func pick<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &random)] }
    func maybe<T>(_ value: T) -> T? { Int.random(in: 0..<4, using: &random) == 0 ? nil : value }
    func date() -> Date {
      // Before 1970 too; eighths are exact in each form.
      Date(
        timeIntervalSinceReferenceDate: Double(
          Int.random(in: -12_000_000_000...4_000_000_000, using: &random)) / 8)
    }
    func data() -> Data {
      Data((0..<Int.random(in: 0...4, using: &random)).map { _ in pick([0, 1, 2, 255]) })
    }
    func number() -> Double { pick([-2.5, -1, 0, 0.1, 1, 3.75, 1e300, -.infinity, .infinity]) }
    self.init(
      id: id, title: text(), note: maybe(text()), count: Int.random(in: -20...20, using: &random),
      rank: maybe(Int.random(in: -5...5, using: &random)),
      big: pick([.min, .max, .min + 1, .max - 1, 0, 1 << 53, (1 << 53) + 1]), weight: number(),
      share: maybe(number()), isDone: pick([true, false]), isShared: maybe(pick([true, false])),
      level: pick(Level.allCases), nextLevel: maybe(pick(Level.allCases)), size: pick(Size.allCases),
      owner: pick(Sample.ids), editor: maybe(pick(Sample.ids)), key: pick(Sample.ids),
      otherKey: maybe(pick(Sample.ids)), created: date(), due: maybe(date()), started: date(),
      ended: maybe(date()), body: data(), extra: maybe(data()),
      tags: (0..<Int.random(in: 0...1, using: &random)).map { _ in pick(["a", "b"]) })
  }
}

/// A database in memory that holds the samples.
struct SampleDatabase {
  let connection: Connection
  let records: [Sample]

  init(_ records: [Sample] = Sample.records) throws {
    connection = try Connection(path: ":memory:", mode: .memory)
    for function in ScalarFunction.forPredicates { try connection.register(function) }
    try connection.execute(Sample.schema)
    try connection.execute("BEGIN")
    let insert = try connection.statement(Sample.table.statements.insert)
    for record in records {
      try Sample.table.encode(record, insert.handle)
      try insert.run()
    }
    try connection.execute("COMMIT")
    self.records = records
  }

  /// The ids of the records that a predicate's translation selects.
  func ids(_ predicate: Predicate<Sample>) throws -> Set<Int> {
    let condition = try Sample.table.condition(for: predicate)
    let rows = try connection.rows(
      "SELECT id FROM \"sam\"\"ple\" WHERE \(condition.text)", condition.arguments)
    return Set(
      rows.compactMap { row in
        if case .integer(let id)? = row.first { Int(id) } else { nil }
      })
  }

  /// Checks that a predicate selects in SQL what it does in memory, where an error selects nothing.
  ///
  /// `isTelling` also checks that it selects some records and not all, without which it would say little.
  func check(
    _ predicate: Predicate<Sample>, isTelling: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wanted = Set(records.filter { (try? predicate.evaluate($0)) == true }.map(\.id))
    let found = try ids(predicate)
    let text = try Sample.table.condition(for: predicate).text
    let first = wanted.symmetricDifference(found).min().map { id in "\(records[id - 1])" } ?? ""
    #expect(
      found == wanted, "ROSTER_SEED=\(SeededGenerator.seed): \(text): \(first)",
      sourceLocation: sourceLocation)
    if isTelling {
      #expect(
        !wanted.isEmpty && wanted.count < records.count, "ROSTER_SEED=\(SeededGenerator.seed): \(text)",
        sourceLocation: sourceLocation)
    }
  }
}
