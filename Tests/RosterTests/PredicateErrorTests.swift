import Foundation
import Testing

@testable import Roster

@Suite("Predicates: what has no translation is an error that names the expression")
struct PredicateErrorTests {
  private let secret = "s3cret"

  /// The message of the error, which must be of the right code and hold no captured value.
  private func message(
    _ predicate: Predicate<Sample>, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    do {
      let condition = try Sample.table.condition(for: predicate)
      Issue.record("translated to \(condition.text)", sourceLocation: sourceLocation)
      return ""
    } catch {
      #expect(error.code == .cannotTranslate, sourceLocation: sourceLocation)
      #expect(!"\(error)".contains(secret), sourceLocation: sourceLocation)
      return error.message
    }
  }

  @Test("columns whose stored values do not sort as the property does")
  func order() {
    let (id, middle) = (Sample.ids[0], Size.medium)
    #expect(message(#Predicate { $0.key < id }).contains("`$0.key < <UUID>`"))
    #expect(message(#Predicate { !($0.otherKey! >= id) }).contains("`$0.otherKey! >= <UUID>`"))
    #expect(message(#Predicate { $0.size < middle }).contains("`$0.size < <Size>`"))
    #expect(
      message(#Predicate { (id...id).contains($0.key) }).contains("`(<UUID>...<UUID>).contains($0.key)`"))
  }

  @Test("parts of columns under a conversion")
  func convertedParts() {
    let secret = secret
    #expect(message(#Predicate { $0.tags.contains(secret) }).contains("`$0.tags.contains(<String>)`"))
    #expect(message(#Predicate { $0.tags.count == 1 }).contains("`$0.tags.count`"))
    #expect(message(#Predicate { $0.tags.isEmpty }).contains("column tags"))
    #expect(
      message(#Predicate { sample in sample.tags.contains { $0 == secret } })
        .contains("`$0.tags.contains { $1 == <String> }`"))
  }

  @Test("columns that are stored differently")
  func differentForms() {
    #expect(message(#Predicate { $0.created < $0.started }).contains("`$0.created < $0.started`"))
    #expect(message(#Predicate { $0.owner == $0.key }).contains("column key"))
    #expect(message(#Predicate { $0.key == $0.otherKey! }).contains("column key and column other_key"))
    #expect(
      message(#Predicate { ($0.ended ?? $0.created) == $0.created }).contains("`($0.ended ?? $0.created)`"))
    #expect(
      message(#Predicate { ($0.isDone ? $0.started : $0.created) == $0.created }).contains("$0.isDone ?"))
  }

  @Test("columns that have NULL for a value, or a value for nil")
  func nullForValue() {
    struct Page: Record {
      let id: Int
      var title: String
      var note: String?

      static let table = Table(
        "page", Page.init, Column("id", \.id),
        Column("title", \.title, as: ColumnConversion(store: { $0.isEmpty ? nil : $0 }, load: { $0 ?? "" })),
        Column("note", \.note, as: ColumnConversion(store: { $0 ?? "" }, load: { $0.isEmpty ? nil : $0 })))
    }
    let empty = ""
    #expect(throws: RosterError.self) { try Page.table.condition(for: #Predicate { $0.title == empty }) }
    #expect(throws: RosterError.self) { try Page.table.condition(for: #Predicate { $0.note == nil }) }
  }

  @Test("computed properties and parts that no column stores")
  func properties() {
    #expect(message(#Predicate { $0.summary == 1 }).contains("`$0.<computed Int>`"))
    #expect(message(#Predicate { $0.title.utf8.count == 1 }).contains("`$0.title.<computed UTF8View>`"))
    #expect(message(#Predicate { $0.body.first == 1 }).contains("$0.body"))
    #expect(message(#Predicate { $0.owner.uuidString.isEmpty }).contains("`$0.owner.<computed String>`"))
  }

  @Test("casts, regular expressions, filters and subscripts")
  func others() {
    let (numbers, pattern) = ([1, 2, 3], #/a+/#)
    #expect(message(#Predicate { ($0.rank as Any) as? Int == 3 }).contains("as? Int)`"))
    #expect(
      message(#Predicate { $0.title.contains(pattern) }).contains("`$0.title.contains(<PredicateRegex>)`"))
    #expect(
      message(#Predicate { sample in numbers.filter { $0 > 1 }.contains(sample.count) })
        .contains("`<Array<Int>>.filter { $1 > <Int> }`"))
    #expect(message(#Predicate { numbers[$0.count] == 2 }).contains("`<Array<Int>>[$0.count]`"))
    #expect(message(#Predicate { numbers[7] == $0.count }).contains("out of bounds"))
  }

  @Test("a captured value of a type that is no column value")
  func foreignTypes() {
    struct Point: Codable, Equatable, Sendable { var x: Int }
    let points = [Point(x: 1)]
    let point = Point(x: 2)
    #expect(
      message(#Predicate { points.contains(point) && $0.isDone }).contains(
        "`<Array<Point>>.contains(<Point>)`"))
    #expect(message(#Predicate { $0.isDone && point == point }).contains("`<Point> == <Point>`"))
  }

  @Test("more elements to test than a statement should hold")
  func expansion() {
    let many = Array(0..<1001)
    #expect(message(#Predicate { sample in many.contains { $0 == sample.count } }).contains("more than 1000"))
  }

  // Beyond some 400 clauses Swift's runtime exhausts such a stack while the predicate is made.
  @Test("a long chain is translated, and a longer one refused, on a thread with a small stack too")
  func depth() async {
    for length in [10, 99, 101, 250] {
      let outcome = await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: PredicateErrorTests.chain(length)) }
        thread.stackSize = 512 << 10
        thread.start()
      }
      #expect(outcome == (length < 100), "\(length) clauses")
    }
  }

  /// Whether a conjunction of so many clauses is translated.
  private static func chain(_ length: Int) -> Bool {
    let predicate = Predicate<Sample> { sample in
      var all: any StandardPredicateExpression<Bool> = PredicateExpressions.build_KeyPath(
        root: sample, keyPath: \.isDone)
      for _ in 1..<length { all = adding(all, sample) }
      return all
    }
    return (try? Sample.table.condition(for: predicate)) != nil
  }

  private static func adding(
    _ all: some StandardPredicateExpression<Bool>, _ sample: PredicateExpressions.Variable<Sample>
  ) -> any StandardPredicateExpression<Bool> {
    PredicateExpressions.build_Conjunction(
      lhs: all, rhs: PredicateExpressions.build_KeyPath(root: sample, keyPath: \.isDone))
  }

  @Test("no value stands in the text of the SQL, and the number of elements does not change it")
  func bound() throws {
    let (secret, number, few, many) = (secret, 987_654, [11, 12], [13, 14, 15])
    let condition = try Sample.table.condition(
      for: #Predicate { $0.title.contains(secret) && $0.count < number || $0.note == secret })
    #expect(!condition.text.contains(secret) && !condition.text.contains("987654"))
    #expect(condition.arguments.count == 3)
    let first = try Sample.table.condition(for: #Predicate { few.contains($0.count) })
    let second = try Sample.table.condition(for: #Predicate { many.contains($0.count) })
    #expect(first.text == second.text)
  }
}

extension Sample {
  fileprivate var summary: Int { count + 1 }
}
