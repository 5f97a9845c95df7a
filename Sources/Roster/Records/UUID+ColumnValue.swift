public import struct Foundation.UUID

/// Stored as 36 characters of lower-case text. Upper case reads too.
extension UUID: ColumnValue {
  public static var storageClass: StorageClass { .text }

  public init(from cell: borrowing Cell) throws(RosterError) {
    guard cell.storageClass == .text, let value = cell.withText({ UUID(utf8: $0) }) else {
      throw cell.mismatch("a UUID as text")
    }
    self = value
  }

  public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    // Typed throws do not pass through this function of the standard library.
    let failure = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer -> RosterError? in
      write(to: buffer)
      do throws(RosterError) {
        try parameter.bind(utf8: UnsafeBufferPointer(buffer))
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  private static let places: [UInt8] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

  private func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    withUnsafeBytes(of: uuid) { bytes in
      for (place, byte) in zip(UUID.places, bytes) {
        buffer[Int(place)] = UUID.digit(byte >> 4)
        buffer[Int(place) + 1] = UUID.digit(byte & 15)
      }
    }
    for dash in [8, 13, 18, 23] { buffer[dash] = UInt8(ascii: "-") }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36, [8, 13, 18, 23].allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
    var uuid = UUID_NULL
    var isValid = true
    withUnsafeMutableBytes(of: &uuid) { bytes in
      for (index, place) in UUID.places.enumerated() {
        let high = UUID.value(text[Int(place)])
        let low = UUID.value(text[Int(place) + 1])
        isValid = isValid && high < 16 && low < 16
        bytes[index] = high << 4 | low & 15
      }
    }
    guard isValid else { return nil }
    self.init(uuid: uuid)
  }

  private static func value(_ digit: UInt8) -> UInt8 {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: 255
    }
  }
}

private let UUID_NULL: (
  UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
