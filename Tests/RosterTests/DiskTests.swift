import Foundation
import Testing

@testable import Roster

@Suite("A full disk, and one that cannot be written to", .serialized)
struct DiskTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Full

  private let long = String(repeating: "много", count: 4000)

  /// A store that may grow by few pages only.
  /// Without records there is no log of changes. With one, SQLite undoes a statement that does not fit, and not all.
  private func capped(records: [any Record.Type] = [Note.self]) throws -> Store {
    let store = try Store(at: folder.file("notes.db"), records: records, migrations: Note.migrations)
    try store.write { try $0.insert(Note("before", rank: 1)) }
    let pages: [Int] = try store.read { try $0.fetch("PRAGMA page_count", as: Int.self) }
    try store.write { _ = try $0.rows(SQL(stringLiteral: "PRAGMA max_page_count = \(pages[0] + 4)")) }
    return store
  }

  private func texts(_ store: Store) throws -> [String] {
    try store.read { try $0.fetch(Query<Note>().sorted(by: SortDescriptor(\.text, comparator: .lexical))) }
      .map(\.text)
  }

  @Test("a write that does not fit is an error that says so, changes nothing, and the next small one works")
  func full() throws {
    let store = try capped()
    let error = try failure(.diskFull) {
      try store.write { tx in
        try tx.insert(Note("small"))
        for _ in 0..<10 { try tx.insert(Note(long)) }
      }
    }
    #expect(error.message.contains("full"))
    #expect(try texts(store) == ["before"])
    try store.write { try $0.insert(Note("after")) }
    #expect(try texts(store) == ["after", "before"])
    #expect(try store.check() == [])
  }

  @Test("a write whose closure swallows the error of SQLite's own rollback fails, with all that it wrote")
  func swallowed() throws {
    let store = try capped(records: [])
    let error = try failure(.misuse) {
      try store.write { tx in
        try tx.insert(Note("early"))
        for _ in 0..<10 { try? tx.insert(Note(long)) }
        try? tx.insert(Note("late"))
      }
    }
    #expect(error.message.contains("rolled back"))
    #expect(try texts(store) == ["before"])
  }

  @Test("so does one whose savepoint swallows it, and one that is asynchronous")
  func swallowedInSavepoint() async throws {
    let store = try capped(records: [])
    let long = long
    _ = try await failure(.misuse) {
      try await store.write { tx in
        try tx.insert(Note("early"))
        _ = try? tx.savepoint { tx in for _ in 0..<10 { try tx.insert(Note(long)) } }
        try? tx.insert(Note("late"))
        _ = try? tx.execute("UPDATE note SET text = 'changed'")
        _ = try? tx.delete(Query<Note>())
      }
    }
    #expect(try texts(store) == ["before"])
    try await store.write { try $0.insert(Note("after")) }
    #expect(try texts(store) == ["after", "before"])
  }

  @Test("an explicit rollback by a conflict clause or a trigger fails the write, too")
  func rollbackClause() throws {
    let store = try Store.notes(in: folder)
    let note = Note("one")
    try store.write { tx in
      try tx.insert(note)
      try tx.execute(
        "CREATE TRIGGER refuse BEFORE UPDATE ON note BEGIN SELECT RAISE(ROLLBACK, 'no updates'); END")
    }
    _ = try failure(.misuse) {
      try store.write { tx in
        try tx.insert(Note("two"))
        _ = try? tx.execute(
          "INSERT OR ROLLBACK INTO note (id, text, created) SELECT id, text, created FROM note")
        try? tx.insert(Note("three"))
      }
    }
    _ = try failure(.misuse) {
      try store.write { tx in
        try tx.insert(Note("two"))
        _ = try? tx.execute("UPDATE note SET rank = 3")
        try? tx.insert(Note("three"))
      }
    }
    #expect(try store.read { try $0.fetch(Query<Note>()) } == [note])
  }

  // MARK: Read-only

  /// Lets everyone read what is in the folder, and nobody make anything in it.
  private func seal() throws {
    for name in try folder.names() { try folder.setPermissions(0o444, of: name) }
    try folder.setPermissions(0o555)
  }

  private func show(_ name: String, in place: TemporaryFolder? = nil) throws -> [String] {
    try WriterProcess.lines("--as-nobody", "show", (place ?? folder).file(name).path)
  }

  @Test("a database without its log is shown on a medium that cannot be written to, and nothing is made")
  func sealed() throws {
    let store = try Store.notes(in: folder)
    try store.write { try $0.insert([Note("one"), Note("二")]) }
    try store.close()
    let before = try folder.contents()
    try seal()
    defer { try? folder.setPermissions(0o755) }
    let lines = try show("notes.db")
    #expect(lines == ["text one", "text 二"])
    #expect(try folder.contents() == before)
  }

  @Test(
    "one with commits in its log is shown with them or refused, never as it was before",
    arguments: [false, true])
  func sealedLog(withIndex: Bool) throws {
    let source = try TemporaryFolder()
    let store = try Store.notes(in: source)
    try store.write { try $0.insert(Note("old")) }
    try store.close()
    let again = try Store.notes(in: source)
    try again.write { try $0.insert(Note("new")) }
    for suffix in withIndex ? ["", "-wal", "-shm"] : ["", "-wal"] {
      try FileManager.default.copyItem(
        at: source.file("notes.db" + suffix), to: folder.file("notes.db" + suffix))
    }
    let before = try folder.contents()
    try seal()
    let link = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      at: link.file("link.db"), withDestinationURL: folder.file("notes.db"))
    try link.setPermissions(0o555)
    defer {
      try? folder.setPermissions(0o755)
      try? link.setPermissions(0o755)
    }
    for lines in [try show("notes.db"), try show("link.db", in: link)] {
      if lines != ["text old", "text new"] {
        #expect(lines.count == 1)
        #expect(
          lines.first?.hasPrefix("error cannotOpen: The database's latest changes are in ") == true,
          "\(lines)")
      }
    }
    #expect(try folder.contents() == before)
  }

  @Test("one with a rollback journal that is needed is refused, never shown half changed")
  func sealedJournal() throws {
    let source = try TemporaryFolder()
    let connection = try Connection(path: try makeFile(source).path, mode: .readWrite)
    _ = try connection.value("PRAGMA journal_mode = DELETE")
    try connection.execute("PRAGMA cache_size = 1")
    try connection.execute("CREATE TABLE note (row_key INTEGER PRIMARY KEY, text TEXT)")
    let fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
    try connection.execute("INSERT INTO note (text) \(fill) SELECT printf('%.300c', 'a') FROM n")
    try connection.control("BEGIN IMMEDIATE")
    try connection.execute("UPDATE note SET text = printf('%.300c', 'b')")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        at: source.file("notes.db" + suffix), to: folder.file("notes.db" + suffix))
    }
    try connection.rollBack()
    try seal()
    defer { try? folder.setPermissions(0o755) }
    let lines = try show("notes.db")
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix("error cannotOpen: The database's latest changes are in ") == true, "\(lines)")
  }

  private func makeFile(_ place: TemporaryFolder) throws -> URL {
    try Data().write(to: place.file("notes.db"))
    return place.file("notes.db")
  }

  @Test("a store opened read-only refuses to write, and leaves the file as it is")
  func readOnlyStore() async throws {
    try Store.notes(in: folder).close()
    let before = try Data(contentsOf: folder.file("notes.db"))
    var options = StoreOptions()
    options.access = .readOnly
    let store = try Store.notes(in: folder, options: options)
    _ = try failure(.readOnly) { try store.write { try $0.insert(Note("x")) } }
    _ = try await failure(.readOnly) { try await store.write { try $0.insert(Note("x")) } }
    _ = try failure(.readOnly) { try store.vacuum() }
    for sql: SQL in [
      "DELETE FROM note", "INSERT INTO note (id) VALUES (1) RETURNING id", "CREATE TABLE x (y)",
    ] {
      _ = try failure(.readOnly) { _ = try store.read { try $0.rows(sql) } }
    }
    try store.close()
    #expect(try Data(contentsOf: folder.file("notes.db")) == before)
  }
}
