import CSQLite
import Foundation

// Values as Roster stores them.
extension RawSQLite {
  func todo<R: BenchTodo>(_ statement: OpaquePointer) throws -> R {
    guard let id = uuid(statement, 0), let list = uuid(statement, 1) else { throw failure() }
    return R(
      id: id, listID: list, title: text(statement, 2), note: text(statement, 3),
      isDone: sqlite3_column_int64(statement, 4) != 0, priority: Int(sqlite3_column_int64(statement, 5)),
      due: sqlite3_column_type(statement, 6) == SQLITE_NULL ? nil : date(statement, 6))
  }

  func bind(_ value: String, _ statement: OpaquePointer, _ index: Int32) {
    var value = value
    value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        guard let base = text.baseAddress else { return }
        roster_bind_text(statement, index, base, UInt64(text.count))
      }
    }
  }

  private static let hex = Array("0123456789abcdef".utf8CString)

  func bind(_ value: UUID, _ statement: OpaquePointer, _ index: Int32) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 36) { text in
      var place = 0
      withUnsafeBytes(of: value.uuid) { bytes in
        for (index, byte) in bytes.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            text[place] = 45
            place += 1
          }
          text[place] = RawSQLite.hex[Int(byte >> 4)]
          text[place + 1] = RawSQLite.hex[Int(byte & 15)]
          place += 2
        }
      }
      if let base = text.baseAddress { roster_bind_text(statement, index, base, 36) }
    }
  }

  func bind(_ value: Date, _ statement: OpaquePointer, _ index: Int32) {
    var seconds = Int(value.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      guard let base = text.baseAddress else { return }
      let count = strftime(base, 32, "%Y-%m-%d %H:%M:%S", &parts)
      roster_bind_text(statement, index, base, UInt64(count))
    }
  }

  func text(_ statement: OpaquePointer, _ index: Int32) -> String {
    let bytes = UnsafeBufferPointer(
      start: sqlite3_column_text(statement, index), count: Int(sqlite3_column_bytes(statement, index)))
    return String(decoding: bytes, as: UTF8.self)
  }

  func uuid(_ statement: OpaquePointer, _ index: Int32) -> UUID? {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    guard let text = sqlite3_column_text(statement, index), sqlite3_column_bytes(statement, index) == 36 else {
      return nil
    }
    withUnsafeMutableBytes(of: &uuid) { bytes in
      var place = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 { place += 1 }
        bytes[index] = RawSQLite.nibble(text[place]) << 4 | RawSQLite.nibble(text[place + 1])
        place += 2
      }
    }
    return UUID(uuid: uuid)
  }

  private static func nibble(_ digit: UInt8) -> UInt8 { digit < 58 ? digit - 48 : digit - 87 }

  func date(_ statement: OpaquePointer, _ index: Int32) -> Date? {
    guard let text = sqlite3_column_text(statement, index), sqlite3_column_bytes(statement, index) == 19 else {
      return nil
    }
    func two(_ place: Int) -> Int { Int(text[place] - 48) * 10 + Int(text[place + 1] - 48) }
    let year = two(0) * 100 + two(2)
    let month = two(5)
    // Days from civil, as in Hinnant's paper.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + two(8) - 1
    let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    return Date(timeIntervalSince1970: Double(days * 86_400 + two(11) * 3600 + two(14) * 60 + two(17)))
  }
}
