public import Foundation

/// Stored as 36 characters of lower-case text. Upper case reads too.
extension UUID: ColumnValue {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// Reads 36 characters in either case.
  public init(from cell: borrowing Cell) throws(RosterError) {
    guard let value = cell.withText({ UUID(utf8: $0) }) ?? nil else {
      throw cell.mismatch("a UUID such as e621e1f8-c36c-495a-93fc-0c247a3e6e5f")
    }
    self = value
  }

  /// Binds 36 characters in lower case.
  public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    try withUnsafeTemporaryAllocation(byteCount: 36, alignment: 8) { (buffer) throws(RosterError) in
      guard let text = buffer.baseAddress else { return }
      write(to: text)
      try parameter.bind(utf8: UnsafeBufferPointer(buffer.assumingMemoryBound(to: UInt8.self)))
    }
  }

  // Eight digits at a time, each in a byte of a word: a row with two UUIDs spends a quarter of its decoding on them otherwise (callgrind).

  private func write(to text: UnsafeMutableRawPointer) {
    withUnsafeBytes(of: uuid) { bytes in
      let first = HexWord(bytes: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)).text
      let second = HexWord(bytes: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)).text
      let third = HexWord(bytes: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)).text
      let fourth = HexWord(bytes: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)).text
      text.storeBytes(of: first, as: UInt64.self)
      text.storeBytes(of: UInt32(truncatingIfNeeded: second), toByteOffset: 9, as: UInt32.self)
      text.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32), toByteOffset: 14, as: UInt32.self)
      text.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 19, as: UInt32.self)
      text.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: 24, as: UInt32.self)
      text.storeBytes(of: fourth, toByteOffset: 28, as: UInt64.self)
    }
    for dash in [8, 13, 18, 23] { text.storeBytes(of: UInt8(ascii: "-"), toByteOffset: dash, as: UInt8.self) }
  }

  private init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36, let base = text.baseAddress else { return nil }
    let dash = UInt8(ascii: "-")
    guard text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash else { return nil }
    let raw = UnsafeRawPointer(base)
    func word(_ low: Int, _ high: Int) -> HexWord {
      let (low, high) = (
        raw.loadUnaligned(fromByteOffset: low, as: UInt32.self),
        raw.loadUnaligned(fromByteOffset: high, as: UInt32.self)
      )
      return HexWord(text: UInt64(low) | UInt64(high) << 32)
    }
    let words = (word(0, 4), word(9, 14), word(19, 24), word(28, 32))
    guard words.0.isValid, words.1.isValid, words.2.isValid, words.3.isValid else { return nil }
    self.init(
      uuid: unsafeBitCast((words.0.bytes, words.1.bytes, words.2.bytes, words.3.bytes), to: uuid_t.self))
  }
}

/// Eight hexadecimal digits and the four bytes that they stand for, in the order of memory.
///
/// All eight are worked on at once; every sum stays within its byte, so that none carries into the next. It
/// needs the first digit in the lowest byte, as on every processor that Swift runs on.
private struct HexWord {
  let text: UInt64
  let bytes: UInt32
  let isValid: Bool

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Reads digits in either case.
  @inline(__always) init(text: UInt64) {
    let ones = HexWord.ones
    let tops = ones &* 0x80
    // The top bit of each byte tells. A byte from 128 on is no digit, and could carry.
    let small = text & ~tops
    let isDigit = (small &+ ones &* 0x50) & ~(small &+ ones &* 0x46)
    let lower = small | ones &* 0x20
    let isLetter = (lower &+ ones &* 0x1f) & ~(lower &+ ones &* 0x19) & tops
    isValid = text & tops == 0 && (isDigit | isLetter) & tops == tops
    let values = (small & (ones &* 0x0f)) &+ (isLetter >> 7) &* 9
    var pairs = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff
    pairs = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff
    bytes = UInt32(truncatingIfNeeded: pairs | pairs >> 16)
    self.text = text
  }

  /// Writes digits in lower case.
  @inline(__always) init(bytes: UInt32) {
    let ones = HexWord.ones
    var spread = UInt64(bytes)
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff
    spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
    let values = (spread >> 4 | spread << 8) & (ones &* 0x0f)
    // 118 more reaches the top bit from ten on, and a letter is 39 beyond where the digits would go on.
    let isLetter = (values &+ ones &* 0x76) >> 7 & ones
    text = values &+ ones &* 0x30 &+ isLetter &* 39
    self.bytes = bytes
    isValid = true
  }
}
