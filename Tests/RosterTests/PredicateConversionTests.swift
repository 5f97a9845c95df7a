import Foundation
import Testing

@testable import Roster

@Suite("Predicates: values are bound in the form that the column stores")
struct PredicateConversionTests {
  private let database: SampleDatabase
  private let middle = Date(timeIntervalSince1970: -12_345.75)

  init() throws { database = try SampleDatabase() }

  @Test("a date as Unix time")
  func unixTime() throws {
    let (middle, started) = (middle, Sample.records[1].started)
    let late = middle.addingTimeInterval(1e9)
    let some = Set(Sample.records.prefix(300).map(\.started))
    try database.check(#Predicate { $0.started < middle })
    try database.check(#Predicate { middle <= $0.started })
    try database.check(#Predicate { $0.started == started })
    try database.check(#Predicate { $0.ended != middle }, isTelling: false)
    try database.check(#Predicate { $0.ended! > middle })
    try database.check(#Predicate { !($0.ended! > middle) })
    try database.check(#Predicate { ($0.ended ?? middle) < middle })
    try database.check(#Predicate { (middle..<late).contains($0.started) })
    try database.check(#Predicate { some.contains($0.started) })
    try database.check(#Predicate { if let end = $0.ended { end < middle } else { true } })
    try database.check(#Predicate { ($0.isDone ? $0.started : middle) < middle })
  }

  @Test("a UUID as a blob")
  func blob() throws {
    let (id, none): (UUID, UUID?) = (Sample.ids[0], nil)
    let (some, optionals) = (Set(Sample.ids.prefix(7)), [Sample.ids[1], nil])
    try database.check(#Predicate { $0.key == id })
    try database.check(#Predicate { id != $0.key })
    try database.check(#Predicate { $0.otherKey == id })
    try database.check(#Predicate { $0.otherKey != id })
    try database.check(#Predicate { $0.otherKey == none })
    try database.check(#Predicate { some.contains($0.key) })
    try database.check(#Predicate { some.contains($0.otherKey!) })
    try database.check(#Predicate { optionals.contains($0.otherKey) })
    try database.check(#Predicate { ($0.otherKey ?? id) == id })
    try database.check(#Predicate { sample in some.contains { $0 == sample.key } })
  }

  @Test("JSON")
  func json() throws {
    let (tags, all) = (["a"], [["a"], ["b"]])
    try database.check(#Predicate { $0.tags == tags })
    try database.check(#Predicate { $0.tags != tags })
    try database.check(#Predicate { all.contains($0.tags) })
  }

  @Test("a Bool under a conversion is a condition by its own form")
  func convertedBool() throws {
    struct Flag: Record {
      let id: Int
      var isOn: Bool

      static let table = Table(
        "flag", Flag.init, Column("id", \.id),
        Column("is_on", \.isOn, as: ColumnConversion(store: { $0 ? "yes" : "no" }, load: { $0 == "yes" })))
    }
    let connection = try Connection(path: ":memory:", mode: .memory)
    try connection.execute("CREATE TABLE flag (id INTEGER PRIMARY KEY, is_on TEXT)")
    try connection.execute("INSERT INTO flag VALUES (1, 'yes'), (2, 'no')")
    func first(_ predicate: Predicate<Flag>) throws -> [[SQLiteValue]] {
      let condition = try Flag.table.condition(for: predicate)
      return try connection.rows("SELECT id FROM flag WHERE \(condition.text)", condition.arguments)
    }
    let no = false
    #expect(try first(#Predicate { $0.isOn }) == [[.integer(1)]])
    #expect(try first(#Predicate { !$0.isOn }) == [[.integer(2)]])
    #expect(try first(#Predicate { $0.isOn == no }) == [[.integer(2)]])
    #expect(try first(#Predicate { $0.isOn || $0.id == 2 }).count == 2)
  }

  @Test("an enum by its raw value, and the raw value itself")
  func rawValues() throws {
    let (three, text, size) = (3, "medium", Size.medium)
    try database.check(#Predicate { $0.level.rawValue < three })
    try database.check(#Predicate { $0.level.rawValue == $0.count })
    try database.check(#Predicate { $0.size.rawValue.contains(text) })
    try database.check(#Predicate { $0.size == size })
    try database.check(#Predicate { if let level = $0.nextLevel { level.rawValue < three } else { true } })
  }

  @Test("a property of a property that has a column of its own")
  func nestedProperty() throws {
    struct Place: Codable, Sendable { var city: String; var zip: String }
    struct Shop: Record {
      let id: Int
      var place: Place

      static let table = Table(
        name: "shop",
        columns: [
          TableColumn(Column<Shop, Int>("id", \.id)),
          TableColumn(Column<Shop, String>("city", \.place.city)),
        ], order: nil, search: nil,
        decode: { (_) throws(RosterError) in Shop(id: 0, place: Place(city: "", zip: "")) },
        append: { (_, _) throws(RosterError) in })
    }
    let city = "布"
    let condition = try Shop.table.condition(for: #Predicate { $0.place.city == city })
    #expect(condition.text.contains("\"shop\".\"city\""))
    #expect(throws: RosterError.self) { try Shop.table.condition(for: #Predicate { $0.place.zip == city }) }
  }
}
