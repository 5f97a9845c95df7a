import Foundation

extension PredicateExpressions.Arithmetic: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lhs)) \(sign) \(names.source(rhs)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    var result = try scope.arithmetic(lhs, sign, rhs, of: self)
    // SQLite has NULL for what is not a number, such as a difference of infinities.
    if Output.self is any FloatingPoint.Type { result.canFail = true }
    return .sql(result)
  }

  private var sign: String {
    if op == .add { return "+" }
    return op == .subtract ? "-" : "*"
  }
}

extension PredicateExpressions.UnaryMinus: PredicateNode {
  func source(_ names: PredicateNames) -> String { "-\(names.source(wrapped))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let value = try scope.plain(wrapped, of: self)
    return .sql(PredicateTerm("(- \(value.sql))", canFail: value.canFail))
  }
}

// SQLite cuts the quotient of integers towards zero, and gives the remainder the sign of the dividend, as
// Swift does. Division by zero is NULL. https://www.sqlite.org/lang_expr.html
extension PredicateExpressions.IntDivision: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lhs)) / \(names.source(rhs)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    var quotient = try scope.arithmetic(lhs, "/", rhs, of: self)
    quotient.canFail = true
    return .sql(quotient)
  }
}

extension PredicateExpressions.IntRemainder: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lhs)) % \(names.source(rhs)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    var remainder = try scope.arithmetic(lhs, "%", rhs, of: self)
    remainder.canFail = true
    return .sql(remainder)
  }
}

extension PredicateExpressions.FloatDivision: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lhs)) / \(names.source(rhs)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let left = try scope.plain(lhs, of: self)
    let right = try scope.plain(rhs, of: self)
    // SQLite makes NULL of a division by zero, where Swift gives an infinity of the dividend's sign. The cast
    // keeps a number that a column without REAL affinity holds as an integer from dividing as one.
    let (infinity, quotient): (SQL, SQL) = (
      "\(left.sql) * 9e999", "CAST(\(left.sql) AS REAL) / \(right.sql)"
    )
    return .sql(
      PredicateTerm("(CASE WHEN \(right.sql) = 0 THEN \(infinity) ELSE \(quotient) END)", canFail: true))
  }
}

extension PredicateScope {
  fileprivate func arithmetic(
    _ left: Any, _ sign: String, _ right: Any, of node: Any
  ) throws(RosterError) -> PredicateTerm {
    let left = try plain(left, of: node)
    let right = try plain(right, of: node)
    return PredicateTerm(
      "(\(left.sql) \(SQL(text: sign)) \(right.sql))", canFail: left.canFail || right.canFail)
  }
}
