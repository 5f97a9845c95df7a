import Foundation
import Testing

@testable import todo_db

@Suite struct InvocationTests {
  private func parse(_ line: [String]) throws -> Invocation { try Invocation(line) }

  private func run(_ line: String...) throws -> Command? {
    guard case .run(let command, _) = try Invocation(line) else { return nil }
    return command
  }

  @Test("every command is read into its own kind")
  func commands() throws {
    #expect(try run("init") == .initialise)
    #expect(try run("add", "Buy milk") == .add(.init(title: "Buy milk")))
    #expect(try run("show", "3f") == .show(id: "3f"))
    #expect(try run("done", "a", "b", "a") == .done(.ids(["a", "b"])))
    #expect(try run("reopen", "a") == .reopen(.ids(["a"])))
    #expect(try run("rm", "a", "b") == .remove(ids: ["a", "b"]))
    #expect(try run("migrate") == .migrate)
    #expect(try run("migrate", "status") == .migrationStatus)
    #expect(try run("check") == .check(repairs: false))
    #expect(try run("check", "--repair") == .check(repairs: true))
    #expect(try run("sort", "--by", "due") == .sort(.init(key: .due)))
    #expect(try run("sort", "--list=L", "--by=title") == .sort(.init(key: .title, list: "L")))
    #expect(try run("changes") == .changes(.init()))
    #expect(try run("changes", "--since", "0", "--follow") == .changes(.init(since: 0, follows: true)))
    #expect(try run("watch") == .watch(.init()))
    #expect(try run("watch", "--done", "--list=家") == .watch(.init(list: "家", state: .done)))
    #expect(try run("add", "t", "--at", "0") == .add(.init(title: "t", index: 0)))
  }

  @Test("add takes its options in any order and form")
  func add() throws {
    let due = DateInput.date(try #require(DueDate("2026-10-08T14:30")))
    let expected = Command.add(
      .init(title: "-5 °C", list: "家", note: "--x", priority: .high, due: due, tags: ["a", "b c"]))
    #expect(
      try run(
        "add", "--tag", "a", "--list=家", "--note=--x", "--priority", "high", "--due", "2026-10-08T14:30",
        "--tag=b c",
        "--tag", "a", "--", "-5 °C") == expected)
    #expect(try run("add", "t", "--note", "") == .add(.init(title: "t", note: "")))
    #expect(try run("add", "t", "--note", "-1") == .add(.init(title: "t", note: "-1")))
    #expect(try run("add", "t", "--note=a=b") == .add(.init(title: "t", note: "a=b")))
    #expect(try run("add", "--", "--") == .add(.init(title: "--")))
  }

  @Test("list reads its filters")
  func list() throws {
    #expect(try run("list") == .list(.init()))
    #expect(
      try run("list", "--list", "L", "--open", "--sort", "due", "--limit", "20")
        == .list(.init(list: "L", state: .open, sort: .due, limit: 20)))
    #expect(try run("list", "--done") == .list(.init(state: .done)))
    #expect(try run("list", "--search", "布局 a", "--open") == .list(.init(state: .open, search: "布局 a")))
    for command in ["list", "watch"] { #expect(try run(command, "--search", " ") == run(command)) }
    #expect(try run("watch", "--search=x", "--list", "L") == .watch(.init(list: "L", search: "x")))
  }

  @Test("search takes its words in any place, and a blank text; suggest takes one")
  func search() throws {
    #expect(try run("search", "布局") == .search(.init(text: "布局", limit: 20)))
    #expect(
      try run("search", "the", "--list=L", "red  roses", "--open", "--limit", "3", "--phrases", "--", "-x")
        == .search(.init(text: "the red  roses -x", phrases: true, list: "L", state: .open, limit: 3)))
    #expect(try run("search", "") == .search(.init(text: "")))
    #expect(try run("suggest", "buy m") == .suggest(.init(prefix: "buy m", limit: 10)))
    #expect(try run("suggest", "b", "--limit", "2") == .suggest(.init(prefix: "b", limit: 2)))
  }

  @Test("move reads what moves, by ids or by numbers, and where to")
  func move() throws {
    #expect(try run("move", "a", "b", "a", "--before", "c") == .move(.todos(["a", "b"], .before("c"), list: nil)))
    #expect(try run("move", "--after=c", "a") == .move(.todos(["a"], .after("c"), list: nil)))
    #expect(try run("move", "a", "--to", "0") == .move(.todos(["a"], .index(0), list: nil)))
    #expect(try run("move", "a", "--start", "--list", "家") == .move(.todos(["a"], .start, list: "家")))
    #expect(try run("move", "a", "--end") == .move(.todos(["a"], .end, list: nil)))
    #expect(
      try run("move", "--from", "0,2-4,2", "--to", "007", "--list", "L", "--open")
        == .move(.offsets([0...0, 2...4, 2...2], to: 7, list: "L", .open)))
    #expect(try run("move", "--to=0", "--from=3-3", "--done") == .move(.offsets([3...3], to: 0, list: nil, .done)))
  }

  @Test(
    "numbers of places are digits alone",
    arguments: ["", "-1", "+1", "1.0", "x", "１", "1,", ",1", "1--2", "2-1", "1-", "1 2", "99999999999999999999"])
  func places(text: String) {
    for option in ["--to", "--from"] {
      let error = #expect(throws: UsageError.self) {
        try parse(["move", option == "--to" ? "a" : "--to=0", "\(option)=\(text)"])
      }
      guard case .badValue(let name, let value, _) = error?.fact else {
        Issue.record("\(option) took \(text)")
        continue
      }
      #expect(name == option && value == text)
    }
  }

  @Test("edit tells a value that stays from one that is taken away")
  func edit() throws {
    guard
      case .edit(let edit) = try run(
        "edit", "3f", "--due", "none", "--priority=low", "--untag", "x", "--note", "")
    else {
      Issue.record("no edit")
      return
    }
    #expect(edit.id == "3f")
    #expect(edit.title == nil)
    #expect(edit.note == "")
    #expect(edit.due == .clear)
    #expect(edit.priority == .set(.low))
    #expect(edit.untags == ["x"])
  }

  @Test("import finds its format by the ending, by an option for the rest")
  func importing() throws {
    #expect(try run("import", "a.TXT") == .importing(.init(file: "a.TXT", format: .todotxt, isGuess: true)))
    #expect(
      try run("import", "a.csv", "--skip-bad")
        == .importing(.init(file: "a.csv", format: .csv, isGuess: true, skipsBad: true)))
    #expect(try run("import", "-", "--format", "csv") == .importing(.init(file: nil, format: .csv)))
    #expect(
      try run("import", "a.csv", "--format=todotxt") == .importing(.init(file: "a.csv", format: .todotxt)))
    let endings: [(String, TaskFormat)] = [
      ("a.todo.txt", .todotxt), ("a.tsv", .tsv), ("a.tab", .tsv), ("a.json", .json), ("a.jsonl", .ndjson),
      ("a.ndjson", .ndjson), ("a.ics", .ical), ("a.MD", .markdown), ("a.markdown", .markdown),
    ]
    for (name, format) in endings {
      #expect(try run("import", name) == .importing(.init(file: name, format: format, isGuess: true)))
      #expect(try run("export", "--output", name) == .export(.init(format: format, output: name)))
    }
  }

  @Test("export writes JSON when JSON is asked for either way")
  func export() throws {
    #expect(try run("export") == .export(.init(format: .todotxt)))
    #expect(try run("--json", "export") == .export(.init(format: .json)))
    #expect(
      try run("export", "--format", "csv", "--output", "f") == .export(.init(format: .csv, output: "f")))
  }

  @Test("global options stand before or after the command")
  func globals() throws {
    let expected = Invocation.run(.check(repairs: false), GlobalOptions(database: "f.db", isJSON: true))
    #expect(try parse(["--db", "f.db", "--json", "check"]) == expected)
    #expect(try parse(["check", "--json", "--db=f.db"]) == expected)
    #expect(try parse(["--json", "check", "--db", "f.db", "--json"]) == expected)
  }

  @Test("help and version are given whatever else is on the line")
  func help() throws {
    #expect(try parse(["--help"]) == .help(nil))
    #expect(try parse(["-h"]) == .help(nil))
    #expect(try parse(["edit", "--help"]) == .help(.edit))
    #expect(try parse(["--help", "edit"]) == .help(.edit))
    #expect(try parse(["edit", "--bogus", "--list", "-h"]) == .help(.edit))
    #expect(try parse(["--version"]) == .version)
    #expect(try parse(["add", "--", "--help"]) == .run(.add(.init(title: "--help")), GlobalOptions()))
  }

  @Test(
    "a wrong command line is refused with the fact that is wrong",
    arguments: [
      ([], nil, .noCommand), (["--json"], nil, .noCommand),
      (["lst"], nil, .unknownCommand("lst", suggestion: "list")),
      (["delete"], nil, .unknownCommand("delete", suggestion: nil)),
      (["ad", "x"], nil, .unknownCommand("ad", suggestion: "add")),
      (["lsit"], nil, .unknownCommand("lsit", suggestion: "list")),
      (["list", "--opne"], .list, .unknownOption("--opne", suggestion: "--open")),
      (["list", "--frobnicate=1"], .list, .unknownOption("--frobnicate", suggestion: nil)),
      (["list", "-x"], .list, .unknownOption("-x", suggestion: nil)),
      (["list", "--note", "n"], .list, .optionOfOtherCommand("--note", commands: [.add, .edit])),
      (["--limit", "3", "list"], nil, .optionOfOtherCommand("--limit", commands: [.list, .search, .suggest, .tail])),
      (["list", "--list"], .list, .missingValue(option: "--list", valueName: "L")),
      (["list", "--list", "--open"], .list, .missingValue(option: "--list", valueName: "L")),
      (["list", "--open=yes"], .list, .unwantedValue(option: "--open")),
      (["list", "--open", "--done"], .list, .contradiction("--open", "--done")),
      (["list", "--list", "a", "--list", "b"], .list, .repeatedOption("--list")),
      (["list", "x"], .list, .extraArgument("x")), (["add", "a", "b"], .add, .extraArgument("b")),
      (["search"], .search, .missingArgument("TEXT")), (["suggest"], .suggest, .missingArgument("PREFIX")),
      (["suggest", "a", "b"], .suggest, .extraArgument("b")), (["suggest", " "], .suggest, .blank("PREFIX")),
      (["search", "a", "--open", "--done"], .search, .contradiction("--open", "--done")),
      (["search", "a", "--sort", "due"], .search, .optionOfOtherCommand("--sort", commands: [.list])),
      (
        ["search", "a", "--limit", "-1"], .search,
        .badValue(option: "--limit", value: "-1", wanted: "a whole number from 1 on")
      ),
      (["list", "--search"], .list, .missingValue(option: "--search", valueName: "TEXT")),
      (["add"], .add, .missingArgument("TITLE")), (["done"], .done, .missingArgument("ID")),
      (["add", " \t"], .add, .blank("TITLE")), (["add", "a", "--tag", ""], .add, .blank("--tag")),
      (["done", "a", ""], .done, .blank("ID")), (["edit", "a", "--title", " "], .edit, .blank("--title")),
      (["migrate", "down"], .migrate, .badArgument("down", choices: ["status", "up", "new"])),
      (["migrate", "new"], .migrate, .missingArgument("NAME")),
      (["migrate", "up", "x"], .migrate, .extraArgument("x")),
      (["migrate", "--folder", "x"], .migrate, .onlyWith("--folder", "new")),
      (["dump", "--format", "csv"], .dump, .onlyWith("--format csv", "TABLE")),
      (["tail", "--since", "1", "--limit", "2"], .tail, .contradiction("--since", "--limit")),
      (["query", "SELECT 1", "--json", "--format", "csv"], .query, .contradiction("--json", "--format csv")),
      (
        ["add", "a", "--priority", "urgent"], .add,
        .badValue(option: "--priority", value: "urgent", wanted: "high, medium or low")
      ),
      (
        ["add", "a", "--due", "2026-02-30"], .add,
        .badValue(option: "--due", value: "2026-02-30", wanted: DateInput.syntax)
      ),
      (
        ["list", "--limit", "0"], .list,
        .badValue(option: "--limit", value: "0", wanted: "a whole number from 1 on")
      ),
      (
        ["list", "--limit", "99999999999999999999"], .list,
        .badValue(option: "--limit", value: "99999999999999999999", wanted: "a whole number from 1 on")
      ),
      (
        ["changes", "--since", "-1"], .changes,
        .badValue(option: "--since", value: "-1", wanted: "a whole number from 0 on")
      ),
      (["changes", "--since"], .changes, .missingValue(option: "--since", valueName: "N")),
      (["changes", "3"], .changes, .extraArgument("3")),
      (["watch", "--open", "--done"], .watch, .contradiction("--open", "--done")),
      (["watch", "--follow"], .watch, .optionOfOtherCommand("--follow", commands: [.changes, .tail])),
      (["edit", "a"], .edit, .nothingToChange),
      (["move", "--to", "1"], .move, .nothingToMove),
      (["move", "a"], .move, .missingOption(["--to", "--before", "--after", "--start", "--end"])),
      (
        ["move", "--from", "1"], .move,
        .missingOption(["--to", "--before", "--after", "--start", "--end"])
      ),
      (["move", "a", "--from", "1", "--to", "2"], .move, .contradiction("ID", "--from")),
      (["move", "a", "--to", "2", "--end"], .move, .contradiction("--to", "--end")),
      (["move", "a", "--before", "b", "--after", "c"], .move, .contradiction("--before", "--after")),
      (["move", "a", "--before", "b", "--list", "L"], .move, .contradiction("--list", "--before")),
      (["move", "--from", "1", "--before", "b"], .move, .onlyWith("--from", "--to")),
      (["move", "--from", "1", "--end"], .move, .onlyWith("--from", "--to")),
      (["move", "a", "--start", "--done"], .move, .onlyWith("--done", "--from")),
      (["move", "--from", "1", "--to", "2", "--open", "--done"], .move, .contradiction("--open", "--done")),
      (["move", "a", "--before", " "], .move, .blank("--before")),
      (
        ["move", "a", "--to", "-1"], .move,
        .badValue(option: "--to", value: "-1", wanted: "a whole number from 0 on")
      ),
      (["sort"], .sort, .missingOption(["--by"])), (["sort", "due"], .sort, .extraArgument("due")),
      (
        ["sort", "--by", "created"], .sort,
        .badValue(option: "--by", value: "created", wanted: "title, due or priority")
      ),
      (
        ["add", "a", "--at", "end"], .add,
        .badValue(option: "--at", value: "end", wanted: "a whole number from 0 on")
      ),
      (["edit", "a", "--tag", "x", "--untag", "x"], .edit, .contradiction("--tag x", "--untag x")),
      (["export", "--json", "--format", "csv"], .export, .contradiction("--json", "--format csv")),
      (["import", "a.xyz"], .import, .unknownFormat(file: "a.xyz")),
      (["import", "a.json", "--map", "A=title"], .import, .onlyWith("--map", "CSV and TSV")),
      (
        ["import", "a.csv", "--map", "A=title", "--map", "B=title"], .import, .contradiction("--map A", "--map B")
      ),
      (
        ["import", "a.csv", "--map", "A=colour"], .import,
        .badValue(
          option: "--map", value: "A=colour",
          wanted: "COLUMN=FIELD with a field of \(ColumnMapping.fieldNames.listed)")
      ),
      (["import", "-"], .import, .unknownFormat(file: "-")),
    ] as [([String], CommandName?, UsageError.Fact)])
  func refused(line: [String], command: CommandName?, fact: UsageError.Fact) {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    #expect(error == UsageError(command: command, fact: fact))
  }

  @Test("a message says what is wrong and where to read on")
  func messages() {
    #expect(
      UsageError(command: nil, fact: .unknownCommand("l\u{1B}st", suggestion: "list")).message
        == "todo-db: there is no command 'l␛st'; did you mean list?\nSee 'todo-db --help'.")
    #expect(
      UsageError(command: .list, fact: .optionOfOtherCommand("--note", commands: [.add, .edit])).message
        == "todo-db: 'list' has no option --note; it is one of add or edit\nSee 'todo-db list --help'.")
    #expect(
      UsageError(command: .move, fact: .missingOption(["--to", "--end"])).message
        == "todo-db: one of --to or --end is missing\nSee 'todo-db move --help'.")
    #expect(
      UsageError(command: .move, fact: .onlyWith("--open", "--from")).message
        == "todo-db: --open goes with --from only\nSee 'todo-db move --help'.")
  }

  @Test("no words at all make it fail other than by a usage error")
  func anyWords() {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    let options = CommandName.allCases.flatMap { CommandTable.spec($0).options.map(\.name) }
    let words =
      CommandName.allCases.map(\.rawValue) + options
      + ["--", "-", "=", "--=", "--db=", "--db", "", "x", "--json", "2026-01-02", "none", "1", "-é"]
    for _ in 0..<5_000 {
      let line = generator.some(7, of: words)
      do {
        _ = try Invocation(line)
      } catch {
        #expect(!error.message.isEmpty, "seed \(seed), \(line)")
      }
    }
  }
}

@Suite struct HelpTests {
  @Test("help names every command, argument and option of the table, in lines that fit")
  func complete() {
    let tool = Help().text(nil)
    for name in CommandName.allCases {
      #expect(tool.contains("\n  \(name.rawValue) "))
      let spec = CommandTable.spec(name)
      let text = Help().text(name)
      #expect(spec.name == name)
      #expect(text.contains(spec.summary))
      for option in spec.options + CommandTable.globalOptions { #expect(text.contains(option.name)) }
      for argument in spec.arguments { #expect(text.contains(argument.name)) }
      for line in text.split(separator: "\n") where !line.hasPrefix("  todo-db") {
        #expect(String(line).displayWidth <= 80, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test("usage shows how a command is called")
  func usage() {
    #expect(
      Help.usage(CommandTable.spec(.list))
        == "todo-db list [--list L] [--open|--done] [--sort due|priority|title|created] [--search TEXT] "
        + "[--due WHEN] [--sections state|priority|list] [--limit N]"
    )
    #expect(Help.usage(CommandTable.spec(.done)) == "todo-db done [ID...] [--all] [--list L]")
    #expect(Help.usage(CommandTable.spec(.migrate)) == "todo-db migrate [status|up|new] [NAME] [--folder DIR]")
    #expect(Help.usage(CommandTable.spec(.sort)) == "todo-db sort --by title|due|priority [--list L]")
    #expect(
      Help.usage(CommandTable.spec(.move))
        == "todo-db move [ID...] [--from NUMBERS] (--to N|--before ID|--after ID|--start|--end) [--list L] [--open|--done]"
    )
    #expect(
      Help.usage(CommandTable.spec(.add))
        == "todo-db add TITLE [--list L] [--note N] [--priority high|medium|low] [--due DATE] [--tag T]... [--at N]"
    )
  }

  @Test("the examples in the help are command lines that the tool takes")
  func examples() throws {
    for name in CommandName.allCases {
      for example in CommandTable.spec(name).examples {
        let words = try #require(example.split(separator: " < ").first?.split(separator: " > ").first)
        // Single quotes hold spaces, as in a shell: every second piece is a quoted one.
        let parts = words.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
          index, part in
          index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
        #expect(parts.first == "todo-db")
        guard case .run = try Invocation(Array(parts.dropFirst())) else {
          Issue.record("\(example) runs nothing")
          continue
        }
      }
    }
  }
}
