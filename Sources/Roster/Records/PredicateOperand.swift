import Foundation

/// What a node of a predicate stands for.
indirect enum PredicateOperand {
  /// The record itself.
  case record
  /// A property of the record that no column stores by itself; a part of it may have a column.
  case property(AnyKeyPath)
  case range(PredicateRange)
  case value(PredicateValue)

  static func sql(_ term: PredicateTerm) -> PredicateOperand { .value(.sql(term)) }
}

/// A value: known already, or computed by SQLite.
enum PredicateValue {
  /// Of no more than one level of optionality.
  case constant(Any?)
  case sql(PredicateTerm)

  /// A constant whose optionals, however deep, are flattened.
  static func constant(flattening value: Any) -> PredicateValue { .constant(flattened(value)) }

  var isNil: Bool {
    if case .constant(nil) = self { true } else { false }
  }

  /// Whether it is a constant that is not a number, which is equal to nothing and below nothing.
  var isNaN: Bool {
    if case .constant(let value as Double) = self { value.isNaN } else { false }
  }

  /// Whether Swift's evaluation may end with an error where the value has to be present.
  var canFail: Bool {
    if case .sql(let term) = self { term.canFail } else { false }
  }
}

/// A value as an expression of SQL. NULL is nil, or stands for an evaluation that Swift ends with an error.
struct PredicateTerm {
  var sql: SQL
  /// The column whose conversion the value is stored by; nil where it has its type's own form.
  var conversion: PredicateColumn?
  /// The property of the record that it is, where it is one.
  var property: AnyKeyPath?
  /// Whether it is the column of a Bool, in which another program may have put any integer.
  var isStoredBool = false
  /// Whether NULL can stand for a failed evaluation.
  var canFail: Bool
  /// The condition that the value is not nil, where a failed evaluation has to be told from nil.
  var presence: SQL?

  init(_ sql: SQL, conversion: PredicateColumn? = nil, canFail: Bool = false, presence: SQL? = nil) {
    self.sql = sql
    self.conversion = conversion
    self.canFail = canFail
    self.presence = presence
  }

  init(column: PredicateColumn) {
    sql = column.sql
    conversion = column.traits.isConverted ? column : nil
    property = column.keyPath
    isStoredBool = conversion == nil && (column.valueType == Bool.self || column.valueType == Bool?.self)
    canFail = false
  }

  var isPresent: SQL { presence ?? "(\(sql) IS NOT NULL)" }

  /// A Bool as 0 or 1, so that two of them can be compared.
  var normalized: SQL { isStoredBool ? "(\(sql) <> 0)" : sql }
}

/// A table as the translation sees it, with the record's type erased.
struct PredicateTable {
  let name: String
  private let columns: [PredicateColumn]

  init<R: Record>(_ table: Table<R>) {
    name = table.name
    columns = table.columns.map { PredicateColumn($0, table: table.name) }
  }

  func column(_ keyPath: AnyKeyPath) -> PredicateColumn? { columns.first { $0.keyPath == keyPath } }
}

/// A column as the translation sees it. A class, so that the terms that name it stay small on the stack.
final class PredicateColumn {
  let name: String
  let sql: SQL
  let keyPath: AnyKeyPath
  let valueType: any Any.Type
  let traits: ColumnTraits
  /// Whether NULL stands for nil and nothing else, as all tests of NULL take it to.
  let hasNullForNil: Bool
  let argument: (Any) -> SQLArgument?

  init<R: Record>(_ column: TableColumn<R>, table: String) {
    name = column.name
    sql = SQL(text: "\(quoted(table)).\(quoted(column.name))")
    keyPath = column.keyPath
    valueType = column.valueType
    traits = column.traits
    argument = { column.argument($0) }
    guard let type = column.valueType as? any PredicateOptional.Type else {
      hasNullForNil = !column.traits.isOptional
      return
    }
    hasNullForNil = (try? column.argument(type.absent)?.value()) == .null
  }
}

/// An optional value of unknown type.
protocol PredicateOptional {
  /// nil, of this type.
  static var absent: Self { get }
  var flattened: Any? { get }
}

extension Optional: PredicateOptional {
  static var absent: Wrapped? { nil }

  var flattened: Any? {
    guard let self else { return nil }
    return Roster.flattened(self)
  }
}

/// A value without its levels of optionality.
func flattened(_ value: Any) -> Any? {
  guard let optional = value as? any PredicateOptional else { return value }
  return optional.flattened
}

/// Whether nil is among a type's values.
func isOptional<T>(_ type: T.Type) -> Bool { type is any PredicateOptional.Type }
