/// The index of a table's texts, and how it is kept.
///
/// It is an FTS5 table that keeps no texts, and each text is indexed with two U+001F at its end, so that its last characters
/// begin a trigram, too. Triggers, in plain SQL, note which rows have to be indexed anew, each with the texts that it is
/// indexed with: see `left`. The writer does that for all of them in one pass before it commits. What another program has
/// left is done soon after a search has come upon it, which until then reads those rows themselves.
///
/// Not a view, which FTS5 could read the texts from: while its table is away, as in another program's migration, no table
/// could be renamed. https://www.sqlite.org/lang_altertable.html#compatibility_note
///
/// The invariant: a row is indexed with the texts that `left` has for it, with none where `left` says so, and with those
/// that it has now where it is not in `left`.
struct SearchIndex {
  let declaration: SearchDeclaration
  let connection: Connection

  /// In lower case, so that programs which spell a name otherwise mean one index.
  let source: String
  private let columns: [String]

  init(_ declaration: SearchDeclaration, on connection: Connection) {
    self.declaration = declaration
    self.connection = connection
    source = declaration.table.lowercasedASCII()
    columns = declaration.columns.map { $0.lowercasedASCII() }
  }

  // MARK: Names

  private func name(_ kind: SearchPart.Kind) -> String { SearchPart.name(kind, of: source) }

  /// The FTS5 table. Its columns are `t0`, `t1` and so on: some names are not allowed there.
  var index: String { name(.index) }
  /// The terms of the index.
  var terms: String { name(.terms) }
  /// Where each of them is.
  var places: String { name(.places) }
  /// The rows that are to be indexed anew: their keys, whether they are indexed, and with which texts.
  var left: String { name(.left) }
  /// The rows with a NUL in a text, behind which the tokenizer does not look.
  var scanned: String { name(.scanned) }

  /// The columns of the FTS5 table.
  var texts: [String] { columns.indices.map { "t\($0)" } }

  var tokenizer: String {
    switch declaration.kind {
    case .substring: "trigram"
    case .words: LetterFolds.tokenizer61
    }
  }

  // MARK: What it is made of

  struct Object: Equatable {
    let name: String
    let sql: String
  }

  /// In the order in which they are made.
  func objects() throws(RosterError) -> [Object] {
    let names = texts.joined(separator: ", ")
    let options = declaration.kind == .words ? ", prefix = '1 2 3'" : ""
    // Relevance is reckoned from the texts, so that lengths need not be kept: an eighth of the time to index rows.
    let module = ", content = '', columnsize = 0, tokenize = '\(tokenizer)'\(options))"
    let ends: [(SearchPart.Kind, String)] = [
      (.left, names.dropFirst("t0".count) + ")"), (.scanned, ""), (.index, names.dropFirst("t0".count) + module),
      (.terms, ""), (.places, ""),
    ]
    return ends.map { kind, end in
      Object(name: name(kind), sql: SearchPart.beginning(kind, of: source) + end)
    } + (try triggers())
  }

  /// The texts of the table's rows as they are indexed.
  var indexedTexts: String { columns.map { padded(quoted($0)) }.joined(separator: ", ") }

  func padded(_ text: String) -> String {
    declaration.kind == .substring ? "\(text) || char(31) || char(31)" : text
  }

  private func triggers() throws(RosterError) -> [Object] {
    let conflicts = try RowConflicts(source, on: connection)
    let isOther = RowConflicts.differ(columns + ["rowid"])
    let bodies: [(SearchPart.Kind, String, String, String)] = [
      (.insert, "AFTER INSERT", "", note(new: "NEW")),
      (.update, "AFTER UPDATE", "WHEN \(isOther) ", note(old: "OLD") + note(new: "NEW")),
      (.delete, "AFTER DELETE", "", note(old: "OLD")),
      (.replace, "BEFORE INSERT", "WHEN \(conflicts.onInsert) ", note(conflicts, where: "1")),
      (.overwrite, "BEFORE UPDATE", "WHEN \(conflicts.onUpdate) ", note(conflicts, where: RowConflicts.others)),
    ]
    return bodies.map { kind, event, condition, body in
      let sql = "\(event) ON \(quoted(source)) \(condition)BEGIN \(body)END"
      return Object(name: name(kind), sql: SearchPart.beginning(kind, of: source) + sql)
    }
  }

  // In the place of a conflict clause comes that of the statement that runs the trigger, but not in that of ON CONFLICT.
  // https://www.sqlite.org/lang_createtrigger.html
  private var unlessNoted: String { "ON CONFLICT (row_key) DO NOTHING; " }

  private func note(new row: String) -> String {
    "INSERT INTO \(quoted(left)) (row_key, is_indexed) VALUES (\(row).rowid, 0) \(unlessNoted)"
  }

  private func note(old row: String) -> String {
    let texts = columns.map { "\(row).\(quoted($0))" }.joined(separator: ", ")
    return "INSERT INTO \(quoted(left)) VALUES (\(row).rowid, 1, \(texts)) \(unlessNoted)"
  }

  private func note(_ conflicts: RowConflicts, where condition: String) -> String {
    conflicts.selects("rowid, 1, \(columns.map(quoted).joined(separator: ", "))", where: condition).map {
      "INSERT INTO \(quoted(left)) \($0) \(unlessNoted)"
    }.joined()
  }
}
