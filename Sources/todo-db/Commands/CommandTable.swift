/// The commands of the tool.
enum CommandName: String, CaseIterable, Sendable {
  case `init`, add, list, search, suggest, show, edit, move, sort, done, reopen, rm
  case clearDone = "clear-done"
  case lists, tags, `import`, export, changes, watch, migrate, check
  case info, tables, schema, query, explain, stats, dump, diff, backup, vacuum, tail
  case help, completions, man
}

/// The shells that completions are made for.
enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

/// A word that a command takes by its place.
struct ArgumentSpec: Equatable, Sendable {
  enum Arity: Sendable {
    case one, optional, oneOrMore, zeroOrMore

    var isOptional: Bool { self == .optional || self == .zeroOrMore }
    var isRepeated: Bool { self == .oneOrMore || self == .zeroOrMore }
  }

  var name: String
  var arity = Arity.one
  var choices: [String] = []
  var help: String
}

/// An option. Without a value name it is a flag.
struct OptionSpec: Equatable, Sendable {
  var name: String
  var short: String?
  var valueName: String?
  /// The values that may be given; empty where the command judges them.
  var choices: [String] = []
  var isRepeatable = false
  var help: String

  static func flag(_ name: String, short: String? = nil, _ help: String) -> OptionSpec {
    OptionSpec(name: name, short: short, help: help)
  }

  static func value(_ name: String, _ valueName: String, repeatable: Bool = false, _ help: String)
    -> OptionSpec
  {
    OptionSpec(name: name, valueName: valueName, isRepeatable: repeatable, help: help)
  }

  static func choice(_ name: String, _ choices: [String], _ help: String) -> OptionSpec {
    OptionSpec(name: name, valueName: choices.joined(separator: "|"), choices: choices, help: help)
  }
}

/// What a command is called, takes and does.
struct CommandSpec: Sendable {
  var name: CommandName
  var summary: String
  var details: [String] = []
  var arguments: [ArgumentSpec] = []
  var options: [OptionSpec] = []
  /// Sets of options of which at most one may be given.
  var exclusive: [[String]] = []
  /// Sets of options of which at least one has to be given.
  var required: [[String]] = []
  /// What it prints with `--json`, as the end of a sentence.
  var json: String
  var examples: [String]
}

/// All commands and options. Parsing and help both come from here, so that neither can know a word that
/// the other does not.
enum CommandTable {
  static let tool = "todo-db"
  static let purpose = "Keeps todos in a SQLite database, and looks into any other one."

  /// What the process tells its parent.
  static let exitCodes: [(code: ExitCode, meaning: String)] = [
    (.done, "done"), (.refused, "not found or refused"), (.usage, "the command line is wrong"),
    (.interrupted, "ended by Ctrl-C"),
  ]

  /// The environment variables that are heeded.
  static let variables: [(name: String, meaning: String)] = [
    ("TODO_DB", "The database, where --db names none."),
    (
      "PAGER",
      "Shows output that is longer than the screen; empty or cat for none. Default: less, where it is installed."
    ),
    ("NO_COLOR", "No colour where it is set."),
    ("TZ", "Where the user is: what today is, and when a day is over."),
  ]

  static let globalOptions: [OptionSpec] = [
    .value("--db", "FILE", "The database. Default: $TODO_DB, else todo.db in the platform's data folder."),
    .flag("--json", "Print results as JSON: one document, or JSON Lines where a command goes on."),
    .flag("--no-pager", "Print long output at once, and not through $PAGER (less)."),
    .flag("--help", short: "-h", "Print this help, or the help of a command."),
    .flag("--version", "Print the version."),
  ]

  /// There is exactly one specification per name.
  static func spec(_ name: CommandName) -> CommandSpec {
    switch name {
    case .`init`: initialise
    case .add: add
    case .list: list
    case .search: search
    case .suggest: suggest
    case .show: show
    case .edit: edit
    case .move: move
    case .sort: sort
    case .done: done
    case .reopen: reopen
    case .rm: rm
    case .clearDone: clearDone
    case .lists: lists
    case .tags: tags
    case .`import`: importing
    case .export: export
    case .changes: changes
    case .watch: watch
    case .migrate: migrate
    case .check: check
    case .info: info
    case .tables: tables
    case .schema: schema
    case .query: query
    case .explain: explain
    case .stats: stats
    case .dump: dump
    case .diff: diff
    case .backup: backup
    case .vacuum: vacuum
    case .tail: tail
    case .help: help
    case .completions: completions
    case .man: man
    }
  }
}

extension CommandTable {
  static let priorities = DraftPriority.allCases.map(\.rawValue)
  static let dateHelp =
    "A day (2026-10-08, today, tomorrow, fri, +3d, +2w, +1m) or a time (2026-10-08T14:30, in UTC unless a zone such as "
    + "+02:00 or Z follows)"
  private static let idHelp = "The id of a todo, or the beginning of it if no other id begins so."

  private static func ids(_ arity: ArgumentSpec.Arity) -> ArgumentSpec {
    ArgumentSpec(name: "ID", arity: arity, help: idHelp)
  }

  private static let initialise = CommandSpec(
    name: .`init`, summary: "Create the database.",
    details: ["A database that is there already is left as it is."],
    json: "an object with database, the path, and created.",
    examples: ["todo-db --db work.db init"])

  private static let add = CommandSpec(
    name: .add, summary: "Add a todo and print its id.",
    arguments: [ArgumentSpec(name: "TITLE", help: "What is to be done, in quotes if it has spaces.")],
    options: [
      .value("--list", "L", "The list it goes to, which is made if need be."),
      .value("--note", "N", "A longer text."),
      .choice("--priority", priorities, "How urgent it is."),
      .value("--due", "DATE", "When it is due. \(dateHelp)."),
      .value("--tag", "T", repeatable: true, "A tag."),
      .value("--at", "N", "Its place in the list, from 0. Default: the end."),
    ],
    json: "the todo, as 'todo-db list --help' describes it.",
    examples: [
      "todo-db add 'Renew the passport' --list Errands --due 2026-10-08 --priority high",
      "todo-db add 'Pack the bags' --list Errands --at 0",
      "todo-db add 'Call Zoë' --tag phone --tag family",
    ])

  private static let list = CommandSpec(
    name: .list, summary: "List todos.",
    details: [
      "Lists come in the order in which they are kept, and todos in that of their list. The number in front "
        + "counts the todos shown of a list, from 0; 'todo-db move --from' takes it with the same options. "
        + "A todo that cannot be read is left out, and counts. So do those that --search and --due leave out: "
        + "'todo-db move' takes the number without them."
    ],
    options: [
      .value("--list", "L", "Only those of this list."),
      .flag("--open", "Only those that are not done."),
      .flag("--done", "Only those that are done."),
      .choice(
        "--sort", TodoSort.allCases.map(\.rawValue),
        "Another order, for this once: 'todo-db sort' changes the one that is kept."),
      .value("--search", "TEXT", searchHelp),
      .value(
        "--due", "WHEN",
        "Only those due then: today, overdue, week (today and the six days after it), none, a day, or days such as "
          + "mon..fri, 2026-10-01.. or ..+7d. A day is one where you are."),
      .choice(
        "--sections", SectionKey.allCases.map(\.rawValue), "Under headings that count the todos of each section."),
      .value("--limit", "N", "At most this many, of each section."),
    ],
    exclusive: [["--open", "--done"]],
    json:
      "an array of todos, each with id, list, index (the number in front, null with --sort; of other "
      + "commands the place in the whole list), title, note, isDone, priority (high, medium, low or "
      + "null), due (2026-10-08, 2026-10-08T14:30:00Z or null), tags, created and completed. With --sections an array "
      + "of sections, each with section (such as open or high; null for none), count and todos.",
    examples: [
      "todo-db list --open --sort due", "todo-db list --sections state --sort priority",
      "todo-db list --due overdue", "todo-db list --open --due ..+7d", "todo-db list --search 布局 --list Book",
      "todo-db --json list --list Errands --limit 20",
    ])

  private static let show = CommandSpec(
    name: .show, summary: "Print all that is known of a todo.", arguments: [ids(.one)],
    json: "the todo, as 'todo-db list --help' describes it.",
    examples: ["todo-db show 3f2a"])

  private static let edit = CommandSpec(
    name: .edit, summary: "Change a todo.",
    details: ["What no option names stays as it is."],
    arguments: [ids(.one)],
    options: [
      .value("--title", "T", "A new title."),
      .value("--list", "L", "Another list, which is made if need be. The todo goes to its end."),
      .value("--note", "N", "A new note; '' removes it."),
      .choice("--priority", priorities + ["none"], "How urgent it is."),
      .value("--due", "DATE|none", "When it is due. \(dateHelp); none for no date."),
      .value("--tag", "T", repeatable: true, "Add a tag."),
      .value("--untag", "T", repeatable: true, "Take a tag away."),
    ],
    json: "the todo as it is now.",
    examples: ["todo-db edit 3f2a --due none --priority low", "todo-db edit 3f2a --tag phone --untag email"])

  private static let move = CommandSpec(
    name: .move, summary: "Move todos to another place in the order.",
    details: [
      "Todos that are given by their ids land together, in the order given, and --to is where the first of them "
        + "then stands in its list.",
      "With --from they are given by the numbers that 'todo-db list' shows with the same --list and --open or "
        + "--done, and stay in their order. --to then is such a number, too, and counts before the move: they "
        + "go before the todo that has it, or to the end with the number after the last one. Todos that are "
        + "not shown stay in their order. It prints the numbers that the same options show afterwards.",
    ],
    arguments: [ids(.zeroOrMore)],
    options: [
      .value("--from", "NUMBERS", "In place of ids: single numbers and ranges, such as 3 or 0,2-4."),
      .value("--to", "N", "To a number, from 0."),
      .value("--before", "ID", "To right before this todo, whichever list it is in."),
      .value("--after", "ID", "To right after this todo, whichever list it is in."),
      .flag("--start", "To the start of the list."),
      .flag("--end", "To the end of the list."),
      .value(
        "--list", "L",
        "With --to, --start and --end the list to move to. Default: the one that the todos are in. With "
          + "--from the list that the numbers are of, which need not be named where it is the only one."),
      .flag("--open", "With --from: the numbers count open todos alone."),
      .flag("--done", "With --from: the numbers count done todos alone."),
    ],
    exclusive: [["--to", "--before", "--after", "--start", "--end"], ["--open", "--done"]],
    required: [["--to", "--before", "--after", "--start", "--end"]],
    json:
      "an array of these todos as they are now; after --from, index is the number that 'todo-db list' shows with "
      + "the same options.",
    examples: [
      "todo-db move 3f2a 81c0 --before 5d17", "todo-db move 3f2a --to 0 --list Errands",
      "todo-db move --from 0,2-4 --to 7 --list Errands --open",
    ])

  private static let sort = CommandSpec(
    name: .sort, summary: "Sort lists once, and keep that order.",
    details: [
      "Todos without a date or a priority come last, and those that tie stay in their order. Later changes "
        + "move nothing."
    ],
    options: [
      .choice("--by", SortKey.allCases.map(\.rawValue), "What to sort by; titles without regard to case."),
      .value("--list", "L", "Only this list. Default: every list by itself."),
    ],
    required: [["--by"]],
    json: "an object with by, moved, the number of todos that moved, and lists, each with list and moved.",
    examples: ["todo-db sort --by due", "todo-db sort --by title --list Errands"])

  private static let allOption = OptionSpec.flag("--all", "In place of ids: all of them.")
  private static let allList = OptionSpec.value("--list", "L", "With --all: those of this list alone.")

  private static let done = CommandSpec(
    name: .done, summary: "Mark todos as done.", arguments: [ids(.zeroOrMore)], options: [allOption, allList],
    json: "an array of these todos as they are now; with --all, of those that were open.",
    examples: ["todo-db done 3f2a 81c0", "todo-db done --all --list Errands"])

  private static let reopen = CommandSpec(
    name: .reopen, summary: "Mark todos as not done.", arguments: [ids(.zeroOrMore)], options: [allOption, allList],
    json: "an array of these todos as they are now; with --all, of those that were done.",
    examples: ["todo-db reopen 3f2a", "todo-db reopen --all --list Packing"])

  private static let rm = CommandSpec(
    name: .rm, summary: "Delete todos.", arguments: [ids(.oneOrMore)],
    json: "an array of these todos as they were.",
    examples: ["todo-db rm 3f2a 81c0"])

  private static let check = CommandSpec(
    name: .check, summary: "Check that the database is sound.",
    options: [
      .flag(
        "--repair",
        "First give a place of its own to each todo and list that has none, or shares one, which leaves "
          + "the order as it is, and make missing or wrong indexes of the order and for search anew.")
    ],
    json:
      "an object with database and problems, each with kind, table, row, id, column and message; with "
      + "--repair also repaired, an array of the problems that are no more.",
    examples: ["todo-db check", "todo-db check --repair"])
}
