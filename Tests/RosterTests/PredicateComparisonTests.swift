import Foundation
import Testing

@testable import Roster

@Suite("Predicates: comparisons and logic select in SQL what they do in memory")
struct PredicateComparisonTests {
  private let database: SampleDatabase
  private let first = Sample.records[0]

  init() throws { database = try SampleDatabase() }

  @Test("equality, of each type of column")
  func equality() throws {
    let (title, count, weight, created) = (first.title, first.count, 0.1, first.created)
    let (owner, body, level, big) = (first.owner, first.body, Level.high, Int64.max)
    try database.check(#Predicate { $0.title == title })
    try database.check(#Predicate { $0.title != title })
    try database.check(#Predicate { $0.count == count })
    try database.check(#Predicate { count != $0.count })
    try database.check(#Predicate { $0.weight == weight })
    try database.check(#Predicate { $0.created == created })
    try database.check(#Predicate { $0.owner == owner })
    try database.check(#Predicate { $0.body == body })
    try database.check(#Predicate { $0.level == level })
    try database.check(#Predicate { $0.level != level })
    try database.check(#Predicate { $0.big == big })
  }

  @Test("order, of each type of column that has one")
  func order() throws {
    // From the middle, so that there is something on either side.
    let created = database.records.map(\.created).sorted()[database.records.count / 2]
    let owner = Sample.ids.sorted()[Sample.ids.count / 2]
    let (title, count, weight) = ("b", 3, 0.1)
    let (level, big) = (Level.middle, (Int64(1) << 53) + 1)
    try database.check(#Predicate { $0.title < title })
    try database.check(#Predicate { $0.title >= title })
    try database.check(#Predicate { $0.count <= count })
    try database.check(#Predicate { count < $0.count })
    try database.check(#Predicate { $0.weight > weight })
    try database.check(#Predicate { $0.created < created })
    try database.check(#Predicate { $0.owner > owner })
    try database.check(#Predicate { $0.level < level })
    try database.check(#Predicate { $0.level >= level })
    try database.check(#Predicate { $0.big < big })
    try database.check(#Predicate { $0.big >= big })
  }

  @Test("columns among themselves")
  func columns() throws {
    try database.check(#Predicate { $0.id == $0.count }, isTelling: false)
    try database.check(#Predicate { $0.count < $0.id })
    try database.check(#Predicate { $0.owner == $0.editor ?? $0.owner })
    try database.check(#Predicate { $0.level == $0.nextLevel ?? $0.level })
    try database.check(#Predicate { $0.rank == $0.rank }, isTelling: false)
    try database.check(#Predicate { $0.isDone == ($0.count > $0.id) })
  }

  @Test("conditions: a Bool column, its negation, and both against a constant")
  func conditions() throws {
    let (yes, no) = (true, false)
    try database.check(#Predicate { $0.isDone })
    try database.check(#Predicate { !$0.isDone })
    try database.check(#Predicate { $0.isDone == yes })
    try database.check(#Predicate { $0.isDone == no })
    try database.check(#Predicate { $0.isDone != yes })
    try database.check(#Predicate { no != $0.isDone })
    try database.check(#Predicate { _ in yes }, isTelling: false)
    try database.check(#Predicate { _ in no }, isTelling: false)
    try database.check(#Predicate { !$0.isDone == no })
  }

  @Test("&&, || and !")
  func logic() throws {
    let (count, title) = (3, "b")
    try database.check(#Predicate { $0.isDone && $0.count > count })
    try database.check(#Predicate { $0.isDone || $0.title < title })
    try database.check(#Predicate { !($0.isDone || $0.count > count) })
    try database.check(#Predicate { !($0.isDone && $0.title < title) && $0.count != count })
  }

  @Test("?: and if expressions")
  func conditional() throws {
    let (count, title) = (3, "b")
    try database.check(#Predicate { ($0.isDone ? $0.count : $0.id) < count })
    try database.check(#Predicate { $0.isDone ? $0.count < count : $0.title < title })
    try database.check(#Predicate { if $0.isDone { $0.count == count } else { $0.title == title } })
    try database.check(#Predicate { ($0.isDone ? "a" : "b") == title })
    try database.check(#Predicate { ($0.isDone ? $0.rank : nil) == nil })
  }

  @Test("what is not a number is equal to nothing and below nothing")
  func notANumber() throws {
    // The compiler knows a constant of the name nan.
    let noNumber = Double.nan
    try database.check(#Predicate { $0.weight == noNumber }, isTelling: false)
    try database.check(#Predicate { $0.weight != noNumber }, isTelling: false)
    try database.check(#Predicate { $0.share == noNumber }, isTelling: false)
    try database.check(#Predicate { $0.share != noNumber }, isTelling: false)
    try database.check(#Predicate { $0.weight < noNumber }, isTelling: false)
    try database.check(#Predicate { !($0.weight < noNumber) }, isTelling: false)
    try database.check(#Predicate { $0.share! != noNumber })
    try database.check(#Predicate { !($0.share! > noNumber) })
  }

  @Test("a Bool is true for any integer but 0, as it is read")
  func foreignBool() throws {
    try database.connection.execute("UPDATE \"sam\"\"ple\" SET is_done = 5, is_shared = 5 WHERE id = 1")
    let yes = true
    #expect(try database.ids(#Predicate { $0.isDone }).contains(1))
    #expect(try database.ids(#Predicate { $0.isDone == yes }).contains(1))
    #expect(try database.ids(#Predicate { $0.isShared == yes }).contains(1))
    #expect(try database.ids(#Predicate { $0.isDone == $0.isShared! }).contains(1))
    #expect(try database.ids(#Predicate { ($0.isShared ?? false) == yes }).contains(1))
    #expect(try !database.ids(#Predicate { !$0.isDone }).contains(1))
    #expect(try !database.ids(#Predicate { $0.isDone != yes }).contains(1))
  }
}
