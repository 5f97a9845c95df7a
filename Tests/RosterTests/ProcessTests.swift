import Foundation
import Testing

@testable import Roster
@testable import test_writer

@Suite("Several processes", .serialized)
struct ProcessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("four that open a missing path at once all succeed, 25 times, and each migration is applied once")
  func openAtOnce() throws {
    for round in 0..<25 {
      let url = folder.file("\(round).db")
      let processes = try (0..<4).map { _ in try WriterProcess(["open", url.path]) }
      for process in processes { try process.go() }
      for process in processes {
        let lines = try process.lines()
        #expect(lines == ["opened"], "round \(round)")
      }
      // What the file's header says of its journal. https://www.sqlite.org/fileformat.html#file_format_version_numbers
      #expect(try Data(contentsOf: url)[18...19] == Data([2, 2]))
      let store = try Store(at: url, records: Entry.records, migrations: Entry.migrations)
      let applied = try store.read { try $0.fetch("SELECT number FROM roster_migrations", as: Int.self) }
      #expect(applied == [1, 2])
      #expect(try store.read { try $0.fetch("SELECT value FROM counter", as: Int.self) } == [0])
      try store.close()
    }
    let names = try folder.names()
    #expect(names == (0..<25).map { "\($0).db" }.sorted())
  }

  @Test("two that read and then write 200 times each lose no increment")
  func increments() throws {
    let url = folder.file("counter.db")
    let processes = try (0..<2).map { _ in try WriterProcess(["increments", url.path, "200"]) }
    for process in processes { try process.go() }
    for process in processes {
      let lines = try process.lines()
      #expect(lines == ["done"])
    }
    let store = try Store(at: url, records: Entry.records, migrations: Entry.migrations)
    #expect(try store.read { try $0.fetch("SELECT value FROM counter", as: Int.self) } == [400])
  }

  @Test("a write waits for another's transaction, and then reads what that one wrote")
  func stale() throws {
    let one = try Store.notes(in: folder)
    let two = try Store.notes(in: folder)
    let note = Note("one")
    try one.write { try $0.insert(note) }
    try two.write { tx in
      #expect(try tx.count(Query<Note>()) == 1)
      try tx.insert(Note("two"))
    }
    #expect(try one.read { try $0.count(Query<Note>()) } == 2)
  }

  @Test("a lock held longer than the busy timeout is an error that says so, and the next write works")
  func busy() throws {
    let one = try Store.notes(in: folder)
    var options = StoreOptions()
    options.busyTimeout = .milliseconds(20)
    let two = try Store.notes(in: folder, options: options)
    try one.write { tx in
      try tx.insert(Note("one"))
      let error = try failure(.busy) { try two.write { try $0.insert(Note("two")) } }
      #expect(error.message.contains("locked by another connection or process"))
      // Reading does not wait.
      #expect(try two.read { try $0.count(Query<Note>()) } == 0)
    }
    try two.write { try $0.insert(Note("two")) }
    #expect(try two.read { try $0.count(Query<Note>()) } == 2)
  }

  @Test("a file whose folder cannot be written to is refused for writing, and unchanged")
  func noRights() throws {
    try Store.notes(in: folder).close()
    let before = try Data(contentsOf: folder.file("notes.db"))
    try folder.setPermissions(0o644, of: "notes.db")
    try folder.setPermissions(0o555)
    defer { try? folder.setPermissions(0o755) }
    let lines = try WriterProcess.lines("--as-nobody", "write", folder.file("notes.db").path)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("error readOnly: The file cannot be written to") == true, "\(lines)")
    try folder.setPermissions(0o666, of: "notes.db")
    let others = try WriterProcess.lines("--as-nobody", "write", folder.file("notes.db").path)
    #expect(
      others.first?.hasPrefix("error cannotOpen: The file's folder cannot be written to") == true, "\(others)"
    )
    let missing = try WriterProcess.lines("--as-nobody", "write", folder.file("missing.db").path)
    #expect(missing.first?.hasPrefix("error cannotOpen: The file cannot be made in") == true, "\(missing)")
    #expect(try Data(contentsOf: folder.file("notes.db")) == before)
    #expect(try folder.names() == ["notes.db"])
  }

  @Test("four that move and insert in one list at the same time lose nothing and double nothing")
  func moves() throws {
    // Ten seconds with ROSTER_ORDER_SECONDS=10.
    let seconds = ProcessInfo.processInfo.environment["ROSTER_ORDER_SECONDS"] ?? "2"
    let url = folder.file("rows.db")
    let store = try Store(at: url, records: Step.records, migrations: Step.migrations)
    let processes = try (0..<4).map { _ in try WriterProcess(["moves", url.path, seconds]) }
    for process in processes { try process.go() }
    var added = 0
    for process in processes {
      let lines = try process.lines()
      let count = try #require(lines.first.flatMap { Int($0.replacing("added ", with: "")) }, "\(lines)")
      added += count
    }
    let rows = try store.read { try $0.fetch(Query<Step>().inManualOrder()) }
    #expect(rows.count == added && added > 4)
    #expect(Set(rows.map(\.id)).count == added)
    #expect(Set(rows.map(\.writer)).count == 4)
    #expect(try store.check() == [])
    for (index, row) in rows.enumerated() {
      #expect(try store.read { try $0.index(of: row.id, in: Step.self) } == index)
    }
  }
}
