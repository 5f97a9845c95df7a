import Foundation
import Roster
import TodoModel

/// What a command works with: the database, the output, and how results are to be printed.
struct Session {
  let location: DatabaseLocation
  let isJSON: Bool
  let console: Console
  /// When the command began, in whole seconds: nobody marks a todo as done by the microsecond.
  let now = Date(timeIntervalSinceReferenceDate: Date().timeIntervalSinceReferenceDate.rounded(.down))
  private let stores = OpenStores()

  /// The stores that a command has opened.
  private final class OpenStores {
    var all: [Store] = []
    /// Folders with copies of the database, which go when the command ends, or is ended.
    var folders: [(URL, Interruption)] = []
  }

  /// Closes what the command has opened. What a store does in the background is brought to an end by that, so that SQLite
  /// removes the files beside the database.
  func close() {
    for store in stores.all { try? store.close() }
    for (folder, interruption) in stores.folders {
      interruption.end()
      try? FileManager.default.removeItem(at: folder)
    }
    stores.folders = []
  }

  /// Removes the database, which this command has made, unless somebody has put something in it since.
  func removeUnused() {
    var options = StoreOptions()
    options.access = .readOnly
    let isEmpty = try? Store(at: location.url, options: options).read { snapshot in
      try snapshot.fetch("SELECT count(*) FROM todo_list", as: Int.self).first == 0
    }
    guard isEmpty == true else { return }
    for suffix in ["-shm", "-wal", ""] { try? FileManager.default.removeItem(atPath: location.path + suffix) }
  }

  /// The database, for reading. It may lie where nothing can be written, and may be one of a newer version.
  ///
  /// Where it can be, it is opened like for writing: only then SQLite removes the files beside it when it is
  /// closed. Where the index of an order is missing, it is made, and rows get their places. Migrations are never applied,
  /// and what is read is read on a connection that cannot write.
  func openForReading() throws -> Store {
    try requireTodos()
    let states = Set(try migrationStatus().map(\.state))
    if states == [.applied] {
      do { return try open(.existing, busyTimeout: .seconds(1)) } catch let error as RosterError {
        // What only stands in the way of writing is none for reading, and neither is one that writes just now.
        guard [.readOnly, .cannotOpen, .schemaMismatch, .busy].contains(error.code) else { throw error }
      }
    }
    if states.contains(.fromNewerVersion) { note(Report.newerVersion(location.shown)) }
    do { return try open(.readOnly) } catch let error as RosterError {
      guard error.code == .schemaMismatch, states.contains(.pending) else { throw error }
      throw Refusal.pendingMigrations(location.shown)
    }
  }

  /// The database, for changing what is in it. Pending migrations are applied.
  func openForWriting() throws -> Store {
    try requireTodos()
    return try open(.existing)
  }

  /// The database, for adding to it: where there is none, it is made.
  ///
  /// With `isLarge` it gets the memory that a transaction of very many rows needs. An import of 100,000 tasks changes some
  /// 50 MB, most of it indexes that are written to at random.
  func openOrCreate(isLarge: Bool = false) throws -> Store {
    switch try DatabaseFile(at: location) {
    case .foreign(let tables): throw Refusal.foreignDatabase(location.shown, tables: tables)
    case .todos: return try open(.existing, isLarge: isLarge)
    case .empty: return try open(.readWrite, isLarge: isLarge)
    case .absent:
      try location.makeFolder()
      return try open(.readWrite, isLarge: isLarge)
    }
  }

  func requireTodos() throws {
    switch try DatabaseFile(at: location) {
    case .todos: return
    case .absent: throw Refusal.noDatabase(location.shown)
    case .empty: throw Refusal.emptyDatabase(location.shown)
    case .foreign(let tables): throw Refusal.foreignDatabase(location.shown, tables: tables)
    }
  }

  /// How each migration stands to the database, also to one that does not fit. Nothing in it changes.
  func migrationStatus() throws -> [MigrationStatus] {
    try Store.migrationStatus(at: location.url, migrations: TodoModel.migrations)
  }

  /// A copy of the database in a folder of its own, to try a write on: of the database itself nothing changes, and nothing comes
  /// to lie beside it.
  func openCopy() throws -> Store {
    let database = try RawDatabase(at: location.url, busyTimeout: .seconds(30))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("todo-db-\(UUID().uuidString)")
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
    let interruption = Interruption { try? FileManager.default.removeItem(at: folder) }
    stores.folders.append((folder, interruption))
    let copy = folder.appendingPathComponent("copy.db")
    try database.backup(to: copy)
    var options = StoreOptions()
    options.access = .existing
    options.durability = .normal
    let store = try Store(at: copy, records: TodoModel.records, migrations: TodoModel.migrations, options: options)
    stores.all.append(store)
    return store
  }

  /// Opens the database, or the one at another place that is to become it.
  func open(
    _ access: StoreOptions.Access, at url: URL? = nil, isLarge: Bool = false, busyTimeout: Duration = .seconds(30)
  ) throws -> Store {
    var options = StoreOptions()
    options.access = access
    if isLarge { (options.cacheSize, options.keepsTemporariesInMemory) = (128_000, true) }
    // A large import has the file to itself for seconds.
    options.busyTimeout = busyTimeout
    let store = try Store(
      at: url ?? location.url, records: TodoModel.records, migrations: TodoModel.migrations, options: options)
    stores.all.append(store)
    if !store.adoptions.isEmpty { note(Report.adopted(store.adoptions)) }
    return store
  }
}

extension Session {
  /// Prints the result of a command: the document where JSON is asked for, else the lines.
  func report(_ json: @autoclosure () -> JSON, _ lines: @autoclosure () -> [String]) {
    if isJSON {
      console.out.writeLine(json().text)
    } else {
      for line in lines() { console.out.writeLine(line) }
    }
  }

  /// Prints a text as it is, or as the only member of an object.
  func print(_ name: String, _ text: String) -> ExitCode {
    console.out.write(isJSON ? JSON.object([(name, .string(text))]).text + "\n" : text)
    return .done
  }

  /// What a date means that was typed.
  func due(_ input: DateInput) throws -> DueDate {
    guard let due = input.due(today: CalendarDay(of: now, in: .current)) else { throw Refusal.dateOutOfRange }
    return due
  }

  /// Asks on the terminal whether to do what can't be undone.
  ///
  /// - Throws: a ``Refusal`` where there is none.
  func confirm(_ question: String) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1, console.err.isTerminal else { throw Refusal.notConfirmed(question) }
    try? console.out.flush()
    console.err.write(question + " [y/N] ")
    try? console.err.flush()
    let answer = readLine()?.trimmed.lowercased()
    if answer == nil { console.err.writeLine() }
    return answer == "y" || answer == "yes"
  }

  /// Says something beside the results.
  func note(_ text: String) { console.message("\(CommandTable.tool): \(text)", role: .warning) }
}
