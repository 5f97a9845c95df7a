import Foundation

extension PredicateExpressions.Conjunction: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lhs)) && \(names.source(rhs)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let left = try scope.condition(lhs)
    let right = try scope.condition(rhs)
    return .sql(PredicateTerm("(\(left.sql) AND \(right.sql))", canFail: left.canFail || right.canFail))
  }
}

extension PredicateExpressions.Disjunction: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lhs)) || \(names.source(rhs)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let left = try scope.condition(lhs)
    let right = try scope.condition(rhs)
    return .sql(PredicateTerm("(\(left.sql) OR \(right.sql))", canFail: left.canFail || right.canFail))
  }
}

extension PredicateExpressions.Negation: PredicateNode {
  func source(_ names: PredicateNames) -> String { "!\(names.source(wrapped))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .sql(try scope.condition(wrapped).negated)
  }
}

extension PredicateTerm {
  /// The opposite of a condition; a failed one stays failed.
  var negated: PredicateTerm {
    // An index serves the comparison, and not the operator NOT.
    PredicateTerm(isStoredBool ? "(\(sql) = 0)" : "(NOT \(sql))", canFail: canFail)
  }
}

extension SQL {
  /// One of two values by a condition, and NULL where the condition failed.
  static func choice(_ condition: SQL, _ yes: SQL, _ no: SQL) -> SQL {
    "(CASE WHEN \(condition) THEN \(yes) WHEN NOT \(condition) THEN \(no) END)"
  }
}

extension PredicateExpressions.Conditional: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "(\(names.source(test)) ? \(names.source(trueBranch)) : \(names.source(falseBranch)))"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let test = try scope.condition(test)
    let (yes, no) = try scope.pair(try scope.value(trueBranch), try scope.value(falseBranch), of: self)
    func choice(_ yes: SQL, _ no: SQL) -> SQL {
      test.canFail ? .choice(test.sql, yes, no) : "(CASE WHEN \(test.sql) THEN \(yes) ELSE \(no) END)"
    }
    let canFail = test.canFail || yes.canFail || no.canFail
    return .sql(
      PredicateTerm(
        choice(yes.normalized, no.normalized), conversion: yes.conversion ?? no.conversion, canFail: canFail,
        presence: canFail && isOptional(Output.self) ? choice(yes.isPresent, no.isPresent) : nil))
  }
}
