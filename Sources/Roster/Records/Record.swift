/// A plain value that is stored as a row of a table.
///
/// ```swift
/// struct Note: Record {
///   let id: UUID
///   var text: String
///
///   static let table = Table("note", Note.init, Column("id", \.id), Column("text", \.text))
/// }
/// ```
public protocol Record: Identifiable, Sendable where ID: ColumnValue {
  /// The table and the columns, declared once as a `static let`.
  static var table: Table<Self> { get }
}
