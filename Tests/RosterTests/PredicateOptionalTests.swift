import Foundation
import Testing

@testable import Roster

@Suite("Predicates: optionals select in SQL what they do in memory")
struct PredicateOptionalTests {
  private let database: SampleDatabase

  init() throws { database = try SampleDatabase() }

  @Test("nil tests, of each type of column")
  func nilTests() throws {
    let none: Int? = nil
    try database.check(#Predicate { $0.note == nil })
    try database.check(#Predicate { $0.note != nil })
    try database.check(#Predicate { nil == $0.rank })
    try database.check(#Predicate { $0.rank == none })
    try database.check(#Predicate { !($0.share == nil) })
    try database.check(#Predicate { $0.isShared == nil })
    try database.check(#Predicate { $0.nextLevel != nil })
    try database.check(#Predicate { $0.editor == nil })
    try database.check(#Predicate { $0.otherKey == nil })
    try database.check(#Predicate { $0.due != nil })
    try database.check(#Predicate { $0.ended == nil })
    try database.check(#Predicate { $0.extra == nil })
  }

  @Test("equality with a value, under ! too, keeps and loses nil as Swift does")
  func equality() throws {
    let (rank, note, level, editor) = (3, "a", Level.high, Sample.ids[0])
    let some: Int? = 3
    try database.check(#Predicate { $0.rank == rank })
    try database.check(#Predicate { $0.rank != rank })
    try database.check(#Predicate { !($0.rank == rank) })
    try database.check(#Predicate { !($0.rank != some) })
    try database.check(#Predicate { $0.note != note })
    try database.check(#Predicate { $0.nextLevel != level })
    try database.check(#Predicate { $0.editor != editor })
    try database.check(#Predicate { !($0.editor == editor) })
  }

  @Test("an optional Bool against constants")
  func optionalBool() throws {
    let (yes, no) = (true, false)
    try database.check(#Predicate { $0.isShared == yes })
    try database.check(#Predicate { $0.isShared == no })
    try database.check(#Predicate { $0.isShared != yes })
    try database.check(#Predicate { !($0.isShared == no) })
    try database.check(#Predicate { $0.isShared ?? yes })
    try database.check(#Predicate { !($0.isShared ?? no) })
    try database.check(#Predicate { $0.isShared! })
    try database.check(#Predicate { !$0.isShared! })
  }

  @Test("?? with a constant, a column and another ??")
  func coalescing() throws {
    let (zero, empty) = (0, "")
    try database.check(#Predicate { ($0.rank ?? zero) < 2 })
    try database.check(#Predicate { ($0.rank ?? $0.count) == zero })
    try database.check(#Predicate { !(($0.rank ?? zero) == zero) })
    try database.check(#Predicate { ($0.note ?? empty) == empty })
    try database.check(#Predicate { ($0.due ?? $0.created) < $0.created })
    try database.check(#Predicate { ($0.editor ?? $0.owner) == $0.owner })
  }

  @Test("optional chaining")
  func chaining() throws {
    let (text, two) = ("a", 2)
    try database.check(#Predicate { $0.note?.contains(text) == true })
    try database.check(#Predicate { $0.note?.contains(text) != true })
    try database.check(#Predicate { $0.note?.contains(text) == false })
    try database.check(#Predicate { !($0.note?.contains(text) == false) })
    try database.check(#Predicate { $0.note?.starts(with: text) ?? false })
    try database.check(#Predicate { $0.note?.isEmpty == true })
    try database.check(#Predicate { $0.note?.isEmpty ?? true })
    try database.check(#Predicate { ($0.note?.count ?? two) > two })
    try database.check(#Predicate { $0.note?.count == nil })
    try database.check(#Predicate { $0.extra?.count == two })
  }

  @Test("if let")
  func binding() throws {
    let (low, note) = (1, "b")
    try database.check(#Predicate { if let rank = $0.rank { rank > low } else { false } })
    try database.check(#Predicate { if let rank = $0.rank { rank > low && rank < 4 } else { true } })
    try database.check(#Predicate { if let text = $0.note { text < note } else { true } })
    try database.check(
      #Predicate { sample in
        if let rank = sample.rank { rank == sample.count } else { sample.isDone }
      })
    try database.check(#Predicate { if let rank = $0.rank { !(rank == low) } else { false } })
    try database.check(
      #Predicate { sample in
        if let shared = sample.isShared { !shared } else { sample.isDone }
      })
  }

  @Test("a force unwrap of nil matches nothing, under ! neither")
  func forceUnwrap() throws {
    let (rank, note, now) = (1, "b", Date(timeIntervalSinceReferenceDate: 0))
    try database.check(#Predicate { $0.due! < now })
    try database.check(#Predicate { !($0.due! < now) })
    try database.check(#Predicate { $0.rank! == rank })
    try database.check(#Predicate { !($0.rank! == rank) })
    try database.check(#Predicate { $0.rank! != rank })
    try database.check(#Predicate { $0.note! < note })
    try database.check(#Predicate { $0.due != nil && $0.due! < now })
    try database.check(#Predicate { $0.due == nil || $0.due! < now })
    try database.check(#Predicate { ($0.due! < now ? $0.count : $0.id) < 5 })
    try database.check(#Predicate { $0.note!.isEmpty })
    try database.check(#Predicate { $0.rank! + $0.count > rank })
  }

  @Test("a failure within an optional is told from nil")
  func failureInOptional() throws {
    let (one, now) = (1, Date(timeIntervalSinceReferenceDate: 0))
    try database.check(
      #Predicate { sample in
        if let rank = sample.rank { rank > one && sample.note!.isEmpty } else { true }
      })
    try database.check(#Predicate { ($0.due! < now ? $0.rank : nil) == nil })
    try database.check(#Predicate { ($0.due! < now ? $0.rank : nil) != nil })
    try database.check(#Predicate { ($0.due! < now ? $0.rank : nil) == one })
    try database.check(#Predicate { ($0.due! < now ? $0.rank : nil) != one })
    try database.check(#Predicate { !(($0.due! < now ? $0.rank : nil) == one) })
    try database.check(#Predicate { (($0.due! < now ? $0.rank : nil) ?? one) == one })
  }

  @Test("captured optionals: nil, chained and unwrapped")
  func captured() throws {
    let text: String? = "ab"
    let none: String? = nil
    let number: Int? = 3
    let noNumber: Int? = nil
    try database.check(#Predicate { $0.count < (text?.count ?? 0) })
    try database.check(#Predicate { $0.count < (none?.count ?? 3) })
    try database.check(#Predicate { $0.count < number! })
    try database.check(#Predicate { $0.count < noNumber! }, isTelling: false)
    try database.check(#Predicate { !($0.count < noNumber!) }, isTelling: false)
    try database.check(#Predicate { $0.note == (none ?? "a") })
  }
}
