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
  /// The properties that are searched.
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
  public static func words(_ texts: Texts..., weights: [Double] = []) -> TextSearch {
    TextSearch(kind: .words, texts: texts, weights: weights)
  }
}

/// What of a table is searched, the type of the record erased.
public final class SearchDeclaration: Sendable {
  /// How texts are found.
  public enum Kind: String, Sendable {
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
      if column.valueType != String.self, column.valueType != String?.self {
        faults.append("column \(column.name) is searched, and stores a \(column.valueType), not a text")
      }
    }
    if search.weights.count > search.texts.count { faults.append("the search has more weights than properties") }
    if search.weights.contains(where: { !($0 >= 0 && $0.isFinite) }) {
      faults.append("a weight of the search is negative or no number")
    }
    return faults
  }
}
