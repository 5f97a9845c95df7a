import Foundation

extension PredicateExpressions.NilCoalesce: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lhs)) ?? \(names.source(rhs)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let right = try scope.value(rhs)
    // A captured optional can have come to two levels, where a nil in the inner one is a value.
    if let captured = lhs as? PredicateExpressions.Value<LHS.Output> {
      guard let value = captured.value else { return .value(right) }
      return .value(.constant(flattening: value))
    }
    let left = try scope.value(lhs)
    if case .constant(let value) = left { return .value(value == nil ? right : left) }
    let (value, fallback) = try scope.pair(left, right, of: self)
    let conversion = value.conversion ?? fallback.conversion
    guard value.canFail || fallback.canFail else {
      return .sql(
        PredicateTerm("coalesce(\(value.normalized), \(fallback.normalized))", conversion: conversion))
    }
    // A failure in what is not nil must not lead to the fallback.
    let present = value.isPresent
    return .sql(
      PredicateTerm(
        .choice(present, value.normalized, fallback.normalized), conversion: conversion, canFail: true,
        presence: isOptional(Output.self) ? .choice(present, "1", fallback.isPresent) : nil))
  }
}

/// Optional chaining, and `if let`.
extension PredicateExpressions.OptionalFlatMap: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    names.adding(variable.key, "\(names.source(wrapped))?").source(transform)
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let name = "\(scope.names.source(wrapped))?"
    switch try scope.value(wrapped) {
    case .constant(nil): return .value(.constant(nil))
    case .constant(let value):
      return try scope.binding(variable.key, to: .value(.constant(value)), named: name).operand(transform)
    case .sql(let wrapped):
      var inner = wrapped
      inner.presence = nil
      let scope = scope.binding(variable.key, to: .sql(inner), named: name)
      let result: PredicateTerm
      switch try scope.value(transform) {
      case .sql(let term): result = term
      case .constant(let value): result = try scope.term(value, of: self)
      }
      let canFail = wrapped.canFail || result.canFail
      let presence =
        isOptional(RHS.Output.self) ? SQL.choice(wrapped.isPresent, result.isPresent, "0") : wrapped.isPresent
      return .sql(
        PredicateTerm(
          "(CASE WHEN \(wrapped.isPresent) THEN \(result.normalized) END)", conversion: result.conversion,
          canFail: canFail, presence: canFail ? presence : nil))
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(inner))!" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    switch try scope.value(inner) {
    case .constant(nil): return .sql(PredicateTerm("NULL", canFail: true))
    case .constant(let value): return .value(.constant(value))
    case .sql(var term):
      term.canFail = true
      term.presence = nil
      return .sql(term)
    }
  }
}
