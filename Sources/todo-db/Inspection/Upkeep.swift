import Foundation
import Roster

extension Session {
  /// Copies the database to a new file.
  func backUp(to file: String) throws -> ExitCode {
    let target = URL(fileURLWithPath: file).standardizedFileURL
    let database = try inspect()
    let stop = StopRequest()
    do {
      try database.backup(to: target) { _, _ in if stop.code != nil { throw CancellationError() } }
    } catch let error as RosterError where error.code == .fileExists {
      throw InspectionRefusal.backupExists(file)
    } catch let error as RosterError {
      if error.code == .interrupted, let code = stop.code { exit(code) }
      throw error
    }
    let bytes = try RawDatabase(at: target).facts().fileSize
    report(
      .object([("backup", .string(target.path)), ("bytes", .number(Int(bytes)))]),
      [Report.backedUp(location.shown, to: target.path.visible, bytes)])
    return .done
  }

  /// Rebuilds the file without free pages.
  func vacuum() throws -> ExitCode {
    let before = try inspect().facts().fileSize
    // It is closed before it is looked at again: only then the log has come into the file.
    do { try raw(.writing).vacuum() }
    let after = try inspect().facts().fileSize
    report(
      .object([("database", .string(location.path)), ("before", .number(Int(before))), ("after", .number(Int(after)))]),
      [Report.vacuumed(from: before, to: after)])
    return .done
  }

  /// Makes the next file in a folder of migrations.
  func makeMigration(named name: String, in folder: String) throws -> ExitCode {
    let file = try Migration.makeFile(named: name, in: URL(fileURLWithPath: folder, isDirectory: true))
    report(.object([("file", .string(file.path))]), [Report.madeMigration(file.path.visible)])
    return .done
  }
}
