import Foundation
import Testing

@testable import todo_db

@Suite("What the README says of todo-db")
struct ReadmeTests {
  private let text: String
  /// The part on the tool.
  private let part: String

  init() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../README.md")
    text = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(text.range(of: "\n## todo-db\n")).upperBound
    let end = try #require(text.range(of: "\n## More\n")).lowerBound
    part = String(text[start..<end])
  }

  /// What stands between backquotes in a text.
  private func code(in text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  private var rows: [Substring] { part.split(separator: "\n").filter { $0.hasPrefix("| `") } }

  @Test("every command has a row in the table, and every row is of a command")
  func commands() {
    let names = rows.flatMap { row in
      code(in: row.split(separator: "|", maxSplits: 1).first ?? "").compactMap { $0.split(separator: " ").first }
    }
    #expect(Set(names.map(String.init)) == Set(CommandName.allCases.map(\.rawValue)))
  }

  @Test("every option that it names is one, and where a row names it one of the row's commands")
  func options() {
    let known = CommandName.allCases.flatMap { CommandTable.spec($0).options } + CommandTable.globalOptions
    // Without the blocks, every second of the parts between their fences.
    let prose = part.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()
    for word in code(in: prose).flatMap({ $0.split(separator: " ") }) where word.hasPrefix("--") {
      #expect(known.contains { $0.name == word }, "\(word)")
    }
    for row in rows {
      let words = code(in: row).flatMap { $0.split(separator: " ") }
      let specs = words.compactMap { CommandName(rawValue: String($0)) }.map(CommandTable.spec)
      let own = specs.flatMap(\.options) + CommandTable.globalOptions
      for word in words where word.hasPrefix("--") { #expect(own.contains { $0.name == word }, "\(word) in \(row)") }
    }
  }

  @Test("its command lines are such that the tool takes")
  func lines() throws {
    let block = try #require(part.split(separator: "```").first { $0.hasPrefix("sh\n") })
    let lines = block.split(separator: "\n").filter { $0.hasPrefix("todo-db ") }
    #expect(lines.count > 10)
    for line in lines {
      let words = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, piece in
        index % 2 == 1 ? [String(piece)] : piece.split(separator: " ").map(String.init)
      }
      #expect(throws: Never.self, "\(line)") { _ = try Invocation(Array(words.dropFirst())) }
    }
  }

  @Test("it tells the exit codes and the variables of the environment")
  func environment() {
    for (code, _) in CommandTable.exitCodes { #expect(part.contains(" \(code.rawValue) for ")) }
    for (name, _) in CommandTable.variables where name != "TZ" { #expect(part.contains(name), "\(name)") }
  }
}
