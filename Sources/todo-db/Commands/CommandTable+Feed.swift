/// The commands that tell what changes.
extension CommandTable {
  static let changes = CommandSpec(
    name: .changes, summary: "Print what became of each record, whoever wrote it.",
    details: [
      "The database logs each change, by whatever program, and numbers them. One line tells what became of a record: "
        + "insert, update, move (only its place is another) or delete, the number of its last change, and its title or "
        + "name where it is still there. What came and went in between is left out. The last line tells the number to "
        + "go on from.",
      "The log is pruned as it grows. Where it does not tell all that happened since the number, that is a reset: what "
        + "was read of the database before is to be read anew.",
      "With --follow it ends by Ctrl-C with exit code 130, by SIGTERM or when nobody reads on with 0. 'todo-db tail' "
        + "prints the log itself, of any database that Roster keeps one in.",
    ],
    options: [
      .value("--since", "N", "Only what came after this number. Default: all that the log still holds."),
      .flag("--follow", "Go on with further changes as they are made, each printed at once."),
    ],
    json:
      "an object with reset (whether to read anew), changes and since, the number to go on from. Each change has "
      + "kind (insert, update, move or delete), table, id, title (or name; null where there is none) and seq, its number. "
      + "With --follow it prints JSON Lines: such an object on each line, at first for what is there already.",
    examples: ["todo-db changes", "todo-db changes --since 57 --follow --json"])

  static let watch = CommandSpec(
    name: .watch, summary: "Show a list and keep it current, whoever changes it.",
    details: [
      "On a terminal it shows the top of the list on a screen of its own and draws the rows that change, until Ctrl-C. "
        + "The columns are those of 'todo-db list'.",
      "Elsewhere it prints the list and then a line for each event: + for a todo that came, - for one that went, ~ for "
        + "one that changed, > for one that moved, with its number, its id and its title. The number counts the todos "
        + "shown of a list, from 0: before the change for what went, else after it. A move has both. A new tag, or a "
        + "new name of a list, is no event.",
      "With --search it shows no numbers: those that 'todo-db move' takes count todos that are not found, too.",
      "It ends by Ctrl-C with exit code 130, by SIGTERM or when nobody reads on with 0.",
    ],
    options: [
      .value("--list", "L", "Only the todos of this list."),
      .flag("--open", "Only those that are not done."),
      .flag("--done", "Only those that are done."),
      .value("--search", "TEXT", searchHelp),
    ],
    exclusive: [["--open", "--done"]],
    json:
      "JSON Lines, also on a terminal: first an object with todos, as 'todo-db list --help' describes them; then one for "
      + "each change of the list, with events, each with kind (insert, update, move or delete), from and to, its numbers "
      + "before and after (or null), and todo, which for a delete is as it was. With --search from and to count what is "
      + "found, and the index of a todo is null.",
    examples: ["todo-db watch --list Errands --open", "todo-db watch --search 布局", "todo-db watch --json"])
}
