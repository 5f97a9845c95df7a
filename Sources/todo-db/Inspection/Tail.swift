import Dispatch
import Foundation
import Roster
import Synchronization

extension Inspection.Tail {
  /// Each look is by a connection of its own, so that the database is nobody's to wait for in between.
  func run(in session: Session) throws -> ExitCode {
    let end = EndOfTail()
    let ending = follows ? Ending(readerOf: session.console.out) { end.set() } : nil
    var table = LogTable()
    var last = since.map(Int64.init)
    var seen: DatabaseTraces?
    var document: [JSON] = []
    repeat {
      // Before the look: what is written after it is seen at the next one.
      let traces = DatabaseTraces(session.location.path)
      guard traces != seen else { continue }
      let database = try session.inspect()
      while true {
        let (entries, newest) = try database.snapshot { () throws -> ([LoggedChange], Int64) in
          guard let log = try database.rosterParts().log else { throw Refusal.noChangeLog(session.location.shown) }
          if let last, last > log.last { throw Refusal.beyondLog(Int(last), last: log.last) }
          return (try database.loggedChanges(after: last, limit: last == nil ? limit : Self.chunk), log.last)
        }
        if session.isJSON, !follows { document += entries.map(\.json) } else { print(entries, &table, session) }
        last = entries.last?.sequence ?? max(last ?? 0, newest)
        if entries.count < Self.chunk || session.console.out.isClosed { break }
      }
      seen = traces
    } while follows && session.console.out.handOver() && !end.wait(seconds: 1)
    if session.isJSON, !follows { session.console.out.write(document) }
    return ending?.code() ?? .done
  }

  private static let chunk = 1_000

  private func print(_ entries: [LoggedChange], _ table: inout LogTable, _ session: Session) {
    let out = session.console.out
    if session.isJSON {
      for entry in entries { out.writeLine(entry.json.text) }
    } else {
      for line in table.lines(entries, width: out.terminalWidth, style: session.console.outStyle) {
        out.writeLine(line)
      }
    }
  }
}

/// That a command which goes on is to end.
private final class EndOfTail: Sendable {
  private let signal = DispatchSemaphore(value: 0)

  func set() { signal.signal() }

  /// True where it came before the time was over.
  func wait(seconds: Int) -> Bool { signal.wait(timeout: .now() + .seconds(seconds)) == .success }
}

/// How a database's files lie, to see whether there can be anything new.
private struct DatabaseTraces: Equatable {
  private var files: [[String]] = []

  init(_ path: String) {
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    files = ["", "-wal"].map { suffix in
      let facts = (try? FileManager.default.attributesOfItem(atPath: real + suffix)) ?? [:]
      let time = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
      return ["\(facts[.systemFileNumber] ?? "")", "\(facts[.size] ?? "")", "\(time ?? 0)"]
    }
  }
}

/// Entries of the log in columns that line up from one look to the next.
private struct LogTable {
  private var hasHeadings = false
  private var widths = [6, 8, 9, 6, 36]

  mutating func lines(_ entries: [LoggedChange], width: Int?, style: Style) -> [String] {
    guard !entries.isEmpty else { return [] }
    var table = TextTable([
      .init("SEQ", alignment: .right), .init("KIND"), .init("TABLE", minimumWidth: 8), .init("ROW", alignment: .right),
      .init("ID", minimumWidth: 8),
    ])
    for entry in entries {
      table.append([
        .init(String(entry.sequence), role: .dimmed), .init(entry.kind), .init(entry.table),
        .init(entry.rowKey.map(String.init) ?? ""), .init(entry.id.raw.shownID, role: .dimmed),
      ])
    }
    defer { hasHeadings = true }
    return Array(table.lines(keeping: &widths, width: width, style: style).dropFirst(hasHeadings ? 1 : 0))
  }
}

extension LoggedChange {
  fileprivate var json: JSON {
    .object([
      ("seq", .number(Int(sequence))), ("kind", .string(kind)), ("table", .string(table)),
      ("row", rowKey.map { .number(Int($0)) } ?? .null), ("id", id.raw.json),
    ])
  }
}

extension SQLiteValue {
  fileprivate var raw: RawValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .blob(let data): .blob(Array(data))
    }
  }
}

extension RawValue {
  fileprivate var shownID: String { self == .null ? "" : shown }
}
