import Foundation
import Testing

@testable import Roster

/// What is stored for a value, and what comes back.
private func stored<V: ColumnValue>(_ value: V) throws -> SQLiteValue {
  try SQLiteValue.capture { (parameter) throws(RosterError) in try value.encode(to: parameter) }
}

private func roundTrip<V: ColumnValue>(_ value: V) throws -> V? {
  let connection = try Connection(path: ":memory:", mode: .memory)
  let statement = try connection.statement("SELECT ?")
  try value.encode(to: statement.parameter(1))
  guard try statement.step() else { return nil }
  return try V(from: statement.cell(0))
}

@Suite("Values")
struct ValueTests {
  @Test("integers come back at their limits, and one out of range is an error")
  func integers() throws {
    let values: [Int64] = [.min, -1, 0, 1, .max]
    for value in values { #expect(try roundTrip(value) == value) }
    for value in [Int.min, .max] { #expect(try roundTrip(value) == value) }
    #expect(try roundTrip(UInt32.max) == .max)
    #expect(try roundTrip(Int8.min) == .min)
    let connection = try Connection(path: ":memory:", mode: .memory)
    let statement = try connection.statement("SELECT 300 AS big")
    #expect(try statement.step())
    #expect(throws: RosterError.self) { _ = try UInt8(from: statement.cell(0)) }
    do { _ = try UInt8(from: statement.cell(0)) } catch {
      #expect(error.code == .typeMismatch)
      #expect(error.columns == ["big"])
    }
  }

  @Test("numbers come back, infinities too, and NaN is refused")
  func numbers() throws {
    let values: [Double] = [
      0, 1.5, -1e300, .infinity, -Double.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    for value in values {
      #expect(try roundTrip(value) == value)
    }
    #expect(try roundTrip(-0.0) == 0)
    do {
      _ = try stored(Double.nan)
      Issue.record("NaN was stored")
    } catch RosterError.Code.valueNotRepresentable {}
  }

  @Test("text comes back with NUL characters, every script, and empty")
  func text() throws {
    for value in ["", "plain", "a\0b", "\0", "学习 SwiftUI 布局", "👩‍👩‍👧🇨🇳", "e\u{301}é", "\u{FEFF}x", "'\"%_;"] {
      let read = try #require(try roundTrip(value))
      #expect(Array(read.utf8) == Array(value.utf8))
    }
  }

  @Test("a blob comes back, and an empty one is not NULL")
  func blobs() throws {
    #expect(try roundTrip(Data([0, 255, 7])) == Data([0, 255, 7]))
    #expect(try stored(Data()) == .blob(Data()))
    #expect(try roundTrip(Data?.some(Data())) == Data())
  }

  @Test("nil is NULL, and NULL is nil and never a date of 1970")
  func optionals() throws {
    #expect(try stored(Date?.none) == .null)
    #expect(try roundTrip(Date?.none) == .some(nil))
    #expect(try roundTrip(String?.none) == .some(nil))
    let connection = try Connection(path: ":memory:", mode: .memory)
    let statement = try connection.statement("SELECT NULL AS due")
    #expect(try statement.step())
    let error = #expect(throws: RosterError.self) { _ = try Date(from: statement.cell(0)) }
    #expect(error?.code == .typeMismatch)
  }

  @Test("a UUID is 36 characters of lower-case text, and reads in either case")
  func uuids() throws {
    var random = SeededGenerator(seed: SeededGenerator.seeds[0])
    for _ in 0..<2000 {
      let value = withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      #expect(try stored(value) == .text(value.uuidString.lowercased()))
      #expect(try roundTrip(value) == value)
      #expect(try read(UUID.self, value.uuidString) == value)
    }
  }

  @Test(
    "text that is no UUID is an error",
    arguments: [
      "", "x", "e621e1f8-c36c-495a-93fc-0c247a3e6e5", "e621e1f8-c36c-495a-93fc-0c247a3e6e5ff",
      "e621e1f8_c36c-495a-93fc-0c247a3e6e5f", "g621e1f8-c36c-495a-93fc-0c247a3e6e5f",
      "e621e1f8-c36c-495a-93fc-0c247a3e6e5`", "e621e1f8-c36c-495a-93fc-0c247a3e6e5@",
      "e621e1f8-c36c-495a-93fc-0c247a3e6eé",
      "e621e1f8-c36c-495a-93fc-0c247a3e6e5/", "e621e1f8-c36c-495a-93fc-0c247a3e6e5:",
      "{621e1f8-c36c-495a-93fc-0c247a3e6e5f",
    ])
  func badUUIDs(text: String) throws {
    #expect(throws: RosterError.self) { _ = try read(UUID.self, text) }
  }

  @Test("an enum is its raw value, and a raw value of none is an error")
  func enums() throws {
    #expect(try stored(Color.green) == .text("green"))
    #expect(try roundTrip(Color.red) == .red)
    #expect(throws: RosterError.self) { _ = try read(Color.self, "blue") }
  }

  private enum Color: String, ColumnValue { case red, green }

  private func read<V: ColumnValue>(_ type: V.Type, _ text: String) throws -> V? {
    let connection = try Connection(path: ":memory:", mode: .memory)
    let statement = try connection.statement("SELECT ?")
    try statement.bind([SQLArgument(.text(text))])
    guard try statement.step() else { return nil }
    return try V(from: statement.cell(0))
  }
}
