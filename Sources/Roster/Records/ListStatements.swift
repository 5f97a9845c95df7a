/// The SQL of the operations on lists whose order is kept by hand, written once for each table.
///
/// Where the rows of a table are several lists, the first parameter of those that look at one list is the value that tells
/// it. All of them walk along the index on that column and the position, which ends with the integer key.
final class ListStatements: Sendable {
  /// Integer key, position and list of the row of a record, or of the row with an integer key.
  let placeOfRecord: String
  let placeOfRow: String
  /// Integer key and position of the rows before a row, the nearest first; after a row; and from the end.
  let down: String
  let up: String
  let downFromEnd: String
  /// Of the row at an index from 0.
  let rowAt: String
  /// Of all rows, without the terms they are to be sorted by, and in their order.
  let all: String
  let order: String
  let count: String
  /// In a range of positions.
  let countInRange: String
  let rowsInRange: String
  /// Whether there are rows without a position, the first position, and the last.
  let ends: String
  /// The integer keys of the rows without a position.
  let missing: String
  /// How many rows come before a position and integer key, and before the integer key of a row without a position.
  let countBefore: String
  let countBeforeMissing: String
  /// Gives a row a position, or a list and a position.
  let write: String
  let adopt: String

  init(table: String, key: String, position: String, scope: String?) {
    let (table, key, position, scope) = (quoted(table), quoted(key), quoted(position), scope.map(quoted))
    let listed = "FROM \(table) WHERE \(scope.map { "\($0) IS ?" } ?? "1")"
    let listedRows = "SELECT rowid, \(position) \(listed)"
    let (rising, falling) = ("\(position), rowid", "\(position) DESC, rowid DESC")
    let place = "SELECT rowid, \(position), \(scope ?? "NULL") FROM \(table)"
    placeOfRecord = "\(place) WHERE \(key) = ?"
    placeOfRow = "\(place) WHERE rowid = ?"
    down = "\(listedRows) AND \(position) <= ? AND (\(position) < ? OR rowid < ?) ORDER BY \(falling)"
    up = "\(listedRows) AND \(position) >= ? AND (\(position) > ? OR rowid > ?) ORDER BY \(rising)"
    downFromEnd = "\(listedRows) AND \(position) IS NOT NULL ORDER BY \(falling)"
    order = "\(position) NULLS LAST, rowid"
    rowAt = "\(listedRows) ORDER BY \(order) LIMIT 1 OFFSET ?"
    all = "\(listedRows) ORDER BY "
    count = "SELECT count(*) \(listed)"
    countInRange = "\(count) AND \(position) BETWEEN ? AND ?"
    rowsInRange = "\(listedRows) AND \(position) BETWEEN ? AND ? ORDER BY \(rising)"
    ends = """
      SELECT EXISTS (SELECT 1 \(listed) AND \(position) IS NULL),
        (SELECT \(position) \(listed) AND \(position) IS NOT NULL ORDER BY \(position) LIMIT 1),
        (SELECT \(position) \(listed) AND \(position) IS NOT NULL ORDER BY \(position) DESC LIMIT 1)
      """
    missing = "SELECT rowid \(listed) AND \(position) IS NULL ORDER BY rowid"
    // Two counts, since one that has to compare two columns of each row takes twice as long.
    let tie = "(\(count) AND \(position) IS ? AND rowid < ?)"
    countBefore = "SELECT (\(count) AND \(position) < ?) + \(tie)"
    countBeforeMissing = "SELECT (\(count) AND \(position) IS NOT NULL) + \(tie)"
    write = "UPDATE \(table) SET \(position) = ? WHERE rowid = ?"
    adopt = scope.map { "UPDATE \(table) SET \($0) = ?, \(position) = ? WHERE rowid = ?" } ?? write
  }
}
