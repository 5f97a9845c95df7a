import Foundation
import MigrationFiles

// `roster-embed FOLDER OUTPUT.swift`, run by the EmbedMigrations plugin. Errors have the form in which
// compilers print them, so that the build tool that runs this shows them at their file.

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(1)
}

guard CommandLine.arguments.count == 3 else {
  fail("roster-embed: error: it takes a folder of migrations and the Swift file to write")
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let output = URL(fileURLWithPath: CommandLine.arguments[2])

let source: Data
do {
  source = Data(SwiftSource.text(for: try MigrationFile.load(folder: folder)).utf8)
} catch {
  fail("\(error)")
}

// An untouched file spares the target's compilation.
if (try? Data(contentsOf: output)) != source {
  do {
    try source.write(to: output, options: .atomic)
  } catch {
    fail("\(output.path): error: can't be written: \(error.localizedDescription)")
  }
}
