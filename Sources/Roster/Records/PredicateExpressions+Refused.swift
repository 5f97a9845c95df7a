import Foundation

// What Foundation can evaluate and SQL cannot say.

extension PredicateExpressions.TypeCheck: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(input)) is \(Desired.self)" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    throw scope.refusal(of: self, "a column has one type")
  }
}

extension PredicateExpressions.ConditionalCast: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(input)) as? \(Desired.self))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    throw scope.refusal(of: self, "a column has one type")
  }
}

extension PredicateExpressions.ForceCast: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(input)) as\u{21} \(Desired.self))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    throw scope.refusal(of: self, "a column has one type")
  }
}

extension PredicateExpressions.Filter: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(sequence)).filter { \(names.adding(variable.key, "$1").source(filter)) }"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    throw scope.refusal(of: self, "filter the sequence before capturing it")
  }
}

extension PredicateExpressions.CollectionRangeSubscript: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(wrapped))[\(names.source(range))]" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    throw scope.refusal(of: self, "take the part before capturing it")
  }
}

extension PredicateExpressions.StringContainsRegex: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(subject)).contains(\(names.source(regex)))"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    throw scope.refusal(of: self, "SQLite has no regular expressions")
  }
}

extension PredicateExpressions.ExpressionEvaluate: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(expression)).evaluate(…)" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    throw scope.refusal(of: self, "an expression within a predicate is not translated; write it out")
  }
}
