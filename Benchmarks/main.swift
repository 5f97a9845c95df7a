import Foundation
import Roster

#if DEBUG
  FileHandle.standardError.write(
    Data("roster-bench measures release builds only: swift run -c release roster-bench\n".utf8))
  exit(2)
#else
  do {
    try await Bench(arguments: Array(CommandLine.arguments.dropFirst())).run()
  } catch {
    FileHandle.standardError.write(Data("roster-bench: \(error)\n".utf8))
    exit(1)
  }
#endif
