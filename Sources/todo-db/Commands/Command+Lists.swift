extension Command.Targets {
  init(_ facts: Arguments) throws(UsageError) {
    let ids = try facts.ids()
    let list = try facts.text("--list")
    guard facts.has("--all") else {
      if list != nil { throw facts.error(.onlyWith("--list", "--all")) }
      guard !ids.isEmpty else { throw facts.error(.missingArgument("ID")) }
      self = .ids(ids)
      return
    }
    guard ids.isEmpty else { throw facts.error(.contradiction("ID", "--all")) }
    self = .all(list: list)
  }
}

extension Command.Lists {
  init(_ facts: Arguments) throws(UsageError) {
    let action = facts.words.first
    let place = Command.Lists.placeOptions.first { facts.has($0) || facts.value($0) != nil }
    if let place, action != "move", action != "add" || place != "--to" {
      throw facts.error(.onlyWith(place, place == "--to" ? "move or add" : "move"))
    }
    if facts.has("--yes"), action != "rm" { throw facts.error(.onlyWith("--yes", "rm")) }
    switch action {
    case "add": self = .add(try facts.name(1, "NAME"), at: try facts.offset("--to"))
    case "rename": self = .rename(try facts.name(1, "NAME", isLast: false), to: try facts.name(2, "NEW"))
    case "move":
      self = .move(try facts.name(1, "NAME"), try Command.Lists.place(facts))
    case "rm": self = .remove(try facts.name(1, "NAME"), isConfirmed: facts.has("--yes"))
    default: self = .show
    }
  }

  private static let placeOptions = ["--to", "--before", "--after", "--start", "--end"]

  private static func place(_ facts: Arguments) throws(UsageError) -> Command.Move.Place {
    if let index = try facts.offset("--to") { return .index(index) }
    if let name = try facts.text("--before") { return .before(name.trimmed) }
    if let name = try facts.text("--after") { return .after(name.trimmed) }
    if facts.has("--start") { return .start }
    if facts.has("--end") { return .end }
    throw facts.error(.missingOption(placeOptions))
  }
}

extension Command.Tags {
  init(_ facts: Arguments) throws(UsageError) {
    switch facts.words.first {
    case "rename": self = .rename(try facts.name(1, "TAG", isLast: false), to: try facts.name(2, "NEW"))
    case "rm": self = .remove(try facts.name(1, "TAG"))
    default: self = .show
    }
  }
}

extension Arguments {
  /// The word at an index, trimmed. Only the last of those that are wanted may end the line.
  fileprivate func name(_ index: Int, _ name: String, isLast: Bool = true) throws(UsageError) -> String {
    let rest = words.dropFirst(index)
    guard let word = rest.first else { throw error(.missingArgument(name)) }
    if word.isBlank { throw error(.blank(name)) }
    if isLast, let extra = rest.dropFirst().first { throw error(.extraArgument(extra)) }
    return word.trimmed
  }
}
