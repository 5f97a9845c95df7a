import Foundation
import Roster

/// What is measured of search: a title of mixed scripts, and whether it is done.
struct BenchText: Record, Equatable {
  let id: Int64
  var title: String
  var isDone: Bool

  static let table = Table(
    "text", BenchText.init, Column("id", \.id), Column("title", \.title), Column("is_done", \.isDone),
    search: .substring(\.title))
}

/// The same table without a declared search: with none, or with an index that triggers keep, as it is done by hand.
struct BenchPlainText: Record {
  let id: Int64
  var title: String
  var isDone: Bool

  static let table = Table(
    "text", BenchPlainText.init, Column("id", \.id), Column("title", \.title), Column("is_done", \.isDone))

  /// After the documentation of FTS5. https://www.sqlite.org/fts5.html#external_content_tables
  static let byHand = [
    "CREATE VIRTUAL TABLE by_hand USING fts5(title, content = 'text', content_rowid = 'id', tokenize = 'trigram')",
    """
    CREATE TRIGGER by_hand_insert AFTER INSERT ON text BEGIN
      INSERT INTO by_hand (rowid, title) VALUES (new.id, new.title);
    END
    """,
    """
    CREATE TRIGGER by_hand_delete AFTER DELETE ON text BEGIN
      INSERT INTO by_hand (by_hand, rowid, title) VALUES ('delete', old.id, old.title);
    END
    """,
    """
    CREATE TRIGGER by_hand_update AFTER UPDATE ON text BEGIN
      INSERT INTO by_hand (by_hand, rowid, title) VALUES ('delete', old.id, old.title);
      INSERT INTO by_hand (rowid, title) VALUES (new.id, new.title);
    END
    """,
  ]
}
