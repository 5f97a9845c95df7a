import CSQLite
import Foundation

/// A function that the statements of a connection can call: deterministic, and closed to the schema.
final class ScalarFunction {
  let name: String
  let argumentCount: Int
  let body: ([SQLiteValue]) throws -> SQLiteValue

  init(_ name: String, argumentCount: Int, _ body: @escaping ([SQLiteValue]) throws -> SQLiteValue) {
    self.name = name
    self.argumentCount = argumentCount
    self.body = body
  }

  static let call: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
    context, count, values in
    guard let data = sqlite3_user_data(context) else { return }
    let function = Unmanaged<ScalarFunction>.fromOpaque(data).takeUnretainedValue()
    let arguments = UnsafeBufferPointer(start: values, count: Int(count)).map { SQLiteValue($0) }
    do {
      try function.body(arguments).setResult(context)
    } catch {
      sqlite3_result_error(context, "\(function.name): \(error)", -1)
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
