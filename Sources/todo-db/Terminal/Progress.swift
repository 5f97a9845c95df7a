/// Says on a terminal how far a long work has come, in one line of standard error that goes when the work ends.
///
/// It writes nothing where standard error is no terminal, and nothing for a short work.
struct Progress {
  private static let step = 2_000

  private let verb: String
  private let total: Int
  private let stream: OutputStream?
  private var isShown = false

  init(_ verb: String, of total: Int, _ console: Console) {
    self.verb = verb
    self.total = total
    stream = console.showsProgress && total > Progress.step ? console.err : nil
  }

  mutating func advance(to count: Int) {
    guard let stream, count % Progress.step == 0 else { return }
    isShown = true
    stream.write("\r" + Report.progress(verb, count, of: total))
    _ = stream.handOver()
  }

  mutating func end() {
    guard let stream, isShown else { return }
    isShown = false
    // Back to the start of the line, and clear it.
    stream.write("\r\u{1B}[K")
    _ = stream.handOver()
  }
}
