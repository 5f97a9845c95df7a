public import Foundation
import MigrationFiles

/// One step of a schema: a file `NNNN_name.sql`, embedded or loaded.
public struct Migration: Sendable, Hashable {
  /// Its place in the order: 1 or more.
  public let number: Int
  /// What the file is called between the number and `.sql`.
  public let name: String
  /// The text as it is run.
  public let sql: String

  /// A migration of known parts. The ``Store`` checks the set of them when it opens.
  public init(number: Int, name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  /// The name of its file.
  public var fileName: String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + name + ".sql"
  }

  /// Tells an edited text from an untouched one: FNV-1a in 64 bits, without regard to a byte-order mark and
  /// to the kind of line endings. It detects accidents, not adversaries.
  public var checksum: String { MigrationFile.checksum(of: sql) }

  /// The migrations of a folder, by number.
  ///
  /// - Throws: ``RosterError/Code/migrationInvalid``, which lists every file that is none.
  public static func load(from folder: URL) throws(RosterError) -> [Migration] {
    do {
      return try MigrationFile.load(folder: folder).map {
        Migration(number: $0.number, name: $0.name, sql: $0.text)
      }
    } catch {
      throw RosterError(.migrationInvalid, "\(error)", path: folder.path, cause: error)
    }
  }
}

/// A migration as one database has it.
public struct MigrationStatus: Sendable, Hashable {
  /// How a migration stands to a database.
  public enum State: String, Sendable {
    /// It was applied, and its text is the same.
    case applied
    /// It is yet to be applied.
    case pending
    /// It was applied, and its text has changed since.
    case edited
    /// It was applied, and is no longer among the migrations given.
    case missing
    /// It was applied by a newer version of the app: its number is above all that were given.
    case fromNewerVersion
    /// It was never applied, and its number is below that of one that was.
    case outOfOrder
  }

  /// The migration's number.
  public let number: Int
  /// The migration's name.
  public let name: String
  /// How it stands.
  public let state: State
  /// When it was applied.
  public let appliedAt: Date?

  /// The name of its file.
  public var fileName: String { Migration(number: number, name: name, sql: "").fileName }
}
