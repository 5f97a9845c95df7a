/// The commands for what is done, and for lists and tags.
extension CommandTable {
  private static let yes = OptionSpec.flag("--yes", "Don't ask. Needed where nobody can be asked.")

  static let clearDone = CommandSpec(
    name: .clearDone, summary: "Delete all todos that are done.",
    details: ["It asks first on a terminal. Nothing brings them back: 'todo-db backup' keeps a copy."],
    options: [.value("--list", "L", "Only those of this list."), yes],
    json: "an array of these todos as they were.",
    examples: ["todo-db clear-done", "todo-db clear-done --list Errands --yes"])

  static let lists = CommandSpec(
    name: .lists, summary: "Show the lists in their order, or change them.",
    details: [
      "'lists' alone shows each list with its number, its name, and how many of its todos are open and done.",
      "'lists add NAME' makes one, 'lists rename NAME NEW' gives it another name, 'lists move NAME' another place, and "
        + "'lists rm NAME' deletes it with its todos; of one with todos it asks first.",
    ],
    arguments: [
      ArgumentSpec(name: "ACTION", arity: .optional, choices: ["add", "rename", "move", "rm"], help: "What to do."),
      ArgumentSpec(name: "NAME", arity: .zeroOrMore, help: "The list, and for rename its new name."),
    ],
    options: [
      .value("--to", "N", "With move and add: to a number, from 0."),
      .value("--before", "LIST", "With move: to right before this list."),
      .value("--after", "LIST", "With move: to right after this list."),
      .flag("--start", "With move: to the start."),
      .flag("--end", "With move: to the end."),
      yes,
    ],
    exclusive: [["--to", "--before", "--after", "--start", "--end"]],
    json: "an array of the lists as they are then, each with id, index, name, open and done.",
    examples: [
      "todo-db lists", "todo-db lists add 家 --to 0", "todo-db lists rename Errands 'Errands and calls'",
      "todo-db lists move Book --before Money", "todo-db lists rm Moving --yes",
    ])

  static let tags = CommandSpec(
    name: .tags, summary: "Show the tags, or change them.",
    details: [
      "'tags' alone shows each tag with how many open and done todos have it. 'tags rename TAG NEW' gives it another name, "
        + "and 'tags rm TAG' takes it away from all todos, which stay."
    ],
    arguments: [
      ArgumentSpec(name: "ACTION", arity: .optional, choices: ["rename", "rm"], help: "What to do."),
      ArgumentSpec(name: "TAG", arity: .zeroOrMore, help: "The tag, and for rename its new name."),
    ],
    json: "an array of the tags as they are then, by name, each with id, name, open and done.",
    examples: ["todo-db tags", "todo-db tags rename phone call", "todo-db tags rm someday"])
}
