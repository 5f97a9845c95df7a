import Foundation

extension Table {
  /// A predicate as an SQL condition over the table's columns, every value in it a bound argument.
  ///
  /// The condition is true for the records for which the predicate is true in memory, with these borders:
  /// - Text is compared by its Unicode scalars, so that é as one scalar and é as two differ in `==`, `<`,
  ///   `contains` and `starts(with:)`; in memory Swift takes them for equal. `count` is that of characters.
  /// - Where Swift would throw or trap (a force unwrap of nil, an integer divided by zero, a range whose bounds
  ///   cross), and where a computed number is not a number, a condition is neither true nor, under `!`, false.
  /// - An integer sum, difference or product beyond 64 bits, at which Swift traps, is an approximate number.
  ///
  /// - Throws: ``RosterError/Code/cannotTranslate``, naming the expression, where there is no translation.
  func condition(for predicate: Predicate<R>) throws(RosterError) -> SQL {
    var scope = PredicateScope(table: PredicateTable(self))
    scope.bind(predicate.variable.key, to: .record, named: "$0")
    return try scope.condition(predicate.expression).sql
  }
}

/// A node of a predicate's expression tree that has a translation, or whose lack of one can be explained.
///
/// Foundation's nodes conform without conditions on their children, so that an unknown child can be named.
protocol PredicateNode {
  /// The node as it would be written in a predicate, with captured values shown as their types.
  func source(_ names: PredicateNames) -> String

  /// What the node is in SQL.
  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand
}

/// The names of a tree's variables.
struct PredicateNames {
  // Deeper than this, a message would be longer than anybody reads.
  private static let depthLimit = 20

  private var names: [PredicateExpressions.VariableID: String] = [:]
  private var depth = 0

  func adding(_ variable: PredicateExpressions.VariableID, _ name: String) -> PredicateNames {
    var all = self
    all.names[variable] = name
    return all
  }

  func name(of variable: PredicateExpressions.VariableID) -> String? { names[variable] }

  /// A node as it would be written; one of an unknown kind is its type's name.
  func source(_ node: Any) -> String {
    guard depth < PredicateNames.depthLimit else { return "…" }
    guard let node = node as? any PredicateNode else { return "\(type(of: node))" }
    var inner = self
    inner.depth += 1
    return node.source(inner)
  }
}

/// Where a node is translated: in which table, and with what its variables stand for.
struct PredicateScope {
  // A level takes 3.3 KB of stack in a debug build, and a thread may have no more than 512 KiB.
  private static let depthLimit = 100

  let table: PredicateTable
  private(set) var names = PredicateNames()
  private var variables: [PredicateExpressions.VariableID: PredicateOperand] = [:]
  private var depth = 0

  init(table: PredicateTable) { self.table = table }

  mutating func bind(
    _ variable: PredicateExpressions.VariableID, to operand: PredicateOperand, named name: String
  ) {
    variables[variable] = operand
    names = names.adding(variable, name)
  }

  func binding(
    _ variable: PredicateExpressions.VariableID, to operand: PredicateOperand, named name: String
  ) -> PredicateScope {
    var scope = self
    scope.bind(variable, to: operand, named: name)
    return scope
  }

  func variable(_ id: PredicateExpressions.VariableID) -> PredicateOperand? { variables[id] }

  /// What a node is, be it a value or not.
  func operand(_ node: Any) throws(RosterError) -> PredicateOperand {
    guard depth < PredicateScope.depthLimit else {
      throw RosterError(
        .cannotTranslate,
        "The predicate is nested more than \(PredicateScope.depthLimit) levels deep; use several filters.",
        table: table.name)
    }
    guard let node = node as? any PredicateNode else {
      throw refusal(of: node, "there is no translation of this kind of expression")
    }
    var scope = self
    scope.depth += 1
    return try node.translate(scope)
  }

  /// The value of a node.
  func value(_ node: Any) throws(RosterError) -> PredicateValue {
    switch try operand(node) {
    case .value(let value): return value
    case .record: throw refusal(of: node, "a record as a whole is no value of a column")
    case .property: throw refusal(of: node, "table \(table.name) has no column for this property")
    case .range: throw refusal(of: node, "a range can only be asked whether it contains a value")
    }
  }

  /// A node of type Bool as a condition.
  func condition(_ node: Any) throws(RosterError) -> PredicateTerm {
    switch try value(node) {
    case .constant(let value): return try term(value, of: node)
    case .sql(let term):
      guard term.conversion != nil else { return term }
      let yes = try self.term(true, like: term, of: node)
      return PredicateTerm("(\(term.sql) = \(yes.sql))", canFail: term.canFail)
    }
  }

  /// The error of a node that has no translation. It tells the node's source, never a value.
  func refusal(of node: Any, _ reason: String) -> RosterError {
    RosterError(
      .cannotTranslate, "The predicate's `\(names.source(node))` cannot be translated to SQL: \(reason).",
      table: table.name)
  }
}
