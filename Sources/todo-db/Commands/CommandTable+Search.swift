/// The commands that look for text.
extension CommandTable {
  static let searchHelp = "Only those that have this text, as 'todo-db search' finds it."

  static let search = CommandSpec(
    name: .search, summary: "Find todos by words of their titles and notes.",
    details: [
      "A todo is found where its title and its note have all of the words, in any order: any part of them, in every "
        + "script, from one character on, in capitals or not. The best come first; where very many are found, the latest. "
        + "Where a title has none of the words, a line below it shows what the note has of them.",
      "What is typed is text, and no syntax. A blank one finds all todos, in the order in which they were added.",
    ],
    arguments: [ArgumentSpec(name: "TEXT", arity: .oneOrMore, help: "What to look for.")],
    options: [
      .value("--list", "L", "Only in this list."),
      .flag("--open", "Only those that are not done."),
      .flag("--done", "Only those that are done."),
      .flag("--phrases", "What stands between two \" is one word, with its spaces."),
      .value("--limit", "N", "At most this many. Default: \(Command.Search.defaultLimit)."),
    ],
    exclusive: [["--open", "--done"]],
    json:
      "an array of todos, as 'todo-db list --help' describes them, each also with highlights, the places in the title, "
      + "and snippet, null or a part of the note with text and its highlights. A place is an array of its start and its "
      + "length, both counted in Unicode scalars (code points).",
    examples: [
      "todo-db search 布局", "todo-db search swift chapter --list Book --open --limit 5",
      "todo-db search --phrases '\"chapter 3\" edit'",
    ])

  static let suggest = CommandSpec(
    name: .suggest, summary: "Complete what was typed to titles that there are.",
    details: [
      "Titles that begin with it come first, then those that have it elsewhere; of each the most frequent first. The "
        + "number in front counts the todos with the title, among the latest 5,000 that are found. Of titles that differ in capitals alone it prints one."
    ],
    arguments: [ArgumentSpec(name: "PREFIX", help: "What is typed so far, in quotes if it has spaces.")],
    options: [.value("--limit", "N", "At most this many. Default: \(Command.Suggest.defaultLimit).")],
    json: "an array of objects with title and count, the number of todos that have it.",
    examples: ["todo-db suggest bu", "todo-db suggest 'buy m' --limit 3"])
}
