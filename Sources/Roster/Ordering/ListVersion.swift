/// Which records a list showed, and in what order: what offsets into it are good for.
///
/// Two versions are equal where the lists have the same records in the same order, whatever else has changed in them. A
/// version can be kept, sent and compared in another process.
///
/// It is a hash of the ids: FNV-1a with 64 bits, so that two different lists have the same one by a chance of 2^-64.
public struct ListVersion: Hashable, Codable, Sendable {
  private var count = 0
  private var hash = FNV1a().value

  init() {}

  /// The version of a list that shows these records.
  ///
  /// - Throws: what an id's encoding throws.
  /// - Complexity: O(*n*).
  public init<R: Record>(of records: some Sequence<R>) throws(RosterError) {
    guard let key = R.table.key else { return }
    for record in records { append(try R.table.value(of: record, in: key)) }
  }

  mutating func append(_ id: SQLiteValue) {
    count += 1
    var hash = FNV1a(value: hash)
    switch id {
    case .null: hash.mix(0)
    case .integer(let number): hash.mix(1, number)
    case .real(let number): hash.mix(2, Int64(bitPattern: number.bitPattern))
    case .text(let text): hash.mix(3, text.utf8)
    case .blob(let data): hash.mix(4, data)
    }
    self.hash = hash.value
  }
}

extension FNV1a {
  fileprivate mutating func mix(_ kind: UInt8, _ number: Int64) {
    mix(kind, (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }

  fileprivate mutating func mix(_ kind: UInt8, _ bytes: some Collection<UInt8>) {
    mix(length: bytes.count)
    mix(kind)
    mix(bytes)
  }
}
