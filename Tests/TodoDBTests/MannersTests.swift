import Foundation
import Testing

@testable import Roster
@testable import todo_db

private let bash = ["/bin/bash", "/usr/bin/bash"].first { FileManager.default.isExecutableFile(atPath: $0) }
private let groff = ["/usr/bin/groff"].first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite("Help, completions, the manual page and the pager")
struct MannersTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  @Test("help COMMAND is COMMAND --help, and a mistyped command gets a suggestion")
  func help() throws {
    for name in CommandName.allCases {
      #expect(try db.start(TodoDB.executable, ["help", name.rawValue]).out == Help().text(name))
    }
    #expect(try db.start(TodoDB.executable, ["help"]).out == Help().text(nil))
    let mistyped = try db.start(TodoDB.executable, ["help", "lisst"])
    #expect(mistyped.code == 2 && mistyped.err.contains("did you mean"))
    let json = try db.start(TodoDB.executable, ["help", "move", "--json"])
    #expect(try TodoDB.object(json.out)["help"] as? String == Help().text(.move))
  }

  @Test(
    "the manual page has every command, argument, option, example and exit code, and no line that roff reads otherwise")
  func manual() throws {
    let page = ManualPage.text
    for name in CommandName.allCases {
      let spec = CommandTable.spec(name)
      #expect(page.contains("\n.SS todo\\-db \(name.rawValue.replacing("-", with: "\\-"))"))
      let texts = [spec.summary] + spec.details + spec.examples + spec.options.map(\.help) + spec.arguments.map(\.help)
      for text in texts {
        #expect(page.contains(ManualPage.escaped(text)), "\(text)")
      }
    }
    for option in CommandTable.globalOptions {
      #expect(
        page.contains(
          "\\fB\((option.short.map { "\($0), " } ?? "").appending(option.name).replacing("-", with: "\\-"))"))
    }
    for (code, meaning) in CommandTable.exitCodes {
      #expect(page.contains("\\fB\(code.rawValue)\\fR\n\(ManualPage.escaped(meaning))\n"))
    }
    #expect(ManualPage.escaped(#".a\b-c 布"#) == #"\&.a\eb\-c \[u5E03]"#)
    let macros = [".TH", ".SH", ".SS", ".B", ".PP", ".TP", ".nf", ".fi", ".RS", ".RE"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(macros.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
    }
  }

  @Test("groff formats the manual page without a warning", .enabled(if: groff != nil))
  func formatted() throws {
    let page = try db.write(ManualPage.text, to: "todo-db.1")
    let outcome = try db.start(
      URL(fileURLWithPath: try #require(groff)), ["-man", "-Tutf8", "-ww", "-z", page],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(outcome.code == 0 && outcome.err.isEmpty, "\(outcome)")
  }

  @Test("the scripts name every command and option", arguments: Shell.allCases)
  func complete(shell: Shell) throws {
    let script = Completions(shell).text
    #expect(try db.start(TodoDB.executable, ["completions", shell.rawValue]).out == script)
    for name in CommandName.allCases {
      #expect(script.contains(name.rawValue))
      for option in CommandTable.spec(name).options {
        #expect(
          script.contains(shell == .fish ? "-l \(option.name.dropFirst(2)) " : option.name), "\(name) \(option.name)")
      }
    }
    #expect(try db.start(TodoDB.executable, ["completions", "tcsh"]).code == 2)
  }

  @Test(
    "bash completes commands, options and their values", .enabled(if: bash != nil),
    arguments: [
      (["mi"], ["migrate"]), (["list", "--so"], ["--sort"]),
      (["list", "--sort", ""], TodoSort.allCases.map(\.rawValue)),
      (["--db", "x", "cl"], ["clear-done"]), (["--db", "list", "cl"], ["clear-done"]), (["lists", "re"], ["rename"]),
      (["help", "clear"], ["clear-done"]), (["add", "x", "--prio"], ["--priority"]), (["completions", ""], ["bash"]),
      (["list", "--list", ""], []),
    ] as [([String], [String])])
  func completing(words: [String], found: [String]) throws {
    let script = try db.write(
      Completions(.bash).text + """
        COMP_WORDS=(todo-db "$@"); COMP_CWORD=$#; compopt() { :; }; _todo_db; printf '%s\\n' "${COMPREPLY[@]}"
        """, to: "complete.bash")
    let outcome = try db.start(URL(fileURLWithPath: try #require(bash)), [script] + words)
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    #expect(outcome.lines == found || !found.isEmpty && outcome.lines.starts(with: found), "\(outcome.lines)")
  }

  @Test("what is longer than the screen goes through the pager, and the rest does not")
  func pager() throws {
    for number in 0..<30 { _ = try db.add("todo \(number) 布局") }
    func printed(_ arguments: [String], height: Int, pager: String) throws -> [String] {
      let terminal = try PseudoTerminal(width: 80, height: height)
      let tool = try RunningTool(
        TodoDB.executable, ["--db", db.database.path] + arguments, in: db.folder, on: terminal, pager: pager)
      let (text, code) = try tool.end()
      #expect(code == 0)
      return text.split(separator: "\r\n").map(String.init)
    }
    let paged = try printed(["list"], height: 10, pager: "sed s/^/PAGED:/")
    #expect(paged.count == 31 && paged.allSatisfy { $0.hasPrefix("PAGED:") })
    for (arguments, height, pager) in [
      (["list"], 60, "sed s/^/PAGED:/"), (["list", "--no-pager"], 10, "sed s/^/PAGED:/"), (["list"], 10, ""),
      (["list"], 10, "cat"),
    ] {
      let plain = try printed(arguments, height: height, pager: pager)
      #expect(plain.count == 31 && plain.allSatisfy { !$0.hasPrefix("PAGED:") }, "\(arguments) \(height) \(pager)")
    }
    // A pager that leaves at once is no error. One that is not there shows nothing, so that the terminal does.
    #expect(try printed(["list"], height: 10, pager: "true").isEmpty)
    let unpaged = try printed(["list"], height: 10, pager: "no-such-pager --x")
    #expect(unpaged.suffix(31).first?.contains("TITLE") == true && unpaged.count <= 32, "\(unpaged)")
    #expect(try db.succeed("list").lines.count == 31)
  }
}

@Suite("What is interrupted")
struct InterruptionTests {
  @Test(
    "an export to a file that Ctrl-C ends leaves the old file, and nothing half written", arguments: [SIGINT, SIGTERM])
  func export(signal: Int32) throws {
    let db = try TodoDB()
    let lines = (0..<3000).map { "todo \($0) 布局 +list\($0 % 7)\n" }.joined()
    try db.succeed("import", try db.write(lines, to: "in.txt"))
    func partial() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: db.folder.path).filter { $0.contains("partial") }
    }
    var wasInterrupted = false
    // On a busy machine it may be done before the signal comes.
    for _ in 0..<50 where !wasInterrupted {
      _ = try db.write("old", to: "out.csv")
      let tool = try RunningTool(db, "export", "--output", "out.csv", "--format", "csv")
      while try partial().isEmpty, try String(contentsOf: db.file("out.csv"), encoding: .utf8) == "old" { usleep(500) }
      let (_, code) = try tool.end(by: signal)
      wasInterrupted = code != 0
      #expect(code == 0 || code == 128 + signal)
      #expect(try partial().isEmpty)
      let text = try String(contentsOf: db.file("out.csv"), encoding: .utf8)
      // The signal may also come right after the new file has got its name.
      let isWhole = text.split(whereSeparator: \.isNewline).count == 3001
      #expect(isWhole || wasInterrupted && text == "old")
    }
    #expect(wasInterrupted)
  }

  @Test("a backup that a signal ends leaves nothing in the folder", arguments: [SIGINT, SIGTERM])
  func backup(signal: Int32) throws {
    let db = try TodoDB()
    try db.succeed("init")
    let connection = try Connection(path: db.database.path, mode: .readWrite)
    try connection.execute("CREATE TABLE filler (b)")
    try connection.execute(
      "INSERT INTO filler WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT zeroblob(1000000) FROM n"
    )
    func partial() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: db.folder.path).filter { $0.hasPrefix(".roster") }
    }
    var wasInterrupted = false
    for round in 0..<50 where !wasInterrupted {
      let target = db.file("copy-\(round).db")
      let tool = try RunningTool(db, "backup", target.lastPathComponent)
      while try partial().isEmpty, !FileManager.default.fileExists(atPath: target.path) { usleep(200) }
      let (_, code) = try tool.end(by: signal)
      wasInterrupted = code != 0
      #expect(code == 0 || code == 128 + signal)
      #expect(try partial().isEmpty)
      #expect(FileManager.default.fileExists(atPath: target.path) == !wasInterrupted)
    }
    #expect(wasInterrupted)
  }
}
