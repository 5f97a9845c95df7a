import Foundation
import Testing

@testable import Roster

@Suite("Predicates: arithmetic and ranges select in SQL what they do in memory")
struct PredicateNumberTests {
  private let database: SampleDatabase

  init() throws { database = try SampleDatabase() }

  @Test("sums, differences, products and signs of integers")
  func integers() throws {
    let (two, three) = (2, 3)
    try database.check(#Predicate { $0.count + $0.id > three })
    try database.check(#Predicate { $0.count - two == three })
    try database.check(#Predicate { $0.count * two - three < -two })
    try database.check(#Predicate { -$0.count > three })
    try database.check(#Predicate { -($0.count - three) == -two })
    try database.check(#Predicate { $0.count * ($0.id - three) < two })
    try database.check(#Predicate { ($0.rank ?? two) + $0.count == three })
  }

  @Test("quotients and remainders of integers are cut towards zero")
  func division() throws {
    let (three, minusThree, two) = (3, -3, 2)
    try database.check(#Predicate { $0.count / three == two })
    try database.check(#Predicate { $0.count / three == -two })
    try database.check(#Predicate { $0.count / minusThree == two })
    try database.check(#Predicate { $0.count % three == two })
    try database.check(#Predicate { $0.count % three == -two })
    try database.check(#Predicate { $0.count % minusThree == two })
    try database.check(#Predicate { !($0.count / three == two) })
    try database.check(#Predicate { three / ($0.count * two + 1) != 0 })
  }

  @Test("an integer divided by zero, which traps in memory, matches nothing, under ! neither")
  func divisionByZero() throws {
    let zeros = Set(database.records.filter { $0.count == 0 }.map(\.id))
    #expect(!zeros.isEmpty)
    #expect(try database.ids(#Predicate { 5 / $0.count == 1 }).isDisjoint(with: zeros))
    #expect(try database.ids(#Predicate { 5 / $0.count != 1 }).isDisjoint(with: zeros))
    #expect(try database.ids(#Predicate { !(5 % $0.count == 1) }).isDisjoint(with: zeros))
  }

  @Test("an integer sum beyond 64 bits, which traps in memory, is an approximate number")
  func overflow() throws {
    let (big, zero) = (Int64.max, Int64(0))
    let found = try database.ids(#Predicate { $0.big + big > zero })
    #expect(found == Set(database.records.filter { $0.big > Int64.min + 1 }.map(\.id)))
  }

  @Test("arithmetic of doubles, infinities among them")
  func doubles() throws {
    let (half, zero, big) = (0.5, 0.0, 1e10)
    try database.check(#Predicate { $0.weight + half > 1 })
    try database.check(#Predicate { $0.weight - half == half })
    try database.check(#Predicate { $0.weight * half < half })
    try database.check(#Predicate { -$0.weight >= half })
    try database.check(#Predicate { $0.weight / half > 2 })
    try database.check(#Predicate { $0.weight / zero > big })
    try database.check(#Predicate { $0.weight / zero < -big })
    try database.check(#Predicate { half / $0.weight > big }, isTelling: false)
    try database.check(#Predicate { ($0.share ?? half) / $0.weight > half })
    try database.check(#Predicate { $0.weight * big * big > half })
  }

  @Test("a number that a column holds as an integer divides as a double")
  func integerStorage() throws {
    let record = Sample.records[0]
    let database = try SampleDatabase([record])
    try database.connection.execute("ALTER TABLE \"sam\"\"ple\" DROP COLUMN weight")
    try database.connection.execute("ALTER TABLE \"sam\"\"ple\" ADD COLUMN weight DEFAULT 7")
    let two = 2.0
    #expect(try database.ids(#Predicate { $0.weight / two == 3.5 }) == [record.id])
  }

  @Test("captured ranges of each kind")
  func capturedRanges() throws {
    let (open, closed, from) = (-3..<5, -3...5, 3...)
    let (upTo, through, empty) = (..<5, ...5, 3..<3)
    try database.check(#Predicate { open.contains($0.count) })
    try database.check(#Predicate { closed.contains($0.count) })
    try database.check(#Predicate { from.contains($0.count) })
    try database.check(#Predicate { upTo.contains($0.count) })
    try database.check(#Predicate { !through.contains($0.count) })
    try database.check(#Predicate { empty.contains($0.count) }, isTelling: false)
    try database.check(#Predicate { open.contains($0.rank!) })
    try database.check(#Predicate { !open.contains($0.rank!) })
    try database.check(#Predicate { closed.contains($0.rank ?? 9) })
  }

  @Test("ranges made in the predicate, of each ordered type")
  func madeRanges() throws {
    let (low, high) = (-3, 5)
    let (early, late) = (Date(timeIntervalSince1970: -1e8), Date(timeIntervalSinceReferenceDate: 1e8))
    let (first, last) = ("A", "b")
    try database.check(#Predicate { (low...high).contains($0.count) })
    try database.check(#Predicate { (low..<high).contains($0.count) })
    try database.check(#Predicate { !(low..<high).contains($0.count) })
    try database.check(#Predicate { (early..<late).contains($0.created) })
    try database.check(#Predicate { (early...late).contains($0.due ?? late) })
    try database.check(#Predicate { (first..<last).contains($0.title) })
    try database.check(#Predicate { (0.1...3.75).contains($0.weight) })
  }

  @Test("ranges of columns; crossed bounds, which trap in memory, match nothing, under ! neither")
  func columnRanges() throws {
    try database.check(#Predicate { (-$0.id...$0.id).contains($0.count) })
    try database.check(#Predicate { ($0.count...$0.id + 20).contains(3) })
    let (low, high, three) = (-3, 5, 3)
    #expect(try database.ids(#Predicate { (high...low).contains($0.count) }).isEmpty)
    #expect(try database.ids(#Predicate { !(high...low).contains($0.count) }).isEmpty)
    let crossed = Set(database.records.filter { $0.count > 5 }.map(\.id))
    #expect(try database.ids(#Predicate { !($0.count...high).contains(three) }).isDisjoint(with: crossed))
  }
}
