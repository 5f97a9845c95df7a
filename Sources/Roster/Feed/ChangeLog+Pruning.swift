/// How much of the change log is kept.
struct LogRetention: Sendable {
  /// So many rows stay, and half as many again at most.
  let count: Int64
  /// In milliseconds: rows that are known to be older go. Nil where age is no reason.
  let age: Int64?

  /// So many rows there may be before the oldest go.
  var limit: Int64 { count.addingReportingOverflow(count / 2).overflow ? .max : count + count / 2 }

  init(count: Int, age: Duration?) {
    self.count = Int64(max(count, 0))
    self.age = age.map { max($0, .zero).milliseconds }
  }

  /// How often the time is noted: a row goes when it is older than the age, and no later than a sixteenth of it after that.
  var interval: Int64? { age.map { $0 / 16 } }
}

extension Duration {
  /// Whole milliseconds, up to those of 30,000 years.
  fileprivate var milliseconds: Int64 {
    min(components.seconds, 1_000_000_000_000) * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// How the log is kept short.
///
/// Its rows have no time: triggers would have to ask for it in SQL, where each replay gives another. So the store notes now
/// and then which number the log has come to by which time, and what a note proves to be old can go. A clock that was
/// set is no harm: each note holds by itself.
extension ChangeLog {
  /// Times in milliseconds since 1970, each with the last number that the log had given by then.
  static let times = "roster_log_time"

  func hasTimes() throws(RosterError) -> Bool {
    try connection.value(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [SQLArgument(.text(ChangeLog.times))]) != nil
  }

  func createTimes() throws(RosterError) {
    try refuseOthers()
    try connection.execute("CREATE TABLE \(ChangeLog.times) (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL)")
  }

  /// Notes the time and prunes the log, each where it is due, in a transaction of its own.
  func maintain(_ retention: LogRetention, now: Int64) throws(RosterError) {
    guard try exists(), try isDue(retention, now) else { return }
    do throws(RosterError) {
      try connection.control("BEGIN IMMEDIATE")
      let state = try state()
      if try isNoteDue(retention, state, now) { try note(state.last, now) }
      try prune(to: try end(retention, state, now), state)
      try connection.control("COMMIT")
    } catch {
      try? connection.rollBack()
      throw error
    }
  }

  private func isDue(_ retention: LogRetention, _ now: Int64) throws(RosterError) -> Bool {
    let state = try state()
    if try isNoteDue(retention, state, now) { return true }
    return try end(retention, state, now) > state.pruned
  }

  private func isNoteDue(_ retention: LogRetention, _ state: State, _ now: Int64) throws(RosterError) -> Bool {
    guard let interval = retention.interval, try hasTimes() else { return false }
    let last = try connection.rows("SELECT seq, time FROM \(ChangeLog.times) ORDER BY seq DESC LIMIT 1").first
    guard let last, last.count == 2, case .integer(let seq) = last[0], case .integer(let time) = last[1] else {
      return state.last > state.pruned
    }
    let (passed, isFar) = now.subtractingReportingOverflow(time)
    return state.last > max(seq, state.pruned) && (isFar || passed.magnitude >= interval.magnitude)
  }

  private func note(_ seq: Int64, _ now: Int64) throws(RosterError) {
    try connection.execute(
      "INSERT OR REPLACE INTO \(ChangeLog.times) (seq, time) VALUES (?, ?)",
      [SQLArgument(.integer(seq)), SQLArgument(.integer(now))])
  }

  /// The last number that can go.
  private func end(_ retention: LogRetention, _ state: State, _ now: Int64) throws(RosterError) -> Int64 {
    let isLong = state.last - state.pruned > retention.limit
    var end = isLong ? state.last - retention.count : state.pruned
    if let age = retention.age, try hasTimes() {
      let sql = "SELECT max(seq) FROM \(ChangeLog.times) WHERE time <= ?"
      if case .integer(let old)? = try connection.value(sql, [SQLArgument(.integer(now - age))]) { end = max(end, old) }
    }
    // What another program has noted may be of no row yet.
    end = min(end, state.last)
    return try unread().map { min(end, $0) } ?? end
  }

  /// The number that the consumer with a name has read to that has read least; nil where there is none.
  private func unread() throws(RosterError) -> Int64? {
    guard case .integer(let seq)? = try connection.value("SELECT min(seq) FROM \(ChangeLog.consumers)") else {
      return nil
    }
    return seq
  }

  /// Deletes the oldest rows but for so many, and none that a consumer with a name has yet to see unless told. Returns how
  /// many went.
  ///
  /// - Complexity: O(*n*) in the rows deleted.
  func prune(keeping count: Int64, evenUnread: Bool = false) throws(RosterError) -> Int {
    let state = try state()
    var end = state.last - max(0, min(count, state.last))
    if !evenUnread, let unread = try unread() { end = min(end, unread) }
    return try prune(to: end, state)
  }

  /// The row of the last number that goes stays: cursors that stand at it are known by it.
  @discardableResult
  private func prune(to end: Int64, _ state: State) throws(RosterError) -> Int {
    guard end > state.pruned else { return 0 }
    let deleted = try connection.run(
      SQL(text: "DELETE FROM \(ChangeLog.table) WHERE seq < ?", arguments: [SQLArgument(.integer(end))]))
    try connection.execute("UPDATE \(ChangeLog.state) SET pruned = ?", [SQLArgument(.integer(end))])
    if try hasTimes() {
      try connection.execute("DELETE FROM \(ChangeLog.times) WHERE seq <= ?", [SQLArgument(.integer(end))])
    }
    return deleted
  }
}
