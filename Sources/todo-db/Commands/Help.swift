/// The help texts, made from the command table. No line is wider than 80 cells, or than the terminal, unless one word is.
struct Help {
  /// The widest that a line may be, in cells.
  let width: Int

  /// - Parameter terminalWidth: nil where it is printed on none.
  init(terminalWidth: Int? = nil) { width = min(80, max(terminalWidth ?? 80, 20)) }

  /// The help of a command, or of the tool. It ends in a newline.
  func text(_ command: CommandName?) -> String {
    (command.map { commandLines(CommandTable.spec($0)) } ?? toolLines).joined(separator: "\n") + "\n"
  }

  /// How a command is called, such as `todo-db show ID`.
  static func usage(_ spec: CommandSpec) -> String {
    let words = [CommandTable.tool, spec.name.rawValue] + spec.arguments.map(usage) + optionUsages(spec)
    return words.joined(separator: " ")
  }

  private var toolLines: [String] {
    let commands = CommandName.allCases.map { name in (name.rawValue, CommandTable.spec(name).summary) }
    return wrapped(CommandTable.purpose, indent: 0) + [""]
      + wrapped("Usage: \(CommandTable.tool) [--db FILE] [--json] COMMAND ...", indent: 7)
      + section("Commands", commands)
      + section("Options, before or after the command", CommandTable.globalOptions.map(Self.entry))
      + section("Environment", CommandTable.variables.map { ($0.name, $0.meaning) })
      + section("Exit codes", CommandTable.exitCodes.map { ("\($0.code.rawValue)", $0.meaning) })
      + [""] + wrapped("'\(CommandTable.tool) COMMAND --help' tells more of a command.", indent: 0)
  }

  private func commandLines(_ spec: CommandSpec) -> [String] {
    let arguments = spec.arguments.map { (Self.usage($0), $0.help) }
    return wrapped(spec.summary, indent: 0) + [""] + spec.details.flatMap { wrapped($0, indent: 0) + [""] }
      + wrapped("Usage: " + Self.usage(spec), indent: 9)
      + section("Arguments", arguments)
      + section("Options", spec.options.map(Self.entry))
      + section("Options of every command", CommandTable.globalOptions.map(Self.entry))
      + [""] + wrapped("With --json it prints " + spec.json, indent: 0)
      + ["", "Examples"] + spec.examples.map { "  " + $0 }
  }

  static func usage(_ argument: ArgumentSpec) -> String {
    switch argument.arity {
    case .one: argument.name
    case .optional: "[\(argument.name)]"
    case .oneOrMore: "\(argument.name)..."
    case .zeroOrMore: "[\(argument.name)...]"
    }
  }

  /// Options that exclude each other share one pair of brackets; round ones where one of them is needed.
  private static func optionUsages(_ spec: CommandSpec) -> [String] {
    spec.options.compactMap { option in
      let isNeeded = spec.required.contains { $0.contains(option.name) }
      guard let set = spec.exclusive.first(where: { $0.contains(option.name) }) else {
        return (isNeeded ? call(option) : "[\(call(option))]") + (option.isRepeatable ? "..." : "")
      }
      guard set.first == option.name else { return nil }
      let calls = spec.options.filter { set.contains($0.name) }.map(call).joined(separator: "|")
      return isNeeded ? "(\(calls))" : "[\(calls)]"
    }
  }

  static func call(_ option: OptionSpec) -> String {
    option.valueName.map { "\(option.name) \($0)" } ?? option.name
  }

  /// An option's names and its value, and what it does.
  static func entry(_ option: OptionSpec) -> (String, String) {
    let names = option.short.map { "\($0), \(call(option))" } ?? call(option)
    return (names, option.help + (option.isRepeatable ? " May be given several times." : ""))
  }

  /// Two columns; a left side that is too long has its right side on the next line.
  private func section(_ title: String, _ entries: [(String, String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    let column = min(entries.map { $0.0.displayWidth }.max() ?? 0, width * 3 / 10) + 4
    let lines = entries.flatMap { left, right -> [String] in
      let text = wrapped(right, indent: column, firstIndent: column)
      let head = "  " + left
      guard head.displayWidth + 2 <= column, let first = text.first else { return [head] + text }
      return [head.fitted(toWidth: column) + first.dropFirst(column)] + text.dropFirst()
    }
    return ["", title] + lines
  }

  /// Breaks at spaces, but not inside brackets, where an option and its value stand together.
  private func wrapped(_ text: String, indent: Int, firstIndent: Int = 0) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: firstIndent)
    var isLineEmpty = true
    for word in Self.unbroken(text) {
      if !isLineEmpty, line.displayWidth + 1 + word.displayWidth > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isLineEmpty = true
      }
      line += (isLineEmpty ? "" : " ") + word
      isLineEmpty = false
    }
    return isLineEmpty ? lines : lines + [line]
  }

  /// Words in lines, each two spaces from the edge.
  static func filled(_ words: [String], width: Int) -> [String] {
    words.reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.displayWidth + 2 + word.displayWidth <= width {
        lines[lines.count - 1] = last + "  " + word
      } else {
        lines.append("  " + word)
      }
    }
  }

  /// Whether a word begins brackets of a usage line, and does not end them.
  private static func isOpen(_ word: String) -> Bool {
    (word.hasPrefix("[") && !word.contains("]")) || (word.hasPrefix("(--") && !word.contains(")"))
  }

  private static func unbroken(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: []) { words, word in
      if let last = words.last, isOpen(last) {
        words[words.count - 1] = last + " " + word
      } else {
        words.append(String(word))
      }
    }
  }
}
