/// The SQL of the operations on one record, written once for each table.
///
/// Parameter n is the table's n-th column in all of them, so that one encoder serves them all. Where the order is kept by
/// hand, the inserts have one more for the position.
final class TableStatements: Sendable {
  let selection: String
  let fetch: String
  let exists: String
  let insert: String
  let insertAssigningKey: String
  let upsert: String
  let update: String
  let delete: String

  init(table: String, columns: [String], position: String? = nil) {
    let table = quoted(table)
    let names = columns.map(quoted)
    let key = names.first ?? ""
    let list = names.joined(separator: ", ")
    let parameters = columns.indices.map { "?\($0 + 1)" }
    let others = Array(zip(names, parameters).dropFirst())
    let inserted = (names + (position.map { [quoted($0)] } ?? [])).joined(separator: ", ")
    let values = parameters + (position == nil ? [] : ["?\(columns.count + 1)"])
    let assignments = others.map { "\($0) = \($1)" }.joined(separator: ", ")
    selection = names.map { "\(table).\($0)" }.joined(separator: ", ")
    fetch = "SELECT \(list) FROM \(table) WHERE \(key) = ?1"
    exists = "SELECT 1 FROM \(table) WHERE \(key) = ?1"
    insert = "INSERT INTO \(table) (\(inserted)) VALUES (\(values.joined(separator: ", ")))"
    // The key's parameter is used, so that the numbers stay, and its value is not.
    insertAssigningKey =
      "INSERT INTO \(table) (\(inserted)) VALUES ("
      + (["CASE WHEN 0 THEN ?1 END"] + values.dropFirst()).joined(separator: ", ") + ") RETURNING \(list)"
    upsert =
      insert + " ON CONFLICT (\(key)) DO "
      + (others.isEmpty
        ? "NOTHING" : "UPDATE SET " + others.map { "\($0.0) = excluded.\($0.0)" }.joined(separator: ", "))
    update =
      "UPDATE \(table) SET \(others.isEmpty ? "\(key) = ?1" : assignments) WHERE \(key) = ?1"
    delete = "DELETE FROM \(table) WHERE \(key) = ?1"
  }
}
