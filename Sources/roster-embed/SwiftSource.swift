import MigrationFiles

/// The Swift file that holds a folder's migrations as literals.
enum SwiftSource {
  /// The same files give the same text, byte for byte.
  static func text(for migrations: [MigrationFile]) -> String {
    var text = "// Made by roster-embed from the target's Migrations folder. Edit the files there.\n\n"
    text += "import Roster\n\n"
    text += "/// The migrations of this target's Migrations folder, by number.\n"
    // An isolation of its own, so that a target whose default is the main actor can open a store elsewhere.
    text += "nonisolated let embeddedMigrations: [Migration] = ["
    for migration in migrations {
      text += "\n  Migration(number: \(migration.number), name: \"\(migration.name)\", sql: "
      text += literal(migration.text) + "),"
    }
    text += migrations.isEmpty ? "]\n" : "\n]\n"
    return text
  }

  /// A multi-line literal, each line of the text on its own, with all but printable ASCII escaped.
  ///
  /// The closing quotes stand at the start of their line, so that Swift strips no indentation.
  static func literal(_ text: String) -> String {
    var literal = "\"\"\"\n"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": literal += "\n"
      case "\"", "\\": literal += "\\\(scalar)"
      case " "..."~": literal.unicodeScalars.append(scalar)
      default: literal += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return literal + "\n\"\"\""
  }
}
