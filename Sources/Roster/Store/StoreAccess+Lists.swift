extension StoreAccess {
  /// The index of a record in its list, from 0, in the order that is kept by hand; nil where there is no such record.
  ///
  /// - Complexity: one walk along an index of the database over the rows before it, without loading them: measured, some
  ///   40 ns for each.
  public func index<R: Record>(of id: R.ID, in type: R.Type) throws -> Int? { try open().index(of: id, type) }

  /// The record at an index of a query, from 0; nil where the query has fewer records.
  ///
  /// - Complexity: one walk along an index of the database over the rows before it, where the query is a whole list in
  ///   the order kept by hand; without loading them: measured, some 20 ns for each.
  public func fetch<R: Record>(_ query: Query<R>, at index: Int) throws -> R? {
    let (offset, isBeyond) = (query.offset ?? 0).addingReportingOverflow(index)
    guard index >= 0, !isBeyond, query.limit.map({ index < $0 }) ?? true else { return nil }
    return try first(query.offset(offset).limit(1))
  }

  /// Which records a query shows, and in what order: for telling later whether offsets into it still are right.
  ///
  /// - Complexity: O(*n*) in the records of the query, of which only the ids are read.
  public func version<R: Record>(of query: Query<R>) throws -> ListVersion { try open().version(of: query) }
}
