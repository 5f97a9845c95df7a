import Roster

extension Inspection.Query {
  /// Runs the statement, and prints what it returns as it comes.
  func run(in session: Session) throws -> ExitCode {
    let sql = try session.text(sql)
    let database = try session.raw(writes ? .writing : .inspection)
    let statement: RawStatement
    do { statement = try database.describe(sql) } catch { throw InspectionRefusal.ofQuery(sql, error) }
    guard writes || statement.isReadOnly else { throw InspectionRefusal.writesWithoutLeave }
    let arguments = try arguments(for: statement)
    var printer = RowPrinter(statement.columns, as: format, session.console)
    let hasRows = !statement.columns.isEmpty
    func run() throws {
      if hasRows { printer.begin() }
      try database.forEachRow(sql, arguments) { try printer.print($0) }
      if hasRows { printer.end() }
    }
    do {
      // A statement of its own is whole or not at all, and some run outside of a transaction only.
      if writes { try run() } else { try database.snapshot(run) }
    } catch let error as RosterError where error.code == .sql || error.code == .notAuthorized {
      throw InspectionRefusal.ofQuery(sql, error)
    }
    if hasRows, format == .json { session.console.out.writeLine() }
    if !hasRows {
      let changed = statement.isReadOnly ? 0 : database.changedRows
      session.report(.object([("changed", .number(changed))]), [Report.changedRows(changed)])
    }
    session.noteCollations(database)
    return .done
  }

  /// By names where the statement has any, else by places.
  private func arguments(for statement: RawStatement) throws -> RawArguments {
    let names = statement.parameters.compactMap { $0 }.withoutRepeats
    guard !names.isEmpty else {
      guard parameters.count == statement.parameters.count else {
        throw InspectionRefusal.wrongParameterCount(wanted: statement.parameters.count, given: parameters.count)
      }
      return .positional(parameters.map { RawValue(parameter: $0) })
    }
    guard !statement.parameters.contains(nil) else { throw InspectionRefusal.mixedParameters(names) }
    var values: [String: RawValue] = [:]
    for parameter in parameters {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let name = parts.first.map(\.unmarked), names.contains(name) else {
        throw InspectionRefusal.noSuchParameter(parts.first ?? parameter, names: names)
      }
      guard values[name] == nil else { throw InspectionRefusal.parameterTwice(name) }
      values[name] = RawValue(parameter: parts.last ?? "")
    }
    let missing = names.filter { values[$0] == nil }
    guard missing.isEmpty else { throw InspectionRefusal.missingParameters(missing) }
    return .named(values)
  }
}

extension Session {
  /// What an argument says, or all of standard input where it is `-`.
  func text(_ argument: String) throws -> String {
    guard argument == "-" else { return argument }
    let bytes: [UInt8]
    do { bytes = try Files.read(nil) } catch { throw Refusal.unreadable("-", error) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw InspectionRefusal.inputNotUTF8 }
    return text
  }
}

extension String {
  /// The name of a parameter without the mark that may stand before it.
  fileprivate var unmarked: String {
    guard let first = unicodeScalars.first, [":", "@", "$"].contains(first) else { return self }
    return String(unicodeScalars.dropFirst())
  }
}

extension InspectionRefusal {
  /// What is wrong with a statement, and where.
  static func ofQuery(_ sql: String, _ error: RosterError) -> any Error {
    switch error.code {
    case .notAuthorized: InspectionRefusal.statementNotRun
    case .sql: InspectionRefusal.badSQL(error.message, error.sqlOffset.map { SQLPlace(in: sql, at: $0) })
    default: error
    }
  }
}

/// A place in a text of several lines, both from 1.
struct SQLPlace: Equatable {
  var line: Int
  var column: Int
  var text: String

  /// At an offset in UTF-8, within the text or at its end.
  init(in sql: String, at offset: Int) {
    let bytes = Array(sql.utf8.prefix(offset))
    let start = bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0
    line = bytes.count { $0 == 10 } + 1
    column = String(decoding: bytes[start...], as: UTF8.self).unicodeScalars.count + 1
    text = String(decoding: sql.utf8.dropFirst(start).prefix { $0 != 10 }, as: UTF8.self)
  }
}
