import Dispatch

/// Notices commits of other connections, and another file in the place of the database, and gives the signal.
///
/// A write to the log's file comes before the commit is to be seen: with `synchronous = FULL` by the time that the disk
/// takes. So after each it asks `PRAGMA data_version`, which tells of every commit but the connection's own, in
/// pauses that grow, until nothing was written for a second. Where the system tells of no writes, and
/// for any it might miss, a timer asks as well, once a second.
/// https://www.sqlite.org/pragma.html#pragma_data_version
///
/// Unchecked: all that changes is touched on the queue alone.
final class ChangeNotice: @unchecked Sendable {
  private let signal: CommitSignal
  // Nil once it is closed.
  private var connection: Connection?
  private let queue = DispatchQueue(label: "Roster.ChangeNotice")
  private var version: SQLiteValue?
  private var isReplaced = false
  private var timer: (any DispatchSourceTimer)?
  private var watch: (any FileWatch)?
  // When it will ask again after a write; nil where nothing was written for a while. A later write begins another turn.
  private var nextQuestion: ContinuousClock.Instant?
  private var turn = 0
  private var lastWrite = ContinuousClock.now
  /// How often the database was asked, for a test that an idle store is idle.
  private var questions = 0

  static let interval = DispatchTimeInterval.milliseconds(1000)

  /// `connection` is its own, and only reads.
  init(_ connection: Connection, signal: CommitSignal) {
    self.connection = connection
    self.signal = signal
    version = try? connection.value("PRAGMA data_version")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + ChangeNotice.interval, repeating: ChangeNotice.interval, leeway: .milliseconds(100))
    timer.setEventHandler { [weak self] in
      self?.watch?.refresh()
      self?.ask()
    }
    timer.activate()
    self.timer = timer
    watch = watchFile(at: connection.resolvedPath) { [weak self] in self?.written() }
    // A commit between the first question and the beginning of the watch.
    queue.async { [weak self] in self?.ask() }
  }

  /// Closes the connection, after a question that is being asked. Not to be called on the queue.
  ///
  /// A connection that only reads must not be the last one: it cannot take the log away.
  func close() { queue.sync { connection = nil } }

  deinit {
    timer?.cancel()
    watch?.stop()
  }

  var questionCount: Int { queue.sync { questions } }

  private func written() {
    queue.async { [weak self] in
      guard let self else { return }
      lastWrite = .now
      // A question that is to come soon serves; one that is far off does not.
      if let nextQuestion, nextQuestion - .now <= .milliseconds(1) { return }
      turn += 1
      askOn(after: 0)
    }
  }

  /// Asks until nothing was written for a second. Not only until the version has changed: a second commit may be
  /// written already and not be seen yet.
  private func askOn(after milliseconds: Int) {
    guard connection != nil else { return }
    let own = turn
    nextQuestion = .now + .milliseconds(milliseconds)
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      guard let self, own == turn else { return }
      let quiet = ContinuousClock.now - lastWrite
      ask()
      if quiet > .seconds(1) {
        nextQuestion = nil
      } else {
        askOn(after: quiet < .milliseconds(20) ? 1 : quiet < .milliseconds(100) ? 5 : 50)
      }
    }
  }

  /// Whether another connection has committed since it was last asked, or the file is another.
  @discardableResult
  private func ask() -> Bool {
    guard let connection else { return false }
    questions += 1
    let wasReplaced = isReplaced
    isReplaced = connection.file?.isReplaced ?? false
    let last = version
    version = (try? connection.value("PRAGMA data_version")) ?? last
    guard version != last || isReplaced != wasReplaced else { return false }
    signal.notify()
    return true
  }
}
