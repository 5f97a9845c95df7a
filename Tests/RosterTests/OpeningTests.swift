import Foundation
import Testing

@testable import Roster

@Suite("Opening a file")
struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String, options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(at: folder.file(name), records: [Note.self], migrations: Note.migrations, options: options)
  }

  /// Expects that opening fails, in both ways, and changes nothing.
  private func refused(_ name: String, _ codes: RosterError.Code..., says: String) throws {
    // Who only reads a database in WAL mode leaves an empty log and its index, which he cannot remove.
    func contents() throws -> [String: Data] {
      try folder.contents().filter {
        !($0.key.hasSuffix("-shm") || $0.key.hasSuffix("-wal") && $0.value.isEmpty)
      }
    }
    let (all, before) = (try folder.names(), try contents())
    for access in [StoreOptions.Access.readWrite, .existing, .readOnly] {
      var options = StoreOptions()
      options.access = access
      let error = try #require(throws: RosterError.self) { _ = try open(name, options: options) }
      #expect(codes.contains(error.code), "\(error)")
      #expect(error.message.contains(says), "\(error)")
      #expect(error.path == folder.file(name).path)
      #expect(try contents() == before)
      if access != .readOnly { #expect(try folder.names() == all) }
    }
  }

  @Test("a store may have more memory for pages and for temporary data")
  func memory() throws {
    func settings(_ options: StoreOptions) throws -> [[SQLiteValue]] {
      let store = try open("a.db", options: options)
      defer { try? store.close() }
      return try store.write { tx in try tx.rows("PRAGMA cache_size") + tx.rows("PRAGMA temp_store") }
    }
    var options = StoreOptions()
    #expect(try settings(options) == [[.integer(-16_000)], [.integer(0)]])
    (options.cacheSize, options.keepsTemporariesInMemory) = (64_000, true)
    #expect(try settings(options) == [[.integer(-64_000)], [.integer(2)]])
  }

  @Test("what is no database is refused with an error that says so, and left as it is")
  func notADatabase() throws {
    try Data([0xFF, 0xD8, 0xFF, 0xE0] + (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      .write(to: folder.file("photo.jpg"))
    try refused("photo.jpg", .notADatabase, says: "is not a SQLite database")
    try Data("a few words".utf8).write(to: folder.file("short.txt"))
    try refused("short.txt", .notADatabase, says: "is not a SQLite database")
    try (Data("SQLite format 3\0".utf8) + Data(repeating: 0xA5, count: 4080)).write(
      to: folder.file("mangled.db"))
    try refused("mangled.db", .notADatabase, .corrupt, says: "database")
  }

  @Test(
    "a truncated database is refused with an error that says so, and left as it is",
    arguments: [1, 3, 100, 4096, 5000])
  func truncated(cut: Int) throws {
    let store = try open("whole.db")
    try store.write { tx in
      for number in 0..<100 { try tx.insert(Note(String(repeating: "字", count: 300), rank: number)) }
    }
    try store.close()
    let whole = try Data(contentsOf: folder.file("whole.db"))
    try whole.prefix(300).write(to: folder.file("stub.db"))
    try refused("stub.db", .corrupt, .notADatabase, says: "database")
    try whole.dropLast(cut).write(to: folder.file("cut.db"))
    try refused("cut.db", .corrupt, says: "cut short")
  }

  @Test("a folder and a pipe are refused")
  func noFile() throws {
    try FileManager.default.createDirectory(at: folder.file("folder.db"), withIntermediateDirectories: false)
    let error = try failure(.cannotOpen) { _ = try open("folder.db") }
    #expect(error.message == "A folder lies at the path, not a file.")
    #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
    #expect(try failure(.cannotOpen) { _ = try open("pipe") }.message.contains("not a regular file"))
    #expect(try folder.names() == ["folder.db", "pipe"])
  }

  @Test("only an empty file becomes a database, and not for one that only reads")
  func empty() throws {
    try Data().write(to: folder.file("empty.db"))
    var options = StoreOptions()
    options.access = .readOnly
    _ = try failure(.notADatabase) { _ = try open("empty.db", options: options) }
    #expect(try Data(contentsOf: folder.file("empty.db")).isEmpty)
    try open("empty.db").write { try $0.insert(Note("first")) }
    #expect(try open("empty.db").read { try $0.count(Query<Note>()) } == 1)
  }

  @Test("a missing file is made only where that is asked for, and a missing folder never")
  func missing() throws {
    for access in [StoreOptions.Access.readOnly, .existing] {
      var options = StoreOptions()
      options.access = access
      #expect(
        try failure(.noSuchFile) { _ = try open("missing.db", options: options) }.path?.hasSuffix(
          "missing.db") == true)
    }
    let error = try failure(.cannotOpen) { _ = try open("no/such/folder.db") }
    #expect(error.message.hasPrefix("There is no folder "))
    #expect(try folder.names() == [])
  }

  @Test("a file that another connection has for itself is refused as busy")
  func locked() throws {
    try open("locked.db").close()
    let other = try Connection(path: folder.file("locked.db").path, mode: .readWrite)
    _ = try other.value("PRAGMA locking_mode = EXCLUSIVE")
    try other.control("BEGIN EXCLUSIVE")
    try other.execute("DELETE FROM note")
    var options = StoreOptions()
    options.busyTimeout = .milliseconds(10)
    #expect(try failure(.busy) { _ = try open("locked.db", options: options) }.message.contains("locked"))
    try other.rollBack()
  }

  static let names = [
    "with space.db", "what?.db", "50%25.db", "#1.db", "列表.db", "🗂️.db", "file:name.db", "a&b=c;d.db",
    "'quoted\".db",
    ":memory:", "back\\slash.db", "e\u{301}.db", "?mode=memory", "-dash",
  ]

  @Test("a store works at any path", arguments: names)
  func path(name: String) throws {
    let note = Note("here")
    try open(name).write { try $0.insert(note) }
    #expect(try folder.names() == [name])
    for access in [StoreOptions.Access.readOnly, .existing] {
      var options = StoreOptions()
      options.access = access
      let store = try open(name, options: options)
      #expect(try store.read { try $0.fetch(Note.self, id: note.id) } == note)
      try store.backup(to: folder.file("copy"))
      try store.vacuum(into: folder.file("compact"))
      try store.close()
      for copy in ["copy", "compact"] {
        #expect(try open(copy).read { try $0.fetch(Query<Note>()) } == [note])
        try FileManager.default.removeItem(at: folder.file(copy))
      }
    }
    // As on a medium that nothing can be written to, where the name goes through a URI.
    let immutable = try Connection(path: folder.file(name).path, mode: .immutable)
    #expect(try immutable.value("SELECT text FROM note") == .text("here"))
  }

  @Test("the longest name that the system takes is no reason to fail")
  func longName() throws {
    let name = String(repeating: "列", count: 81)
    try open(name).write { try $0.insert(Note("here")) }
    try open(name).backup(to: folder.file(String(repeating: "表", count: 81)))
    #expect(try folder.names().count == 2)
  }

  @Test("a path that SQLite cannot hold is refused before anything is made")
  func longPath() throws {
    var deep = folder.url
    for _ in 0..<6 { deep.appendPathComponent(String(repeating: "d", count: 100)) }
    try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
    let error = try #require(throws: RosterError.self) {
      _ = try Store(at: deep.appendingPathComponent("x.db"))
    }
    #expect(error.code == .cannotOpen)
    #expect(try FileManager.default.contentsOfDirectory(atPath: deep.path) == [])
  }

  @Test("a URL that names no file is refused")
  func noPath() throws {
    let web = try #require(URL(string: "https://example.org/notes.db"))
    _ = try failure(.cannotOpen) { _ = try Store(at: web) }
    #expect(try folder.names() == [])
  }

  @Test("a symbolic link leads to its file, whose log lies beside it")
  func link() throws {
    try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: false)
    let real = folder.file("real/notes.db")
    try FileManager.default.createSymbolicLink(at: folder.file("link.db"), withDestinationURL: real)
    let dangling = try failure(.cannotOpen) { _ = try open("link.db") }
    #expect(dangling.message.contains("symbolic link"))
    try open("real/notes.db").close()
    let one = try open("link.db")
    let two = try open("real/notes.db")
    try one.write { try $0.insert(Note("through the link")) }
    try two.write { try $0.insert(Note("directly")) }
    #expect(try one.read { try $0.count(Query<Note>()) } == 2)
    #expect(FileManager.default.fileExists(atPath: real.path + "-wal"))
    #expect(try folder.names() == ["link.db", "real"])
  }

  @Test("a new file and what lies beside it are the owner's alone")
  func permissions() throws {
    let store = try open("mine.db")
    try store.write { try $0.insert(Note("private")) }
    for name in ["mine.db", "mine.db-wal", "mine.db-shm"] {
      #expect(try folder.permissions(of: name) == 0o600, "\(name)")
    }
    try store.backup(to: folder.file("copy.db"))
    try store.vacuum(into: folder.file("compact.db"))
    for name in ["copy.db", "compact.db"] { #expect(try folder.permissions(of: name) == 0o600, "\(name)") }
    // An existing file's are its owner's choice.
    try store.close()
    try folder.setPermissions(0o640, of: "mine.db")
    let again = try open("mine.db")
    try again.write { try $0.insert(Note("shared")) }
    for name in ["mine.db", "mine.db-wal", "mine.db-shm"] {
      #expect(try folder.permissions(of: name) == 0o640, "\(name)")
    }
  }

  @Test("the log of a database that is not there is never deleted", arguments: ["-wal", "-journal"])
  func orphan(suffix: String) throws {
    try Data("the only copy of the last commits".utf8).write(to: folder.file("gone.db" + suffix))
    let before = try folder.contents()
    let error = try failure(.fileExists) { _ = try open("gone.db") }
    #expect(error.message.contains("gone.db\(suffix)"))
    #expect(try folder.contents() == before)
    let store = try open("other.db")
    _ = try failure(.fileExists) { try store.backup(to: folder.file("gone.db")) }
    _ = try failure(.fileExists) { try store.vacuum(into: folder.file("gone.db")) }
    try store.close()
    if suffix == "-wal" {
      try Data().write(to: folder.file("gone.db"))
      _ = try failure(.fileExists) { _ = try open("gone.db") }
    }
    #expect(try Data(contentsOf: folder.file("gone.db" + suffix)) == before["gone.db" + suffix])
  }

  @Test("closing leaves nothing beside the file")
  func close() throws {
    let store = try open("notes.db")
    try store.write { try $0.insert(Note("one")) }
    _ = try store.read { try $0.fetch(Query<Note>()) }
    try store.close()
    #expect(try folder.names() == ["notes.db"])
  }
}
