/// That texts of a table are searched, and how.
///
/// ```swift
/// static let table = Table(
///   "todo", Todo.init, Column("id", \.id), Column("title", \.title), Column("note", \.note),
///   search: .substring(\.title, \.note, weights: [4, 1]))
/// ```
///
/// An index for it is made when a store opens, in tables whose names begin with `roster_search_`. Stock SQLite can write to the
/// table all the same, without an extension.
public struct TextSearch<R: Record>: Sendable {
  /// The properties that are searched, each a `String` or `String?` that a column stores as it is.
  public typealias Texts = any PartialKeyPath<R> & Sendable

  @usableFromInline let kind: SearchDeclaration.Kind
  @usableFromInline let texts: [Texts]
  @usableFromInline let weights: [Double]

  /// A text is found by any part of it, in every script, from one character on. Letters are found in either case; é as one
  /// scalar and é as two are different texts.
  ///
  /// - Parameter weights: how much a hit in each of the properties counts for the order by relevance, 1 where nothing is said.
  public static func substring(_ texts: Texts..., weights: [Double] = []) -> TextSearch {
    TextSearch(kind: .substring, texts: texts, weights: weights)
  }

  /// A text is found by the beginnings of its words, whatever their case and diacritics. For long prose in scripts that have
  /// spaces between words.
  ///
  /// Symbols in what is typed have to be in the text, too. A run of Chinese is one word here, found by its beginning only.
  public static func words(_ texts: Texts..., weights: [Double] = []) -> TextSearch {
    TextSearch(kind: .words, texts: texts, weights: weights)
  }
}

/// What of a table is searched, the type of the record erased.
@usableFromInline final class SearchDeclaration: Sendable {
  /// How texts are found.
  @usableFromInline enum Kind: String, Sendable {
    /// By any part.
    case substring
    /// By the beginnings of words.
    case words
  }

  let kind: Kind
  let table: String
  /// The names of the columns.
  let columns: [String]
  let weights: [Double]

  init<R: Record>(_ search: TextSearch<R>, table: String, _ columns: [TableColumn]) {
    kind = search.kind
    self.table = table
    let found = search.texts.compactMap { text in columns.first { $0.keyPath == text as AnyKeyPath } }
    self.columns = found.map(\.name)
    weights = found.indices.map { search.weights.indices.contains($0) ? search.weights[$0] : 1 }
  }

  /// What is wrong with a declaration.
  static func faults<R: Record>(_ search: TextSearch<R>, _ columns: [TableColumn]) -> [String] {
    var faults: [String] = []
    if search.texts.isEmpty { faults.append("the search names no property") }
    var seen: Set<AnyKeyPath> = []
    for text in search.texts {
      guard let column = columns.first(where: { $0.keyPath == text as AnyKeyPath }) else {
        faults.append("the search names \(text), which is no column of the table")
        continue
      }
      if !seen.insert(text).inserted { faults.append("the search names \(column.name) twice") }
      if column.valueType != String.self && column.valueType != String?.self || column.traits.isConverted {
        faults.append("column \(column.name) is searched, and stores a \(column.valueType) that is no plain text")
      }
    }
    if search.weights.count > search.texts.count { faults.append("the search has more weights than properties") }
    if search.weights.contains(where: { !($0 >= 0 && $0.isFinite) }) {
      faults.append("a weight of the search is negative or no number")
    }
    return faults
  }

  /// The declarations of records, each table once.
  static func all(of records: [any Record.Type]) -> [SearchDeclaration] {
    func search<R: Record>(of type: R.Type) -> SearchDeclaration? { R.table.search }
    var all: [SearchDeclaration] = []
    for case let search? in records.map({ search(of: $0) }) {
      let isKnown = all.contains { $0.table.lowercasedASCII() == search.table.lowercasedASCII() }
      if !isKnown { all.append(search) }
    }
    return all
  }

  /// Whether an index for one is that for the other. The weights are of the query.
  func isSame(as other: SearchDeclaration) -> Bool { kind == other.kind && columns == other.columns }

  /// Two records of one table that search it in two ways, as sentences.
  static func contradictions(_ records: [any Record.Type]) -> [String] {
    func search<R: Record>(of type: R.Type) -> SearchDeclaration? { R.table.search }
    var known: [String: SearchDeclaration] = [:]
    var faults: [String] = []
    for case let search? in records.map({ search(of: $0) }) {
      let old = known.updateValue(search, forKey: search.table.lowercasedASCII())
      if let old, !old.isSame(as: search) { faults.append("two records search table \(search.table) in two ways") }
    }
    return faults
  }
}

/// What a user looks for.
struct SearchRequest: Sendable, Hashable {
  let text: String
  /// Whether what stands between two quotation marks is one word, spaces and all.
  let phrases: Bool

  /// Whether it means all rows.
  var isBlank: Bool {
    text.unicodeScalars.allSatisfy { $0.properties.isWhitespace || phrases && $0 == "\"" }
  }
}

/// Finds the rows of searches, on the connection that it belongs to.
protocol TextFinder: AnyObject {
  /// What the searches come to in the database at this moment.
  ///
  /// - Parameter isForWriting: whether each row is to be read for it, whatever an index says.
  func find(
    _ searches: [SearchRequest], _ declaration: SearchDeclaration, _ purpose: FoundTexts.Purpose, isForWriting: Bool,
    on connection: Connection
  ) throws(RosterError) -> FoundTexts
}

/// What searches come to in a database at one moment, as SQL over the table's columns.
struct FoundTexts {
  /// What it is wanted for.
  enum Purpose {
    /// A condition that reads nothing but the row itself.
    case eachRow
    /// A condition, in whatever order the rows then come.
    case rows
    /// The best first.
    case best
  }

  /// Which row comes first.
  enum Order {
    case any
    /// The latest one, by its integer key.
    case latest
    /// The same, and an index has the rows in that order that the SQL selects as `roster_key`.
    case latestOf(SQL)
    /// As the integer keys stand here, and only these.
    case keys([Int64])
  }

  /// Holds for the rows.
  var condition: SQL
  /// Holds for those rows that ``order`` names and that have what was looked for.
  var rest: SQL?
  var order = Order.any
}
