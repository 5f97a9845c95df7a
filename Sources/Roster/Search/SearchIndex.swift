/// The index of a table's texts, and how it is kept.
///
/// It is an FTS5 table of external content: the content is a view of the table in which each text has two U+001F at its end,
/// so that its last characters begin a trigram, too. Triggers, in plain SQL, note which rows have to be indexed anew, each
/// with the texts that it is indexed with: see `left`. The writer does that for all of them in one pass before it commits.
/// What another program has left is done with the next write, and until then a search reads those rows themselves.
struct SearchIndex {
  let declaration: SearchDeclaration
  let connection: Connection

  private var source: String { declaration.table }
  private var columns: [String] { declaration.columns }

  static let prefix = "roster_search_"

  /// The FTS5 table.
  var index: String { SearchIndex.prefix + source }
  /// The view of the texts.
  var content: String { "\(SearchIndex.prefix)text_\(source)" }
  /// The terms of the index.
  var terms: String { "\(SearchIndex.prefix)terms_\(source)" }
  /// The rows that are to be indexed anew: their keys, whether they are indexed, and with which texts.
  var left: String { "\(SearchIndex.prefix)left_\(source)" }
  /// The rows with a NUL in a text, behind which the tokenizer does not look.
  var scanned: String { "\(SearchIndex.prefix)scanned_\(source)" }

  private var tokenizer: String {
    switch declaration.kind {
    case .substring: "trigram"
    case .words: "unicode61 remove_diacritics 2"
    }
  }

  // MARK: Making it

  /// Everything that the index is made of, by its name, in the order in which it is made.
  private var objects: [(name: String, sql: String)] {
    let names = columns.map(quoted).joined(separator: ", ")
    let padding = declaration.kind == .substring ? " || char(31) || char(31)" : ""
    let texts = columns.map { "\(quoted($0))\(padding) AS \(quoted($0))" }.joined(separator: ", ")
    let options = declaration.kind == .words ? ", prefix = '1 2 3'" : ""
    let kept = columns.indices.map { "text\($0)" }.joined(separator: ", ")
    return [
      (left, "CREATE TABLE \(quoted(left)) (row_key INTEGER PRIMARY KEY, is_indexed INTEGER NOT NULL, \(kept))"),
      (scanned, "CREATE TABLE \(quoted(scanned)) (row_key INTEGER PRIMARY KEY)"),
      (content, "CREATE VIEW \(quoted(content)) AS SELECT rowid AS row_key, \(texts) FROM \(quoted(source))"),
      (
        index,
        "CREATE VIRTUAL TABLE \(quoted(index)) USING fts5(\(names), content = \(literal(content)), "
          + "content_rowid = 'row_key', tokenize = '\(tokenizer)'\(options))"
      ),
      (terms, "CREATE VIRTUAL TABLE \(quoted(terms)) USING fts5vocab(\(quoted(index)), 'row')"),
    ] + triggers
  }

  private var triggers: [(name: String, sql: String)] {
    let isOther = columns.map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0)) COLLATE BINARY" } + ["OLD.rowid IS NOT NEW.rowid"]
    let bodies = [
      ("insert", "AFTER INSERT ON \(quoted(source)) BEGIN \(note(new: "NEW"))END"),
      (
        "update",
        "AFTER UPDATE ON \(quoted(source)) WHEN \(isOther.joined(separator: " OR ")) "
          + "BEGIN \(note(old: "OLD"))\(note(new: "NEW"))END"
      ),
      ("delete", "AFTER DELETE ON \(quoted(source)) BEGIN \(note(old: "OLD"))END"),
    ]
    return bodies.map { suffix, body in
      let name = "\(SearchIndex.prefix)\(suffix)_\(source)"
      return (name, "CREATE TRIGGER \(quoted(name)) \(body)")
    }
  }

  /// Without a conflict clause, in whose place comes that of the statement that runs the trigger.
  /// https://www.sqlite.org/lang_createtrigger.html
  private func note(new row: String) -> String {
    "INSERT INTO \(quoted(left)) (row_key, is_indexed) SELECT \(row).rowid, 0 "
      + "WHERE NOT EXISTS (SELECT 1 FROM \(quoted(left)) WHERE row_key = \(row).rowid); "
  }

  private func note(old row: String) -> String {
    let texts = columns.map { "\(row).\(quoted($0))" }.joined(separator: ", ")
    return "INSERT INTO \(quoted(left)) SELECT \(row).rowid, 1, \(texts) "
      + "WHERE NOT EXISTS (SELECT 1 FROM \(quoted(left)) WHERE row_key = \(row).rowid); "
  }

  private func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
