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
    let places = ["--to", "--before", "--after", "--start", "--end"].filter { facts.has($0) || facts.value($0) != nil }
    if let place = places.first, action != "move", action != "add" || place != "--to" {
      throw facts.error(.onlyWith(place, place == "--to" ? "move or add" : "move"))
    }
    if facts.has("--yes"), action != "rm" { throw facts.error(.onlyWith("--yes", "rm")) }
    switch action {
    case "add": self = .add(try facts.name(1, "NAME"), at: try facts.offset("--to"))
    case "rename": self = .rename(try facts.name(1, "NAME", isLast: false), to: try facts.name(2, "NEW"))
    case "move":
      let name = try facts.name(1, "NAME")
      guard let place = try Place(facts) else {
        throw facts.error(.missingOption(["--to", "--before", "--after", "--start", "--end"]))
      }
      self = .move(name, place)
    case "rm": self = .remove(try facts.name(1, "NAME"), isConfirmed: facts.has("--yes"))
    default: self = .show
    }
  }
}

extension Command.Lists.Place {
  fileprivate init?(_ facts: Arguments) throws(UsageError) {
    if let index = try facts.offset("--to") {
      self = .index(index)
    } else if let name = try facts.text("--before") {
      self = .before(name.trimmed)
    } else if let name = try facts.text("--after") {
      self = .after(name.trimmed)
    } else if facts.has("--start") || facts.has("--end") {
      self = facts.has("--start") ? .start : .end
    } else {
      return nil
    }
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
