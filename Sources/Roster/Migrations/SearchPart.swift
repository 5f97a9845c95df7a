/// A part of an index for search, as it stands in the schema: by its name and by what it is, so that nothing of another
/// program's with such a name is taken for one.
struct SearchPart {
  static let prefix = "roster_search_"

  /// The kinds, in the order in which parts are made.
  enum Kind: String, CaseIterable {
    case left, scanned, index, terms, places
    case insert, update, delete, replace, overwrite

    var isVirtual: Bool { self == .index || self == .terms || self == .places }
    var isTrigger: Bool { SearchPart.triggers.contains(self) }
  }

  fileprivate static let triggers: [Kind] = [.insert, .update, .delete, .replace, .overwrite]

  /// The table that is searched.
  let source: String
  let kind: Kind
  let name: String

  /// What a part is called. The kind comes last: no two parts have one name then, and none that of a table that FTS5 makes
  /// for itself, `…_index_data` and the like.
  static func name(_ kind: Kind, of source: String) -> String { "\(prefix)\(source)_\(kind.rawValue)" }

  /// How the SQL of a part begins.
  static func beginning(_ kind: Kind, of source: String) -> String {
    let name = quoted(name(kind, of: source))
    return switch kind {
    case .left: "CREATE TABLE \(name) (row_key INTEGER PRIMARY KEY, is_indexed INTEGER NOT NULL, t0"
    case .scanned: "CREATE TABLE \(name) (row_key INTEGER PRIMARY KEY)"
    case .index: "CREATE VIRTUAL TABLE \(name) USING fts5(t0"
    case .terms: "CREATE VIRTUAL TABLE \(name) USING fts5vocab(\(quoted(Self.name(.index, of: source))), 'row')"
    case .places: "CREATE VIRTUAL TABLE \(name) USING fts5vocab(\(quoted(Self.name(.index, of: source))), 'instance')"
    case .insert, .update, .delete, .replace, .overwrite: "CREATE TRIGGER \(name) "
    }
  }

  /// Nil for what is none.
  init?(name: String, sql: String) {
    // By bytes: for Swift, a letter with an accent behind it is another one.
    let bytes = Array(name.utf8)
    let length = SearchPart.prefix.utf8.count
    guard bytes.starts(with: SearchPart.prefix.utf8) else { return nil }
    for kind in Kind.allCases {
      let suffix = Array("_\(kind.rawValue)".utf8)
      guard bytes.count > length + suffix.count, bytes.suffix(suffix.count).elementsEqual(suffix) else { continue }
      source = String(decoding: bytes[length..<(bytes.count - suffix.count)], as: UTF8.self)
      self.kind = kind
      self.name = name
      let isOwn = sql.utf8.starts(with: SearchPart.beginning(kind, of: source).utf8)
      let target = "INTO \(quoted(SearchPart.name(.left, of: source)))"
      guard isOwn, !kind.isTrigger || sql.contains(target) else { return nil }
      return
    }
    return nil
  }

  /// All parts that a database has.
  static func all(on connection: Connection) throws(RosterError) -> [SearchPart] {
    try connection.rows("SELECT name, sql FROM sqlite_schema WHERE name GLOB '\(prefix)*'").compactMap { row in
      guard row.count == 2, case .text(let name) = row[0], case .text(let sql) = row[1] else { return nil }
      return SearchPart(name: name, sql: sql)
    }
  }

  /// Drops parts, those first that need others.
  static func drop(_ parts: [SearchPart], on connection: Connection) throws(RosterError) {
    for kind in Kind.allCases.reversed() {
      for part in parts where part.kind == kind {
        if kind.isTrigger {
          try connection.execute("DROP TRIGGER \(quoted(part.name))")
        } else if kind.isVirtual {
          try connection.dropVirtualTable(part.name)
        } else {
          try connection.execute("DROP TABLE \(quoted(part.name))")
        }
      }
    }
  }
}
