import Roster

/// How SQLite would run a statement. https://www.sqlite.org/eqp.html
struct QueryPlan {
  struct Step: Equatable {
    var id: Int64
    var parent: Int64
    var detail: String
  }

  /// What is read from end to end: a table, or where `index` is told, an index of it.
  struct Scan: Equatable {
    var name: String
    var index: String?
  }

  var steps: [Step]

  /// What the plan calls by a name and makes itself, such as a common table expression, is no table.
  var scans: [Scan] {
    let own = steps.compactMap { step -> String? in
      for beginning in ["MATERIALIZE ", "CO-ROUTINE "] where step.detail.hasPrefix(beginning) {
        return String(step.detail.dropFirst(beginning.count))
      }
      return nil
    }
    return steps.compactMap { step in
      guard step.detail.hasPrefix("SCAN "), !step.detail.contains(" VIRTUAL TABLE "),
        !step.detail.hasSuffix("CONSTANT ROW"), !step.detail.hasSuffix("CONSTANT ROWS")
      else { return nil }
      let rest = Array(step.detail.utf8.dropFirst("SCAN ".utf8.count))
      var (name, index): (ArraySlice<UInt8>, String?) = (rest[...], nil)
      for mark in [" USING COVERING INDEX ", " USING INDEX "] {
        guard let range = rest.firstRange(of: Array(mark.utf8)) else { continue }
        name = rest[..<range.lowerBound]
        index = String(decoding: rest[range.upperBound...], as: UTF8.self)
        break
      }
      let scanned = String(decoding: name, as: UTF8.self)
      guard !scanned.hasPrefix("("), !own.contains(scanned) else { return nil }
      return Scan(name: scanned, index: index)
    }
  }

  /// The steps as a tree, each below the one that it is a part of.
  func lines() -> [String] {
    let children = Dictionary(grouping: steps, by: \.parent)
    var lines: [String] = []
    // By a list of its own, and not by calls: a statement may be nested deeply.
    var left = (children[0] ?? []).reversed().map { (step: $0, indent: "", isLast: false) }
    if !left.isEmpty { left[0].isLast = true }
    var seen: Set<Int64> = []
    while let (step, indent, isLast) = left.popLast() {
      lines.append(indent + (isLast ? "└─ " : "├─ ") + step.detail.visible)
      guard seen.insert(step.id).inserted else { continue }
      let below = children[step.id] ?? []
      left += below.enumerated().reversed().map { index, child in
        (child, indent + (isLast ? "   " : "│  "), index == below.count - 1)
      }
    }
    return lines
  }
}

extension Session {
  func explain(_ sql: String) throws -> ExitCode {
    let sql = try text(sql)
    let database = try inspect()
    let plan: QueryPlan
    do {
      let statement = try database.describe("EXPLAIN QUERY PLAN \(sql)")
      let rows = try database.snapshot {
        try database.rows(
          "EXPLAIN QUERY PLAN \(sql)", .positional(statement.parameters.map { _ in .null }))
      }
      plan = QueryPlan(
        steps: rows.compactMap { row in
          guard row.count == 4, case .integer(let id) = row[0], case .integer(let parent) = row[1] else { return nil }
          return QueryPlan.Step(id: id, parent: parent, detail: row[3].shown)
        })
    } catch let error as RosterError where error.code == .sql || error.code == .notAuthorized {
      // Where the statement itself is at fault, its own place counts.
      do { _ = try database.describe(sql) } catch { throw InspectionRefusal.ofQuery(sql, error) }
      throw InspectionRefusal.ofQuery("EXPLAIN QUERY PLAN \(sql)", error)
    }
    let scans = plan.scans
    report(
      .object([
        (
          "plan",
          .array(
            plan.steps.map {
              .object([
                ("id", .number(Int($0.id))), ("parent", .number(Int($0.parent))), ("detail", .string($0.detail)),
              ])
            })
        ), ("scans", .array(scans.map { .object([("name", .string($0.name)), ("index", .string($0.index))]) })),
      ]),
      (plan.steps.isEmpty ? [Report.noPlan] : plan.lines())
        + scans.map { console.outStyle.apply(.warning, to: Report.scan($0)) })
    return .done
  }
}
