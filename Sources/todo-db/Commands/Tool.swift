import Roster

/// One run of the tool: a command line in, output and an exit code out. Every error ends here, as a
/// message that says what to do.
struct Tool {
  let console: Console
  let environment: [String: String]

  /// The version of the tool.
  static let version = "0.1.0"

  func run(_ words: [String]) -> ExitCode {
    do {
      switch try Invocation(words) {
      case .help(let command):
        console.out.page(environment: environment)
        console.out.write(Help(terminalWidth: console.out.terminalWidth).text(command))
        return .done
      case .version:
        console.out.writeLine("\(CommandTable.tool) \(Tool.version) (SQLite \(Store.sqliteVersion))")
        return .done
      case .run(let command, let options):
        let location = DatabaseLocation(options.database, environment: environment)
        let session = Session(location: location, isJSON: options.isJSON, console: console)
        defer { session.close() }
        if options.usesPager, !command.goesOn { console.out.page(environment: environment) }
        return try command.run(in: session)
      }
    } catch let error as UsageError {
      console.message(error.message)
      return error.exitCode
    } catch let error as Refusal {
      return refuse(error.message)
    } catch let error as InspectionRefusal {
      return refuse(error.message)
    } catch let error as RosterError {
      return refuse(error.userMessage)
    } catch {
      return refuse("\(error)")
    }
  }

  private func refuse(_ message: String) -> ExitCode {
    console.message("\(CommandTable.tool): \(message)")
    return .refused
  }
}

extension Command {
  func run(in session: Session) throws -> ExitCode {
    switch self {
    case .initialise: try session.initialise()
    case .add(let add): try add.run(in: session)
    case .list(let list): try list.run(in: session)
    case .search(let search): try search.run(in: session)
    case .suggest(let suggest): try suggest.run(in: session)
    case .show(let id): try session.show(id)
    case .edit(let edit): try edit.run(in: session)
    case .move(let move): try move.run(in: session)
    case .sort(let sort): try sort.run(in: session)
    case .done(let targets): try session.mark(targets, isDone: true)
    case .reopen(let targets): try session.mark(targets, isDone: false)
    case .remove(let ids): try session.remove(ids)
    case .clearDone(let clear): try clear.run(in: session)
    case .lists(let lists): try lists.run(in: session)
    case .tags(let tags): try tags.run(in: session)
    case .importing(let file): try file.run(in: session)
    case .export(let export): try export.run(in: session)
    case .changes(let changes): try changes.run(in: session)
    case .watch(let watch): try watch.run(in: session)
    case .migrate: try session.migrate()
    case .migrationStatus: try session.showMigrations()
    case .check(let repairs): try session.check(repairs: repairs)
    case .inspecting(let inspection): try inspection.run(in: session)
    case .help(let name): session.print("help", Help(terminalWidth: session.console.out.terminalWidth).text(name))
    case .completions(let shell): session.print("script", Completions(shell).text)
    case .manual: session.print("page", ManualPage.text)
    }
  }
}
