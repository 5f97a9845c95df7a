import Foundation
import Roster
import TodoModel

/// What lies where the database is looked for. Finding out changes nothing in it.
///
/// A store makes its tables in any database that it can open, and another program's must not get them.
/// So every command asks this first.
enum DatabaseFile: Equatable {
  case absent
  /// An empty file, or a database without tables.
  case empty
  case todos
  /// Another program's database, with the names of some of its tables.
  case foreign(tables: [String])

  /// Whether a database would have to be made.
  var isMissing: Bool { self == .absent || self == .empty }

  init(at location: DatabaseLocation) throws {
    do {
      // Against no migrations at all, every one that was applied is listed under its own name.
      var applied = try Store.migrationStatus(at: location.url, migrations: [])
      let tables = applied.isEmpty ? try Self.tables(of: location.url) : []
      // Another process may have made the database between the two looks.
      if !tables.isEmpty { applied = try Store.migrationStatus(at: location.url, migrations: []) }
      if Self.areTodos(applied) {
        self = .todos
      } else if applied.isEmpty, tables.isEmpty {
        self = .empty
      } else {
        self = .foreign(tables: tables)
      }
    } catch RosterError.Code.noSuchFile {
      self = .absent
    } catch RosterError.Code.notADatabase where Self.isEmpty(location.url) {
      self = .empty
    }
  }

  /// The same by a look that leaves no trace, not even a file beside the database.
  init(withoutTraceAt location: DatabaseLocation) throws {
    do {
      let database = try RawDatabase(at: location.url, busyTimeout: .seconds(30))
      self = try database.snapshot {
        let applied = try database.rosterParts().migrations
        if Self.areTodos(applied) { return .todos }
        let tables = try database.tables().map(\.name).filter {
          !$0.hasPrefix("sqlite_") && !$0.hasPrefix("_litestream_")
        }
        return applied.isEmpty && tables.isEmpty ? .empty : .foreign(tables: Array(tables.prefix(4)))
      }
    } catch RosterError.Code.noSuchFile {
      self = .absent
    } catch RosterError.Code.notADatabase where Self.isEmpty(location.url) {
      self = .empty
    }
  }

  private static func areTodos(_ applied: [MigrationStatus]) -> Bool {
    guard let first = TodoModel.migrations.first else { return false }
    return applied.contains { $0.number == first.number && $0.name == first.name }
  }

  /// Replication tools keep tables of their own in a database, even in an empty one.
  private static func tables(of url: URL) throws -> [String] {
    var options = StoreOptions()
    options.access = .readOnly
    return try Store(at: url, options: options).read { snapshot in
      try snapshot.fetch(
        """
        SELECT name FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_litestream\\_%' ESCAPE '\\'
        ORDER BY type <> 'table', name LIMIT 4
        """, as: String.self)
    }
  }

  private static func isEmpty(_ url: URL) -> Bool {
    let path = url.resolvingSymlinksInPath().path
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return size?.int64Value == 0
  }
}
