extension MigrationFile {
  /// The checksum that tells an edited migration from an untouched one: 16 lower-case hexadecimal digits.
  ///
  /// A leading byte-order mark and the kind of line ending (LF, CRLF or CR) make no difference, as an editor
  /// or a checkout on another system may change them. Everything else does, trailing blanks included.
  ///
  /// The digest is FNV-1a with 64 bits, over UTF-8. It detects accidents. It doesn't detect an adversary,
  /// who can find two texts with one checksum easily.
  package static func checksum(of text: String) -> String {
    // Offset basis and prime: IETF draft-eastlake-fnv, "The FNV Non-Cryptographic Hash Algorithm".
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    // Bytes, not characters: CR followed by LF is a single Character in Swift.
    var bytes = text.utf8[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var afterCarriageReturn = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\r"): add(UInt8(ascii: "\n"))
      case UInt8(ascii: "\n") where afterCarriageReturn: break
      default: add(byte)
      }
      afterCarriageReturn = byte == UInt8(ascii: "\r")
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
