import Foundation
import Testing

@testable import Roster

@Suite("Predicates: captured collections select in SQL what they do in memory")
struct PredicateMembershipTests {
  private let database: SampleDatabase

  init() throws { database = try SampleDatabase() }

  @Test("arrays and sets, of each type of column")
  func types() throws {
    let (counts, bigs) = ([1, 2, -3], [Int64.min, .max, (1 << 53) + 1])
    let weights: Set<Double> = [0.1, -.infinity, 1e300, 0, .nan]
    let titles = Set(Sample.records.prefix(300).map(\.title))
    let (levels, owners) = ([Level.low, .high], Set(Sample.ids.prefix(5)))
    let dates = Sample.records.prefix(300).map(\.created)
    let (bodies, yes) = ([Data(), Data([1]), Data([255, 0])], [true])
    try database.check(#Predicate { counts.contains($0.count) })
    try database.check(#Predicate { !counts.contains($0.count) })
    try database.check(#Predicate { bigs.contains($0.big) })
    try database.check(#Predicate { weights.contains($0.weight) })
    try database.check(#Predicate { titles.contains($0.title) })
    try database.check(#Predicate { levels.contains($0.level) })
    try database.check(#Predicate { owners.contains($0.owner) })
    try database.check(#Predicate { dates.contains($0.created) })
    try database.check(#Predicate { bodies.contains($0.body) })
    try database.check(#Predicate { yes.contains($0.isDone) })
  }

  @Test("texts with every character that JSON or the escape of NUL treats in a way of its own")
  func texts() throws {
    let plain = ["\"", "\\", "\n", "\u{1}", "~0", "~", "%", "", "👍🏽", "é"]
    let withNUL = plain + ["\0", "a\0b", "~0~1", "~\0"]
    let others = Set(Sample.records.map(\.title).filter { $0.utf8.contains(0) })
    try database.check(#Predicate { plain.contains($0.title) })
    try database.check(#Predicate { withNUL.contains($0.title) })
    try database.check(#Predicate { others.contains($0.title) })
    var sample = Sample.records[0]
    for text in withNUL {
      sample.title = text
      let one = try SampleDatabase([sample])
      #expect(try one.ids(#Predicate { withNUL.contains($0.title) }).count == 1)
    }
  }

  @Test("optional elements, nil among them or not")
  func optionals() throws {
    let (some, none): ([Int?], [Int?]) = ([1, 2], [1, nil])
    let notes: [String?] = ["a", nil, ""]
    let ranks = [1, 2]
    try database.check(#Predicate { some.contains($0.rank) })
    try database.check(#Predicate { !some.contains($0.rank) })
    try database.check(#Predicate { none.contains($0.rank) })
    try database.check(#Predicate { !none.contains($0.rank) })
    try database.check(#Predicate { notes.contains($0.note) })
    try database.check(#Predicate { ranks.contains($0.rank!) })
    try database.check(#Predicate { !ranks.contains($0.rank!) })
    try database.check(#Predicate { ranks.contains($0.rank ?? 2) })
  }

  @Test("an empty collection contains nothing")
  func empty() throws {
    let (none, noTexts): ([Int], Set<String>) = ([], [])
    try database.check(#Predicate { none.contains($0.count) }, isTelling: false)
    try database.check(#Predicate { !none.contains($0.count) }, isTelling: false)
    try database.check(#Predicate { !noTexts.contains($0.title) }, isTelling: false)
    try database.check(#Predicate { !none.contains($0.rank!) })
  }

  @Test("300,000 elements of each storage class take two arguments at most")
  func large() throws {
    let ids = Set((500..<300_500).map { $0 })
    let condition = try Sample.table.condition(for: #Predicate { ids.contains($0.id) })
    #expect(condition.arguments.count == 1)
    try database.check(#Predicate { ids.contains($0.id) })
    let texts = Set((0..<299_999).map { "text \($0)" } + ["a", "b", "\0"])
    try database.check(#Predicate { texts.contains($0.title) })
    let numbers = Set((0..<299_999).map { Double($0) / 10 })
    try database.check(#Predicate { numbers.contains($0.weight) })
    let blobs = (0..<299_999).map { Data(String($0, radix: 2).utf8) } + [Data([1]), Data([0, 255])]
    let blobCondition = try Sample.table.condition(for: #Predicate { blobs.contains($0.body) })
    #expect(blobCondition.arguments.count == 2)
    let wanted = Set(database.records.filter { $0.body == Data([1]) || $0.body == Data([0, 255]) }.map(\.id))
    #expect(try database.ids(#Predicate { blobs.contains($0.body) }) == wanted)
  }

  @Test("contains(where:) and allSatisfy of captured elements")
  func whereClauses() throws {
    let numbers = [1, -4, 7]
    let texts = ["a", "布"]
    let (none, two): ([Int], Int) = ([], 2)
    try database.check(#Predicate { sample in numbers.contains { $0 == sample.count } })
    try database.check(#Predicate { sample in numbers.contains { $0 > sample.count && $0 < two } })
    try database.check(#Predicate { sample in numbers.allSatisfy { $0 != sample.count } })
    try database.check(#Predicate { sample in texts.contains { sample.title.contains($0) } })
    try database.check(#Predicate { sample in texts.allSatisfy { sample.title.contains($0) } })
    try database.check(#Predicate { sample in !texts.contains { sample.title.starts(with: $0) } })
    try database.check(#Predicate { sample in none.contains { $0 == sample.count } }, isTelling: false)
    try database.check(#Predicate { sample in none.allSatisfy { $0 == sample.count } }, isTelling: false)
    let many = Array(0..<1000)
    try database.check(#Predicate { sample in many.contains { $0 == sample.count } })
  }

  @Test("parts of captured values are computed before the query")
  func parts() throws {
    let (numbers, names, text) = ([3, -2, 7], ["a": 2], "abc")
    try database.check(#Predicate { $0.count < numbers.min()! })
    try database.check(#Predicate { $0.count == numbers.max()! })
    try database.check(#Predicate { $0.count < numbers[1] })
    try database.check(#Predicate { $0.count < names["a", default: 1] })
    try database.check(#Predicate { $0.count < names["b", default: $0.id] })
    try database.check(#Predicate { $0.rank == names["a"] })
    try database.check(#Predicate { $0.count == text.count })
    try database.check(#Predicate { $0.count < text.count && !text.isEmpty })
  }
}
