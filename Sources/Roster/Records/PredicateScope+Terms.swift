import Foundation

extension PredicateScope {
  /// A constant in its type's own form, for `node`.
  func term(_ value: Any?, of node: Any) throws(RosterError) -> PredicateTerm {
    guard let value else { return PredicateTerm("NULL") }
    guard let argument = PredicateScope.argument(value) else {
      throw refusal(of: node, "a \(type(of: value)) is no value of a column")
    }
    return PredicateTerm(SQL(argument))
  }

  /// A constant in the form that another value is stored in.
  func term(_ value: Any?, like other: PredicateTerm, of node: Any) throws(RosterError) -> PredicateTerm {
    guard let value, let column = other.conversion else { return try term(value, of: node) }
    guard let argument = column.argument(value) else {
      throw refusal(of: node, "column \(column.name) stores no \(type(of: value))")
    }
    return PredicateTerm(SQL(argument), conversion: column)
  }

  /// Two values in one form, so that SQLite may compare them or give either for the other.
  func pair(
    _ left: PredicateValue, _ right: PredicateValue, of node: Any
  ) throws(RosterError) -> (PredicateTerm, PredicateTerm) {
    switch (left, right) {
    case (.constant(let left), .constant(let right)):
      return (try term(left, of: node), try term(right, of: node))
    case (.sql(let left), .constant(let right)):
      return (left, try term(right, like: left, of: node))
    case (.constant(let left), .sql(let right)):
      return (try term(left, like: right, of: node), right)
    case (.sql(let left), .sql(let right)):
      // Whether two conversions are one cannot be seen, so only a column's own form is known to be its own.
      guard left.conversion === right.conversion else {
        let names = [left.conversion?.name, right.conversion?.name].compactMap { $0 }
        throw refusal(
          of: node,
          "column \(names.joined(separator: " and column ")) is stored by a conversion, and only values of one "
            + "stored form can be compared")
      }
      return (left, right)
    }
  }

  /// A value in its type's own form, as arithmetic and functions on text need it.
  func plain(_ child: Any, of node: Any) throws(RosterError) -> PredicateTerm {
    switch try value(child) {
    case .constant(let value): return try term(value, of: node)
    case .sql(let term):
      if let column = term.conversion {
        throw refusal(of: node, "column \(column.name) is stored by a conversion")
      }
      return term
    }
  }

  /// A value as a statement's argument in its type's own form; nil where the type is no column value.
  static func argument(_ value: Any) -> SQLArgument? {
    if let text = value as? Substring { return argument(String(text)) }
    guard let value = value as? any ColumnValue else { return nil }
    return SQLArgument { (parameter) throws(RosterError) in try value.encode(to: parameter) }
  }
}

extension PredicateTerm {
  /// The left side of a comparison of values of a type.
  ///
  /// The collation is said, since a column declared NOCASE would compare by its own, and an index
  /// with the same collation still serves. https://www.sqlite.org/datatype3.html#collation
  func collated<T>(_ type: T.Type) -> SQL {
    let storage = conversion?.traits.storageClass ?? (type as? any ColumnValue.Type)?.storageClass
    return storage == .text ? "\(sql) COLLATE BINARY" : normalized
  }
}

extension SQL {
  /// One argument.
  init(_ argument: SQLArgument) { self.init(text: "?", arguments: [argument]) }

  /// The pieces with a word between each two.
  static func joined(_ pieces: [SQL], by word: String) -> SQL {
    var all = SQL(text: "")
    for (index, piece) in pieces.enumerated() {
      if index > 0 { all.append(word) }
      all.append(piece)
    }
    return all
  }
}
