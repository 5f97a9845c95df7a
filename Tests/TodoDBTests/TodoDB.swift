import Foundation
import Testing
import TodoModel

@testable import Roster
@testable import todo_db

/// The built tool, run as its users run it, on a database in a folder of its own.
final class TodoDB: Sendable {
  struct Outcome: Sendable {
    var out: String
    var err: String
    var code: Int32

    var lines: [String] { out.split { $0 == "\n" || $0 == "\r\n" }.map(String.init) }
  }

  let folder: URL
  let database: URL

  /// Nothing is at the database's path until a command makes it.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "todo-db-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = folder.appendingPathComponent("t.db")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// It stands beside the tests' own executable or bundle.
  static let executable: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    let url = bundle.bundleURL
    let products = url.pathExtension == "xctest" ? url.deletingLastPathComponent() : url
    return products.appendingPathComponent("todo-db")
  }()

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: file(name))
    return file(name).path
  }

  /// Changes the database as another program would.
  func change(_ sql: SQL...) throws {
    let store = try Store(at: database, records: TodoModel.records, migrations: TodoModel.migrations)
    try store.write { tx in for sql in sql { try tx.execute(sql) } }
    try store.close()
  }

  /// Changes the database as one would that knows nothing of Roster, by a connection that minds no foreign keys.
  func changeFromOutside(_ sql: String...) throws {
    let connection = try Connection(path: database.path, mode: .readWrite)
    for statement in sql { try connection.execute(statement) }
  }

  /// What the rows of a table have in the column that keeps their order, by title or name.
  func positions(_ table: String = "todo", _ column: String = "title") throws -> [String: SQLiteValue] {
    let connection = try Connection(path: database.path, mode: .readOnly)
    return try connection.rows("SELECT CAST(\(column) AS TEXT), position FROM \(table)").reduce(into: [:]) {
      if case .text(let title) = $1[0] { $0[title] = $1[1] }
    }
  }

  static func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)")
      .path
  }

  /// Runs the tool on the database.
  @discardableResult
  func run(_ arguments: String..., input: String = "") throws -> Outcome {
    try start(Self.executable, ["--db", database.path] + arguments, input: input)
  }

  /// Runs the tool, and requires that it is done without a word on standard error.
  @discardableResult
  func succeed(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Outcome {
    let outcome = try start(Self.executable, ["--db", database.path] + arguments)
    #expect(outcome.code == 0 && outcome.err.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Runs a program with nothing in its environment but what is given. Output goes through files, which
  /// unlike pipes never fill up.
  func start(
    _ program: URL, _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    let name = UUID().uuidString
    let (input, out, err) = (try write(input, to: name + ".in"), file(name + ".out"), file(name + ".err"))
    for url in [out, err] { try Data().write(to: url) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = environment.merging(["HOME": folder.path]) { given, _ in given }
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    let outcome = Outcome(
      out: String(decoding: try Data(contentsOf: out), as: UTF8.self),
      err: String(decoding: try Data(contentsOf: err), as: UTF8.self), code: process.terminationStatus)
    for url in [URL(fileURLWithPath: input), out, err] { try FileManager.default.removeItem(at: url) }
    #expect(process.terminationReason == .exit)
    return outcome
  }

  /// Adds a todo and gives its id.
  func add(_ title: String, _ options: String...) throws -> String {
    let outcome = try start(
      Self.executable, ["--db", database.path, "--json", "add"] + options + ["--", title])
    return try #require(try Self.object(outcome.out)["id"] as? String, "\(outcome)")
  }

  /// The todos as `list --json` prints them.
  func todos(_ options: String...) throws -> [[String: Any]] {
    let outcome = try start(Self.executable, ["--db", database.path, "--json", "list"] + options)
    #expect(outcome.code == 0, "\(outcome)")
    return try #require(try Self.json(outcome.out) as? [[String: Any]])
  }

  func titles(_ options: String...) throws -> [String] {
    let outcome = try start(Self.executable, ["--db", database.path, "--json", "list"] + options)
    let todos = try #require(try Self.json(outcome.out) as? [[String: Any]], "\(outcome)")
    return todos.compactMap { $0["title"] as? String }
  }

  /// What the tool says about a command line that it refuses, which changes nothing in the file.
  func refusal(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let bytes = try bytes()
    let outcome = try start(Self.executable, ["--db", database.path] + arguments)
    #expect(outcome.code == 1 && outcome.out.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    #expect(try self.bytes() == bytes, sourceLocation: sourceLocation)
    return outcome.err
  }

  func todo(_ id: String) throws -> [String: Any] { try Self.object(run("--json", "show", id).out) }

  static func json(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }

  static func object(_ text: String) throws -> [String: Any] {
    try #require(try json(text) as? [String: Any])
  }

  func bytes() throws -> Data { try Data(contentsOf: database) }
}
