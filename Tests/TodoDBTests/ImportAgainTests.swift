import Foundation
import Testing

@testable import todo_db

/// Imports that meet what is there already.
@Suite("imports into a database with todos") struct ImportAgainTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private static let (first, second) = (
    "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"
  )

  /// The counts of a dry run and of a real one, which have to be the same.
  private func counts(_ text: String) throws -> [Int?] {
    let file = try db.write(text, to: "a.json")
    let (dry, real) = (
      try TodoDB.object(db.run("--json", "import", file, "--dry-run").out),
      try TodoDB.object(db.run("--json", "import", file).out)
    )
    let names = ["added", "updated", "unchanged", "skipped"]
    let found = names.map { real[$0] as? Int }
    #expect(names.map { dry[$0] as? Int } == found, "\(text)")
    #expect(dry["notices"] as? [String] == real["notices"] as? [String])
    return found
  }

  @Test("of two tasks that name one todo by different ids the later counts, and imports settle")
  func oneTodoTwice() throws {
    _ = try counts(#"[{"title": "a", "id": "\#(Self.first)", "externalID": "x"}]"#)
    let twice = #"[{"title": "b", "id": "\#(Self.first)"},\#n{"title": "c", "externalID": "x"}]"#
    #expect(try counts(twice) == [0, 1, 0, 1])
    #expect(try db.titles() == ["c"])
    let file = try db.write(twice, to: "b.json")
    let again = try db.run("import", file)
    #expect(again.out == "Imported from \(file): 0 new, 1 unchanged, 1 skipped.\n")
    #expect(
      again.err
        == "todo-db: line 1: the todo \(Self.first) is named again in line 2 by another id, and that line counts\n")
  }

  @Test("a dry run foresees that an id of another program goes from one todo to another")
  func idChangesHands() throws {
    _ = try counts(
      #"[{"title": "a", "id": "\#(Self.first)", "externalID": "x"}, {"title": "b", "id": "\#(Self.second)"}]"#)
    let handedOver =
      #"[{"title": "a", "id": "\#(Self.first)", "externalID": "y"}, {"title": "b", "id": "\#(Self.second)", "externalID": "x"}]"#
    #expect(try counts(handedOver) == [0, 2, 0, 0])
    #expect(try counts(handedOver) == [0, 0, 2, 0])
  }

  @Test("whatever ids the tasks of a file have, a dry run says what is done, and the third import changes nothing")
  func randomIDs() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<8 {
      func task(_ number: Int) -> String {
        var members = [#""title": "t\#(number)""#]
        if generator.chance(2, in: 3) {
          members.append(#""id": "\#([Self.first, Self.second, "p"].randomElement(using: &generator) ?? "p")""#)
        }
        if members.count == 1 || generator.chance(1, in: 2) {
          members.append(#""externalID": "\#(["x", "y", "p"].randomElement(using: &generator) ?? "x")""#)
        }
        return "{\(members.joined(separator: ", "))}"
      }
      _ = try counts("[\(task(100 + round))]")
      let file = "[\((0..<4).map(task).joined(separator: ", "))]"
      _ = try counts(file)
      _ = try counts(file)
      let third = try counts(file)
      #expect(third[0] == 0 && third[1] == 0, "seed \(seed), round \(round), \(file)")
    }
  }

  @Test("what a second format says beyond a todo that keeps the first one's is named")
  func secondFormat() throws {
    let task = #"[{"uuid":"\#(Self.first)","description":"a","status":"pending","foo":1}]"#
    try db.succeed("import", db.write(task, to: "a.json"), "--format", "taskwarrior")
    let calendar = ["X-ZZ:1\n", ""].map { extra in
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:\(Self.first)\nSUMMARY:b\n\(extra)END:VTODO\nEND:VCALENDAR\n"
    }
    let file = try db.write(calendar[0], to: "a.ics")
    let said = "todo-db: what 1 task says beyond a todo was not kept, as its todo keeps what another format says\n"
    for options in [["--dry-run"], []] {
      let outcome = try db.start(TodoDB.executable, ["--db", db.database.path, "import", file] + options)
      #expect(outcome.code == 0 && outcome.err == said && outcome.out.hasSuffix(": 0 new, 1 updated.\n"))
    }
    #expect(try db.succeed("export", "--format", "taskwarrior").out.contains("\"foo\": 1"))
    try db.succeed("import", db.write(calendar[1], to: "b.ics"))
  }
}
