/// That the rows of a table are kept in an order by hand, and which column keeps it.
///
/// ```swift
/// static let table = Table(
///   "todo", Todo.init, Column("id", \.id), Column("list_id", \.listID), Column("title", \.title),
///   order: .manual("position", within: \.listID))
/// ```
///
/// The column is an `INTEGER` that no property stores: a record never sees its place. It may be NULL, and rows that another
/// program adds without a place come last in their list, in the order of their integer keys. What is in it are any integers,
/// negative ones too: no CHECK or UNIQUE constraint goes with it. An index on it is made when a store opens, with a
/// name that begins with `roster_order_`.
public struct ListOrder<R: Record>: Sendable {
  @usableFromInline let column: String
  let scope: (any AnyKeyPath & Sendable)?

  /// All rows of the table are one list.
  public static func manual(_ column: String) -> ListOrder { ListOrder(column: column, scope: nil) }

  /// The rows with the same value of a property are a list, each list with its own order.
  public static func manual<Scope: ColumnValue>(
    _ column: String, within scope: any KeyPath<R, Scope> & Sendable
  ) -> ListOrder {
    ListOrder(column: column, scope: scope)
  }
}

/// The order of a table's rows, the type of the record erased.
final class ManualOrder: Sendable {
  let table: String
  /// The column of the labels.
  let column: String
  /// The column that tells the list of a row; nil where the table is one list.
  let scope: TableColumn?
  let statements: ListStatements

  init<R: Record>(_ order: ListOrder<R>, table: String, _ columns: [TableColumn]) {
    self.table = table
    column = order.column
    scope = order.scope.flatMap { scope in columns.first { $0.keyPath == scope } }
    statements = ListStatements(
      table: table, key: columns.first?.name ?? "", position: order.column, scope: scope?.name)
  }

  /// The column that tells the list of a row, and the argument that `argument` makes of a list's value for it.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate`` where the table is one list, or the value is of another type.
  func list(
    _ argument: (TableColumn) -> SQLArgument?
  ) throws(RosterError) -> (scope: TableColumn, argument: SQLArgument) {
    guard let scope else {
      throw RosterError(
        .cannotTranslate, "The table keeps one order over all of its rows, and not one within a property.",
        table: table)
    }
    guard let argument = argument(scope) else {
      throw RosterError(
        .cannotTranslate, "The order is kept within column \(scope.name), which stores a \(scope.valueType).",
        table: table, columns: [scope.name])
    }
    return (scope, argument)
  }

  /// What is wrong with a declaration.
  static func faults<R: Record>(_ order: ListOrder<R>, _ columns: [TableColumn]) -> [String] {
    var faults: [String] = []
    if order.column.isEmpty { faults.append("the column of the order has no name") }
    if columns.contains(where: { $0.name.lowercased() == order.column.lowercased() }) {
      faults.append("column \(order.column) keeps the order, and no property can store it")
    }
    if let scope = order.scope, !columns.contains(where: { $0.keyPath == scope }) {
      faults.append("the order is kept within \(scope), which is no column of the table")
    }
    if let scope = order.scope, columns.first?.keyPath == scope {
      faults.append("the order is kept within the id, so that every row is a list by itself")
    }
    return faults
  }
}
