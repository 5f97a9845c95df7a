import Foundation
import Testing

@testable import Roster

@Suite("Predicates: text and bytes select in SQL what they do in memory")
struct PredicateTextTests {
  private let database: SampleDatabase

  init() throws { database = try SampleDatabase() }

  @Test("contains, of each kind of character", arguments: Sample.atoms)
  func contains(_ atom: String) throws {
    let two = atom + "布"
    try database.check(#Predicate { $0.title.contains(atom) })
    try database.check(#Predicate { $0.note?.contains(two) == true }, isTelling: false)
    try database.check(#Predicate { !$0.title.contains(two) }, isTelling: false)
  }

  @Test("starts(with:), of each kind of character", arguments: Sample.atoms)
  func starts(_ atom: String) throws {
    let two = atom + "布"
    try database.check(#Predicate { $0.title.starts(with: atom) })
    try database.check(#Predicate { $0.note?.starts(with: two) == true }, isTelling: false)
    try database.check(#Predicate { !$0.title.starts(with: atom) })
  }

  @Test("an empty text is in every text and begins every text")
  func empty() throws {
    let empty = ""
    try database.check(#Predicate { $0.title.contains(empty) }, isTelling: false)
    try database.check(#Predicate { $0.title.starts(with: empty) }, isTelling: false)
    try database.check(#Predicate { $0.note?.contains(empty) == true })
    try database.check(#Predicate { $0.note?.starts(with: empty) == true })
    try database.check(#Predicate { $0.note!.starts(with: empty) })
    try database.check(#Predicate { $0.title == empty })
    try database.check(#Predicate { $0.title > empty })
  }

  @Test("a column in a captured text, and a column in a column")
  func otherWay() throws {
    let text = "a布\0局 %_'"
    try database.check(#Predicate { text.contains($0.title) })
    try database.check(#Predicate { text.starts(with: $0.title) })
    try database.check(#Predicate { $0.title.contains($0.note ?? "b") })
    try database.check(#Predicate { $0.title.starts(with: $0.note ?? "b") })
  }

  @Test("isEmpty and count, in characters")
  func measures() throws {
    let two = 2
    try database.check(#Predicate { $0.title.isEmpty })
    try database.check(#Predicate { !$0.title.isEmpty })
    try database.check(#Predicate { $0.title.count == two })
    try database.check(#Predicate { $0.title.count * two > $0.count })
    try database.check(#Predicate { $0.body.count >= two })
    try database.check(#Predicate { $0.body.isEmpty })
    try database.check(#Predicate { !$0.body.isEmpty })
  }

  @Test("bytes in bytes")
  func bytes() throws {
    let (bytes, empty) = (Data([1, 0]), Data())
    try database.check(#Predicate { $0.body.contains(bytes) })
    try database.check(#Predicate { $0.body.starts(with: bytes) })
    try database.check(#Predicate { $0.body == empty })
    try database.check(#Predicate { $0.body.starts(with: empty) }, isTelling: false)
    try database.check(#Predicate { $0.extra?.contains(bytes) == true })
  }

  @Test("text is compared by its scalars: composed and decomposed accents differ")
  func scalars() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    var sample = Sample.records[0]
    sample.title = "caf\u{e9}"
    let database = try SampleDatabase([sample])
    let words = ("caf\u{e9}", "cafe\u{301}")
    // In memory both are equal.
    #expect(words.0 == words.1)
    let (inComposed, inDecomposed) = words
    #expect(try database.ids(#Predicate { $0.title == inComposed }).count == 1)
    #expect(try database.ids(#Predicate { $0.title == inDecomposed }).isEmpty)
    #expect(try database.ids(#Predicate { $0.title != inDecomposed }).count == 1)
    #expect(try database.ids(#Predicate { $0.title.contains(composed) }).count == 1)
    #expect(try database.ids(#Predicate { $0.title.contains(decomposed) }).isEmpty)
    #expect(try database.ids(#Predicate { $0.title.starts(with: inDecomposed) }).isEmpty)
    #expect(try database.ids(#Predicate { $0.title < inDecomposed }).isEmpty)
    #expect(try database.ids(#Predicate { $0.title > inDecomposed }).count == 1)
    let set: Set = [inDecomposed]
    #expect(try database.ids(#Predicate { set.contains($0.title) }).isEmpty)
    // A part of a character, which is none in memory, is found.
    let (accent, four) = ("\u{301}", 4)
    sample.title = "cafe\u{301}"
    let other = try SampleDatabase([sample])
    #expect(try other.ids(#Predicate { $0.title.contains(accent) }).count == 1)
    // Both are four characters.
    #expect(try database.ids(#Predicate { $0.title.count == four }).count == 1)
    #expect(try other.ids(#Predicate { $0.title.count == four }).count == 1)
  }

  @Test("a prefix is a range that ends where the last texts that begin with it do")
  func prefixEnds() {
    #expect(PredicateText.end(ofPrefix: "") == nil)
    #expect(PredicateText.end(ofPrefix: "ab") == "ac")
    #expect(PredicateText.end(ofPrefix: "a\u{7f}") == "a\u{80}")
    #expect(PredicateText.end(ofPrefix: "a\u{d7ff}") == "a\u{e000}")
    #expect(PredicateText.end(ofPrefix: "a\u{10ffff}\u{10ffff}") == "b")
    #expect(PredicateText.end(ofPrefix: "\u{10ffff}") == nil)
  }

  @Test("an index serves equality, prefixes and sets of a text column")
  func indexes() throws {
    try database.connection.execute("CREATE INDEX by_note ON \"sam\"\"ple\" (note)")
    try database.connection.execute("CREATE INDEX by_done ON \"sam\"\"ple\" (is_done)")
    func plan(_ predicate: Predicate<Sample>) throws -> String {
      let condition = try Sample.table.condition(for: predicate)
      let rows = try database.connection.rows(
        "EXPLAIN QUERY PLAN SELECT * FROM \"sam\"\"ple\" WHERE \(condition.text)", condition.arguments)
      return "\(rows)"
    }
    let (text, set) = ("a", ["a", "b"])
    #expect(try plan(#Predicate { $0.note == text }).contains("by_note (note=?)"))
    #expect(try plan(#Predicate { $0.note!.starts(with: text) }).contains("by_note (note>? AND note<?)"))
    #expect(try plan(#Predicate { set.contains($0.note!) }).contains("by_note (note=?)"))
    #expect(try plan(#Predicate { !$0.isDone }).contains("by_done (is_done=?)"))
  }
}
