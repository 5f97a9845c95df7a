import Foundation
import MigrationFiles
import Testing

@Suite("Migration files")
struct MigrationFilesTests {
  @Test(
    "a file name gives its number and its name",
    arguments: [
      ("0001_lists.sql", 1, "lists"),
      ("0042_add-due_dates2.sql", 42, "add-due_dates2"),
      ("12345_x.sql", 12345, "x"),
      ("0003__.sql", 3, "_"),
      ("20260918120000_by-time.sql", 20_260_918_120_000, "by-time"),
      ("9223372036854775807_last.sql", Int.max, "last"),
    ])
  func validName(fileName: String, number: Int, name: String) throws {
    let parsed = try MigrationFile.parse(fileName: fileName)
    #expect(parsed.number == number)
    #expect(parsed.name == name)
  }

  @Test(
    "a file name of another form is refused",
    arguments: [
      "", ".sql", "0001.sql", "0001_.sql", "001_short.sql", "lists.sql", "0001-lists.sql", "0001_lists",
      "0001_lists.SQL", "0001_two words.sql", "0001_dot.ted.sql", "0001_列表.sql", "0001_é.sql",
      "٠٠٠١_arabic.sql", "-0001_minus.sql", "+0001_plus.sql", " 0001_space.sql", "0001_a/b.sql",
      "0001_a\0.sql",
    ])
  func badName(fileName: String) {
    #expect(throws: MigrationFilesError.Reason.badName) { try MigrationFile.parse(fileName: fileName) }
  }

  @Test("the number 0 and one beyond Int are refused, each with its own reason")
  func badNumber() {
    #expect(throws: MigrationFilesError.Reason.numberZero) {
      try MigrationFile.parse(fileName: "0000_zero.sql")
    }
    #expect(throws: MigrationFilesError.Reason.numberTooLarge) {
      try MigrationFile.parse(fileName: "9223372036854775808_over.sql")
    }
  }

  @Test(
    "the checksum is FNV-1a of 64 bits, with the specification's values",
    arguments: [
      ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
    ])
  func knownChecksum(text: String, digits: String) {
    #expect(MigrationFile.checksum(of: text) == digits)
  }

  @Test("a checksum with leading zeros keeps its 16 digits")
  func paddedChecksum() {
    let sums = (0..<500).map { MigrationFile.checksum(of: "SELECT \($0);") }
    #expect(sums.allSatisfy { $0.utf8.count == 16 })
    #expect(sums.contains { $0.hasPrefix("0") })
    #expect(Set(sums).count == 500)
  }

  @Test(
    "line endings and a byte-order mark don't change a checksum",
    arguments: ["a\r\nb\r\n", "a\rb\r", "\u{FEFF}a\nb\n", "\u{FEFF}a\r\nb\r", "a\r\nb\n"])
  func sameChecksum(text: String) {
    #expect(MigrationFile.checksum(of: text) == MigrationFile.checksum(of: "a\nb\n"))
  }

  @Test(
    "any other difference changes a checksum",
    arguments: [
      "a\nb", "a\n\nb\n", "a\r\r\nb\n", "a \nb\n", "a\nb\n ", "A\nb\n", "\u{FEFF}\u{FEFF}a\nb\n",
      "a\n\u{FEFF}b\n",
      "a\nb\n\0", "",
    ])
  func otherChecksum(text: String) {
    #expect(MigrationFile.checksum(of: text) != MigrationFile.checksum(of: "a\nb\n"))
  }

  @Test("two spellings of one letter are different texts to a checksum")
  func canonicalEquivalence() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(MigrationFile.checksum(of: "\u{E9}") != MigrationFile.checksum(of: "e\u{301}"))
  }

  @Test("a folder's migrations come by number, with every byte of their texts")
  func load() throws {
    let tricky = "\u{FEFF}-- \"quoted\" \\(x) #\r\nSELECT '列表 👩‍👩‍👧 e\u{301}\0';\r"
    try withFolder([
      "0010_ten.sql": Data("ten".utf8), "0002_two.sql": Data(tricky.utf8), "00003_three.sql": Data(),
    ]) { folder in
      let files = try MigrationFile.load(folder: folder)
      #expect(files.map(\.number) == [2, 3, 10])
      #expect(files.map(\.name) == ["two", "three", "ten"])
      #expect(files.map { Array($0.text.utf8) } == [Array(tricky.utf8), [], Array("ten".utf8)])
      #expect(files.map(\.checksum) == files.map { MigrationFile.checksum(of: $0.text) })
    }
  }

  @Test("dot-files and files of other kinds are left alone")
  func ignored() throws {
    try withFolder([
      "0001_one.sql": Data("x".utf8), "README.md": Data(), "0001_one.sql~": Data(),
      "0002_two.sql.bak": Data(),
      "._0001_one.sql": Data([0xFF]), ".sql": Data(),
    ]) { folder in
      let files = try MigrationFile.load(folder: folder)
      #expect(files.map(\.number) == [1])
    }
  }

  @Test("an empty folder holds no migrations")
  func emptyFolder() throws {
    try withFolder([:]) { folder in
      let files = try MigrationFile.load(folder: folder)
      #expect(files.isEmpty)
    }
  }

  @Test("a folder that is a symbolic link is followed")
  func link() throws {
    try withFolder(["0001_one.sql": Data("x".utf8)]) { folder in
      let link = folder.appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
      let files = try MigrationFile.load(folder: link)
      #expect(files.map(\.name) == ["one"])
    }
  }

  @Test("one error names every fault of a folder")
  func everyFault() throws {
    try withFolder([
      "0000_zero.sql": Data(),
      "0001_a.sql": Data(),
      "00001_b.sql": Data(),
      "0002_latin.sql": Data([0x61, 0xC3, 0xA9, 0xE9, 0x62]),
      "0003_cut.sql": Data([0x61, 0xE5, 0xB8]),
      "99999999999999999999_over.sql": Data(),
      "four.sql": Data(),
      "0005_upper.SQL": Data(),
      "0006_fine.sql": Data(),
    ]) { folder in
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("0007_folder.sql"), withIntermediateDirectories: false)
      let error = try #require(throws: MigrationFilesError.self) { try MigrationFile.load(folder: folder) }
      let faults = error.faults.map { (URL(fileURLWithPath: $0.path).lastPathComponent, $0.reason) }
      try #require(
        faults.map(\.0) == [
          "0000_zero.sql", "0001_a.sql", "0002_latin.sql", "0003_cut.sql", "0005_upper.SQL",
          "0007_folder.sql",
          "99999999999999999999_over.sql", "four.sql",
        ])
      #expect(faults[0].1 == .numberZero)
      #expect(faults[1].1 == .duplicateNumber(1, of: "00001_b.sql"))
      #expect(faults[2].1 == .notUTF8(byteOffset: 3))
      #expect(faults[3].1 == .notUTF8(byteOffset: 1))
      #expect(faults[4].1 == .badName)
      guard case .unreadable(let why) = faults[5].1 else {
        Issue.record("a folder in a file's place gave \(faults[5].1)")
        return
      }
      #expect(!why.isEmpty)
      #expect(faults[6].1 == .numberTooLarge)
      #expect(faults[7].1 == .badName)

      let lines = error.description.split(separator: "\n")
      #expect(lines.count == 8)
      #expect(lines[2] == "\(folder.path)/0002_latin.sql: error: not UTF-8 at byte 3, counted from 0")
    }
  }

  @Test("a folder that isn't there is a fault of its own")
  func missingFolder() throws {
    try withFolder([:]) { folder in
      let missing = folder.appendingPathComponent("missing")
      let error = try #require(throws: MigrationFilesError.self) { try MigrationFile.load(folder: missing) }
      #expect(error.faults.count == 1)
      #expect(error.faults.first?.path == missing.path)
    }
  }

  private func withFolder(_ files: [String: Data], _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("roster-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
    try body(folder)
  }
}
