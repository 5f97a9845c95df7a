extension CommandTable {
  private static let formats = TaskFormat.allCases.map(\.rawValue)

  static let importing = CommandSpec(
    name: .`import`, summary: "Add the tasks of a file, all or none.",
    details: [
      "A task with an id that a todo has from before changes that todo, in what the file says of it: the id of JSON and "
        + "CSV, Taskwarrior's uuid, the UID of a calendar. Of two with one id in a file, or with ids of one todo, the later "
        + "counts. A file that "
        + "cannot be read as a whole changes nothing, unless --skip-bad is given. Only of a calendar (ical) everything "
        + "else goes in, and the exit code is 1.",
      "A CSV or TSV file names its columns in its first line: Title, and any of Notes, Completed, Priority, "
        + "Due Date, List, Tags, Created, Completed At, ID. An empty cell and \"\" are the same: no value. "
        + "Tags are separated by semicolons where the cell has one, else by spaces. "
        + "JSON has objects as 'todo-db export --json' writes them; members that it doesn't know are kept, and so is what "
        + "Taskwarrior and calendars say beyond a todo, of the format that it came from first. In Markdown the items of check lists are tasks, the heading above "
        + "is their list, and indented lines are their note; fenced code holds no tasks.",
    ],
    arguments: [ArgumentSpec(name: "FILE", help: "The file to read; - is standard input.")],
    options: [
      .choice(
        "--format", formats,
        "Default: by the file's ending (.txt, .csv, .tsv, .json, .ndjson, .ics, .md); .json is Taskwarrior's where its "
          + "first object is."),
      .value(
        "--map", "COLUMN=FIELD", repeatable: true,
        "Which column of CSV or TSV is what: \(ColumnMapping.fieldNames.listed), which leaves it out."),
      .flag("--skip-bad", "Leave out what cannot be read, such as CSV records with too few fields, and name it."),
      .flag("--dry-run", "Say what would happen, and change nothing."),
    ],
    json:
      "an object with added, updated, unchanged and skipped, the numbers of tasks, problems (line and message of what "
      + "cannot be read), notices and dryRun.",
    examples: [
      "todo-db import tasks.todo.txt", "todo-db import --format csv - < tasks.csv",
      "todo-db import plan.tsv --map Task=title --map When=due --dry-run",
    ])

  static let export = CommandSpec(
    name: .export, summary: "Write all todos to standard output or a file.",
    details: [
      "What came from a file in the same format, and nobody has changed since, is written as it was there. "
        + "What the format has no place for, such as notes in todo.txt, is named on standard error."
    ],
    options: [
      .choice("--format", formats, "Default: json with --json, else by the ending of --output, else todotxt."),
      .value("--output", "FILE", "The file to write. Default: standard output."),
    ],
    json:
      "the todos themselves, with externalID where another program has an id of its own for one, and what was kept of its "
      + "JSON; or with --output an object with exported, the number of todos, output and losses.",
    examples: [
      "todo-db export > tasks.todo.txt", "todo-db export --output tasks.ics", "todo-db export --format taskwarrior",
    ])
}
