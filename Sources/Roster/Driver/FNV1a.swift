/// A hash with 64 bits that is the same in every process, to tell accidental changes: whoever wants to can find two inputs
/// with one hash. IETF draft-eastlake-fnv, "The FNV Non-Cryptographic Hash Algorithm".
struct FNV1a {
  /// The hash of what was mixed in so far.
  private(set) var value: UInt64

  /// One that goes on from a hash, or begins.
  init(value: UInt64 = 0xcbf2_9ce4_8422_2325) { self.value = value }

  mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

  mutating func mix(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { mix(byte) }
  }

  /// Mixes in how long it is what comes then: else its end could be taken for the beginning of the next.
  mutating func mix(length: Int) {
    for shift in [0, 8, 16, 24] { mix(UInt8(truncatingIfNeeded: length >> shift)) }
  }

  /// Mixes in a text with its length.
  mutating func mix(text bytes: some Collection<UInt8>) {
    mix(length: bytes.count)
    mix(bytes)
  }
}
