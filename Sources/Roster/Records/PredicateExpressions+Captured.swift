import Foundation

// Parts of captured values that are computed in memory, since no column has a part in them.

extension PredicateExpressions.SequenceMinimum: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(elements)).min()" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .value(
      .constant(flattening: try scope.captured(elements, as: Elements.Output.self, of: self).min() as Any))
  }
}

extension PredicateExpressions.SequenceMaximum: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(elements)).max()" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    .value(
      .constant(flattening: try scope.captured(elements, as: Elements.Output.self, of: self).max() as Any))
  }
}

extension PredicateExpressions.CollectionIndexSubscript: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(wrapped))[\(names.source(index))]" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let collection = try scope.captured(wrapped, as: Wrapped.Output.self, of: self)
    let index = try scope.captured(index, as: Index.Output.self, of: self)
    guard collection.startIndex <= index, index < collection.endIndex else {
      throw scope.refusal(of: self, "the index is out of bounds")
    }
    return .value(.constant(flattening: collection[index]))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(wrapped))[\(names.source(key))]" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let dictionary = try scope.captured(wrapped, as: Wrapped.Output.self, of: self)
    let key = try scope.captured(key, as: Key.Output.self, of: self)
    return .value(.constant(flattening: dictionary[key] as Any))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(wrapped))[\(names.source(key)), default: \(names.source(`default`))]"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let dictionary = try scope.captured(wrapped, as: Wrapped.Output.self, of: self)
    let key = try scope.captured(key, as: Key.Output.self, of: self)
    guard let value = dictionary[key] else { return try scope.operand(`default`) }
    return .value(.constant(flattening: value))
  }
}

extension PredicateScope {
  fileprivate func captured<T>(_ child: Any, as type: T.Type, of node: Any) throws(RosterError) -> T {
    guard case .value(.constant(let value)) = try operand(child), let value = (value as Any) as? T else {
      throw refusal(of: node, "this can only be told of captured values")
    }
    return value
  }
}
