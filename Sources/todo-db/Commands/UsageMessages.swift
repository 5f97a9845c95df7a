extension UsageError {
  /// A blank title or name is no slip in how the command is written: the command is understood, and refused. Without a
  /// statement or a file there is nothing to understand.
  var exitCode: ExitCode {
    switch fact {
    case .blank("SQL"), .blank("FILE"): .usage
    case .blank: .refused
    default: .usage
    }
  }

  /// What is wrong and what to do, in lines for standard error.
  var message: String {
    let help = command.map { "\(CommandTable.tool) \($0.rawValue) --help" } ?? "\(CommandTable.tool) --help"
    return "\(CommandTable.tool): \(statement)\nSee '\(help)'."
  }

  private var statement: String {
    switch fact {
    case .noCommand:
      "no command was given"
    case .unknownCommand(let name, let suggestion):
      "there is no command '\(name.visible)'\(hint(suggestion))"
    case .unknownOption(let name, let suggestion):
      if name.hasPrefix("--") {
        "there is no option \(name.visible)\(hint(suggestion))"
      } else {
        "there is no option \(name.visible)\(hint(suggestion)); for a text that begins with -, put -- before it"
      }
    case .optionOfOtherCommand(let name, let commands):
      misplaced(name, commands.map(\.rawValue).listed)
    case .missingValue(let option, let valueName):
      "\(option) needs a value: \(option) \(valueName) (or \(option)=VALUE for one that begins with --)"
    case .unwantedValue(let option):
      "\(option) takes no value"
    case .repeatedOption(let option):
      "\(option) is given twice"
    case .contradiction(let first, let second):
      "\(first.visible) and \(second.visible) contradict each other; give one of them"
    case .missingArgument(let name):
      "\(name) is missing"
    case .missingOption(let options):
      options.count == 1 ? "\(options.listed) is missing" : "one of \(options.listed) is missing"
    case .onlyWith(let option, let other):
      "\(option) goes with \(other) only"
    case .extraArgument(let word):
      "'\(word.visible)' is one argument too many; put a text with spaces in quotes"
    case .badArgument(let word, let choices):
      "'\(word.visible)' is not known here; it can be \(choices.listed)"
    case .badValue(let option, let value, let wanted):
      "\(option) is '\(value.visible)'; it must be \(wanted)"
    case .blank("TITLE"), .blank("--title"):
      "the title is blank; a todo needs one"
    case .blank(let name):
      "\(name) is blank"
    case .notUTF8(let repaired):
      "'\(repaired.visible)' is not UTF-8 text as it was given"
    case .nothingToChange:
      "no option says what to change"
    case .nothingToMove:
      "nothing says what to move; give IDs, or --from with the numbers that 'todo-db list' shows"
    case .unknownFormat(let file):
      file == "-"
        ? "standard input has no name to tell its format by; give --format"
        : "the ending of '\(file.visible)' does not tell its format; give --format"
    }
  }

  private func hint(_ suggestion: String?) -> String { suggestion.map { "; did you mean \($0)?" } ?? "" }

  private func misplaced(_ option: String, _ commands: String) -> String {
    if let command {
      "'\(command.rawValue)' has no option \(option); it is one of \(commands)"
    } else {
      "\(option) comes after the command; it is an option of \(commands)"
    }
  }
}

extension [String] {
  /// `a`, `a or b`, `a, b or c`.
  var listed: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
