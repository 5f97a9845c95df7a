/// A piece of SQL with its arguments. What is interpolated is bound, never written into the text.
///
/// ```swift
/// let rows = try store.read {
///   try $0.fetch("SELECT list_id, count(*) FROM \(Todo.self) WHERE due < \(now) GROUP BY 1", as: (UUID, Int).self)
/// }
/// ```
public struct SQL: Sendable {
  /// The text, with a `?` for each argument.
  public private(set) var text: String
  /// The arguments, in the order of the question marks.
  public private(set) var arguments: [SQLArgument]

  init(text: String, arguments: [SQLArgument] = []) {
    self.text = text
    self.arguments = arguments
  }

  mutating func append(_ text: String) { self.text += text }

  mutating func append(_ argument: SQLArgument) {
    text += "?"
    arguments.append(argument)
  }

  mutating func append(_ other: SQL) {
    text += other.text
    arguments += other.arguments
  }

  static func + (left: SQL, right: SQL) -> SQL {
    SQL(text: left.text + right.text, arguments: left.arguments + right.arguments)
  }
}

extension SQL: ExpressibleByStringInterpolation {
  /// SQL without arguments.
  public init(stringLiteral value: String) { self.init(text: value) }

  /// SQL with the arguments that were interpolated.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  /// Collects the text and the arguments of an interpolated literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    var sql = SQL(text: "")

    /// Room for a literal's text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// A part of the text as it stands in the source.
    public mutating func appendLiteral(_ literal: String) { sql.append(literal) }

    /// A value, bound as an argument.
    public mutating func appendInterpolation<V: ColumnValue>(_ value: V) {
      sql.append(SQLArgument { (parameter) throws(RosterError) in try value.encode(to: parameter) })
    }

    /// A value or nil, bound as an argument; nil is NULL.
    public mutating func appendInterpolation<V: ColumnValue>(_ value: V?) {
      sql.append(SQLArgument { (parameter) throws(RosterError) in try value.encode(to: parameter) })
    }

    /// Each of the values, bound, with commas between: for `IN (…)`.
    public mutating func appendInterpolation<V: ColumnValue>(_ values: [V]) {
      for (index, value) in values.enumerated() {
        if index > 0 { sql.append(", ") }
        appendInterpolation(value)
      }
    }

    /// The name of a record's table, quoted.
    public mutating func appendInterpolation<R: Record>(_ record: R.Type) { sql.append(quoted(R.table.name)) }

    /// A name, quoted as an identifier.
    public mutating func appendInterpolation(identifier: String) { sql.append(quoted(identifier)) }

    /// Another piece of SQL, with its arguments.
    public mutating func appendInterpolation(_ other: SQL) { sql.append(other) }
  }
}
