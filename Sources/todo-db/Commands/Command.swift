/// The order of a listing.
enum TodoSort: String, CaseIterable, Sendable {
  case due, priority, title, created
}

/// What lists are sorted by.
enum SortKey: String, CaseIterable, Sendable {
  case title, due, priority
}

/// A change to a value that may be taken away.
enum Change<Value: Equatable & Sendable>: Equatable, Sendable {
  case keep
  case clear
  case set(Value)
}

/// A command that is complete and whose values are of their types: nothing in it is left to be checked
/// but what only the database knows.
enum Command: Equatable, Sendable {
  struct Add: Equatable, Sendable {
    var title: String
    var list: String?
    var note: String?
    var priority: DraftPriority?
    var due: DateInput?
    var tags: [String] = []
    /// Its index in its list; nil is the end.
    var index: Int?
  }

  struct List: Equatable, Sendable {
    enum State: Sendable { case all, open, done }

    var list: String?
    var state = State.all
    var sort: TodoSort?
    /// Not blank.
    var search: String?
    var due: DueFilter?
    var sections: SectionKey?
    var limit: Int?
  }

  struct Search: Equatable, Sendable {
    static let defaultLimit = 20

    /// A blank one finds all.
    var text: String
    var phrases = false
    var list: String?
    var state = List.State.all
    var limit = defaultLimit
  }

  struct Suggest: Equatable, Sendable {
    static let defaultLimit = 10

    var prefix: String
    var limit = defaultLimit
  }

  struct Edit: Equatable, Sendable {
    var id: String
    var title: String?
    var list: String?
    var note: String?
    var priority = Change<DraftPriority>.keep
    var due = Change<DateInput>.keep
    var tags: [String] = []
    var untags: [String] = []
  }

  enum Move: Equatable, Sendable {
    /// Where todos go, or lists. Todos are named by ids, which may be cut short, lists by their names.
    enum Place: Equatable, Sendable {
      case start, end
      case before(String)
      case after(String)
      case index(Int)
    }

    /// Todos by their ids, to a place, for some in a list.
    case todos([String], Place, list: String?)
    /// Todos by their offsets in a list as it is shown, to an offset.
    case offsets([ClosedRange<Int>], to: Int, list: String?, List.State)
  }

  struct Sort: Equatable, Sendable {
    var key: SortKey
    var list: String?
  }

  /// The todos of a command that does one thing to several.
  enum Targets: Equatable, Sendable {
    /// By their ids, which may be cut short.
    case ids([String])
    /// All, or all of a list.
    case all(list: String?)
  }

  struct ClearDone: Equatable, Sendable {
    var list: String?
    var isConfirmed = false
  }

  enum Lists: Equatable, Sendable {
    case show
    case add(String, at: Int?)
    case rename(String, to: String)
    case move(String, Move.Place)
    case remove(String, isConfirmed: Bool)
  }

  enum Tags: Equatable, Sendable {
    case show
    case rename(String, to: String)
    case remove(String)
  }

  struct Import: Equatable, Sendable {
    /// `nil` is standard input.
    var file: String?
    var format: TaskFormat
    /// Whether the format is the one that the file's ending suggests, which its content may refine.
    var isGuess = false
    var columns: [ColumnMapping] = []
    var skipsBad = false
    var isDryRun = false
  }

  struct Export: Equatable, Sendable {
    var format = TaskFormat.todotxt
    /// `nil` is standard output.
    var output: String?
  }

  struct Changes: Equatable, Sendable {
    /// The number of the log that was read last; nil is all that it holds.
    var since: Int?
    var follows = false
  }

  struct Watch: Equatable, Sendable {
    var list: String?
    var state = List.State.all
    /// Not blank.
    var search: String?
  }

  case initialise
  case add(Add)
  case list(List)
  case search(Search)
  case suggest(Suggest)
  case show(id: String)
  case edit(Edit)
  case move(Move)
  case sort(Sort)
  case done(Targets)
  case reopen(Targets)
  case remove(ids: [String])
  case clearDone(ClearDone)
  case lists(Lists)
  case tags(Tags)
  case importing(Import)
  case export(Export)
  case changes(Changes)
  case watch(Watch)
  case migrate
  case migrationStatus
  case check(repairs: Bool)
  case inspecting(Inspection)
  case help(CommandName?)
  case completions(Shell)
  case manual

  /// Whether it goes on by itself, and its output at once.
  var goesOn: Bool {
    switch self {
    case .watch: true
    case .changes(let changes): changes.follows
    case .inspecting(.tail(let tail)): tail.follows
    default: false
    }
  }
}

/// What the global options say.
struct GlobalOptions: Equatable, Sendable {
  var database: String?
  var isJSON = false
  var usesPager = true
}

/// What a command line asks for.
enum Invocation: Equatable, Sendable {
  /// The help of one command, or of the tool.
  case help(CommandName?)
  case version
  case run(Command, GlobalOptions)

  /// Reads the words after the tool's own name.
  init(_ words: [String]) throws(UsageError) {
    let facts = try Arguments(words)
    switch facts.request {
    case .help: self = .help(facts.command)
    case .version: self = .version
    case .run(let name):
      let global = GlobalOptions(
        database: try facts.text("--db"), isJSON: facts.has("--json"), usesPager: !facts.has("--no-pager"))
      self = .run(try Command(name, facts, global), global)
    }
  }
}

extension Command {
  fileprivate init(_ name: CommandName, _ facts: Arguments, _ global: GlobalOptions) throws(UsageError) {
    switch name {
    case .`init`: self = .initialise
    case .add: self = .add(try Add(facts))
    case .list: self = .list(try List(facts))
    case .search: self = .search(try Search(facts))
    case .suggest: self = .suggest(try Suggest(facts))
    case .show: self = .show(id: try facts.id())
    case .edit: self = .edit(try Edit(facts))
    case .move: self = .move(try Move(facts))
    case .sort: self = .sort(try Sort(facts))
    case .done: self = .done(try Targets(facts))
    case .reopen: self = .reopen(try Targets(facts))
    case .rm: self = .remove(ids: try facts.ids())
    case .clearDone: self = .clearDone(.init(list: try facts.text("--list"), isConfirmed: facts.has("--yes")))
    case .lists: self = .lists(try Lists(facts))
    case .tags: self = .tags(try Tags(facts))
    case .`import`: self = .importing(try Import(facts))
    case .export: self = .export(try Export(facts, isJSON: global.isJSON))
    case .changes: self = .changes(try Changes(facts))
    case .watch: self = .watch(try Watch(facts))
    case .migrate: self = try facts.migrate()
    case .check: self = .check(repairs: facts.has("--repair"))
    case .info, .tables, .schema, .query, .explain, .stats, .dump, .diff, .backup, .vacuum, .tail:
      guard let inspection = try Inspection(name, facts, isJSON: global.isJSON) else {
        throw facts.error(.unknownCommand(name.rawValue, suggestion: nil))
      }
      self = .inspecting(inspection)
    case .help: self = .help(try facts.namedCommand())
    case .completions:
      guard let shell = Shell(rawValue: try facts.word("SHELL")) else { throw facts.error(.missingArgument("SHELL")) }
      self = .completions(shell)
    case .man: self = .manual
    }
  }
}

extension Command.Add {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    title = try facts.word("TITLE")
    list = try facts.text("--list")
    note = facts.value("--note")
    priority = try facts.choice("--priority", as: DraftPriority.self)
    due = try facts.date("--due")
    tags = try facts.texts("--tag")
    index = try facts.offset("--at")
  }
}

extension Command.List.State {
  fileprivate init(_ facts: Arguments) {
    self = facts.has("--open") ? .open : facts.has("--done") ? .done : .all
  }
}

extension Command.List {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    list = try facts.text("--list")
    state = State(facts)
    sort = try facts.choice("--sort", as: TodoSort.self)
    search = facts.search
    due = try facts.dates("--due")
    sections = try facts.choice("--sections", as: SectionKey.self)
    limit = try facts.count("--limit")
  }
}

extension Command.Search {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    text = facts.words.joined(separator: " ")
    phrases = facts.has("--phrases")
    list = try facts.text("--list")
    state = Command.List.State(facts)
    limit = try facts.count("--limit") ?? Command.Search.defaultLimit
  }
}

extension Command.Suggest {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    prefix = try facts.word("PREFIX")
    limit = try facts.count("--limit") ?? Command.Suggest.defaultLimit
  }
}

extension Command.Edit {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    id = try facts.id()
    title = try facts.text("--title")
    list = try facts.text("--list")
    note = facts.value("--note")
    if facts.value("--priority") == "none" {
      priority = .clear
    } else if let value = try facts.choice("--priority", as: DraftPriority.self) {
      priority = .set(value)
    }
    if facts.value("--due") == "none" {
      due = .clear
    } else if let value = try facts.date("--due") {
      due = .set(value)
    }
    tags = try facts.texts("--tag")
    untags = try facts.texts("--untag")
    if let tag = tags.first(where: untags.contains) {
      throw facts.error(.contradiction("--tag \(tag)", "--untag \(tag)"))
    }
    if self == Command.Edit(id: id) { throw facts.error(.nothingToChange) }
  }

  private init(id: String) { self.id = id }
}

extension Command.Move {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    let ids = try facts.ids()
    let list = try facts.text("--list")
    let index = try facts.offset("--to")
    if let offsets = try facts.offsets("--from") {
      guard ids.isEmpty else { throw facts.error(.contradiction("ID", "--from")) }
      guard let index else { throw facts.error(.onlyWith("--from", "--to")) }
      self = .offsets(offsets, to: index, list: list, Command.List.State(facts))
      return
    }
    guard !ids.isEmpty else { throw facts.error(.nothingToMove) }
    if let filter = ["--open", "--done"].first(where: facts.has) {
      throw facts.error(.onlyWith(filter, "--from"))
    }
    let anchors = [("--before", Place.before), ("--after", Place.after)]
    for (option, place) in anchors {
      guard let id = try facts.text(option) else { continue }
      guard list == nil else { throw facts.error(.contradiction("--list", option)) }
      self = .todos(ids, place(id), list: nil)
      return
    }
    self = .todos(ids, index.map(Place.index) ?? (facts.has("--start") ? .start : .end), list: list)
  }
}

extension Command.Sort {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    guard let key = try facts.choice("--by", as: SortKey.self) else {
      throw facts.error(.missingOption(["--by"]))
    }
    self.key = key
    list = try facts.text("--list")
  }
}

extension Command.Import {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    let name = try facts.word("FILE")
    file = name == "-" ? nil : name
    skipsBad = facts.has("--skip-bad")
    isDryRun = facts.has("--dry-run")
    let named = try facts.choice("--format", as: TaskFormat.self)
    guard let format = named ?? file.flatMap({ TaskFormat(fileName: $0) }) else {
      throw facts.error(.unknownFormat(file: name))
    }
    self.format = format
    isGuess = named == nil
    columns = try facts.columns("--map")
    if !columns.isEmpty, !format.hasColumns { throw facts.error(.onlyWith("--map", "CSV and TSV")) }
  }
}

extension Command.Export {
  fileprivate init(_ facts: Arguments, isJSON: Bool) throws(UsageError) {
    let named = try facts.choice("--format", as: TaskFormat.self)
    if isJSON, let named, named != .json {
      throw facts.error(.contradiction("--json", "--format \(named.rawValue)"))
    }
    output = try facts.text("--output")
    format = named ?? (isJSON ? .json : output.flatMap { TaskFormat(fileName: $0) } ?? .todotxt)
  }
}

extension Command.Changes {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    since = try facts.offset("--since")
    follows = facts.has("--follow")
  }
}

extension Arguments {
  fileprivate func migrate() throws(UsageError) -> Command {
    let name = words.dropFirst().first
    guard words.first == "new" else {
      if let name { throw error(.extraArgument(name)) }
      if value("--folder") != nil { throw error(.onlyWith("--folder", "new")) }
      return words.first == "status" ? .migrationStatus : .migrate
    }
    guard let name else { throw error(.missingArgument("NAME")) }
    return .inspecting(.newMigration(name: name, folder: try text("--folder") ?? "Migrations"))
  }
}

extension Command.Watch {
  fileprivate init(_ facts: Arguments) throws(UsageError) {
    list = try facts.text("--list")
    state = Command.List.State(facts)
    search = facts.search
  }
}

extension Arguments {
  /// What columns are to be read as. One column, and one field, may be named once.
  fileprivate func columns(_ option: String) throws(UsageError) -> [ColumnMapping] {
    var columns: [ColumnMapping] = []
    for text in try texts(option) {
      guard let column = ColumnMapping(text) else {
        throw error(
          .badValue(
            option: option, value: text, wanted: "COLUMN=FIELD with a field of \(ColumnMapping.fieldNames.listed)"))
      }
      let other = columns.first { $0.names(column.column) || $0.field != nil && $0.field == column.field }
      if let other { throw error(.contradiction("\(option) \(other.column)", "\(option) \(column.column)")) }
      columns.append(column)
    }
    return columns
  }

  /// The text to look for; nil for a blank one, which means all.
  fileprivate var search: String? { value("--search").flatMap { $0.isBlank ? nil : $0 } }
}
