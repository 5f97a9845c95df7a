import struct Foundation.UUID

/// Names who made a write, so that a consumer of the feed can tell its own.
///
/// ```swift
/// try store.write(origin: screen) { tx in try tx.move(Todo.self, ids: [id], to: .start) }
/// for await batch in list.changes(ignoring: screen) { … }
/// ```
public struct ChangeOrigin: Hashable, Codable, Sendable {
  /// The text by which it stands in the log.
  public let name: String

  /// One that nobody else has.
  public init() { name = UUID().uuidString.lowercased() }

  /// One with a name of its own.
  public init(_ name: String) { self.name = name }
}

/// Hears of the writes of an origin while they can still be read by themselves.
protocol OwnWriteListener: AnyObject, Sendable {
  var origin: ChangeOrigin { get }

  /// A transaction of the origin is about to be committed, whose rows of the log come after a number.
  func capture(after sequence: Int64, on connection: Connection) throws(RosterError)
  /// It was not.
  func discard(after sequence: Int64)
}

/// What a consumer knows of a list that has shown its own writes already.
enum Adjusted<Content> {
  /// The content with its own writes.
  case content(Content)
  /// It has written something that the list does not have yet.
  case early
  /// Others had written, unheard, when it wrote: what it shows cannot be told.
  case unknown
}

/// The rows that writes of an origin left in a list, each as that transaction left it.
///
/// A consumer that has shown its own writes already knows the list with these rows in it, if it knew the list that they were
/// made in. What others did since is left to tell.
final class OwnWrites<R: Record>: OwnWriteListener {
  private struct Capture {
    let after: Int64
    let upTo: Int64
    /// The last number before it at which another has written to the table.
    let lastOther: Int64
    let touched: Set<Int64>
    let rows: [ListRow<R>]
  }

  let origin: ChangeOrigin
  private let reader: ListReader<R>
  private let captures = Guarded<[Capture]>([])

  init(_ origin: ChangeOrigin, _ reader: ListReader<R>) {
    self.origin = origin
    self.reader = reader
  }

  /// Also where nothing was written: what the consumer wanted may have been so already, and not been shown so.
  func capture(after sequence: Int64, on connection: Connection) throws(RosterError) {
    let log = ChangeLog(connection: connection)
    guard case .maintained = try reader.plan(on: connection),
      let touched = try log.touchedKeys(of: R.table.name, after: sequence)
    else { return }
    var end = sequence
    let own = captures.withLock { $0.map { ($0.after, $0.upTo) } }
    var lastOther = try log.last(of: R.table.name, upTo: end)
    while let range = own.last(where: { lastOther > $0.0 && lastOther <= $0.1 }) {
      end = range.0
      lastOther = try log.last(of: R.table.name, upTo: end)
    }
    let capture = Capture(
      after: sequence, upTo: try log.state().last, lastOther: lastOther, touched: touched,
      rows: try reader.rows(Array(touched), on: connection))
    captures.withLock { $0.append(capture) }
  }

  func discard(after sequence: Int64) { captures.withLock { $0.removeAll { $0.after >= sequence } } }

  /// A list with the rows that the origin's writes left in it between two states of the database.
  func put(
    into rows: ListState<R>.Rows, from old: FeedCursor?, upTo new: FeedCursor?
  ) -> Adjusted<ListRecords<R>> {
    guard let old, let new, old.epoch == new.epoch else { return .content(ListRecords(rows: rows)) }
    let (done, isEarly) = captures.withLock { captures in
      if captures.contains(where: { $0.upTo > new.sequence }) { return ([Capture](), true) }
      defer { captures = [] }
      return (captures.filter { $0.upTo > old.sequence }, false)
    }
    if isEarly { return .early }
    var rows = rows
    for capture in done {
      guard capture.lastOther <= old.sequence else { return .unknown }
      for key in capture.touched.subtracting(capture.rows.map(\.rowKey)) { _ = rows.remove(key: key) }
      for row in capture.rows { rows.upsert(row) }
    }
    return .content(ListRecords(rows: rows))
  }
}
