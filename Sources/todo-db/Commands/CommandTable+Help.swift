/// The commands that tell of the tool itself.
extension CommandTable {
  static let help = CommandSpec(
    name: .help, summary: "Print the help of the tool, or of a command.",
    arguments: [ArgumentSpec(name: "COMMAND", arity: .optional, help: "The command.")],
    json: "an object with help, the text.",
    examples: ["todo-db help", "todo-db help move"])

  static let completions = CommandSpec(
    name: .completions, summary: "Print a script that has a shell complete command lines.",
    details: ["'./dev install' puts them where the shells look for them."],
    arguments: [ArgumentSpec(name: "SHELL", choices: Shell.allCases.map(\.rawValue), help: "bash, zsh or fish.")],
    json: "an object with script, the text.",
    examples: [
      "todo-db completions bash > todo-db.bash", "todo-db completions fish > ~/.config/fish/completions/todo-db.fish",
    ])

  static let man = CommandSpec(
    name: .man, summary: "Print the manual page.",
    json: "an object with page, the text.",
    examples: ["todo-db man > todo-db.1"])
}
