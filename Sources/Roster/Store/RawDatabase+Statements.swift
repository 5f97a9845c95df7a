/// The arguments of a statement of any text.
public enum RawArguments: Sendable {
  /// By their places: as many as the statement has parameters.
  case positional([RawValue])
  /// By the names of the parameters, without the mark before them.
  case named([String: RawValue])

  /// None.
  public static var none: RawArguments { .positional([]) }
}

/// What is known of a statement before it runs.
public struct RawStatement: Sendable, Hashable {
  /// The names of the columns that it returns; empty where it returns no rows. Two may have the same name.
  public let columns: [String]
  /// The names of its parameters in their places, without the mark before them; nil for one by its place.
  public let parameters: [String?]
  /// Whether it leaves the database as it is.
  public let isReadOnly: Bool
}

extension RawDatabase {
  /// What a statement takes and returns. It is not run.
  ///
  /// - Throws: ``RosterError/Code/sql`` where the text holds no statement, more than one, or one with a fault.
  public func describe(_ sql: String) throws(RosterError) -> RawStatement {
    let statement = try connection.statement(sql)
    return RawStatement(
      columns: (0..<statement.columnCount).map { statement.columnName($0) },
      parameters: statement.parameterNames.map { $0.map { String($0.unicodeScalars.dropFirst()) } },
      isReadOnly: statement.isReadOnly || statement.isExplanation)
  }

  /// Runs a statement and hands over its rows one by one, without holding them.
  ///
  /// - Throws: ``RosterError/Code/readOnly`` for one that writes where the database was opened for inspection;
  ///   ``RosterError/Code/sql`` where the arguments are not those that it takes; what `body` throws.
  public func forEachRow(
    _ sql: String, _ arguments: RawArguments = .none, _ body: ([RawValue]) throws -> Void
  ) throws {
    let statement = try connection.statement(sql)
    guard access == .writing || statement.isReadOnly || statement.isExplanation else {
      throw RosterError(.readOnly, "The database was opened for inspection only, and the statement writes.", sql: sql)
    }
    try statement.bind(try RawDatabase.places(arguments, of: statement))
    while try statement.step() { try body(statement.rawRow) }
  }

  /// The rows of a statement.
  public func rows(_ sql: String, _ arguments: RawArguments = .none) throws -> [[RawValue]] {
    var rows: [[RawValue]] = []
    try forEachRow(sql, arguments) { rows.append($0) }
    return rows
  }

  /// The first value of the first row; nil where there is none.
  public func value(_ sql: String, _ arguments: RawArguments = .none) throws -> RawValue? {
    try rows(sql, arguments).first?.first
  }

  /// How many rows the last statement that wrote has changed, without those of triggers.
  public var changedRows: Int { connection.changes }

  private static func places(
    _ arguments: RawArguments, of statement: borrowing Statement
  ) throws(RosterError) -> [SQLArgument] {
    switch arguments {
    case .positional(let values): return values.map(\.argument)
    case .named(let values):
      var left = Set(values.keys)
      var places: [SQLArgument] = []
      for name in statement.parameterNames {
        let name = name.map { String($0.unicodeScalars.dropFirst()) } ?? ""
        guard let value = values[name] else {
          throw RosterError(
            .sql, "The parameter \(name.isEmpty ? "?" : name) was given no argument.", sql: statement.sql)
        }
        left.remove(name)
        places.append(value.argument)
      }
      if let name = left.min() {
        throw RosterError(.sql, "The statement has no parameter \(name).", sql: statement.sql)
      }
      return places
    }
  }
}
