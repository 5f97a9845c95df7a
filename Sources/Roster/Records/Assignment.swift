/// A property and the value it is to have, for updating many records at once.
public struct Assignment<R: Record>: Sendable {
  let keyPath: any AnyKeyPath & Sendable
  let value: @Sendable (TableColumn) -> SQLArgument?

  /// Sets a property to a value.
  public static func set<Value: Sendable>(
    _ keyPath: any WritableKeyPath<R, Value> & Sendable, to value: Value
  ) -> Assignment {
    Assignment(keyPath: keyPath) { $0.argument(value) }
  }

  /// The column and the argument.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate`` where the property is no column.
  func resolved() throws(RosterError) -> (column: String, argument: SQLArgument) {
    guard let column = R.table.column(keyPath), let argument = value(column) else {
      throw RosterError(
        .cannotTranslate, "\(keyPath) is no column of the table and cannot be set.", table: R.table.name)
    }
    return (column.name, argument)
  }
}
