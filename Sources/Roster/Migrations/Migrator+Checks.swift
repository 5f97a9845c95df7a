extension Migrator {
  /// A foreign key that rows violate: the child table, and the parent it refers to.
  struct ForeignKey: Hashable {
    let table: String
    let parent: String
  }

  /// How many rows violate each foreign key.
  func violations(on connection: Connection) throws(RosterError) -> [ForeignKey: Int] {
    var counts: [ForeignKey: Int] = [:]
    for row in try connection.rows("PRAGMA foreign_key_check") where row.count == 4 {
      guard case .text(let table) = row[0], case .text(let parent) = row[2] else { continue }
      counts[ForeignKey(table: table, parent: parent), default: 0] += 1
    }
    return counts
  }

  /// Refuses a migration that leaves rows behind without the row they refer to. Rows that were so before, by
  /// a program that does not enforce foreign keys, must not keep the app from opening its file.
  func refuseViolations(
    beyond before: [ForeignKey: Int], of migration: Migration, on connection: Connection
  ) throws(RosterError) {
    let after = try violations(on: connection)
    let new = after.filter { $0.value > before[$0.key] ?? 0 }.sorted { $0.key.table < $1.key.table }
    guard let first = new.first else { return }
    let list = new.map { "\($0.value) of \($0.key.table) without their \($0.key.parent)" }.joined(
      separator: ", ")
    throw RosterError(
      .migrationFailed, "Migration \(migration.fileName) leaves rows that violate a foreign key: \(list).",
      table: first.key.table)
  }

  /// The line of a statement of a script, or of the fault in it, and the statement's own text.
  ///
  /// `offset` is where the parser began: right after the statement before, at white space and comments.
  static func place(in script: String, statement offset: Int, fault: Int?) -> (line: Int, statement: String) {
    let bytes = Array(script.utf8)
    var start = min(offset, bytes.count)
    skipBlank(bytes, &start)
    let mark = fault.map { min(offset + $0, bytes.count) } ?? start
    // A lone CR ends a line, as a CR followed by LF does once.
    var line = 1
    for index in 0..<mark {
      let isReturn = bytes[index] == UInt8(ascii: "\r")
      let isSplit = isReturn && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
      if bytes[index] == UInt8(ascii: "\n") || isReturn && !isSplit { line += 1 }
    }
    let text = String(decoding: bytes[start...].prefix(200), as: UTF8.self)
    return (line, bytes.count - start > 200 ? text + "…" : text)
  }

  private static func skipBlank(_ bytes: [UInt8], _ place: inout Int) {
    while place < bytes.count {
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      switch (bytes[place], next) {
      case (0x09...0x0D, _), (0x20, _), (UInt8(ascii: ";"), _): place += 1
      case (0xEF, 0xBB): place += 3
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        place += 2
        while place < bytes.count,
          !(bytes[place - 1] == UInt8(ascii: "*") && bytes[place] == UInt8(ascii: "/"))
        {
          place += 1
        }
        place += 1
      default: return
      }
    }
    place = min(place, bytes.count)
  }
}
