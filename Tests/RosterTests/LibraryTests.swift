import Testing

@testable import Roster

@Suite("The SQLite library")
struct LibraryTests {
  @Test("3.40 and newer are accepted, and an older one is named in the error")
  func version() throws {
    try Library.check()
    try Library.check(version: 3_040_000, named: "3.40.0", isThreadSafe: true)
    let error = #expect(throws: RosterError.self) {
      try Library.check(version: 3_039_004, named: "3.39.4", isThreadSafe: true)
    }
    #expect(error?.code == .unsupportedLibrary)
    #expect(error?.message.contains("3.39.4") == true)
    #expect(throws: RosterError.self) { try Library.check(version: 3_045_000, named: "3.45.0", isThreadSafe: false) }
  }

  @Test("a feature that the library lacks is named in the error, and what needs it")
  func feature() throws {
    try Library.require("ENABLE_FTS5", for: "search")
    let error = #expect(throws: RosterError.self) { try Library.require("ENABLE_TELEPATHY", for: "search") }
    #expect(error?.code == .unsupportedLibrary)
    #expect(error?.message.contains("SQLITE_ENABLE_TELEPATHY, which search needs") == true)
  }
}
