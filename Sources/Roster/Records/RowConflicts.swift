/// The rows that a row to be written conflicts with, which a REPLACE deletes. Triggers see that only where
/// `recursive_triggers` is on, as it is not in a stock `sqlite3`; so those of the engine look for the rows before.
struct RowConflicts {
  let table: String
  private let keys: [[KeyColumn]]

  /// A column of a UNIQUE index, with the collation by which its values are the same.
  private struct KeyColumn {
    let name: String
    let collation: String
    /// What a REPLACE writes for a NULL, after the triggers that come before it; nil for a NULL.
    let replacement: String?

    /// The value that the row will have.
    var new: String {
      replacement.map { "coalesce(NEW.\(quoted(name)), (\($0)))" } ?? "NEW.\(quoted(name))"
    }
  }

  /// By the UNIQUE indexes that the table has, but for those on expressions, and of some rows alone.
  init(_ table: String, on connection: Connection) throws(RosterError) {
    self.table = table
    let rows = try connection.rows(
      """
      SELECT i.name, c.name, c.coll, iif(t."notnull", t.dflt_value, NULL)
      FROM pragma_index_list(?1) AS i, pragma_index_xinfo(i.name) AS c
        LEFT JOIN pragma_table_xinfo(?1) AS t ON t.cid = c.cid
      WHERE i."unique" AND c.key AND NOT i.partial ORDER BY i.name, c.seqno
      """, [SQLArgument(.text(table))])
    var keys: [(index: SQLiteValue, columns: [KeyColumn?])] = []
    for row in rows where row.count == 4 {
      var column: KeyColumn?
      var replacement: String?
      if case .text(let sql) = row[3] { replacement = sql }
      if case .text(let name) = row[1], case .text(let collation) = row[2],
        ["BINARY", "NOCASE", "RTRIM"].contains(collation.uppercased())
      {
        column = KeyColumn(name: name, collation: collation, replacement: replacement)
      }
      if keys.last?.index == row[0] {
        keys[keys.count - 1].columns.append(column)
      } else {
        keys.append((row[0], [column]))
      }
    }
    self.keys = keys.compactMap { key in
      let columns = key.columns.compactMap(\.self)
      return columns.count == key.columns.count ? columns : nil
    }
  }

  /// Whether rows can be replaced without a word: those that a UNIQUE index on an expression, of some rows alone, or by a
  /// collation of a program's own has for the same, where `recursive_triggers` is off.
  static func areOpaque(in table: String, on connection: Connection) throws(RosterError) -> Bool {
    try connection.value(
      """
      SELECT count(*) > 0 FROM pragma_index_list(?) AS i
      WHERE i."unique" AND (i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) AS c
        WHERE c.key AND (c.cid = -2 OR upper(c.coll) NOT IN ('BINARY', 'NOCASE', 'RTRIM'))))
      """, [SQLArgument(.text(table))]) == .integer(1)
  }

  /// What selects the rows that conflict with `NEW`, for a trigger on the table: a statement for each key.
  func selects(_ selection: String, where condition: String) -> [String] {
    // By the index's collation: with another one it would not be used, and each insert be a scan.
    let keys = keys.map {
      $0.map { "\(quoted($0.name)) = \($0.new) COLLATE \(quoted($0.collation))" }
    }
    return ([["rowid = NEW.rowid"]] + keys).map { isSame in
      "SELECT \(selection) FROM \(quoted(table)) WHERE \(isSame.joined(separator: " AND ")) AND \(condition)"
    }
  }

  /// The condition of a trigger before an insert: that there are such rows.
  var onInsert: String { selects("1", where: "1").map { "EXISTS (\($0))" }.joined(separator: " OR ") }

  /// The condition of a trigger before an update: that a key is to be another.
  var onUpdate: String {
    let columns = keys.flatMap { $0.map(\.name) }
    return "OLD.rowid IS NOT NEW.rowid" + (columns.isEmpty ? "" : " OR \(RowConflicts.differ(columns))")
  }

  /// Of an update, its own row is no such row.
  static let others = "rowid IS NOT OLD.rowid"

  /// That columns have changed. Their collations would take texts for the same that are not.
  static func differ(_ columns: [String]) -> String {
    columns.map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0)) COLLATE BINARY" }.joined(separator: " OR ")
  }
}
