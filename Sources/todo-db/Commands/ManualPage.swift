/// The manual page, made from the command table, in roff with the macros of man(7).
enum ManualPage {
  /// It ends in a newline.
  static var text: String { lines.joined(separator: "\n") + "\n" }

  private static var lines: [String] {
    let tool = CommandTable.tool
    var lines = [".TH \(tool.uppercased()) 1 \"\" \"\(tool) \(Tool.version)\"", ".SH NAME"]
    lines += ["\(escaped(tool)) \\- keep todos in a SQLite database", ".SH SYNOPSIS", ".B \(escaped(tool))"]
    lines += [
      escaped("[--db FILE] [--json] [--no-pager] COMMAND ..."), ".SH DESCRIPTION", escaped(CommandTable.purpose),
    ]
    lines.append(escaped("The database is an ordinary SQLite file, and other programs may write to it meanwhile."))
    lines.append(".SH COMMANDS")
    for name in CommandName.allCases { lines += command(CommandTable.spec(name)) }
    lines += [".SH OPTIONS", "They stand before or after the command."]
    lines += CommandTable.globalOptions.map(Help.entry).flatMap(entry)
    lines.append(".SH ENVIRONMENT")
    for variable in CommandTable.variables { lines += entry(variable.name, variable.meaning) }
    lines.append(".SH FILES")
    lines += entry(
      "~/.local/share/todo-db/todo.db",
      "The database where neither --db nor TODO_DB names one; in $XDG_DATA_HOME where that is set.")
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in CommandTable.exitCodes { lines += entry("\(code.rawValue)", meaning) }
    return lines
  }

  private static func command(_ spec: CommandSpec) -> [String] {
    var lines = [".SS \(escaped(Help.usage(spec)))", escaped(spec.summary)]
    for detail in spec.details { lines += [".PP", escaped(detail)] }
    for argument in spec.arguments { lines += entry(Help.usage(argument), argument.help) }
    lines += spec.options.map(Help.entry).flatMap(entry)
    lines += [".PP", escaped("With --json it prints \(spec.json)"), ".PP", "Examples:", ".PP", ".nf", ".RS"]
    return lines + spec.examples.map(escaped) + [".RE", ".fi"]
  }

  private static func entry(_ name: String, _ text: String) -> [String] {
    [".TP", "\\fB\(escaped(name))\\fR", escaped(text)]
  }

  /// A line of text in ASCII: no macro, no escape, and hyphens that can be copied.
  static func escaped(_ text: String) -> String {
    var result = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\n": result += " "
      default:
        result += scalar.isASCII ? String(scalar) : "\\[u\(scalar.hexadecimal)]"
      }
    }
    return result
  }
}
