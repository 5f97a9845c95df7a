import Foundation

extension PredicateExpressions.SequenceContains: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(sequence)).contains(\(names.source(element)))"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    guard case .value(.constant(let captured)) = try scope.operand(sequence),
      let captured = captured as? LHS.Output
    else { throw scope.refusal(of: self, "only a captured sequence can be searched") }
    let element: PredicateTerm
    switch try scope.value(self.element) {
    case .sql(let term): element = term
    case .constant(let value): element = try scope.term(value, of: self)
    }
    var set = PredicateSet()
    for value in captured {
      let value = flattened(value)
      // Nothing is equal to what is not a number.
      if let number = value as? Double, number.isNaN { continue }
      guard let value else {
        set.containsNull = true
        continue
      }
      guard let argument = element.conversion.map({ $0.argument(value) }) ?? PredicateScope.argument(value)
      else {
        throw scope.refusal(of: self, "a \(type(of: value)) is no value of a column")
      }
      set.insert(try argument.value())
    }
    let test = set.test(element.collated(RHS.Output.self))
    guard isOptional(RHS.Output.self) else { return .sql(PredicateTerm(test, canFail: element.canFail)) }
    let present = element.isPresent
    return .sql(
      PredicateTerm(
        set.containsNull ? "((NOT \(present)) OR \(test))" : "(\(present) AND \(test))",
        canFail: element.canFail))
  }
}

extension PredicateExpressions.SequenceContainsWhere: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(sequence)).contains { \(names.adding(variable.key, "$1").source(test)) }"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let tests = try scope.expansion(sequence, as: LHS.Output.self, variable.key, test, of: self)
    guard !tests.isEmpty else { return .sql(scope.known(false)) }
    return .sql(
      PredicateTerm(SQL.tree(tests.map(\.sql)[...], by: " OR "), canFail: tests.contains { $0.canFail }))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(sequence)).allSatisfy { \(names.adding(variable.key, "$1").source(test)) }"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let tests = try scope.expansion(sequence, as: LHS.Output.self, variable.key, test, of: self)
    guard !tests.isEmpty else { return .sql(scope.known(true)) }
    return .sql(
      PredicateTerm(SQL.tree(tests.map(\.sql)[...], by: " AND "), canFail: tests.contains { $0.canFail }))
  }
}

extension PredicateScope {
  /// Above this the text of the statement costs more than its run.
  private static var expansionLimit: Int { 1000 }

  /// The test of each element of a captured sequence.
  fileprivate func expansion<S: Sequence>(
    _ sequence: Any, as type: S.Type, _ variable: PredicateExpressions.VariableID, _ test: Any, of node: Any
  ) throws(RosterError) -> [PredicateTerm] {
    guard case .value(.constant(let captured)) = try operand(sequence), let captured = captured as? S else {
      throw refusal(of: node, "only the elements of a captured sequence can be tested")
    }
    var tests: [PredicateTerm] = []
    for element in captured {
      guard tests.count < PredicateScope.expansionLimit else {
        throw refusal(
          of: node, "the sequence has more than \(PredicateScope.expansionLimit) elements to test")
      }
      let scope = binding(variable, to: .value(.constant(flattening: element)), named: "$1")
      tests.append(try scope.condition(test))
    }
    return tests
  }
}

extension SQL {
  /// The pieces joined by an operator as a balanced tree: SQLite limits the depth of an expression to 1000.
  fileprivate static func tree(_ pieces: ArraySlice<SQL>, by word: String) -> SQL {
    guard pieces.count > 1, let first = pieces.first else { return pieces.first ?? "" }
    if pieces.count == 1 { return first }
    let middle = pieces.startIndex + pieces.count / 2
    return "(\(tree(pieces[..<middle], by: word))\(SQL(text: word))\(tree(pieces[middle...], by: word)))"
  }
}
