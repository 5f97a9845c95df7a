import Roster

/// Why a look at a database was refused. It holds facts; `message` phrases them.
enum InspectionRefusal: Error, Equatable {
  case noSuchTable(String, suggestion: String?)
  case badSQL(String, SQLPlace?)
  case statementNotRun
  case writesWithoutLeave
  case inputNotUTF8
  case wrongParameterCount(wanted: Int, given: Int)
  case noSuchParameter(String, names: [String])
  case parameterTwice(String)
  case missingParameters([String])
  case backupExists(String)
  case noOtherDatabase(String)
  /// Some parameters have names, and others have not.
  case mixedParameters([String])
  /// A file, and what SQLite says of it. It may be any program's, of which 'todo-db check' knows nothing.
  case damaged(String, String)

  var message: String {
    switch self {
    case .noSuchTable(let name, let suggestion):
      "there is no table '\(name.visible)'" + (suggestion.map { "; did you mean '\($0.visible)'?" } ?? "")
        + "; 'todo-db tables' lists them"
    case .badSQL(let said, let place):
      (said.hasSuffix(".") ? String(said.dropLast()) : said).visible
        + (place.map { ", in line \($0.line), character \($0.column): \($0.text.truncated(toWidth: 60))" } ?? "")
    case .statementNotRun:
      "'todo-db query' runs one statement that stands for itself; transactions, ATTACH, DETACH and VACUUM are not run "
        + "('todo-db vacuum' and 'todo-db backup' are commands of their own)"
    case .writesWithoutLeave:
      "the statement would change the database, and was not run; --write lets it"
    case .inputNotUTF8: "standard input is no text in UTF-8"
    case .wrongParameterCount(let wanted, let given):
      "the statement has \(wanted) parameter\(wanted == 1 ? "" : "s"), and --param is given \(given) time\(given == 1 ? "" : "s")"
    case .noSuchParameter(let name, let names):
      "'\(name.visible)' names no parameter; give --param NAME=VALUE for \(names.map(\.visible).listed)"
    case .parameterTwice(let name):
      "the parameter \(name.visible) is given twice"
    case .missingParameters(let names):
      "no value is given for \(names.map(\.visible).joined(separator: ", ")); give --param NAME=VALUE"
    case .backupExists(let file):
      "\(file.visible) is there already, and was left as it is; name another file"
    case .noOtherDatabase(let file):
      "there is no database at \(file.visible)"
    case .mixedParameters(let names):
      "the statement has parameters with names, \(names.map(\.visible).joined(separator: ", ")), and others by their places; "
        + "--param gives values to one kind only"
    case .damaged(let file, let said):
      "\(file.visible) is damaged: \(said.visible) Keep a copy of it and go back to a backup"
    }
  }
}

/// What is said of databases of any program.
extension Report {
  static let noSizes = "This SQLite cannot tell what a table takes: it was compiled without SQLITE_ENABLE_DBSTAT_VTAB."
  static let freePages = "(free)"
  static let noPlan = "SQLite has no plan for it: it reads no table."
  static let noDifference = "No difference."
  static let asItLies =
    "Read as it lies, without locks: its log, or the shared memory of it, is not there."

  static func bytes(_ count: Int64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var (value, unit) = (Double(count), 0)
    while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
    guard unit > 0 else { return "\(count) bytes" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  static func pages(_ facts: RawFacts) -> String {
    "\(bytes(facts.fileSize)), \(facts.pageCount) pages of \(facts.pageSize) bytes, \(facts.freePages) free"
  }

  static func log(_ facts: RawFacts) -> String {
    guard let size = facts.logSize else { return "none" }
    return "\(bytes(size)), \(facts.logFrames ?? 0) committed pages"
  }

  /// What Roster keeps in a database, as names and values.
  static func roster(_ parts: RosterParts) -> [(String, String)] {
    guard !parts.isEmpty else { return [("Roster", "has made nothing in it")] }
    let orders = parts.orders.map { order in
      "\(order.table).\(order.column)" + (order.scope.map { " within \($0)" } ?? "") + " (\(order.index))"
    }
    var facts = [
      ("Records", parts.recordTables.isEmpty ? "none" : parts.recordTables.joined(separator: ", ")),
      ("Orders", orders.isEmpty ? "none" : orders.joined(separator: ", ")),
      ("Search", parts.searched.isEmpty ? "none" : parts.searched.joined(separator: ", ")),
    ]
    if let log = parts.log {
      let span = log.span.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "no entries"
      let consumers = log.consumers.map { "\($0.name) at \($0.sequence)" }
      facts.append(("Change log", "\(span), last number \(log.last)"))
      facts.append(("Consumers", consumers.isEmpty ? "none with a name" : consumers.joined(separator: ", ")))
    } else {
      facts.append(("Change log", "none"))
    }
    facts.append(
      ("Migrations", parts.migrations.isEmpty ? "none" : parts.migrations.map(\.fileName).joined(separator: ", ")))
    return facts
  }

  static func unknownCollations(_ names: [String]) -> String {
    "the collation\(names.count == 1 ? "" : "s") \(names.map(\.visible).joined(separator: ", ")) "
      + "\(names.count == 1 ? "is" : "are") another program's; texts were compared by their bytes instead"
  }

  static func failure(_ failure: DumpWriter.Failure) -> String {
    let table = failure.table.visible
    return switch failure.reason {
    case .unreadable(let reason): "\(table) cannot be read, or not to its end: \(reason.visible)"
    case .null(let column):
      "some rows of \(table) have NULL in \(column.visible), which the table does not take: they do not come back from the SQL"
    }
  }

  static func changedRows(_ count: Int) -> String { "\(count) row\(count == 1 ? "" : "s") changed" }

  static func scan(_ scan: QueryPlan.Scan) -> String {
    scan.index.map { "Reads all of the index \($0.visible), an entry for each row of \(scan.name.visible)" }
      ?? "Reads all rows of \(scan.name.visible)"
  }

  static func backedUp(_ path: String, to copy: String, _ size: Int64) -> String {
    "Copied \(path) to \(copy), \(bytes(size))"
  }

  static func vacuumed(from before: Int64, to after: Int64) -> String {
    "Rebuilt: \(bytes(before)) before, \(bytes(after)) now"
  }

  static func madeMigration(_ path: String) -> String { "Made \(path)" }

  /// Which columns only one of two tables has; nil where none is.
  static func otherColumns(_ here: [String], _ there: [String]) -> String? {
    let (own, others) = (Set(here.map(\.folded)), Set(there.map(\.folded)))
    let (onlyHere, onlyThere) = (
      here.filter { !others.contains($0.folded) }, there.filter { !own.contains($0.folded) }
    )
    let parts =
      (onlyHere.isEmpty ? [] : ["columns only here: \(onlyHere.joined(separator: ", "))"])
      + (onlyThere.isEmpty ? [] : ["columns only there: \(onlyThere.joined(separator: ", "))"])
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Rows that have a number and nothing else, as of an index for search that keeps no texts.
  static let noValues = "its values cannot be read back, so that only the numbers of its rows were compared"

  static func difference(_ difference: TableDifference) -> String {
    switch difference.presence {
    case .here: return "\(difference.table): only here"
    case .there: return "\(difference.table): only there"
    case .both:
      let rows = difference.comparison
      let counts = [
        (rows.removed.count, "removed"), (rows.added.count, "added"), (rows.changed.count, "changed"),
        (rows.moved.count, "moved"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      if !difference.isCompared, counts.isEmpty { return "\(difference.table): not compared" }
      return "\(difference.table): \(counts.isEmpty ? "no row is another" : counts.joined(separator: ", "))"
    }
  }
}

extension String {
  /// Its bytes with A to Z as a to z: names that SQLite takes for one are the same.
  var folded: [UInt8] { utf8.map { (65...90).contains($0) ? $0 + 32 : $0 } }

  /// Whether the bytes of another text are in it: an accent behind them makes no difference.
  func has(_ text: String) -> Bool { Array(utf8).firstRange(of: Array(text.utf8)) != nil }

  /// The text with its line breaks, and all else that drives a terminal made visible.
  var visibleLines: String {
    var lines: [String] = [""]
    for scalar in unicodeScalars {
      if scalar == "\n" { lines.append("") } else { lines[lines.count - 1].unicodeScalars.append(scalar) }
    }
    return lines.map { line in
      line.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
        .map { String($0).visible }.joined(separator: "\t")
    }.joined(separator: "\n")
  }
}
