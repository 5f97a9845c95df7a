import CSQLite
import Foundation

/// A function that the statements of a connection can call: deterministic, and closed to the schema.
final class ScalarFunction {
  let name: String
  /// -1 for any number.
  let argumentCount: Int
  private let body: Body

  private enum Body {
    case values(([SQLiteValue]) throws -> SQLiteValue)
    case bytes((UnsafeRawBufferPointer, [UnsafeRawBufferPointer]) -> Bool)
  }

  init(_ name: String, argumentCount: Int, _ body: @escaping ([SQLiteValue]) throws -> SQLiteValue) {
    self.name = name
    self.argumentCount = argumentCount
    self.body = .values(body)
  }

  /// One that gets the bytes of its first argument, and those of the further ones as UTF-8 texts, of which NULL is empty. They
  /// are good until it returns. For what is called for many rows: no value is made of them.
  init(_ name: String, ofBytes body: @escaping (UnsafeRawBufferPointer, [UnsafeRawBufferPointer]) -> Bool) {
    self.name = name
    argumentCount = -1
    self.body = .bytes(body)
  }

  static let call: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
    context, count, values in
    guard let data = sqlite3_user_data(context) else { return }
    let function = Unmanaged<ScalarFunction>.fromOpaque(data).takeUnretainedValue()
    let arguments = UnsafeBufferPointer(start: values, count: Int(count))
    switch function.body {
    case .values(let body):
      do { try body(arguments.map { SQLiteValue($0) }).setResult(context) } catch {
        sqlite3_result_error(context, "\(function.name): \(error)", -1)
      }
    case .bytes(let body):
      guard let first = arguments.first else { return }
      let key = UnsafeRawBufferPointer(start: sqlite3_value_blob(first), count: Int(sqlite3_value_bytes(first)))
      let texts = arguments.dropFirst().map { value in
        // The text first: the bytes are counted of what it was last asked for as. https://www.sqlite.org/c3ref/value_blob.html
        let text = sqlite3_value_text(value)
        return UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
      }
      sqlite3_result_int(context, body(key, texts) ? 1 : 0)
    }
  }
}

extension SQLiteValue {
  fileprivate func setResult(_ context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(let value):
      var value = value
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          if let base = $0.baseAddress {
            roster_result_text(context, base, UInt64($0.count))
          } else {
            roster_result_text(context, "", 0)
          }
        }
      }
    case .blob(let value):
      value.withUnsafeBytes { bytes in
        if bytes.count == 0 {
          sqlite3_result_zeroblob(context, 0)
        } else {
          roster_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
        }
      }
    }
  }
}
