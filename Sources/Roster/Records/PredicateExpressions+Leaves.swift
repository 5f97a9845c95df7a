import Foundation

extension PredicateExpressions.Variable: PredicateNode {
  func source(_ names: PredicateNames) -> String { names.name(of: key) ?? "$?" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    guard let operand = scope.variable(key) else {
      throw scope.refusal(of: self, "it is a variable of another predicate")
    }
    return operand
  }
}

extension PredicateExpressions.Value: PredicateNode {
  func source(_ names: PredicateNames) -> String { "<\(Output.self)>" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    if let range = value as? any PredicateRangeValue { return .range(range.predicateRange) }
    return .value(.constant(flattening: value))
  }
}

extension PredicateExpressions.NilLiteral: PredicateNode {
  func source(_ names: PredicateNames) -> String { "nil" }
  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand { .value(.constant(nil)) }
}

extension PredicateExpressions.KeyPath: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(root)).\(propertyName)" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    switch try scope.operand(root) {
    case .record: return try property(keyPath, scope) ?? .property(keyPath)
    case .property(let parent):
      guard let path = parent.appending(path: keyPath) else {
        throw scope.refusal(of: self, "its root is another")
      }
      return try property(path, scope) ?? .property(path)
    case .range: throw scope.refusal(of: self, "a range can only be asked whether it contains a value")
    case .value(.constant(let value)):
      // Of a captured value, in memory.
      guard let value = value as? Root.Output else { throw scope.refusal(of: self, "its root is another") }
      return .value(.constant(flattening: value[keyPath: keyPath]))
    case .value(.sql(let term)):
      if let parent = term.property, let path = parent.appending(path: keyPath),
        let part = try property(path, scope)
      {
        return part
      }
      return .sql(try part(of: term, scope))
    }
  }

  private func property(
    _ path: AnyKeyPath, _ scope: PredicateScope
  ) throws(RosterError) -> PredicateOperand? {
    guard let column = scope.table.column(path) else { return nil }
    guard column.hasNullForNil else {
      throw scope.refusal(of: self, "column \(column.name) has NULL for a value, or a value for nil")
    }
    return .sql(PredicateTerm(column: column))
  }

  /// The parts of a stored value that SQL can tell.
  private func part(of term: PredicateTerm, _ scope: PredicateScope) throws(RosterError) -> PredicateTerm {
    if let column = term.conversion {
      throw scope.refusal(of: self, "column \(column.name) is stored by a conversion")
    }
    let isText = Root.Output.self == String.self
    switch measure {
    case .count where isText:
      return PredicateTerm(
        "\(SQL(text: ScalarFunction.characterCount.name))(\(term.sql))", canFail: term.canFail)
    case .isEmpty where isText:
      return PredicateTerm("(\(term.sql) COLLATE BINARY = '')", canFail: term.canFail)
    case .count where Root.Output.self == Data.self:
      return PredicateTerm("length(\(term.sql))", canFail: term.canFail)
    case .isEmpty where Root.Output.self == Data.self:
      return PredicateTerm("(length(\(term.sql)) = 0)", canFail: term.canFail)
    default: break
    }
    if let type = Root.Output.self as? any (CaseIterable & RawRepresentable & ColumnValue).Type,
      isRawValue(of: type)
    {
      return PredicateTerm(term.sql, canFail: term.canFail)
    }
    throw scope.refusal(of: self, "a \(Root.Output.self) is stored, and this is computed from it")
  }

  private enum Measure { case count, isEmpty }

  private var measure: Measure? {
    if kind == .collectionCount { return .count }
    if kind == .collectionIsEmpty { return .isEmpty }
    // Foundation knows no kinds of Data's key paths.
    let path = keyPath as AnyKeyPath
    if path == \Data.count { return .count }
    if path == \Data.isEmpty { return .isEmpty }
    return nil
  }

  /// Whether the key path leads to what each case is stored as: nothing else tells a key path to `rawValue`.
  private func isRawValue<T: CaseIterable & RawRepresentable & ColumnValue>(of type: T.Type) -> Bool {
    guard T.RawValue.self == Output.self else { return false }
    for value in T.allCases {
      guard let root = value as? Root.Output, let part = PredicateScope.argument(root[keyPath: keyPath]),
        let raw = PredicateScope.argument(value.rawValue), let stored = PredicateScope.argument(value)
      else { return false }
      do throws(RosterError) {
        let wanted = try raw.value()
        guard try part.value() == wanted, try stored.value() == wanted else { return false }
      } catch { return false }
    }
    return true
  }

  private var propertyName: String {
    switch measure {
    case .count: return "count"
    case .isEmpty: return "isEmpty"
    case nil: break
    }
    let text = "\(keyPath)"
    // A computed property is shown by its address, which says nothing and differs from run to run.
    guard !text.contains("<computed"), let dot = text.firstIndex(of: ".") else {
      return "<computed \(Output.self)>"
    }
    return String(text[text.index(after: dot)...])
  }
}
