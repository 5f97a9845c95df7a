/// A script that has a shell complete the tool's command lines, made from the command table.
struct Completions {
  let shell: Shell

  init(_ shell: Shell) { self.shell = shell }

  /// It ends in a newline.
  var text: String {
    let lines =
      switch shell {
      case .bash: Self.bash
      case .zsh: Self.zsh
      case .fish: Self.fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  private static var specs: [CommandSpec] { CommandName.allCases.map(CommandTable.spec) }

  private static func names(_ options: [OptionSpec]) -> [String] {
    options.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
  }

  /// The words that can stand first in the place of an argument.
  private static func words(of spec: CommandSpec) -> [String] {
    spec.name == .help ? CommandName.allCases.map(\.rawValue) : spec.arguments.flatMap(\.choices)
  }

  private static func takesFile(_ spec: CommandSpec) -> Bool { spec.arguments.contains { $0.name == "FILE" } }

  // MARK: bash

  private static var bash: [String] {
    let commands = CommandName.allCases.map(\.rawValue)
    let global = CommandTable.globalOptions
    var lines = [
      "# bash completion for \(CommandTable.tool)", "_todo_db() {", "  local current previous command= words= i",
      "  current=${COMP_WORDS[COMP_CWORD]}", "  previous=${COMP_WORDS[COMP_CWORD-1]}", "  COMPREPLY=()",
      "  for ((i = 1; i < COMP_CWORD; i++)); do", "    case ${COMP_WORDS[i]} in", "      --db) ((i++)) ;;",
      "      \(commands.joined(separator: "|"))) command=${COMP_WORDS[i]}; break ;;", "    esac", "  done",
      "  case $command:$previous in",
    ]
    lines += global.flatMap { bashValue($0, command: "*") }
    for spec in specs { lines += spec.options.flatMap { bashValue($0, command: spec.name.rawValue) } }
    lines += ["  esac", "  case $command in", "    '') words='\(commands.joined(separator: " "))' ;;"]
    lines += specs.flatMap(bashWords)
    lines += ["  esac", "  words+=' \(names(global).joined(separator: " "))'"]
    lines += [
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))", "}", "complete -F _todo_db \(CommandTable.tool)",
    ]
    return lines
  }

  private static func bashValue(_ option: OptionSpec, command: String) -> [String] {
    guard let valueName = option.valueName else { return [] }
    let action =
      option.choices.isEmpty
      ? (valueName == "FILE" ? "compopt -o default; " : "")
      : "COMPREPLY=($(compgen -W '\(option.choices.joined(separator: " "))' -- \"$current\")); "
    return ["    \(command):\(option.name)) \(action)return ;;"]
  }

  private static func bashWords(_ spec: CommandSpec) -> [String] {
    let words = Self.words(of: spec) + names(spec.options)
    let file = takesFile(spec) ? " compopt -o default;" : ""
    return ["    \(spec.name.rawValue))\(file) words='\(words.joined(separator: " "))' ;;"]
  }

  // MARK: zsh

  private static var zsh: [String] {
    let global = CommandTable.globalOptions.flatMap(zshOption)
    var lines = ["#compdef \(CommandTable.tool)", "_todo_db() {", "  local -a commands", "  commands=("]
    lines += specs.map { "    \(quoted("\($0.name.rawValue):\($0.summary)"))" }
    lines += ["  )", "  local context state state_descr line", "  typeset -A opt_args", "  _arguments -C \\"]
    lines += global.map { "    \($0) \\" }
    lines += ["    '1:command:->command' '*::argument:->argument'", "  case $state in"]
    lines += ["    command) _describe -t commands command commands ;;", "    argument)", "      case $words[1] in"]
    for spec in specs {
      lines += ["        \(spec.name.rawValue))", "          _arguments \\"]
      lines += (spec.options.flatMap(zshOption) + global).map { "            \($0) \\" }
      lines += ["            \(zshArguments(spec))", "          ;;"]
    }
    lines += ["      esac", "      ;;", "  esac", "}", "_todo_db \"$@\""]
    return lines
  }

  private static func zshOption(_ option: OptionSpec) -> [String] {
    let help = option.help.reduce(into: "") { text, character in
      if "[]:\\".contains(character) { text.append("\\") }
      text.append(character)
    }
    let value = option.valueName.map { name in
      let action =
        option.choices.isEmpty ? (name == "FILE" ? "_files" : "") : "(\(option.choices.joined(separator: " ")))"
      return ":\(name.filter { !"[]:\\".contains($0) }):\(action)"
    }
    let repeated = option.isRepeatable ? "*" : ""
    return ([option.name] + (option.short.map { [$0] } ?? [])).map {
      quoted("\(repeated)\($0)[\(help)]\(value ?? "")")
    }
  }

  private static func zshArguments(_ spec: CommandSpec) -> String {
    let words = Self.words(of: spec)
    if takesFile(spec) { return quoted("*:file:_files") }
    return quoted("*:argument:" + (words.isEmpty ? "" : "(\(words.joined(separator: " ")))"))
  }

  // MARK: fish

  private static var fish: [String] {
    let start = "complete -c \(CommandTable.tool)"
    var lines = ["# fish completion for \(CommandTable.tool)", "\(start) -f"]
    lines += CommandTable.globalOptions.map { "\(start) \(fishOption($0))" }
    for spec in specs {
      let name = spec.name.rawValue
      lines.append("\(start) -n __fish_use_subcommand -a \(name) -d \(quoted(spec.summary))")
      let condition = "-n '__fish_seen_subcommand_from \(name)'"
      lines += spec.options.map { "\(start) \(condition) \(fishOption($0))" }
      let words = Self.words(of: spec)
      if !words.isEmpty { lines.append("\(start) \(condition) -a \(quoted(words.joined(separator: " ")))") }
      if takesFile(spec) { lines.append("\(start) \(condition) -F") }
    }
    return lines
  }

  private static func fishOption(_ option: OptionSpec) -> String {
    var text = "-l \(option.name.dropFirst(2))"
    if let short = option.short { text += " -s \(short.dropFirst())" }
    if let valueName = option.valueName {
      text += valueName == "FILE" ? " -rF" : " -x"
      if !option.choices.isEmpty { text += " -a \(quoted(option.choices.joined(separator: " ")))" }
    }
    return text + " -d \(quoted(option.help))"
  }

  /// A word for any of the shells, in single quotes. fish takes a backslash before one in them; the others end the quotes.
  private static func quoted(_ text: String) -> String {
    "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) } + "'"
  }
}
