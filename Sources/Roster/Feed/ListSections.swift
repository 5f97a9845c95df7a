public import Foundation

/// How a list is divided into sections: by which value of a record, and in what order the sections come.
///
/// ```swift
/// .by(\.isDone)                                             // false, then true
/// .by(\.priority, ranked: [.high, .medium, .low])            // by rank, not by spelling
/// .by(\.departmentID, of: Query<Department>().inManualOrder())   // a section for each department
/// ```
public struct ListSections<R: Record, Key: Hashable & Sendable, Header: Sendable>: Sendable {
  let key: @Sendable (R) -> Key
  /// Whether a header is another one than before.
  let isChanged: @Sendable (_ old: Header, _ new: Header) -> Bool
  let headers: @Sendable (Connection) throws -> any SectionHeaders<Key, Header>
}

extension ListSections where Key: ColumnValue, Header == Key {
  /// A section for each value of a property, in the order in which SQLite sorts the values: nil first, false before true, text
  /// by its bytes.
  public static func by(_ property: any KeyPath<R, Key> & Sendable, order: SortOrder = .forward) -> ListSections {
    ListSections(key: { $0[keyPath: property] }, isChanged: { _, _ in false }) { _ in
      ValueHeaders<Key>(ranked: [], isDescending: order == .reverse, keepsEmpty: false)
    }
  }

  /// A section for each value of a property, in the order of the values given; others come behind, in SQLite's order.
  ///
  /// - Parameter keepsEmpty: whether a section of the values given is there when it has no rows.
  public static func by(
    _ property: any KeyPath<R, Key> & Sendable, ranked values: [Key], keepsEmpty: Bool = false
  ) -> ListSections {
    ListSections(key: { $0[keyPath: property] }, isChanged: { _, _ in false }) { _ in
      ValueHeaders<Key>(ranked: values, isDescending: false, keepsEmpty: keepsEmpty)
    }
  }
}

extension ListSections where Header: Record, Key == Header.ID {
  /// A section for each record of a query, which a property refers to by its id, in the query's order.
  ///
  /// A record that refers to none of them is in no section. A section's header changes when its record does.
  /// - Parameter keepsEmpty: whether the section of a record is there when it has no rows.
  public static func by(
    _ property: any KeyPath<R, Key> & Sendable, of parents: Query<Header>, keepsEmpty: Bool = false
  ) -> ListSections {
    ListSections(key: { $0[keyPath: property] }, isChanged: { $0.isStored(otherwiseThan: $1) }) { connection in
      RelatedHeaders(try ListState(try ListReader(parents), on: connection), keepsEmpty: keepsEmpty)
    }
  }
}

extension ListSections {
  /// A section for each record of a query, which a property may refer to by its id, in the query's order.
  ///
  /// Records that refer to nil are in a section of their own, the last one; one that refers to a record that the query
  /// does not have is in no section.
  /// - Parameter keepsEmpty: whether the section of a record is there when it has no rows.
  public static func by<Parent: Record>(
    _ property: any KeyPath<R, Key> & Sendable, of parents: Query<Parent>, keepsEmpty: Bool = false
  ) -> ListSections where Key == Parent.ID?, Header == Parent? {
    ListSections(
      key: { $0[keyPath: property] },
      isChanged: { old, new in
        guard let old, let new else { return (old == nil) != (new == nil) }
        return old.isStored(otherwiseThan: new)
      }
    ) { connection in
      OptionalHeaders(
        base: RelatedHeaders(try ListState(try ListReader(parents), on: connection), keepsEmpty: keepsEmpty))
    }
  }
}
