/// Which records a list showed, and in what order: what offsets into it are good for.
///
/// Two versions are equal where the lists have the same records in the same order, whatever else has changed in them. A
/// version can be kept, sent and compared in another process.
///
/// It is a hash of the ids: FNV-1a with 64 bits, so that two different lists have the same one by a chance of 2^-64.
public struct ListVersion: Hashable, Codable, Sendable {
  private var count = 0
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

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
    switch id {
    case .null: mix(byte: 0)
    case .integer(let number): mix(1, number)
    case .real(let number): mix(2, Int64(bitPattern: number.bitPattern))
    case .text(let text): mix(3, text.utf8)
    case .blob(let data): mix(4, data)
    }
  }

  private mutating func mix(_ kind: UInt8, _ number: Int64) {
    mix(kind, (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }

  private mutating func mix(_ kind: UInt8, _ bytes: some Collection<UInt8>) {
    // The length first: else the end of an id could be taken for the beginning of the next.
    for shift in [0, 8, 16, 24] { mix(byte: UInt8(truncatingIfNeeded: bytes.count >> shift)) }
    mix(byte: kind)
    for byte in bytes { mix(byte: byte) }
  }

  private mutating func mix(byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}
