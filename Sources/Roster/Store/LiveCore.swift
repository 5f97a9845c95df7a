/// What a live object on the main actor is made of: its state, how it follows the database, and who waits for its changes.
///
/// Consumers and the object change together: `publish` hands the new content to the object before anyone else can run
/// on the main actor.
@MainActor
final class LiveCore<Subject: Followed> {
  typealias First = @Sendable (Connection) throws -> Subject

  /// What the object is to show.
  enum News {
    /// The first content, or another one with what may be other in it.
    case content(Subject.Content, Subject.Touched?)
    /// The content is that of the database again, and as it was.
    case unchanged
    case failed(any Error)
  }

  private(set) var current: Subject?
  private(set) weak var store: Store?
  private var first: First
  // Whether the present subject is to be followed no more, and another has yet to be read.
  private var isReplaced = false
  // A refresh that comes to another state than it began with is of no use.
  private var generation = 0
  private var mailboxes: [Weak<Mailbox<Subject>>] = []
  private let follower = Follower()
  var receive: ((News) -> Void)?

  init(in store: Store, _ first: @escaping First) {
    self.store = store
    self.first = first
  }

  /// Begins to follow the database.
  func start() {
    guard let signal = store?.signal else { return }
    let core = Weak(self)
    // The step is a function of its own, so that nothing holds the object while the task waits.
    follower.task = Task { [published = follower.published] in
      await signal.follow { await LiveCore.refresh(core) }
      // The store is closed or gone, or the object is: there will be no more changes.
      published.finish()
    }
  }

  /// Follows another subject from now on. What is shown stays until that has been read; what was being read for an earlier
  /// call is interrupted.
  func replace(_ first: @escaping First) {
    self.first = first
    isReplaced = current != nil
    generation += 1
    follower.reading?.cancel()
    let core = Weak(self)
    follower.reading = Task { _ = await LiveCore.refresh(core) }
  }

  /// False where there is no object to refresh any more.
  private static func refresh(_ core: Weak<LiveCore>) async -> Bool {
    guard let core = core.value, core.store != nil else { return false }
    await core.refresh()
    return true
  }

  /// Ends what goes on for the object when it goes: the task that follows the database, and the waiting of consumers.
  private final class Follower {
    var task: Task<Void, Never>?
    var reading: Task<Void, Never>?
    let published = CommitSignal()

    deinit {
      task?.cancel()
      reading?.cancel()
      published.finish()
    }
  }

  /// Brings the object to the database's present state: off the main actor, but for a few rows, which take less than that.
  private func refresh() async {
    guard let store else { return }
    let (base, began) = (isReplaced ? nil : current, generation)
    do {
      let (subject, touched) = try await store.advance(base, first)
      // A write through the object has brought it further meanwhile; what is new since then gives the signal again.
      if generation == began { publish(subject, touched) } else { await refresh() }
    } catch is CancellationError {
    } catch RosterError.Code.closed {
    } catch { receive?(.failed(error)) }
  }

  private func publish(_ subject: Subject, _ touched: Subject.Touched?) {
    let isFirst = current == nil
    let cursor = current?.cursor
    let touched = isReplaced ? Subject.everything : touched
    isReplaced = false
    generation += 1
    current = subject
    guard isFirst || touched != nil else {
      receive?(.unchanged)
      return
    }
    receive?(.content(subject.content, touched))
    mailboxes.removeAll { $0.value == nil }
    for mailbox in mailboxes { mailbox.value?.add(touched ?? Subject.everything, since: cursor) }
    follower.published.notify()
  }

  /// Runs a transaction, and shows what it brought before it returns.
  ///
  /// The thread waits for the disk.
  func write(origin: ChangeOrigin? = nil, _ body: (inout Transaction) throws -> Void) throws {
    guard let store else { throw RosterError.closed }
    try store.write(origin: origin, body)
    // It is stored; that it cannot be read is no fault of the write.
    do {
      let (subject, touched) = try store.read { try store.advance(isReplaced ? nil : current, first, on: $0.open()) }
      publish(subject, touched)
    } catch { receive?(.failed(error)) }
  }

  /// A mailbox for a consumer that knows the content as it is now.
  func makeMailbox(_ adjust: Following<Subject>.Adjust?) -> Mailbox<Subject> {
    let mailbox = Mailbox<Subject>(current, follower.published, adjust)
    mailboxes.append(Weak(mailbox))
    return mailbox
  }
}

/// A reference that keeps nothing alive.
struct Weak<Object: AnyObject> {
  weak var value: Object?
  init(_ value: Object?) { self.value = value }
}

/// What a consumer of a live object has yet to hear of.
@MainActor
final class Mailbox<Subject: Followed> {
  /// The content as the consumer knows it.
  private var seen: Subject.Content
  private var touched: Subject.Touched?
  /// Given when the object has changed, and finished when it goes.
  private let signal: CommitSignal

  private var cursor: FeedCursor?
  /// The content as a consumer knows it that has shown its own writes already.
  private let adjust: Following<Subject>.Adjust?

  init(_ subject: Subject?, _ signal: CommitSignal, _ adjust: Following<Subject>.Adjust?) {
    seen = subject?.content ?? Subject.nothing
    cursor = subject?.cursor
    self.signal = signal
    self.adjust = adjust
  }

  func add(_ more: Subject.Touched, since cursor: FeedCursor?) {
    // Up to there nothing was new to the consumer.
    if touched == nil { self.cursor = cursor }
    touched = touched.map { Subject.union($0, more) } ?? more
  }

  /// The changes up to the object's content, once there are any. Nil where the task is cancelled or the object is gone.
  func next(_ core: () -> LiveCore<Subject>?) async -> Subject.Changes? {
    while !Task.isCancelled {
      let count = signal.count
      // The core isn't held while this waits.
      guard let subject = core().map({ $0.current }) else { return nil }
      if let touched, let subject {
        let content = subject.content
        var changes: Subject.Changes?
        switch adjust?(seen, cursor, subject) ?? .content(seen) {
        case .content(let seen): changes = Subject.changes(from: seen, to: content, touched: touched)
        case .unknown: changes = Subject.reload(from: seen, to: content)
        case .early:
          // What the consumer has written is about to be committed, or the object about to hear of it.
          try? await Task.sleep(for: .milliseconds(2))
          continue
        }
        self.touched = nil
        seen = content
        if let changes { return changes }
      }
      if signal.isFinished { return nil }
      await signal.wait(beyond: count)
    }
    return nil
  }
}

/// Waits for batch after batch of a live object's changes.
@MainActor
struct LiveBatches<Subject: Followed> {
  private weak var core: LiveCore<Subject>?
  private let mailbox: Mailbox<Subject>?

  /// From what the object shows now.
  init(_ core: LiveCore<Subject>?, adjust: Following<Subject>.Adjust? = nil) {
    self.core = core
    mailbox = core?.makeMailbox(adjust)
  }

  func next() async -> Subject.Changes? {
    let core = Weak(core)
    return await mailbox?.next { core.value }
  }
}
