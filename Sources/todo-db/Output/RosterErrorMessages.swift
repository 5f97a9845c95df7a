import Roster

extension RosterError {
  /// What is wrong with the database and what to do, for someone who uses the tool. Statements are left
  /// out: they say nothing to that person.
  var userMessage: String {
    let file = path?.visible ?? "the database"
    let said = message.visible
    return switch code {
    case .busy:
      "another program is writing to the database and has not let go of it; try again when it has"
    case .readOnly:
      "\(file) cannot be written to; see who may write to it and to its folder"
    case .notADatabase:
      "\(file) is no SQLite database, and was left as it is; name another file with --db FILE"
    case .corrupt:
      "\(file) is damaged: \(said) Keep a copy of it and go back to a backup; 'todo-db check' tells more"
    case .diskFull:
      "the disk is full, and nothing was changed; make room and try again"
    case .fromNewerVersion:
      "\(file) is from a newer version of todo-db, and was left as it is; update todo-db to change it. "
        + "list, search, show and export work with this version"
    case .migrationEdited, .migrationMissing, .migrationOutOfOrder:
      "\(file) was made by another build of todo-db, and was left as it is: \(said) "
        + "Use that build; 'todo-db migrate status' shows the differences"
    case .migrationFailed:
      "\(file) could not be brought up to date, and is as it was before that step: \(said)"
    case .schemaMismatch:
      "the tables of \(file) were changed by another program: \(said)"
    case .typeMismatch:
      "a row of \(table.map { "table \($0.visible)" } ?? file) cannot be read: \(said) 'todo-db check' names it"
    case .outOfRange:
      "the list has no such place, and nothing was changed; 'todo-db list' shows the numbers that there are"
    case .listChanged:
      "the list has changed since it was read, and nothing was moved; 'todo-db list' shows its numbers as they are now"
    case .cannotOpen, .inputOutput, .fileExists, .noSuchFile:
      "\(file): \(said)"
    default:
      said
    }
  }
}
