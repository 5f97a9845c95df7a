import Foundation

/// What the command line asks for.
struct Options {
  var isQuick = false
  var isStrict = false
  var isList = false
  var isHelp = false
  /// A part of the ids of the workloads to run, or a regular expression that is found in them.
  var filter: String?
  /// In place of the sizes of each workload.
  var sizes: [Int] = []
  /// At least so many rounds for each workload and size.
  var rounds: Int?
  var json: URL?
  var charts: URL?
  var comparison: (old: URL, new: URL)?
  /// The database that this process, which another one has started, is to write to.
  var foreign: ForeignWrites.Job?

  static let usage = """
    usage: roster-bench [OPTION...]

      --quick                small sizes and few rounds: every workload within a minute
      --filter ID            only workloads whose id has this in it, or matches it as a regular expression
      --sizes 1000,10000     these numbers of rows in place of each workload's own
      --rounds N             at least N rounds for each workload and size
      --json FILE            write the results as JSON
      --chart DIR            draw a chart of each family over its sizes, as SVG
      --strict               exit with 1 where a bar does not hold; with --compare, where something got slower
      --compare OLD NEW      say what got slower between the JSON files of two runs
      --list                 print the workloads
      --help                 print this
    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    func value(_ option: String, _ what: String) throws(UsageError) -> String {
      guard let word = rest.popFirst(), !word.hasPrefix("--") else { throw UsageError("\(option) takes \(what)") }
      return word
    }
    while let option = rest.popFirst() {
      switch option {
      case "--quick": isQuick = true
      case "--strict": isStrict = true
      case "--list": isList = true
      case "--help", "-h": isHelp = true
      case "--filter":
        let text = try value(option, "an id")
        guard (try? Regex(text)) != nil else { throw UsageError("\(option) \(text) is no regular expression") }
        filter = text
      case "--sizes":
        let text = try value(option, "numbers of rows, such as 1000,10000")
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        sizes = try numbers.map { (number) throws(UsageError) in
          guard let number, number >= 100 else {
            throw UsageError("\(option) takes whole numbers from 100 on, such as 1000,10000, not \(text)")
          }
          return number
        }
      case "--rounds":
        let text = try value(option, "a whole number above 0")
        guard let count = Int(text), count > 0 else {
          throw UsageError("\(option) takes a whole number above 0, not \(text)")
        }
        rounds = count
      case "--json": json = URL(fileURLWithPath: try value(option, "a file"))
      case "--chart": charts = URL(fileURLWithPath: try value(option, "a folder"))
      case "--compare":
        let what = "two files that --json has written"
        comparison = (URL(fileURLWithPath: try value(option, what)), URL(fileURLWithPath: try value(option, what)))
      case ForeignWrites.option:
        foreign = ForeignWrites.Job(path: try value(option, "a file"), commits: Int(try value(option, "a number")) ?? 0)
      default: throw UsageError("unknown option \(option)\n\n\(Options.usage)")
      }
    }
  }

  /// Whether a workload is to run.
  func wants(_ id: String) -> Bool {
    guard let filter else { return true }
    return id.contains(filter) || (try? Regex(filter)).map { id.firstMatch(of: $0) != nil } ?? false
  }
}

/// A command line that makes no sense.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
