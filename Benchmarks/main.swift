import Foundation

/// 0 for done, 1 for a bar that does not hold and for what failed, 2 for a command line that makes no sense.
func runBench(_ arguments: [String]) async throws -> Int32 {
  let options = try Options(arguments)
  if let foreign = options.foreign {
    try ForeignWrites.write(foreign)
    return 0
  }
  if options.isHelp {
    print(Options.usage)
    return 0
  }
  if options.isList {
    for workload in Workload.all { print(Format.padded(workload.id, 20), workload.title) }
    return 0
  }
  if let (old, new) = options.comparison {
    let comparison = try Comparison(RunRecord(from: old), RunRecord(from: new))
    comparison.show()
    return comparison.isGood || !options.isStrict ? 0 : 1
  }
  let bench = try Bench(options)
  defer { bench.fixtures.remove() }
  return try await bench.run() || !options.isStrict ? 0 : 1
}

func complain(_ text: String) { FileHandle.standardError.write(Data("roster-bench: \(text)\n".utf8)) }

#if DEBUG
  complain("it measures release builds only: swift run -c release roster-bench")
  exit(2)
#else
  do {
    exit(try await runBench(Array(CommandLine.arguments.dropFirst())))
  } catch let error as UsageError {
    complain("\(error)")
    exit(2)
  } catch {
    complain("\(error)")
    exit(1)
  }
#endif
