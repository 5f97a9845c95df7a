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
