import Foundation

/// A text in a text, or bytes in bytes.
extension PredicateExpressions.CollectionContainsCollection: PredicateNode {
  func source(_ names: PredicateNames) -> String { "\(names.source(base)).contains(\(names.source(other)))" }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let (base, other) = try scope.sequences(base, other, Base.Output.self, Other.Output.self, of: self)
    // Unlike LIKE it tells upper from lower case, knows no wildcards and passes over NUL characters.
    return .sql(
      PredicateTerm("(instr(\(base.sql), \(other.sql)) > 0)", canFail: base.canFail || other.canFail))
  }
}

extension PredicateExpressions.SequenceStartsWith: PredicateNode {
  func source(_ names: PredicateNames) -> String {
    "\(names.source(base)).starts(with: \(names.source(prefix)))"
  }

  func translate(_ scope: PredicateScope) throws(RosterError) -> PredicateOperand {
    let (text, start) = try scope.sequences(base, prefix, Base.Output.self, Prefix.Output.self, of: self)
    let canFail = text.canFail || start.canFail
    guard case .value(.constant(let value?)) = try scope.operand(prefix), !(value is Data) else {
      return .sql(PredicateTerm("(instr(\(text.sql), \(start.sql)) = 1)", canFail: canFail))
    }
    // A range of texts, which an index serves, and which has no trouble with NUL characters as substr() has.
    let column = text.collated(String.self)
    let from: SQL = "\(column) >= \(start.sql)"
    guard let end = PredicateText.end(ofPrefix: "\(value)") else {
      return .sql(PredicateTerm("(\(from))", canFail: canFail))
    }
    return .sql(PredicateTerm("(\(from) AND \(column) < \(end))", canFail: canFail))
  }
}

extension PredicateScope {
  /// Two texts, or two values of bytes.
  fileprivate func sequences(
    _ left: Any, _ right: Any, _ leftType: any Any.Type, _ rightType: any Any.Type, of node: Any
  ) throws(RosterError) -> (PredicateTerm, PredicateTerm) {
    func isText(_ type: any Any.Type) -> Bool { type == String.self || type == Substring.self }
    guard isText(leftType) && isText(rightType) || leftType == Data.self && rightType == Data.self else {
      throw refusal(of: node, "only a String is looked for in a String, and Data in Data")
    }
    return (try plain(left, of: node), try plain(right, of: node))
  }
}

enum PredicateText {
  /// The first text after all that begin with a prefix, in the order of scalars, which is that of UTF-8's bytes.
  ///
  /// - Returns: nil where there is none, as for an empty prefix.
  static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // The surrogates, between U+D7FF and U+E000, are no scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      return text
    }
    return nil
  }
}

extension ScalarFunction {
  /// The functions that translated predicates call. Every connection registers them.
  static var forPredicates: [ScalarFunction] { [characterCount, realFromBits] }

  /// The number of a text's characters, as Swift counts them: SQLite's `length` counts scalars up to a NUL.
  static var characterCount: ScalarFunction {
    ScalarFunction("roster_character_count", argumentCount: 1) { arguments in
      guard case .text(let text)? = arguments.first else { return .null }
      return .integer(Int64(text.count))
    }
  }
}
