import Foundation

extension PredicateExpressions.Equal: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(lhs)) == \(names.source(rhs))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .sql(
      try scope.equality(
        try scope.value(lhs), try scope.value(rhs), as: LHS.Output.self, isNegated: false, of: self))
  }
}

extension PredicateExpressions.NotEqual: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(lhs)) != \(names.source(rhs))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .sql(
      try scope.equality(
        try scope.value(lhs), try scope.value(rhs), as: LHS.Output.self, isNegated: true, of: self))
  }
}

extension PredicateExpressions.Comparison: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(lhs)) \(sign) \(names.source(rhs))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .sql(
      try scope.comparison(try scope.value(lhs), sign, try scope.value(rhs), as: LHS.Output.self, of: self))
  }

  private var sign: String {
    if op == .lessThan { return "<" }
    if op == .lessThanOrEqual { return "<=" }
    return op == .greaterThan ? ">" : ">="
  }
}

extension PredicateScope {
  /// `==` and `!=`: of two values, nil among them, or in which an evaluation can fail.
  func equality<T>(
    _ left: PredicateValue, _ right: PredicateValue, as type: T.Type, isNegated: Bool, of node: Any
  ) throws(RosterError) -> PredicateTerm {
    // nil first, then a constant on the right, so that each case below is met once.
    if case .sql(let term) = left, right.isNil { return nilTest(term, isNegated) }
    if case .sql(let term) = right, left.isNil { return nilTest(term, isNegated) }
    if left.isNaN || right.isNaN { return known(isNegated, given: left, right) }
    if case .constant = left, case .sql = right {
      return try equality(right, left, as: type, isNegated: isNegated, of: node)
    }
    if case .sql(let term) = left, case .constant(let wanted as Bool) = right, term.conversion == nil,
      !Roster.isOptional(type)
    {
      // The condition itself, or its opposite: true is whatever integer is not 0.
      return wanted != isNegated ? term : term.negated
    }
    let (left, right) = try pair(left, right, of: node)
    let canFail = left.canFail || right.canFail
    guard Roster.isOptional(type) else {
      return PredicateTerm(
        "(\(left.collated(type)) \(SQL(text: isNegated ? "<>" : "=")) \(right.normalized))", canFail: canFail)
    }
    guard canFail else {
      return PredicateTerm(
        "(\(left.collated(type)) \(SQL(text: isNegated ? "IS NOT" : "IS")) \(right.normalized))")
    }
    // NULL can be nil or a failure, so nil is told by what it comes from.
    let same: SQL = "\(left.collated(type)) = \(right.normalized)"
    let equal = PredicateTerm(
      .choice(
        left.isPresent, .choice(right.isPresent, same, "0"), .choice(right.isPresent, "0", "1")),
      canFail: true)
    return isNegated ? equal.negated : equal
  }

  private func nilTest(_ term: PredicateTerm, _ isNegated: Bool) -> PredicateTerm {
    if let presence = term.presence {
      let present = PredicateTerm(presence, canFail: term.canFail)
      return isNegated ? present : present.negated
    }
    return PredicateTerm("(\(term.sql) \(SQL(text: isNegated ? "IS NOT NULL" : "IS NULL")))")
  }

  /// An answer that depends on no value, only on the evaluation's reaching it.
  func known(_ answer: Bool, given values: PredicateValue...) -> PredicateTerm {
    var sql: SQL = answer ? "1" : "0"
    var canFail = false
    for case .sql(let term) in values where term.canFail {
      sql = "(CASE WHEN \(term.sql) IS NOT NULL THEN \(sql) END)"
      canFail = true
    }
    return PredicateTerm(sql, canFail: canFail)
  }

  /// `<`, `<=`, `>` or `>=` of values that are not nil.
  func comparison<T>(
    _ left: PredicateValue, _ sign: String, _ right: PredicateValue, as type: T.Type, of node: Any
  ) throws(RosterError) -> PredicateTerm {
    if left.isNaN || right.isNaN { return known(false, given: left, right) }
    let (left, right) = try pair(left, right, of: node)
    if let column = left.conversion {
      guard column.traits.keepsOrder else {
        throw refusal(
          of: node, "column \(column.name) is stored by a conversion that does not keep the order")
      }
    } else if !sortsAsStored(type) {
      throw refusal(
        of: node,
        "whether a \(type) sorts as it is stored is known only where all its cases are, by CaseIterable")
    }
    return PredicateTerm(
      "(\(left.collated(type)) \(SQL(text: sign)) \(right.sql))", canFail: left.canFail || right.canFail)
  }

  /// Whether the stored values of a type are in the order of its own `<`.
  private func sortsAsStored<T>(_ type: T.Type) -> Bool {
    switch type {
    case is Int.Type, is Int64.Type, is Int32.Type, is Int16.Type, is Int8.Type, is UInt32.Type,
      is UInt16.Type, is UInt8.Type, is Double.Type, is String.Type, is Date.Type, is UUID.Type:
      return true
    default:
      guard let type = type as? any (CaseIterable & Comparable & ColumnValue).Type else { return false }
      return casesSortAsStored(type)
    }
  }

  private func casesSortAsStored<T: CaseIterable & Comparable & ColumnValue>(_ type: T.Type) -> Bool {
    var previous: SQLiteValue?
    for value in T.allCases.sorted() {
      do throws(RosterError) {
        let stored = try SQLiteValue.capture { (parameter) throws(RosterError) in
          try value.encode(to: parameter)
        }
        if let previous, !previous.sortsBefore(stored) { return false }
        previous = stored
      } catch { return false }
    }
    return true
  }
}

extension SQLiteValue {
  /// Whether SQLite sorts a value of one storage class before another of the same.
  fileprivate func sortsBefore(_ other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }
}
