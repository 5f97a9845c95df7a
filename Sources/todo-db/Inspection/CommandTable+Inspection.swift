/// The commands for any SQLite database.
extension CommandTable {
  private static let untouched =
    "The database may be any program's. Nothing of it is changed: no byte, and no file is made beside it, also while others "
    + "write to it. Where a write was cut off in a database that is not in WAL mode, it is refused."

  private static func format(_ formats: [RowFormat], default standard: RowFormat) -> OptionSpec {
    .choice("--format", formats.map(\.rawValue), "Default: \(standard.rawValue), or json with --json.")
  }

  private static let values =
    "In JSON, what it has no form for is an object with one key: {\"blob\": HEX}, {\"text\": HEX} for a text that is not "
    + "UTF-8, {\"real\": \"Infinity\"}. In CSV, NULL is an empty field and an empty text \"\"; elsewhere blobs are X'HEX'."

  static let info = CommandSpec(
    name: .info, summary: "Tell what a database file is, and what is in it.",
    details: [untouched],
    json:
      "an object with file, bytes, wal (bytes and frames, or null), journalMode, pageSize, pageCount, freePages, encoding, "
      + "applicationID, userVersion, asItLies (whether it is read without locks), sqlite (version and options), "
      + "tables (each with name, kind, rows and bytes; null where they cannot be told, and error) and roster (null, or "
      + "recordTables, orders, each with table, column and scope, searched, log, with first, last and consumers, and migrations).",
    examples: ["todo-db info", "todo-db --db places.sqlite info --json"])

  static let tables = CommandSpec(
    name: .tables, summary: "List the tables and views of a database.", details: [untouched],
    json:
      "an array of objects with name, kind (table, view, virtual or shadow), withoutRowID, strict, rows (null where they "
      + "cannot be counted) and error (why, or null).",
    examples: ["todo-db --db places.sqlite tables"])

  static let schema = CommandSpec(
    name: .schema, summary: "Print the SQL that made the tables, indexes, triggers and views.", details: [untouched],
    arguments: [ArgumentSpec(name: "TABLE", arity: .optional, help: "Only this table, and what belongs to it.")],
    json: "an array of objects with type, name, table and sql.",
    examples: ["todo-db schema todo"])

  static let query = CommandSpec(
    name: .query, summary: "Run one SQL statement and print its rows.",
    details: [
      "It only reads, and leaves no trace in the database, unless --write is given. One statement is run.",
      "A --param is a number where it reads as one, NULL, a blob as X'00FF', else a text; in single quotes it is always a "
        + "text. Where the statement names its parameters, as in :name, each is given as NAME=VALUE, else by its place: that of ?2 is "
        + "the second.",
      values,
    ],
    arguments: [ArgumentSpec(name: "SQL", help: "The statement, in quotes; - is standard input.")],
    options: [
      .value(
        "--param", "VALUE", repeatable: true,
        "The value of a parameter, such as ?, ?2 or :name; of one with a name NAME=VALUE."),
      format(RowFormat.ofQuery, default: .table),
      .flag("--write", "Let the statement change the database."),
    ],
    json:
      "an array of objects, one for each row, with the columns' names as keys; of two that are the same the second gets _2. "
      + "For a statement with --write that returns no rows an object with changed, the number of rows.",
    examples: [
      "todo-db query 'SELECT title, due FROM todo WHERE priority = ?' --param 1",
      "todo-db query 'SELECT * FROM todo WHERE title LIKE :t' --param 't=%milk%' --format csv",
      "todo-db query - < report.sql", "todo-db query 'UPDATE todo SET priority = NULL' --write",
    ])

  static let explain = CommandSpec(
    name: .explain, summary: "Show how SQLite would run a statement, and which tables it would read whole.",
    details: ["Parameters need no values. The statement is not run."],
    arguments: [ArgumentSpec(name: "SQL", help: "The statement, in quotes; - is standard input.")],
    json:
      "an object with plan, an array of steps, each with id, parent and detail, and scans, an array of objects with name "
      + "and index, for what is read from end to end (index is null for a table itself).",
    examples: ["todo-db explain 'SELECT * FROM todo ORDER BY title'"])

  static let stats = CommandSpec(
    name: .stats, summary: "Show how much of the file each table and index takes.", details: [untouched],
    json:
      "an object with fileBytes, freeBytes and objects (null where this SQLite cannot tell), each with name, kind (table or "
      + "index), table, bytes, payload, unused and pages.",
    examples: ["todo-db stats"])

  static let dump = CommandSpec(
    name: .dump, summary: "Write the rows of a table, or of all tables, in a format.",
    details: [
      untouched,
      "As SQL, it makes the same database again, with virtual tables by the tables that they keep their content in, and without "
        + "views being read. A text in UTF-16 that is malformed comes back as SQLite reads it. CSV has room for one table.",
      "What cannot be read is named on standard error, the rest is written, and the exit code is 1. With all tables it is 0 where "
        + "only a view or a virtual table cannot be read: they have no content but that of other tables, which are written. Of "
        + "one TABLE of which no row can be read, nothing is written.",
      values,
    ],
    arguments: [ArgumentSpec(name: "TABLE", arity: .optional, help: "A table or view. Default: all.")],
    options: [format(RowFormat.allCases, default: .sql)],
    json:
      "an array of rows as 'todo-db query --help' describes them; without TABLE an array of objects with table, kind, rows "
      + "and error (why its rows could not be read, or not all of them, or null). As ndjson a row on each line; without TABLE "
      + "each with table and row.",
    examples: ["todo-db dump > todos.sql", "todo-db dump todo --format csv", "todo-db --db places.sqlite dump --json"])

  static let diff = CommandSpec(
    name: .diff, summary: "Tell which rows of another database are others.",
    details: [
      untouched,
      "Rows are told apart by their id, where the table has a column of that name which is unique, else by the primary key; in a "
        + "table without either, equal rows are the same. Lines begin with + for a row that only FILE has, - for one that "
        + "FILE has not, ~ for one with other values, > for one that only stands elsewhere in an order kept by hand, by as few "
        + "moves as can be. Rows of a virtual table are told apart by their numbers. Where two values look the same, their types or code "
        + "points are told. What Roster keeps for itself is left out. A table that cannot be compared is a difference. The exit code is 0 where there is no difference, else 1.",
    ],
    arguments: [ArgumentSpec(name: "FILE", help: "The other database.")],
    json:
      "an object with equal and tables, those with differences, each with table, presence (both, here or there), added, removed, "
      + "changed and moved, and error (why it was not compared, or null). Added and removed have rows, changed has key and "
      + "columns, each with name, from and to; moved has key.",
    examples: ["todo-db diff yesterday.db"])

  static let backup = CommandSpec(
    name: .backup, summary: "Copy a database, also while others write to it.",
    details: [untouched, "A file that is there already is not written over."],
    arguments: [ArgumentSpec(name: "FILE", help: "The file to make.")],
    json: "an object with backup, the path, and bytes.",
    examples: ["todo-db backup tasks-2026-12-01.db"])

  static let vacuum = CommandSpec(
    name: .vacuum, summary: "Rebuild a database without free pages.",
    details: ["Nobody else can write meanwhile. It needs up to twice the file's size on the disk."],
    json: "an object with database, before and after, in bytes.",
    examples: ["todo-db vacuum"])

  static let tail = CommandSpec(
    name: .tail, summary: "Print the last rows of the change log as they stand there.",
    details: [
      "'todo-db changes' tells what became of each todo; this prints every entry of the log, of any database that Roster "
        + "keeps one in, and changes nothing in it. The kinds are insert, update, move, delete, relabel (a row made room), touch "
        + "(it may be gone), reset (all of the table may be others) and origin (who wrote the entries before it).",
      "With --follow it looks once a second, and ends by Ctrl-C with exit code 130, by SIGTERM or when nobody reads on with 0.",
    ],
    options: [
      .value("--since", "N", "All that came after this number."),
      .value("--limit", "N", "So many of the last ones. Default: \(Inspection.Tail.defaultLimit)."),
      .flag("--follow", "Go on with further entries as they come."),
    ],
    exclusive: [["--since", "--limit"]],
    json:
      "an array of entries, each an object with seq, kind, table, row, the integer key, and id; with --follow JSON Lines, "
      + "such an object on each.",
    examples: ["todo-db tail", "todo-db tail --since 57 --follow --json"])

  static let migrate = CommandSpec(
    name: .migrate, summary: "Bring the database's schema up to date.",
    details: [
      "'migrate' and 'migrate up' apply what is pending. 'migrate new NAME' makes the next file in a folder of migrations, "
        + "for those who develop a schema; it needs no database."
    ],
    arguments: [
      ArgumentSpec(
        name: "status|up|new", arity: .optional, choices: ["status", "up", "new"],
        help: "status only says what is applied; new makes a file."),
      ArgumentSpec(
        name: "NAME", arity: .optional, help: "With new: what the migration is called, of a-z, 0-9, _ and -."),
    ],
    options: [.value("--folder", "DIR", "With new: the folder. Default: Migrations.")],
    json:
      "an object with applied, the files' names; for status an array of migrations, each with "
      + "number, name, state and applied, the time or null; for new an object with file.",
    examples: ["todo-db migrate status", "todo-db migrate", "todo-db migrate new add_colours --folder Migrations"])
}
