import Foundation
import Roster

/// What a table's rows are like in two databases.
struct TableDifference {
  enum Presence: String { case both, here, there }

  var table: String
  var presence = Presence.both
  var comparison = TableComparison()
  /// Whether its rows were compared, as far as both have them.
  var isCompared = true
  /// Why it was not compared, or not all of it.
  var error: String?

  var isEmpty: Bool { presence == .both && comparison.isEmpty && error == nil }
}

extension Session {
  /// Tells the differences of another database.
  func compare(with file: String) throws -> ExitCode {
    let here = try inspect()
    let there: RawDatabase
    do { there = try RawDatabase(at: URL(fileURLWithPath: file), busyTimeout: .seconds(30)) } catch {
      guard error.code == .noSuchFile else { throw error }
      throw InspectionRefusal.noOtherDatabase(file)
    }
    let differences = try here.snapshot { try there.snapshot { try Self.differences(here, there) } }
    let width = console.out.terminalWidth
    report(
      .object([("equal", .bool(differences.isEmpty)), ("tables", .array(differences.map(\.json)))]),
      differences.isEmpty
        ? [Report.noDifference] : differences.flatMap { $0.lines(width: width, style: console.outStyle) })
    return differences.isEmpty ? .done : .refused
  }

  private static func differences(_ here: RawDatabase, _ there: RawDatabase) throws -> [TableDifference] {
    let (own, others) = (try here.comparedTables(), try there.comparedTables())
    let (orders, otherOrders) = (try here.rosterParts().orders, try there.rosterParts().orders)
    var differences: [TableDifference] = []
    for table in own {
      var difference = TableDifference(table: table.name)
      if let other = others.first(where: { $0.name.folded == table.name.folded }) {
        let order = orders.first { $0.table == table.name }
        let isOrdered = otherOrders.contains {
          $0.table == other.name && $0.column == order?.column && $0.scope == order?.scope
        }
        do {
          let comparer = try TableComparer(
            table, of: here, and: other, of: there, order: isOrdered ? order : nil)
          if let comparer { difference.comparison = try comparer.compare() }
          difference.isCompared = comparer != nil && !difference.comparison.lacksValues
          difference.error = try Report.otherColumns(here.names(of: table), there.names(of: other))
          if difference.comparison.lacksValues { difference.error = difference.error ?? Report.noValues }
        } catch let error as RosterError {
          guard !error.endsEverything else { throw error }
          difference.isCompared = false
          difference.error = error.message
        }
      } else {
        difference.presence = .here
      }
      if !difference.isEmpty { differences.append(difference) }
    }
    let known = Set(own.map { $0.name.folded })
    for table in others where !known.contains(table.name.folded) {
      differences.append(TableDifference(table: table.name, presence: .there))
    }
    return differences
  }
}

extension RawDatabase {
  /// The tables that hold content of their own: no views, nothing of SQLite's and nothing that Roster keeps for itself. What a
  /// virtual one keeps its rows in is laid out by chance, and those rows are compared instead.
  fileprivate func comparedTables() throws -> [RawTable] {
    let own = try rosterParts().ownTables
    return try tables().filter {
      ($0.kind == .table || $0.kind == .virtual) && !$0.isInternal && !own.contains($0.name)
    }
  }

  fileprivate func names(of table: RawTable) throws -> [String] { try columns(of: table).map(\.name) }
}

extension TableDifference {
  fileprivate var json: JSON {
    func object(_ pairs: [(String, RawValue)]) -> JSON { .object(pairs.map { ($0.0, $0.1.json) }) }
    return .object([
      ("table", .string(table)), ("presence", .string(presence.rawValue)),
      ("added", .array(comparison.added.map { object($0.values) })),
      ("removed", .array(comparison.removed.map { object($0.values) })),
      (
        "changed",
        .array(
          comparison.changed.map { row in
            .object([
              ("key", object(row.key)),
              (
                "columns",
                .array(
                  row.columns.map {
                    .object([("name", .string($0.name)), ("from", $0.from.json), ("to", $0.to.json)])
                  })
              ),
            ])
          })
      ), ("moved", .array(comparison.moved.map { .object([("key", object($0))]) })), ("error", .string(error)),
    ])
  }

  fileprivate func lines(width: Int?, style: Style) -> [String] {
    func cut(_ line: String) -> String { width.map { line.truncated(toWidth: $0) } ?? line.visible }
    func pairs(_ pairs: [(String, RawValue)], isExact: Bool = false) -> String {
      pairs.map { "\($0.0) = \(isExact ? $0.1.exact : $0.1.shown)" }.joined(separator: ", ")
    }
    func look(_ row: TableComparison.Row) -> [String] { row.values.map(\.1.look) }
    let twins =
      comparison.added.isEmpty ? [] : Set(comparison.removed.map(look)).intersection(comparison.added.map(look))
    func values(_ row: TableComparison.Row) -> String {
      pairs(row.values, isExact: !twins.isEmpty && twins.contains(look(row)))
    }
    let rows =
      comparison.removed.map { style.apply(.warning, to: cut("- " + values($0))) }
      + comparison.added.map { style.apply(.success, to: cut("+ " + values($0))) }
      + comparison.changed.map { row in
        let values = row.columns.map { column in
          let (from, to) = RawValue.apart(column.from, column.to)
          return "\(column.name) = \(from) → \(to)"
        }.joined(separator: ", ")
        return cut("~ \(pairs(row.key)): \(values)")
      } + comparison.moved.map { cut("> " + pairs($0)) }
    return [style.apply(.heading, to: Report.difference(self).visible)] + rows
      + (error.map { [style.apply(.warning, to: cut("  \($0)"))] } ?? [])
  }
}
