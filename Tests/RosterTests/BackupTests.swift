import Foundation
import Testing

@testable import Roster

@Suite("Copies of a database")
struct BackupTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store of many pages.
  private func filled() throws -> Store {
    let store = try Store.notes(in: folder)
    try store.write { tx in
      for number in 0..<2000 { try tx.insert(Note(String(repeating: "字", count: 800), rank: number)) }
    }
    return store
  }

  private func copy(_ name: String) throws -> Store {
    try Store(at: folder.file(name), records: [Note.self], migrations: Note.migrations)
  }

  @Test("a backup made while others write is one state, says how far it is, and comes to an end")
  func online() throws {
    let store = try filled()
    var heard: [(left: Int, total: Int)] = []
    try store.backup(to: folder.file("copy.db")) { left, total in
      heard.append((left, total))
      // Between any two steps another connection commits: the marks' number and sum stay in step.
      try store.write { tx in
        try tx.insert(Note("mark", rank: -1))
        try tx.execute("UPDATE note SET rank = rank + 1 WHERE text <> 'mark'")
      }
    }
    #expect(heard.count > 4)
    #expect(heard.count < 100)
    #expect(heard.last?.left == 0)
    for (one, next) in zip(heard, heard.dropFirst()) {
      #expect(one.left > next.left)
      #expect(one.total == next.total)
    }
    let copied = try copy("copy.db")
    let sums: [Int] = try copied.read { try $0.fetch("SELECT sum(rank) FROM note", as: Int.self) }
    #expect(sums == [(0..<2000).reduce(0, +)])
    #expect(try copied.check() == [])
    #expect(try store.read { try $0.count(Query<Note>().filter(sql: "text = 'mark'")) } == heard.count)
  }

  @Test("a backup is stopped by what its progress throws, and nothing is left of it")
  func stopped() throws {
    struct Stop: Error {}
    let store = try filled()
    let before = try folder.names()
    let error = try failure(.interrupted) {
      try store.backup(to: folder.file("copy.db")) { _, _ in throw Stop() }
    }
    #expect(error.cause is Stop)
    #expect(try folder.names() == before)
    try store.write { try $0.insert(Note("after")) }
    try store.backup(to: folder.file("copy.db"))
  }

  @Test("nothing is there before the copy is whole")
  func wholeOrNothing() throws {
    let store = try filled()
    try store.backup(to: folder.file("copy.db")) { left, _ in
      #expect(!FileManager.default.fileExists(atPath: folder.file("copy.db").path))
    }
    #expect(try folder.names() == ["copy.db", "notes.db", "notes.db-shm", "notes.db-wal"])
  }

  @Test("a copy never overwrites: a file, an empty file, a folder, a link, the store itself")
  func overwrites() throws {
    let store = try filled()
    try Data("precious".utf8).write(to: folder.file("file"))
    try Data().write(to: folder.file("empty"))
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: folder.file("nowhere"))
    let before = try folder.names()
    for (name, code) in [
      ("file", RosterError.Code.fileExists), ("empty", .fileExists), ("notes.db", .fileExists),
      ("folder", .cannotOpen),
      ("link", .cannotOpen),
    ] {
      _ = try failure(code) { try store.backup(to: folder.file(name)) }
      _ = try failure(code) { try store.vacuum(into: folder.file(name)) }
    }
    #expect(try folder.names() == before)
    #expect(try Data(contentsOf: folder.file("file")) == Data("precious".utf8))
    #expect(try Data(contentsOf: folder.file("empty")).isEmpty)
    _ = try failure(.cannotOpen) { try store.backup(to: folder.file("no/such/folder")) }
    #expect(try store.read { try $0.count(Query<Note>()) } == 2000)
  }

  @Test("a file that appears while the copy is made is not overwritten")
  func race() throws {
    let store = try filled()
    let url = folder.file("copy.db")
    _ = try failure(.fileExists) {
      try store.backup(to: url) { _, _ in
        if !FileManager.default.fileExists(atPath: url.path) { try Data("precious".utf8).write(to: url) }
      }
    }
    #expect(try Data(contentsOf: url) == Data("precious".utf8))
    #expect(try folder.names() == ["copy.db", "notes.db", "notes.db-shm", "notes.db-wal"])
  }

  @Test("a compact copy holds the same rows in fewer pages, and the readers still only read")
  func compact() throws {
    let store = try filled()
    try store.write { _ = try $0.delete(Query<Note>().filter(sql: "rank % 2 = 0")) }
    try store.backup(to: folder.file("copy.db"))
    try store.vacuum(into: folder.file("compact.db"))
    let sizes = try ["compact.db", "copy.db"].map { try Data(contentsOf: folder.file($0)).count }
    #expect(sizes[0] < sizes[1] * 2 / 3)
    let notes = try store.read { try $0.fetch(Query<Note>()) }
    #expect(notes.count == 1000)
    for name in ["copy.db", "compact.db"] {
      #expect(try copy(name).read { try $0.fetch(Query<Note>()) } == notes)
    }
    let flags: [Int] = try store.read { try $0.fetch("PRAGMA query_only", as: Int.self) }
    #expect(flags == [1])
  }

  @Test("a vacuum makes the file smaller and keeps the rows and their keys")
  func vacuum() throws {
    let store = try filled()
    try store.write { _ = try $0.delete(Query<Note>().filter(sql: "rank < 1500")) }
    let keys: [Int] = try store.read { try $0.fetch("SELECT row_key FROM note ORDER BY 1", as: Int.self) }
    try store.vacuum()
    #expect(try store.read { try $0.fetch("SELECT row_key FROM note ORDER BY 1", as: Int.self) } == keys)
    #expect(try store.read { try $0.fetch("PRAGMA freelist_count", as: Int.self) } == [0])
    _ = try failure(.misuse) { try store.write { _ in try store.vacuum() } }
  }

  @Test("copies and checks work inside reads and writes, of what was committed")
  func nested() throws {
    let store = try Store.notes(in: folder)
    try store.write { tx in
      try tx.insert(Note("one"))
      try store.backup(to: folder.file("copy.db"))
      try store.vacuum(into: folder.file("compact.db"))
      #expect(try store.check() == [])
    }
    for name in ["copy.db", "compact.db"] {
      #expect(try copy(name).read { try $0.count(Query<Note>()) } == 0)
    }
    try store.read { _ in try store.backup(to: folder.file("later.db")) }
    #expect(try copy("later.db").read { try $0.count(Query<Note>()) } == 1)
  }
}
