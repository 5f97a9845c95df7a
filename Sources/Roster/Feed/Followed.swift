/// What a consumer follows: its content at one state of the database, and how that becomes the next.
protocol Followed: Sendable {
  associatedtype Content: Sendable
  /// What may be other after an update.
  associatedtype Touched: Sendable
  associatedtype Changes: Sendable

  var content: Content { get }
  /// The state of the database that the content is of; nil where it has no log of changes.
  var cursor: FeedCursor? { get }

  /// The content before anything was read.
  static var nothing: Content { get }
  /// That anything may be other.
  static var everything: Touched { get }

  /// Brings the content to the state of the database that the connection sees; nil where it is as it was.
  mutating func update(on connection: Connection) throws(RosterError) -> Touched?

  /// Whether that is so quick that it is not worth a thread of its own.
  func isQuick(on connection: Connection) throws(RosterError) -> Bool

  static func union(_ touched: Touched, _ more: Touched) -> Touched

  /// The events between two contents, where what may be other is known; nil where there are none.
  static func changes(from old: Content, to new: Content, touched: Touched) -> Changes?

  /// That it has to be shown anew; nil where that is never so.
  static func reload(from old: Content, to new: Content) -> Changes?
}

extension Followed {
  static func reload(from old: Content, to new: Content) -> Changes? { nil }
}

/// Follows something from state to state, each time that the signal is given.
struct Following<Subject: Followed>: Sendable {
  /// One state, with the changes from the one before.
  struct Step: Sendable {
    let content: Subject.Content
    let changes: Subject.Changes?
    let cursor: FeedCursor?
  }

  let signal: CommitSignal
  /// The next state with what may be other in it, or the first one; nil where the store is gone.
  let read: @Sendable (Subject?) async throws -> (Subject, Subject.Touched?)?
  /// The content as a consumer knows it that has shown its own writes already, where some are in the new state.
  var adjust: Adjust?
  private var subject: Subject?

  typealias Adjust =
    @Sendable (_ seen: Subject.Content, _ from: FeedCursor?, _ new: Subject) -> Adjusted<Subject.Content>

  init(
    signal: CommitSignal, read: @escaping @Sendable (Subject?) async throws -> (Subject, Subject.Touched?)?
  ) {
    self.signal = signal
    self.read = read
  }

  /// Waits for the next state with changes. The first is the state as it is. Nil where the task is cancelled or the
  /// store is closed.
  mutating func next() async throws -> Step? {
    while !Task.isCancelled {
      let seen = signal.count
      do {
        guard let (new, touched) = try await read(subject) else { return nil }
        guard let old = subject else {
          subject = new
          return Step(content: new.content, changes: nil, cursor: new.cursor)
        }
        var changes: Subject.Changes?
        if let touched {
          switch adjust?(old.content, old.cursor, new) ?? .content(old.content) {
          case .content(let seen): changes = Subject.changes(from: seen, to: new.content, touched: touched)
          case .unknown: changes = Subject.reload(from: old.content, to: new.content)
          case .early:
            // It is about to be committed.
            try await Task.sleep(for: .milliseconds(2))
            continue
          }
        }
        subject = new
        if let changes { return Step(content: new.content, changes: changes, cursor: new.cursor) }
      } catch is CancellationError { return nil } catch RosterError.Code.closed { return nil }
      if signal.isFinished { return nil }
      await signal.wait(beyond: seen)
    }
    return nil
  }
}
