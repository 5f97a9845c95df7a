import Foundation

let console = Console.standard()
let code = Tool(console: console, environment: ProcessInfo.processInfo.environment)
  .run(Array(CommandLine.arguments.dropFirst()))
exit(console.finish(code).rawValue)
