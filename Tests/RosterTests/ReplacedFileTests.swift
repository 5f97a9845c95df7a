import Foundation
import Testing

@testable import Roster

/// Another file comes to lie at a store's path while the store has it open, or the file goes.
@Suite("A file that is replaced", .timeLimit(.minutes(2)))
struct ReplacedFileTests {
  /// How the file goes, and what comes in its place.
  enum Replacement: CaseIterable {
    case renamedOver, deletedAndMade, movedAndMade, deleted, moved, folderMoved

    var putsAnother: Bool { self == .renamedOver || self == .deletedAndMade || self == .movedAndMade }

    func run(in folder: TemporaryFolder) throws {
      let files = FileManager.default
      let (path, away) = (folder.file("data/cards.db"), folder.file("data/away.db"))
      switch self {
      case .deletedAndMade, .deleted: try files.removeItem(at: path)
      case .movedAndMade, .moved: try files.moveItem(at: path, to: away)
      case .folderMoved: try files.moveItem(at: folder.file("data"), to: folder.file("elsewhere"))
      case .renamedOver: break
      }
      if putsAnother { guard rename(folder.file("other.db").path, path.path) == 0 else { throw POSIXError(.EIO) } }
    }
  }

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.file("data"), withIntermediateDirectories: false)
    let other = try cards(at: "other.db")
    try other.write { try $0.insert([Card("new"), Card("newer")]) }
    try other.close()
  }

  private func cards(at name: String = "data/cards.db", options: StoreOptions = StoreOptions()) throws -> Store {
    try Store(at: folder.file(name), records: [Card.self], migrations: Card.migrations, options: options)
  }

  private func names(_ store: Store) throws -> [String] {
    try store.read { try $0.fetch("SELECT name FROM card ORDER BY name", as: String.self) }
  }

  private func insert(_ name: String, in store: Store) throws { try store.write { try $0.insert(Card(name)) } }

  private func current(_ store: Store) throws -> FeedCursor { try store.read { try $0.feedCursor() } }

  private func close(_ store: Store) throws { try store.close() }

  @Test(
    "every read and write fails and says so, and the file opened anew has what lies there",
    arguments: Replacement.allCases)
  func access(_ replacement: Replacement) async throws {
    let store = try cards()
    try insert("old", in: store)
    let cursor = try current(store)
    try replacement.run(in: folder)
    let hasRun = Shared(false)
    try access(store, replacement, hasRun)
    _ = try await failure(.fileReplaced) { try await store.read { try $0.count(Query<Card>()) } }
    _ = try await failure(.fileReplaced) { try await store.write { _ in hasRun.change { $0 = true } } }
    #expect(!hasRun.value)
    try close(store)
    guard replacement != .folderMoved else { return }
    if replacement == .moved || replacement == .movedAndMade {
      // What was committed before is in the file that was moved, although its log has stayed behind.
      #expect(try names(cards(at: "data/away.db")) == ["old"])
    }
    let again = try cards()
    #expect(try names(again) == (replacement.putsAnother ? ["new", "newer"] : []))
    #expect(try again.check() == [])
    #expect(try await again.read { try $0.changes(since: cursor) }.isReset)
  }

  private func access(_ store: Store, _ replacement: Replacement, _ hasRun: Shared<Bool>) throws {
    let error = try failure(.fileReplaced) { try names(store) }
    #expect(error.message.contains(replacement.putsAnother ? "Another file" : "no file"))
    #expect(error.path == folder.file("data/cards.db").path)
    _ = try failure(.fileReplaced) { try store.write { _ in hasRun.change { $0 = true } } }
    _ = try failure(.fileReplaced) { try store.check() }
    _ = try failure(.fileReplaced) { try store.repair() }
    _ = try failure(.fileReplaced) { try store.vacuum() }
    _ = try failure(.fileReplaced) { try store.migrationStatus() }
    _ = try failure(.fileReplaced) { try store.backup(to: folder.file("copy.db")) }
    _ = try failure(.fileReplaced) { try store.vacuum(into: folder.file("copy.db")) }
    #expect(try folder.names().filter { $0.hasPrefix("copy") || $0.hasPrefix(".roster") } == [])
  }

  @Test("a write during which the file is replaced is not said to be stored")
  func duringWrite() throws {
    let store = try cards()
    _ = try failure(.fileReplaced) {
      try store.write { tx in
        try tx.insert(Card("lost"))
        try Replacement.renamedOver.run(in: folder)
      }
    }
    try store.close()
    #expect(try names(cards()) == ["new", "newer"])
  }

  @Test("a store that only reads notices it, and one that reads through a link")
  func reading() throws {
    try insert("old", in: cards())
    var options = StoreOptions()
    options.access = .readOnly
    let readOnly = try cards(options: options)
    try FileManager.default.createSymbolicLink(
      at: folder.file("link.db"), withDestinationURL: folder.file("data/cards.db"))
    let linked = try cards(at: "link.db")
    #expect(try names(linked) == ["old"])
    try Replacement.deletedAndMade.run(in: folder)
    _ = try failure(.fileReplaced) { try names(readOnly) }
    _ = try failure(.fileReplaced) { try names(linked) }
    _ = try failure(.fileReplaced) { try insert("lost", in: linked) }
  }

  @Test("a file that is moved away and back is the same file")
  func back() throws {
    let store = try cards()
    try insert("old", in: store)
    try Replacement.moved.run(in: folder)
    _ = try failure(.fileReplaced) { try names(store) }
    try FileManager.default.moveItem(at: folder.file("data/away.db"), to: folder.file("data/cards.db"))
    #expect(try names(store) == ["old"])
    try insert("older", in: store)
    #expect(try names(store) == ["old", "older"])
  }

  @Test("closing the old store leaves alone what another has written to the new file meanwhile")
  func closedLater() throws {
    let store = try cards()
    try insert("old", in: store)
    try Replacement.renamedOver.run(in: folder)
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(at: folder.file("data/cards.db\(suffix)")) }
    let new = try WriterProcess(["hold", folder.file("data/cards.db").path])
    #expect(try new.line() == "written")
    try store.close()
    new.kill()
    #expect(try new.lines() == [])
    #expect(try names(cards()) == ["held", "new", "newer"])
  }

  // MARK: The feed and lists

  @Test(
    "an idle consumer of changes is told to read anew, and then gets the error",
    arguments: [Replacement.renamedOver, .deletedAndMade, .moved, .deleted])
  func feed(_ replacement: Replacement) async throws {
    let store = try cards()
    let start = try current(store)
    try insert("old", in: store)
    let (heard, hear) = AsyncStream.makeStream(of: ChangeBatch.self)
    let consumer = Task {
      for try await batch in store.changes(since: start) { hear.yield(batch) }
    }
    var batches = heard.makeAsyncIterator()
    let first = try #require(await batches.next())
    #expect(first.changes.map(\.kind) == [.insert] && !first.isReset)
    try replacement.run(in: folder)
    let second = try #require(await batches.next())
    #expect(second.isReset && second.changes.isEmpty && second.cursor == first.cursor)
    _ = try await failure(.fileReplaced) { try await consumer.value }
  }

  @Test("idle lists fail, and show what they did")
  @MainActor
  func lists() async throws {
    let store = try cards()
    try insert("old", in: store)
    let query = Query<Card>().inManualOrder()
    let updates = Task {
      var counts: [Int] = []
      do {
        for try await update in store.updates(of: query) { counts.append(update.records.count) }
      } catch RosterError.Code.fileReplaced { return counts }
      return []
    }
    let list = LiveList(query, in: store)
    let isLoaded = { if case .loaded = list.state { true } else { false } }
    let hasFailed = { if case .failed(RosterError.Code.fileReplaced) = list.state { true } else { false } }
    while !isLoaded() || store.signal.waiterCount < 2 { try await Task.sleep(for: .milliseconds(2)) }
    try Replacement.renamedOver.run(in: folder)
    while !hasFailed() { try await Task.sleep(for: .milliseconds(2)) }
    #expect(list.map(\.name) == ["old"])
    list.remove(atOffsets: [0])
    #expect((list.writeError as? RosterError)?.code == .fileReplaced)
    #expect(try await updates.value == [1])
  }

  // MARK: Cursors

  @Test("a copy has a log of its own: what has read the database is told to read the copy anew")
  func copies() throws {
    let store = try cards()
    try insert("old", in: store)
    let cursor = try current(store)
    try store.backup(to: folder.file("backup.db"))
    try store.vacuum(into: folder.file("compact.db"))
    for name in ["backup.db", "compact.db"] {
      let copy = try cards(at: name)
      #expect(try names(copy) == ["old"])
      #expect(try copy.read { try $0.changes(since: cursor) }.isReset, "\(name)")
      #expect(try current(copy).sequence == cursor.sequence)
    }
    #expect(try store.read { try $0.changes(since: cursor) }.isEmpty)
    let plain = try Store(at: folder.file("plain.db"))
    try plain.write { try $0.execute("CREATE TABLE t (x)") }
    try plain.backup(to: folder.file("plain-backup.db"))
    try plain.vacuum(into: folder.file("plain-compact.db"))
  }

  @Test("a file copied by other means and written to is told from the one it was copied from, beyond where they part")
  func parted() throws {
    let store = try cards()
    try insert("both", in: store)
    let common = try current(store)
    try store.close()
    try FileManager.default.copyItem(at: folder.file("data/cards.db"), to: folder.file("copy.db"))
    let (original, copy) = (try cards(), try cards(at: "copy.db"))
    for number in 0..<3 { try insert("original \(number)", in: original) }
    let cursor = try current(original)
    for number in 0..<4 { try insert("copy \(number)", in: copy) }
    let end = try current(copy)
    #expect(cursor.sequence < end.sequence)
    #expect(try copy.read { try $0.changes(since: cursor) }.isReset)
    #expect(try copy.read { try $0.changes(since: common) }.changes.count == 4)
    #expect(try original.read { try $0.changes(since: common) }.changes.count == 3)
    _ = try failure(.misuse) { try copy.write { try $0.setFeedCursor(cursor, of: "mirror") } }
    // As many rows as the original has, so that both end at the same number.
    let same = try current(copy)
    try insert("original 3", in: original)
    #expect(try current(original).sequence == same.sequence)
    #expect(try original.read { try $0.changes(since: same) }.isReset)
  }

  @Test("a cursor that was kept before it said what its row is goes on to be read")
  func oldCursor() throws {
    let store = try cards()
    try insert("old", in: store)
    let cursor = try current(store)
    let text = #"{"epoch":"\#(cursor.epoch)","sequence":\#(cursor.sequence)}"#
    let old = try JSONDecoder().decode(FeedCursor.self, from: Data(text.utf8))
    try insert("new", in: store)
    #expect(try store.read { try $0.changes(since: old) }.changes.count == 1)
    let data = try JSONEncoder().encode(cursor)
    #expect(try JSONDecoder().decode(FeedCursor.self, from: data) == cursor)
  }
}
