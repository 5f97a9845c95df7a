/// What is wrong with a command line. It holds facts; `message` phrases them.
struct UsageError: Error, Equatable {
  enum Fact: Equatable, Sendable {
    case noCommand
    case unknownCommand(String, suggestion: String?)
    case unknownOption(String, suggestion: String?)
    case optionOfOtherCommand(String, commands: [CommandName])
    case missingValue(option: String, valueName: String)
    case unwantedValue(option: String)
    case repeatedOption(String)
    case contradiction(String, String)
    case missingArgument(String)
    /// One of these options has to be given.
    case missingOption([String])
    /// An option that says nothing without another one.
    case onlyWith(String, String)
    case extraArgument(String)
    case badArgument(String, choices: [String])
    case badValue(option: String, value: String, wanted: String)
    case blank(String)
    case nothingToChange
    case nothingToMove
    case notUTF8(String)
    case unknownFormat(file: String)
  }

  var command: CommandName?
  var fact: Fact
}

/// The words of a command line, sorted by the command table into a command, its arguments and options.
///
/// Every name in it is one that the table has, every option has a value where it takes one, and as many
/// arguments are there as the command takes.
struct Arguments: Equatable {
  enum Request: Equatable { case help, version, run(CommandName) }

  private(set) var command: CommandName?
  private(set) var request = Request.help
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  /// Help that was asked for anywhere on the line is given even if the rest of it is wrong.
  init(_ line: [String]) throws(UsageError) {
    // Options may come before the command, so that it must be known before they are looked up.
    var problem: UsageError?
    var rest = line[...]
    var onlyWords = false
    while let word = rest.popFirst() {
      do {
        if !onlyWords, word == "--" {
          onlyWords = true
        } else if !onlyWords, word.hasPrefix("-"), word != "-" {
          try takeOption(word, &rest)
        } else {
          try takeWord(word)
        }
      } catch {
        if problem == nil { problem = error }
      }
    }
    if flags.contains("--help") {
      request = .help
    } else if flags.contains("--version") {
      request = .version
    } else if let problem {
      throw problem
    } else if let command {
      try checkComplete(CommandTable.spec(command))
      request = .run(command)
    } else {
      throw error(.noCommand)
    }
  }

  func error(_ fact: UsageError.Fact) -> UsageError { UsageError(command: command, fact: fact) }

  private mutating func takeWord(_ word: String) throws(UsageError) {
    guard let command else {
      self.command = try name(word)
      return
    }
    let arguments = CommandTable.spec(command).arguments
    let takesAll = arguments.last?.arity.isRepeated ?? false
    guard takesAll || words.count < arguments.count else { throw error(.extraArgument(word)) }
    if let choices = arguments.dropFirst(words.count).first?.choices, !choices.isEmpty,
      !choices.contains(word)
    {
      throw error(.badArgument(word, choices: choices))
    }
    words.append(word)
  }

  private func name(_ word: String) throws(UsageError) -> CommandName {
    guard let name = CommandName(rawValue: word) else {
      let suggestion = nearest(to: word, in: CommandName.allCases.map(\.rawValue))
      throw error(.unknownCommand(word, suggestion: suggestion))
    }
    return name
  }

  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    let attached = parts.count == 2 ? parts.last.map(String.init) : nil
    guard let option = option(named: name) else { throw unknown(option: name) }
    guard let valueName = option.valueName else {
      guard attached == nil else { throw error(.unwantedValue(option: option.name)) }
      flags.insert(option.name)
      return
    }
    guard let value = attached ?? takeValue(&rest) else {
      throw error(.missingValue(option: option.name, valueName: valueName))
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw error(.badValue(option: option.name, value: value, wanted: option.choices.listed))
    }
    guard option.isRepeatable || values[option.name] == nil else { throw error(.repeatedOption(option.name)) }
    values[option.name, default: []].append(value)
  }

  /// The next word, unless it looks like an option: a forgotten value must not swallow one. Such a
  /// value can be given after an equals sign.
  private func takeValue(_ rest: inout ArraySlice<String>) -> String? {
    guard let next = rest.first, !next.hasPrefix("--"), next != "-h" else { return nil }
    return rest.popFirst()
  }

  private func option(named name: String) -> OptionSpec? {
    let own = command.map { CommandTable.spec($0).options } ?? []
    return (CommandTable.globalOptions + own).first { $0.name == name || $0.short == name }
  }

  private func unknown(option name: String) -> UsageError {
    let users = CommandName.allCases.filter { other in
      CommandTable.spec(other).options.contains { $0.name == name }
    }
    if !users.isEmpty { return error(.optionOfOtherCommand(name, commands: users)) }
    let own = command.map { CommandTable.spec($0).options } ?? []
    let names = (CommandTable.globalOptions + own).map(\.name)
    return error(.unknownOption(name, suggestion: nearest(to: name, in: names)))
  }

  private func checkComplete(_ spec: CommandSpec) throws(UsageError) {
    for set in spec.exclusive {
      let given = set.filter { flags.contains($0) || values[$0] != nil }
      if let first = given.first, let second = given.dropFirst().first {
        throw error(.contradiction(first, second))
      }
    }
    let required = spec.arguments.filter { !$0.arity.isOptional }
    if let missing = required.dropFirst(words.count).first { throw error(.missingArgument(missing.name)) }
    if let missing = spec.required.first(where: { !$0.contains { flags.contains($0) || values[$0] != nil } }) {
      throw error(.missingOption(missing))
    }
  }
}

extension Arguments {
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value as it was given, which may be empty.
  func value(_ option: String) -> String? { values[option]?.first }

  /// All values of an option that may be given several times, as they were given.
  func values(of option: String) -> [String] { values[option] ?? [] }

  func text(_ option: String) throws(UsageError) -> String? { try texts(option).first }

  func texts(_ option: String) throws(UsageError) -> [String] {
    let all = values[option] ?? []
    if all.contains(where: \.isBlank) { throw error(.blank(option)) }
    return all.withoutRepeats
  }

  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ option: String, as type: Value.Type
  ) throws(UsageError) -> Value? {
    guard let text = value(option) else { return nil }
    guard let value = Value(rawValue: text) else {
      throw error(.badValue(option: option, value: text, wanted: Value.allCases.map(\.rawValue).listed))
    }
    return value
  }

  func date(_ option: String) throws(UsageError) -> DateInput? {
    guard let text = value(option) else { return nil }
    guard let date = DateInput(text) else {
      throw error(.badValue(option: option, value: text, wanted: DateInput.syntax))
    }
    return date
  }

  /// Which dates are wanted.
  func dates(_ option: String) throws(UsageError) -> DueFilter? {
    guard let text = value(option) else { return nil }
    guard let filter = DueFilter(text) else {
      throw error(.badValue(option: option, value: text, wanted: DueFilter.syntax))
    }
    return filter
  }

  func count(_ option: String) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw error(.badValue(option: option, value: text, wanted: "a whole number from 1 on"))
    }
    return count
  }

  /// A place in a list, from 0.
  func offset(_ option: String) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let offset = Int(digits: text[...]) else {
      throw error(.badValue(option: option, value: text, wanted: "a whole number from 0 on"))
    }
    return offset
  }

  /// Places in a list, as single ones and ranges that both ends belong to.
  func offsets(_ option: String) throws(UsageError) -> [ClosedRange<Int>]? {
    guard let text = value(option) else { return nil }
    let ranges = text.split(separator: ",", omittingEmptySubsequences: false).map { part -> ClosedRange<Int>? in
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int(digits: $0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else { return nil }
      return first...last
    }
    guard !ranges.contains(nil) else {
      throw error(.badValue(option: option, value: text, wanted: "numbers from 0 on, such as 3 or 0,2 or 0-2,5"))
    }
    return ranges.compactMap(\.self)
  }

  /// The first argument, which the parser has made sure of.
  func word(_ name: String) throws(UsageError) -> String {
    guard let word = words.first else { throw error(.missingArgument(name)) }
    if word.isBlank { throw error(.blank(name)) }
    return word
  }

  /// The command that the first argument names; nil without one.
  func namedCommand() throws(UsageError) -> CommandName? {
    if let word = words.first { try name(word) } else { nil }
  }

  func id() throws(UsageError) -> String { try word("ID") }

  /// An id that is given twice counts once.
  func ids() throws(UsageError) -> [String] {
    if words.contains(where: \.isBlank) { throw error(.blank("ID")) }
    return words.withoutRepeats
  }
}

extension Int {
  /// A number of digits alone; nil for all else, and for one that is too large.
  fileprivate init?(digits text: Substring) {
    guard text.utf8.allSatisfy({ ("0"..."9").contains(Unicode.Scalar($0)) }) else { return nil }
    self.init(text)
  }
}
