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
    case search(SearchRequest)

    var isSearch: Bool { if case .search = self { true } else { false } }
  }

  enum Sort: Sendable {
    case descriptors([SortDescriptor<R>])
    case manual
    /// The latest first, by the integer key.
    case latest
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

  /// Only records whose searched texts have what a user has typed: all of its words, anywhere, in any order.
  ///
  /// ```swift
  /// let hits = try store.read { try $0.fetch(Query<Todo>().matching("布局").limit(20)) }
  /// ```
  ///
  /// What is typed is text, never syntax, and a blank one means all records. How a word is found, the declaration of the
  /// table says: see ``TextSearch``.
  ///
  /// Without a sort the best come first: by how rare the words are and how much of the texts they make up (bm25), with
  /// the weights of the declaration, then the latest. Where a thousand or more records are found, which would have to be
  /// looked at one by one, the latest come first instead. A live list of all that is found has the latest first; one with a
  /// limit is as it is fetched.
  /// - Parameter phrases: whether what stands between two quotation marks is one word, spaces and all. Quotation
  ///   marks are text as everything else unless this is true.
  /// - Complexity: by the records found; not by those of the table, but for one and two characters that are in many.
  public func matching(_ text: String, phrases: Bool = false) -> Query {
    var query = self
    let request = SearchRequest(text: text, phrases: phrases)
    if !request.isBlank { query.conditions.append(.search(request)) }
    return query
  }

  /// What is looked for.
  var searches: [SearchRequest] {
    conditions.compactMap { if case .search(let request) = $0 { request } else { nil } }
  }

  var hasSQLCondition: Bool { conditions.contains { if case .sql = $0 { true } else { false } } }

  // Not by a key path: in generic code one is made anew for each call, which took a twentieth of a transaction.
  var isSearch: Bool { conditions.contains { $0.isSearch } }

  /// Whether no order was asked for.
  var isUnsorted: Bool { if case .descriptors(let sorts) = sort { sorts.isEmpty } else { false } }

  /// The latest first where something is looked for and no order was asked for.
  var orderedIfSearch: Query {
    guard isSearch, isUnsorted else { return self }
    var query = self
    query.sort = .latest
    return query
  }

  mutating func startsAfterNothing() { start = nil }

  /// Without a limit, an offset and a start.
  var unlimited: Query {
    var query = self
    (query.limit, query.offset, query.start) = (nil, nil, nil)
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
