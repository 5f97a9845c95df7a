/// Why a command was not carried out. It holds facts; `message` phrases them.
enum Refusal: Error, Equatable {
  struct Candidate: Equatable {
    var id: String
    var title: String
  }

  case noDatabase(String)
  case emptyDatabase(String)
  case foreignDatabase(String, tables: [String])
  case pendingMigrations(String)
  case folderNotMade(String)
  case noSuchTodo(String)
  case ambiguousID(String, candidates: [Candidate], hasMore: Bool)
  case noSuchList(String, suggestion: String?)
  /// A number of an option that is none of the places of a list, which are those from 0 on.
  case outOfRange(String, Int, list: String, places: Int)
  /// Todos are to go to one place, and nothing says in which of their lists.
  case severalLists
  /// Numbers were given, and not of which of these lists.
  case listNotNamed([String])
  case unreadable(String, FileError)
  case unwritable(String, FileError)
  case outputIsDatabase(String)
  case notImported(String, ImportFailure)
  case noChangeLog(String)
  case noSuchTag(String, suggestion: String?)
  case listExists(String)
  case tagExists(String)
  /// What can't be undone was not confirmed, and nobody can be asked.
  case notConfirmed(String)
  /// A date that is typed as a distance, and beyond the years that a date can have.
  case dateOutOfRange
  /// A number that the log of changes has not come to, and its last one.
  case beyondLog(Int, last: Int64)
}

extension Refusal {
  /// What is wrong and what to do.
  var message: String {
    switch self {
    case .noDatabase(let path):
      "there is no database at \(path); 'todo-db init' makes one there, and --db FILE or TODO_DB names another"
    case .emptyDatabase(let path):
      "\(path) is empty; 'todo-db init' makes a database of it"
    case .foreignDatabase(let path, let tables):
      "\(path) is another program's database\(Self.naming(tables)), and was left as it is; name a file of its own "
        + "for the todos with --db FILE"
    case .pendingMigrations(let path):
      "\(path) is from an older version of todo-db; 'todo-db migrate' brings it up to date"
    case .folderNotMade(let path):
      "the folder \(path.visible) could not be made; name another place with --db FILE"
    case .noSuchTodo(let id):
      "no todo has an id that begins with '\(id.visible)'; 'todo-db list' shows the ids"
    case .ambiguousID(let id, let candidates, let hasMore):
      (["several ids begin with '\(id.visible)'; give more of the one you mean:"]
        + candidates.map { "  \($0.id)  \($0.title.truncated(toWidth: 40))" }
        + (hasMore ? ["  and more"] : []))
        .joined(separator: "\n")
    case .noSuchList(let name, let suggestion):
      "there is no list '\(name.visible)'" + (suggestion.map { "; did you mean '\($0.visible)'?" } ?? "")
    case .noSuchTag(let name, let suggestion):
      "there is no tag '\(name.visible)'" + (suggestion.map { "; did you mean '\($0.visible)'?" } ?? "")
    case .listExists(let name): "there is a list '\(name.visible)' already"
    case .tagExists(let name): "there is a tag '\(name.visible)' already"
    case .notConfirmed(let question): "\(question) Say so with --yes; there is no terminal to ask on."
    case .dateOutOfRange: "--due is beyond the years that a date can have, 0 to 9999"
    case .outOfRange(let option, let number, let list, let places):
      "\(option) is \(number); in '\(list.visible)' \(Self.range(places))"
    case .severalLists:
      "these todos are in several lists; say with --list which one they are to go to"
    case .listNotNamed(let lists):
      lists.isEmpty
        ? "there is no list to move anything in; 'todo-db add' makes one"
        : "--from counts within one list, and there are \(lists.count); name it with --list: \(Self.some(of: lists))"
    case .unreadable(let file, let error):
      "\(Self.input(file)) could not be read: \(error.reason)"
    case .unwritable(let file, let error):
      "\(file.visible) could not be written: \(error.reason)"
    case .outputIsDatabase(let file):
      "\(file.visible) is the database itself; give --output another name"
    case .notImported(let file, let failure):
      Self.notImported(Self.input(file), failure)
    case .noChangeLog(let path):
      "\(path) keeps no log of changes, and can only be read here; todo-db begins one where it can write to the file"
    case .beyondLog(let number, let last):
      "--since is \(number), and the log of changes has come to \(last); the number may be of another database"
    }
  }

  private static func input(_ file: String) -> String { file == "-" ? "standard input" : file.visible }

  private static func range(_ places: Int) -> String {
    switch places {
    case 0: "no todo is shown"
    case 1: "it can only be 0"
    default: "it can be 0 to \(places - 1)"
    }
  }

  private static func some(of lists: [String]) -> String {
    let shown = 5
    let names = lists.prefix(shown).map { "'\($0.visible)'" }
    return lists.count > shown ? names.joined(separator: ", ") + " and more" : names.listed
  }

  private static func naming(_ tables: [String]) -> String {
    guard !tables.isEmpty else { return "" }
    let names = tables.prefix(3).map(\.visible).joined(separator: ", ")
    return " (it has \(names)\(tables.count > 3 ? " and more" : ""))"
  }

  private static func notImported(_ file: String, _ failure: ImportFailure) -> String {
    let shown = 20
    var lines = ["\(file) was not imported:"] + failure.problems.prefix(shown).map { "  \($0.message)" }
    if failure.problems.count > shown { lines.append("  and \(failure.problems.count - shown) more") }
    lines.append(
      failure.canSkip
        ? "Correct the file, or leave this out with --skip-bad."
        : "Correct the file and try again.")
    return lines.joined(separator: "\n")
  }
}
