import Foundation
import Testing

@testable import todo_db

@Suite("imports into a database that is made for them") struct ImportInterruptionTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func files(_ part: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: db.folder.path).filter { $0.contains(part) }
  }

  @Test("one that a signal ends leaves no database and nothing half written", arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) throws {
    _ = try db.write((0..<20_000).map { "todo \($0) with some words\n" }.joined(), to: "in.txt")
    var wasInterrupted = false
    // On a busy machine it may be done before the signal comes.
    for _ in 0..<20 where !wasInterrupted {
      let tool = try RunningTool(db, "import", "in.txt")
      while try files("partial").isEmpty, try files("t.db").isEmpty { usleep(500) }
      usleep(.random(in: 0...200_000))
      let (_, code) = try tool.end(by: signal)
      #expect(code == 0 || code == 128 + signal)
      wasInterrupted = code != 0
      #expect(try files("partial").isEmpty)
      // The signal may also come right after the new database has got its name.
      if try !files("t.db").isEmpty { #expect(try db.todos().count == 20_000) }
      if !wasInterrupted { try FileManager.default.removeItem(at: db.database) }
    }
    #expect(wasInterrupted)
  }

  @Test("two at once are both stored")
  func twoAtOnce() throws {
    for name in ["a", "b"] { _ = try db.write((0..<500).map { "\(name) \($0)\n" }.joined(), to: name + ".txt") }
    let tools = try ["a", "b"].map { try RunningTool(db, "import", $0 + ".txt") }
    for tool in tools { #expect(try tool.end().1 == 0) }
    #expect(Set(try db.titles()) == Set(["a", "b"].flatMap { name in (0..<500).map { "\(name) \($0)" } }))
    #expect(try files("t.db") == ["t.db"])
    #expect(try FileManager.default.attributesOfItem(atPath: db.database.path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("a database takes no name that something has already")
  func taken() throws {
    let draft = DraftDatabase(for: db.database.path)
    #expect(draft.make())
    _ = try db.write("theirs", to: "t.db")
    #expect(!draft.publish())
    draft.remove()
    #expect(try db.bytes() == Data("theirs".utf8))
    #expect(try files("partial").isEmpty)
    #expect(!DraftDatabase(for: db.file("nowhere/t.db").path).make())
  }

  @Test("a symbolic link to no file is refused, and stays")
  func danglingLink() throws {
    try FileManager.default.createSymbolicLink(
      atPath: db.database.path, withDestinationPath: db.file("target.db").path)
    let outcome = try db.run("import", db.write("a\n", to: "in.txt"))
    #expect(outcome.code == 1 && outcome.err.contains("symbolic link"), "\(outcome)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: db.folder.path).sorted() == ["in.txt", "t.db"])
  }
}
