import Foundation

let console = Console.standard()
// Foundation repairs what is not UTF-8, and a repaired title is another title.
let badWord = CommandLine.arguments.indices.first { index in
  guard let word = CommandLine.unsafeArgv[index] else { return false }
  return String(validatingCString: word) == nil
}
if let badWord {
  console.message(UsageError(command: nil, fact: .notUTF8(CommandLine.arguments[badWord])).message)
  exit(console.finish(.usage).rawValue)
}
let code = Tool(console: console, environment: ProcessInfo.processInfo.environment)
  .run(Array(CommandLine.arguments.dropFirst()))
exit(console.finish(code).rawValue)
