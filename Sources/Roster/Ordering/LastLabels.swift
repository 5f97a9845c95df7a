/// The last labels of the lists that rows were appended to, so that a row after another needs no look at the list.
///
/// It is good within one transaction, in which no other connection can write, as long as this one writes nothing else, as
/// the count of its changes tells, and nothing is undone: then the connection forgets it.
final class LastLabels {
  private struct List: Hashable {
    let order: ObjectIdentifier
    let scope: SQLiteValue
  }

  private var changes = 0
  private var labels: [List: Int64] = [:]
  // A loop of appends asks for one list.
  private var recent: (list: List, label: Int64)?

  /// What is remembered in the connection's present transaction.
  static func of(_ connection: Connection) -> LastLabels {
    if let known = connection.memory as? LastLabels { return known }
    let new = LastLabels()
    connection.memory = new
    return new
  }

  /// The last label of a list, where it is known and the connection has made just so many changes.
  func label(_ order: ManualOrder, _ scope: SQLiteValue, changes: Int) -> Int64? {
    guard changes == self.changes else { return nil }
    let list = List(order: ObjectIdentifier(order), scope: scope)
    if let recent, recent.list == list { return recent.label }
    return labels[list]
  }

  /// Remembers the label of a row that was just appended, where it was all that was written between two counts of changes.
  func set(_ label: Int64, _ order: ManualOrder, _ scope: SQLiteValue, changes: Int, since before: Int, perInsert: Int)
  {
    if self.changes != before {
      labels = [:]
      recent = nil
    }
    self.changes = changes
    // A trigger may have put rows after it.
    guard changes == before + perInsert else {
      labels = [:]
      recent = nil
      self.changes = -1
      return
    }
    let list = List(order: ObjectIdentifier(order), scope: scope)
    if let recent, recent.list != list { labels[recent.list] = recent.label }
    labels[list] = nil
    recent = (list, label)
  }
}
