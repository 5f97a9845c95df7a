import Roster

/// How rows are printed.
enum RowFormat: String, CaseIterable, Sendable {
  case table, json, ndjson, csv, markdown, sql

  /// Those of a query, whose rows are of no table.
  static let ofQuery: [RowFormat] = [.table, .json, .ndjson, .csv, .markdown]
}

/// That nobody reads the output any more, so that a long listing ends.
struct ReaderHasGone: Error {}

/// Prints rows as they come, a few hundred at a time at most being held.
struct RowPrinter {
  private let format: RowFormat
  private let console: Console
  private let names: [String]
  private var isFirst = true
  private var pending: [[RawValue]] = []
  private var widths: [Int] = []
  private var isNumeric: [Bool] = []

  /// So many rows say how wide the columns of a table are at first.
  private static let chunk = 500

  /// Columns of the same name get numbers: JSON objects have each key once.
  init(_ columns: [String], as format: RowFormat, _ console: Console) {
    self.format = format
    self.console = console
    names = columns.madeDistinct
  }

  private var out: OutputStream { console.out }

  mutating func begin() {
    switch format {
    case .csv: writeCSV(names.map { RawValue.text($0) })
    case .markdown:
      out.writeLine("| " + names.map { RawValue.text($0).markdown }.joined(separator: " | ") + " |")
      out.writeLine("|" + names.map { _ in " --- |" }.joined())
    case .table, .json, .ndjson, .sql: break
    }
  }

  mutating func print(_ row: [RawValue]) throws {
    if out.isClosed { throw ReaderHasGone() }
    switch format {
    case .json:
      var line = isFirst ? "[" : ",\n "
      object(row).write(to: &line)
      out.write(line)
    case .ndjson: out.writeLine(object(row).text)
    case .csv: writeCSV(row)
    case .markdown: out.writeLine("| " + row.map(\.markdown).joined(separator: " | ") + " |")
    case .table, .sql:
      pending.append(row)
      if pending.count >= Self.chunk { writeTable() }
    }
    if format != .table { isFirst = false }
  }

  mutating func end() {
    switch format {
    case .json: out.write(isFirst ? "[]" : "]")
    case .table, .sql: if !pending.isEmpty || isFirst { writeTable() }
    case .ndjson, .csv, .markdown: break
    }
  }

  func object(_ row: [RawValue]) -> JSON { .object(zip(names, row).map { ($0, $1.json) }) }

  private func writeCSV(_ row: [RawValue]) {
    var line: [UInt8] = []
    for (index, value) in row.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line += value.csv
    }
    // A record of one empty field would be a blank line.
    if line.isEmpty { line = Array("\"\"".utf8) }
    if out.isTerminal {
      out.writeLine(String(decoding: line, as: UTF8.self).visibleLines)
    } else {
      out.write(line + [13, 10])
    }
  }

  private mutating func writeTable() {
    if isFirst {
      isNumeric = names.indices.map { column in
        let values = pending.compactMap { $0.dropFirst(column).first }.filter { $0 != .null }
        return !values.isEmpty && values.allSatisfy { $0.storageClass == .integer || $0.storageClass == .real }
      }
    }
    var table = TextTable(
      zip(names, isNumeric).map {
        TextTable.Column($0, alignment: $1 ? .right : .left, minimumWidth: $1 ? nil : 4)
      })
    for row in pending {
      table.append(row.map { TextTable.Cell($0.shown, role: $0 == .null ? .dimmed : .plain) })
    }
    let lines = table.lines(keeping: &widths, width: out.terminalWidth, style: console.outStyle)
    for line in lines.dropFirst(isFirst ? 0 : 1) { out.writeLine(line) }
    pending = []
    isFirst = false
  }
}

extension [String] {
  /// The names, those that came before with a number behind them.
  var madeDistinct: [String] {
    var taken = Set(self)
    var seen: Set<String> = []
    return map { name in
      if seen.insert(name).inserted { return name }
      var number = 2
      while !taken.insert("\(name)_\(number)").inserted { number += 1 }
      return "\(name)_\(number)"
    }
  }
}
