public import Foundation

extension Store {
  /// How each migration stands to the database.
  public func migrationStatus() throws -> [MigrationStatus] {
    let migrator = migrator
    return try onAnyConnection { try migrator.status(on: $0) }
  }

  /// How migrations stand to a database file, which may be one that they do not fit. Nothing in it changes.
  public static func migrationStatus(
    at url: URL, migrations: [Migration], options: StoreOptions = StoreOptions()
  ) throws(RosterError) -> [MigrationStatus] {
    let migrator = try Migrator(migrations)
    let opening = StoreOpening(
      path: try StoreFile.path(of: url), options: options, records: [], migrator: migrator)
    let connection = try opening.openReadOnly()
    do throws(RosterError) { return try migrator.status(on: connection) } catch {
      throw error.adding(path: opening.path)
    }
  }

  /// Copies the database, as it is at one moment, to a new file, while others read and write.
  ///
  /// `progress` hears how many pages are left, and of how many, every 256 pages; it stops the copy by throwing.
  /// What is at `url` is a whole database or nothing. Its change log is one of its own: a cursor of this database, or a
  /// list, that comes to read the copy is told to read anew.
  /// - Throws: ``RosterError/Code/fileExists`` where something lies at `url`.
  /// - Complexity: O(*n*) in the size of the file.
  public func backup(to url: URL, progress: (_ left: Int, _ total: Int) throws -> Void = { _, _ in }) throws {
    let path = try StoreFile.path(of: url)
    try onAnyConnection { try $0.backUp(to: path, progress: progress) }
  }

  /// Writes a compact copy of the database, without free pages, to a new file. Its change log is one of its own, as that
  /// of a ``backup(to:progress:)``.
  ///
  /// - Throws: ``RosterError/Code/fileExists`` where something lies at `url`.
  /// - Complexity: O(*n*) in the size of the file.
  public func vacuum(into url: URL) throws {
    let path = try StoreFile.path(of: url)
    try StoreFile.requireNothing(at: path)
    try StoreFile.requireLength(path)
    let partial = StoreFile.temporary(beside: path)
    // SQLite writes into an empty file as it does into none, and leaves its permissions alone.
    try StoreFile.create(partial)
    do {
      try onAnyConnection { connection in
        // The pragma refuses writes to other files, too.
        if connection.isReadOnly { try connection.control("PRAGMA query_only = OFF") }
        defer { if connection.isReadOnly { try? connection.control("PRAGMA query_only = ON") } }
        try connection.control("VACUUM INTO ?", [SQLArgument(.text(partial))])
      }
      try ChangeLog(connection: Connection(path: partial, mode: .readWrite)).renew()
      try StoreFile.put(partial, at: path)
    } catch {
      StoreFile.remove(partial)
      throw error
    }
  }

  /// Rebuilds the file without free pages. Nobody else can write meanwhile.
  ///
  /// - Complexity: O(*n*) in the size of the file, of which up to twice as much is needed on the disk.
  public func vacuum() throws {
    try writing().run { connection in
      try file?.check()
      try connection.control("VACUUM")
    }
  }

  /// Looks for what is wrong in the file: damage, rows without the row they refer to, text that is not valid
  /// UTF-8 or has NUL characters, rows that are no value of their record's type, places in orders that are none, and indexes
  /// for search that are not those of the texts.
  ///
  /// - Returns: nothing where all is well.
  /// - Complexity: O(*n*) in the size of the file.
  public func check() throws -> [Problem] {
    let records = records
    return try onAnyConnection { connection in
      try connection.control("BEGIN")
      defer { try? connection.rollBack() }
      return try Check(connection: connection, records: records).run()
    }
  }

  /// Puts right what can be: rows without a place of their own in an order kept by hand get one, which leaves the order as
  /// it is, missing indexes are made, and an index for search with a fault is made anew. All in one transaction.
  ///
  /// - Returns: what was put right, as ``check()`` told it.
  /// - Throws: ``RosterError/Code/corrupt`` for a damaged file, which stays as it is.
  /// - Complexity: O(*n*) in the size of the file.
  @discardableResult
  public func repair() throws -> [Problem] {
    let records = records
    return try writing().run { connection in
      do {
        try connection.control("BEGIN IMMEDIATE")
        try file?.check()
        let check = Check(connection: connection, records: records)
        guard try check.damage().isEmpty else {
          throw RosterError(.corrupt, "The file is damaged, and was left as it is.")
        }
        let (orders, indexes) = (try check.orders(), try check.searches())
        for table in Set(orders.compactMap(\.table)) {
          for case let order? in records.map(OrderIndex.order(ofAny:)) where order.table == table {
            _ = try OrderIndex(connection: connection, order: order).rebuild()
          }
        }
        for declaration in searches where indexes.contains(where: { $0.table == declaration.table }) {
          try SearchIndex(declaration, on: connection).rebuild()
        }
        let isUnfinished = try index(on: connection)
        let left = Set(try check.orders() + check.searches())
        try connection.control("COMMIT")
        if isUnfinished { indexSoon() }
        return (orders + indexes).filter { !left.contains($0) }
      } catch {
        try? connection.rollBack()
        throw error
      }
    }
  }

  /// The SQLite library that the process runs with.
  public static var sqliteVersion: String { Library.version }

  /// A reader's connection, or the writer's where there is no other.
  private func onAnyConnection<T>(_ body: (Connection) throws -> T) throws -> T {
    func checked(_ connection: Connection) throws -> T {
      try file?.check()
      return try body(connection)
    }
    if let readers { return try readers.read(isNested: writer?.isMine ?? false, checked) }
    if let writer { return try writer.run(checked) }
    throw RosterError.closed
  }
}
