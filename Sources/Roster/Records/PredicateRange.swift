import Foundation

/// The bounds of a range, each with its sign towards what lies inside.
struct PredicateRange {
  var lower: PredicateValue?
  var upper: PredicateValue?
  var includesUpper = false
  /// Whether the lower bound is known to be above the upper one.
  var isCrossed = false
}

/// A captured range.
protocol PredicateRangeValue {
  var predicateRange: PredicateRange { get }
}

extension Range: PredicateRangeValue {
  var predicateRange: PredicateRange {
    PredicateRange(lower: .constant(flattening: lowerBound), upper: .constant(flattening: upperBound))
  }
}

extension ClosedRange: PredicateRangeValue {
  var predicateRange: PredicateRange {
    PredicateRange(
      lower: .constant(flattening: lowerBound), upper: .constant(flattening: upperBound), includesUpper: true)
  }
}

extension PartialRangeFrom: PredicateRangeValue {
  var predicateRange: PredicateRange { PredicateRange(lower: .constant(flattening: lowerBound)) }
}

extension PartialRangeUpTo: PredicateRangeValue {
  var predicateRange: PredicateRange { PredicateRange(upper: .constant(flattening: upperBound)) }
}

extension PartialRangeThrough: PredicateRangeValue {
  var predicateRange: PredicateRange {
    PredicateRange(upper: .constant(flattening: upperBound), includesUpper: true)
  }
}

extension PredicateExpressions.Range: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lower))..<\(names.source(upper)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .range(PredicateRange(try scope.value(lower), try scope.value(upper), false, of: LHS.Output.self))
  }
}

extension PredicateExpressions.ClosedRange: PredicateNode {
  func source(_ names: PredicateNames) -> String { "(\(names.source(lower))...\(names.source(upper)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .range(PredicateRange(try scope.value(lower), try scope.value(upper), true, of: LHS.Output.self))
  }
}

extension PredicateRange {
  fileprivate init<Bound: Comparable>(
    _ lower: PredicateValue, _ upper: PredicateValue, _ includesUpper: Bool, of bound: Bound.Type
  ) {
    self.init(lower: lower, upper: upper, includesUpper: includesUpper)
    // Making the range of such bounds would trap.
    if case .constant(let lower as Bound) = lower, case .constant(let upper as Bound) = upper {
      isCrossed = !(lower <= upper)
    }
  }

  /// Whether both bounds are known.
  fileprivate var isConstant: Bool {
    if case .sql? = lower { return false }
    if case .sql? = upper { return false }
    return true
  }
}

extension PredicateExpressions.RangeExpressionContains: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(range)).contains(\(names.source(element)))"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    guard case .range(let range) = try scope.operand(range) else {
      throw scope.refusal(of: self, "the range is none of those of the standard library")
    }
    if range.isCrossed { return .sql(PredicateTerm("NULL", canFail: true)) }
    let type = Element.Output.self
    let value = try scope.value(element)
    var tests: [PredicateTerm] = []
    if let lower = range.lower { tests.append(try scope.comparison(value, ">=", lower, as: type, of: self)) }
    if let upper = range.upper {
      tests.append(try scope.comparison(value, range.includesUpper ? "<=" : "<", upper, as: type, of: self))
    }
    var contains = PredicateTerm(
      "(\(SQL.joined(tests.map(\.sql), by: " AND ")))", canFail: tests.contains { $0.canFail })
    if let lower = range.lower, let upper = range.upper, !range.isConstant {
      let isRange = try scope.comparison(lower, "<=", upper, as: type, of: self)
      contains = PredicateTerm("(CASE WHEN \(isRange.sql) THEN \(contains.sql) END)", canFail: true)
    }
    return .sql(contains)
  }
}
