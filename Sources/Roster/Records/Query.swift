public import Foundation

/// Which records to fetch, and in what order. A value: each call makes a new query.
///
/// ```swift
/// let urgent = Query<Todo>().filter(#Predicate { !$0.isDone }).sorted(by: SortDescriptor(\.due)).limit(50)
/// ```
///
/// Without a sort the records come in the order of their integer keys, which is that of insertion; after
/// the given sorts, ties are broken the same way. nil sorts before everything.
public struct Query<R: Record>: Sendable {
  enum Condition: Sendable {
    case predicate(Predicate<R>)
    case sql(SQL)
  }

  private(set) var conditions: [Condition] = []
  private(set) var sorts: [SortDescriptor<R>] = []
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
    query.sorts = descriptors
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
