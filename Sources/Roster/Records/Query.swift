public import Foundation

/// Which records to fetch, and in what order. A value: each call makes a new query.
///
/// ```swift
/// let urgent = Query<Todo>().filter(#Predicate { !$0.isDone }).sorted(by: SortDescriptor(\.due)).limit(50)
/// ```
///
/// Without a sort the records come in the order of their integer keys, which is that of insertion; after
/// the given sorts, ties are broken the same way. nil sorts before everything. The order that is kept by hand is another
/// sort: ``inManualOrder(within:)``.
public struct Query<R: Record>: Sendable {
  enum Condition: Sendable {
    case predicate(Predicate<R>)
    case sql(SQL)
    /// The rows of one list of a table whose order is kept by hand.
    case list(@Sendable (TableColumn) -> SQLArgument?)
  }

  enum Sort: Sendable {
    case descriptors([SortDescriptor<R>])
    case manual
  }

  private(set) var conditions: [Condition] = []
  private(set) var sort = Sort.descriptors([])
  private(set) var limit: Int?
  private(set) var offset: Int?
  private(set) var start: R?

  /// All records.
  public init() {}

  /// Only records for which the predicate is true. Several filters are all to be true.
  ///
  /// The predicate is translated to SQL when the query runs; what has no translation is an error then, never
  /// a scan in memory. Text is compared by its Unicode scalars, in predicates and sorts alike: é as one
  /// scalar and é as two are different texts.
  ///
  /// A case of an enum cannot be written in a predicate: capture it in a constant. A number that comes out as NaN, such as
  /// the difference of two infinities, makes a comparison neither true nor false here, as NULL does.
  ///
  /// The time to compile a predicate explodes with the number of its clauses: use at most four in one, with
  /// captured constants instead of literals, and call `filter` again for more.
  public func filter(_ predicate: Predicate<R>) -> Query {
    var query = self
    query.conditions.append(.predicate(predicate))
    return query
  }

  /// Only records for which an SQL expression over the table's columns is true.
  public func filter(sql condition: SQL) -> Query {
    var query = self
    query.conditions.append(.sql(condition))
    return query
  }

  /// In the order of the descriptors, the first one first. Replaces an earlier sort.
  public func sorted(by descriptors: SortDescriptor<R>...) -> Query { sorted(by: descriptors) }

  /// In the order of the descriptors, the first one first. Replaces an earlier sort.
  public func sorted(by descriptors: [SortDescriptor<R>]) -> Query {
    var query = self
    query.sort = .descriptors(descriptors)
    return query
  }

  /// In the order that is kept by hand. Replaces an earlier sort.
  ///
  /// Where the table keeps an order within a property, the records come by its values, and within each in their order.
  public func inManualOrder() -> Query {
    var query = self
    query.sort = .manual
    return query
  }

  /// Only the records of one list, in the order that is kept by hand. Replaces an earlier sort.
  ///
  /// `scope` is a value of the property that the table's order is kept within.
  public func inManualOrder<Scope: ColumnValue>(within scope: Scope) -> Query {
    var query = inManualOrder()
    query.conditions.append(.list { $0.argument(scope) })
    return query
  }

  /// At most so many records.
  public func limit(_ count: Int) -> Query {
    var query = self
    query.limit = count
    return query
  }

  /// Without the first records. Passing over them costs a step each: page with ``after(_:)`` where it can be far.
  public func offset(_ count: Int) -> Query {
    var query = self
    query.offset = count
    return query
  }

  /// Only records that come after one already fetched, in the query's order.
  ///
  /// Finding the place costs a look-up, however deep it is, where an index serves the sort. The record's sorted
  /// properties tell the place. Where it has since been deleted and no sort is given, or others tie
  /// with it, its place is unknown: that is the error ``RosterError/Code/noSuchRecord``.
  public func after(_ record: R) -> Query {
    var query = self
    query.start = record
    return query
  }
}
