import Foundation
import Testing
import TodoModel

@testable import Roster
@testable import todo_db

@Suite("Differences of two databases")
struct DiffTests {
  let db: TodoDB

  init() throws { db = try TodoDB() }

  private func document(_ file: String) throws -> [String: [String: Any]] {
    let outcome = try db.run("diff", file, "--json")
    let tables = try #require(try TodoDB.object(outcome.out)["tables"] as? [[String: Any]], "\(outcome)")
    #expect(outcome.code == (tables.isEmpty ? 0 : 1))
    return tables.reduce(into: [:]) { $0[$1["table"] as? String ?? ""] = $1 }
  }

  private func copy() throws -> String {
    let path = db.file("copy-\(UUID().uuidString).db").path
    try db.succeed("backup", path)
    return path
  }

  private func change(_ file: String, _ words: String...) throws {
    let outcome = try db.start(TodoDB.executable, ["--db", file] + words)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test("what Roster notes of the schema is no difference, and neither is that it has noted nothing")
  func notes() throws {
    _ = try db.add("a")
    let file = try copy()
    for sql in ["UPDATE roster_checked SET schema = schema + 1", "DROP TABLE roster_checked"] {
      try Connection(path: file, mode: .readWrite).execute(sql)
      #expect(try db.succeed("diff", file).out == "No difference.\n")
    }
  }

  @Test("a move in an order kept by hand is one that moved, and nothing that changed")
  func moved() throws {
    let ids = try (0..<6).map { try db.add("todo \($0)", "--list", "L") }
    let file = try copy()
    #expect(try document(file).isEmpty)
    #expect(try db.succeed("diff", file).out == "No difference.\n")
    try change(file, "move", ids[0], "--end")
    try change(file, "done", ids[2])
    try change(file, "rm", ids[4])
    try change(file, "add", "new", "--list", "L")
    let todo = try #require(try document(file)["todo"])
    let moved = try #require(todo["moved"] as? [[String: Any]])
    #expect(moved.map { ($0["key"] as? [String: Any])?["id"] as? String } == [ids[0]])
    let changed = try #require(todo["changed"] as? [[String: Any]])
    #expect(changed.count == 1 && (changed[0]["key"] as? [String: Any])?["id"] as? String == ids[2])
    let columns = try #require(changed[0]["columns"] as? [[String: Any]])
    #expect(columns.map { $0["name"] as? String } == ["is_done", "completed"])
    #expect(columns[0]["from"] as? Int == 0 && columns[0]["to"] as? Int == 1)
    #expect((todo["added"] as? [[String: Any]])?.map { $0["title"] as? String } == ["new"])
    #expect((todo["removed"] as? [[String: Any]])?.map { $0["id"] as? String } == [ids[4]])
    let text = try db.run("diff", file).out
    #expect(text.contains("todo: 1 removed, 1 added, 1 changed, 1 moved\n"))
    #expect(text.contains("> id = \(ids[0])") && text.contains("~ id = \(ids[2]): is_done = 0 → 1"))
  }

  @Test("a new list of positions for the same order is no difference")
  func relabelled() throws {
    for title in ["a", "b", "c"] { _ = try db.add(title, "--list", "L") }
    let file = try copy()
    try change(file, "query", "UPDATE todo SET position = position * 2 + 7", "--write")
    #expect(try document(file)["todo"] == nil)
  }

  @Test("moves are the fewest that there can be, and lists have their own")
  func fewest() throws {
    // By trying all subsets: the longest that ascends stays.
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let places = Array(0..<Int.random(in: 0...9, using: &generator)).shuffled(using: &generator)
      let most =
        (0..<(1 << places.count)).map { set -> Int in
          let kept = places.indices.filter { set >> $0 & 1 == 1 }.map { places[$0] }
          return zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 } ? kept.count : 0
        }.max() ?? 0
      let moved = FewestMoves.moved(places)
      #expect(moved.count == places.count - most, "seed \(seed), \(places)")
      let stay = places.indices.filter { !moved.contains($0) }.map { places[$0] }
      #expect(stay == stay.sorted(), "seed \(seed), \(places)")
    }
  }

  @Test("rows of any tables are told apart by their keys, or where there are none, by all that is in them")
  func foreign() throws {
    let schema = """
      CREATE TABLE keyed (a TEXT COLLATE NOCASE, b, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE TABLE bag (x, y);
      CREATE TABLE numbered (n INTEGER PRIMARY KEY, v);
      CREATE TABLE labelled (n INTEGER PRIMARY KEY, ID TEXT UNIQUE, v)
      """
    let here =
      schema + """
        ;
        INSERT INTO keyed VALUES ('k', 1, 'old'), ('k', 2, 'same');
        INSERT INTO bag VALUES (1, NULL), (1, NULL), (2, x'00'), (3, 'é');
        INSERT INTO numbered VALUES (1, 1), (2, 2);
        INSERT INTO labelled VALUES (1, 'p', 1), (2, 'q', 2), (3, NULL, 3);
        CREATE TABLE gone (a)
        """
    let there =
      schema + """
        ;
        INSERT INTO keyed VALUES ('k', 1, 'new'), ('k', 2, 'same');
        INSERT INTO bag VALUES (3, 'e\u{301}'), (2, x'00'), (1, NULL);
        INSERT INTO numbered VALUES (1, 1.0), (3, 3);
        INSERT INTO labelled VALUES (7, 'q', 2), (8, 'p', 1), (9, NULL, 3);
        CREATE TABLE more (a)
        """
    try AnyDatabase.make(here, at: db.database)
    try AnyDatabase.make(there, at: db.file("there.db"))
    let tables = try document(db.file("there.db").path)
    func count(_ table: String, _ kind: String) -> Int { (tables[table]?[kind] as? [Any])?.count ?? 0 }
    #expect(count("keyed", "changed") == 1 && count("keyed", "added") == 0 && count("keyed", "removed") == 0)
    #expect(count("bag", "removed") == 2 && count("bag", "added") == 1 && count("bag", "changed") == 0)
    #expect(count("numbered", "changed") == 1 && count("numbered", "removed") == 1 && count("numbered", "added") == 1)
    #expect(tables["labelled"] == nil)
    #expect(tables["gone"]?["presence"] as? String == "here" && tables["more"]?["presence"] as? String == "there")
  }

  @Test("columns that only one has are named, and the others compared")
  func columns() throws {
    try AnyDatabase.make(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);\nINSERT INTO t VALUES (1, 2, 3)", at: db.database)
    try AnyDatabase.make(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c, a);\nINSERT INTO t VALUES (1, 9, 5)", at: db.file("there.db"))
    let table = try #require(try document(db.file("there.db").path)["t"])
    #expect(table["error"] as? String == "columns only here: b; columns only there: c")
    let changed = try #require(table["changed"] as? [[String: Any]])
    #expect((changed.first?["columns"] as? [[String: Any]])?.map { $0["name"] as? String } == ["a"])
  }

  @Test("virtual tables are compared by their rows, and what cannot be compared is a difference that is named")
  func virtual() throws {
    func make(_ texts: String, _ hidden: String, _ box: Int, at url: URL) throws {
      try AnyDatabase.make(
        """
        CREATE VIRTUAL TABLE texts USING fts5(t);
        INSERT INTO texts (rowid, t) VALUES \(texts);
        CREATE VIRTUAL TABLE boxes USING rtree(id, a, b);
        INSERT INTO boxes VALUES (1, 2, \(box));
        CREATE VIRTUAL TABLE hidden USING fts5(t, content='');
        INSERT INTO hidden (rowid, t) VALUES (1, '\(hidden)');
        CREATE VIRTUAL TABLE unseen USING fts5(t, content='', columnsize=0);
        CREATE VIRTUAL TABLE vacant USING fts5(t)
        """, at: url)
    }
    let (there, same) = (db.file("there.db"), db.file("same.db"))
    try make("(1, 'a'), (2, 'b')", "x", 3, at: db.database)
    try make("(1, 'a'), (3, 'b')", "y", 4, at: there)
    // Laid out otherwise.
    try make("(2, 'b')", "x", 3, at: same)
    try AnyDatabase.run(
      "INSERT INTO texts (rowid, t) VALUES (1, 'a')", on: try Connection(path: same.path, mode: .readWrite))
    let tables = try document(there.path)
    #expect((tables["texts"]?["added"] as? [[String: Any]])?.map { $0["rowid"] as? Int } == [3])
    #expect((tables["texts"]?["removed"] as? [[String: Any]])?.map { $0["rowid"] as? Int } == [2])
    let box = try #require((tables["boxes"]?["changed"] as? [[String: Any]])?.first)
    #expect((box["columns"] as? [[String: Any]])?.first?["to"] as? Double == 4)
    #expect((tables["hidden"]?["error"] as? String)?.contains("values cannot be read back") == true)
    #expect((tables["unseen"]?["error"] as? String)?.contains("does not support scanning") == true)
    #expect(tables["vacant"] == nil && tables.keys.allSatisfy { !$0.contains("_") })
    #expect(try document(same.path).keys.sorted() == ["hidden", "unseen"])
    let text = try db.run("diff", same.path)
    #expect(
      text.code == 1 && text.out.contains("hidden: not compared\n") && text.out.contains("unseen: not compared\n"))
  }

  @Test("a virtual table of an unknown module is not compared, and said to be")
  func unknown() throws {
    try AnyDatabase.make("CREATE TABLE t (a)", at: db.database)
    try AnyDatabase.addUnknown(to: db.database)
    let tables = try document(copy())
    #expect(tables.keys.sorted() == ["foreign"])
    #expect(tables["foreign"]?["error"] as? String == "no such module: nosuchmodule")
  }

  @Test("values that look the same are told apart, others are shown as they are")
  func looks() throws {
    let cases: [(RawValue, RawValue, String, String)] = [
      (.text("1"), .integer(1), "1 (text)", "1 (integer)"),
      (.text("NULL"), .null, "NULL (text)", "NULL (null)"),
      (.blob([1]), .text("X'01'"), "X'01' (blob)", "X'01' (text)"),
      (.text("caf\u{E9}!"), .text("cafe\u{301}!"), "caf\u{E9}! (U+00E9)", "cafe\u{301}! (U+0065 U+0301)"),
      (.text("a b"), .text("a\u{A0}b"), "a b (U+0020)", "a\u{A0}b (U+00A0)"),
      (.text("ab"), .text("a\u{200B}b"), "ab (U+0061)", "a\u{200B}b (U+0061 U+200B)"),
      (.text("b"), .text("\u{200B}b"), "b (U+0062)", "\u{200B}b (U+200B U+0062)"),
      (.text(""), .text("\u{200B}"), " (empty)", "\u{200B} (U+200B)"),
      (.text([0xFF]), .text([0xFE]), "\u{FFFD} (X'FF')", "\u{FFFD} (X'FE')"),
      (.integer(1), .real(1), "1", "1.0"), (.text("a"), .text("b"), "a", "b"),
    ]
    for (one, other, first, second) in cases {
      let told = RawValue.apart(one, other)
      #expect(told.0.hasSameBytes(as: first) && told.1.hasSameBytes(as: second), "\(told)")
    }
    for (value, name) in [("1", "here"), ("'1'", "there")] {
      try AnyDatabase.make(
        "CREATE TABLE keyed (id PRIMARY KEY, x);\nINSERT INTO keyed VALUES (1, \(value));\nCREATE TABLE bag (x);\nINSERT INTO bag VALUES (\(value)), ('\(name)')",
        at: db.file("\(name).db"))
    }
    let outcome = try db.start(
      TodoDB.executable, ["--db", db.file("here.db").path, "diff", db.file("there.db").path])
    #expect(
      outcome.out == """
        keyed: 1 changed
        ~ id = 1: x = 1 (integer) → 1 (text)
        bag: 2 removed, 2 added
        - x = 1 (integer)
        - x = here
        + x = 1 (text)
        + x = there

        """, "\(outcome)")
  }

  @Test("a database that is not there is refused")
  func missing() throws {
    try db.succeed("init")
    #expect(try db.refusal("diff", "none.db").contains("there is no database at none.db"))
  }

  @Test("by chance, what is told makes one table of the other")
  func random() throws {
    let seed = SeededGenerator.freshSeed()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<5 {
      func rows() -> [Int64: Int64] {
        (0..<Int.random(in: 0...30, using: &generator)).reduce(into: [:]) { rows, _ in
          rows[.random(in: 0...20, using: &generator)] = .random(in: 0...3, using: &generator)
        }
      }
      let (before, after) = (rows(), rows())
      for (name, rows) in [("a", before), ("b", after)] {
        let url = db.file("\(name)\(round).db")
        try AnyDatabase.make("CREATE TABLE t (id INTEGER PRIMARY KEY, v)", at: url)
        let database = try RawDatabase(at: url, access: .writing)
        for (id, value) in rows {
          try database.forEachRow("INSERT INTO t VALUES (?, ?)", .positional([.integer(id), .integer(value)])) { _ in }
        }
      }
      let (here, there) = (try RawDatabase(at: db.file("a\(round).db")), try RawDatabase(at: db.file("b\(round).db")))
      let comparer = try #require(
        try TableComparer(here.table(named: "t"), of: here, and: there.table(named: "t"), of: there, order: nil))
      let told = try comparer.compare()
      var rows2 = before
      func number(_ value: RawValue?) -> Int64 { if case .integer(let number)? = value { number } else { -1 } }
      for row in told.removed { #expect(rows2.removeValue(forKey: number(row.key.first?.1)) != nil, "seed \(seed)") }
      for row in told.added {
        #expect(rows2.updateValue(number(row.values.last?.1), forKey: number(row.key.first?.1)) == nil)
      }
      for row in told.changed {
        #expect(rows2[number(row.key.first?.1)] == number(row.columns.first?.from), "seed \(seed)")
        rows2[number(row.key.first?.1)] = number(row.columns.first?.to)
      }
      #expect(rows2 == after, "seed \(seed)")
    }
  }
}
