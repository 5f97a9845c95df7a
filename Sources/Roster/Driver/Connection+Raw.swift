import CSQLite
import struct Foundation.Data

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Connection {
  /// Bytes of the file as they lie in it, by the descriptor that SQLite has. To open and close another one would release the
  /// locks that other connections of this process hold. https://www.sqlite.org/howtocorrupt.html
  ///
  /// - Returns: fewer than asked for at the end of the file.
  func fileBytes(at offset: Int64, count: Int) throws(RosterError) -> [UInt8] {
    let file = try openFile()
    guard let read = file.pointee.pMethods?.pointee.xRead else { throw error(SQLITE_CANTOPEN) }
    let present = Int(max(0, min(Int64(count), try fileSize() - offset)))
    var bytes = [UInt8](repeating: 0, count: present)
    guard present > 0 else { return [] }
    let code = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32(clamping: $0.count), offset) }
    guard code == SQLITE_OK else { throw RosterError.sqlite(code, nil, path: path) }
    return bytes
  }

  /// The bytes of the file itself.
  func fileSize() throws(RosterError) -> Int64 {
    let file = try openFile()
    guard let sizeOf = file.pointee.pMethods?.pointee.xFileSize else { throw error(SQLITE_CANTOPEN) }
    var size: sqlite3_int64 = 0
    let code = sizeOf(file, &size)
    guard code == SQLITE_OK else { throw RosterError.sqlite(code, nil, path: path) }
    return size
  }

  /// The file as SQLite has it open.
  private func openFile() throws(RosterError) -> UnsafeMutablePointer<sqlite3_file> {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard result == SQLITE_OK, let file else { throw error(result == SQLITE_OK ? SQLITE_CANTOPEN : result) }
    return file
  }

  /// Has a collation that nobody here knows compare by bytes, so that tables which use it can be read to their end. `used`
  /// hears its name. For a connection that cannot write: an index would get another order.
  func standInForCollations(_ used: CollationNames) {
    collationNames = used
    sqlite3_collation_needed(
      database, Unmanaged.passUnretained(used).toOpaque(),
      { context, database, _, name in
        guard let context, let database, let name else { return }
        Unmanaged<CollationNames>.fromOpaque(context).takeUnretainedValue().names.insert(String(cString: name))
        sqlite3_create_collation_v2(
          database, name, SQLITE_UTF8, nil,
          { _, leftCount, left, rightCount, right in
            guard let left, let right else { return leftCount - rightCount }
            let order = memcmp(left, right, Int(min(leftCount, rightCount)))
            return order != 0 ? order : leftCount - rightCount
          }, nil)
      })
  }

  /// The options that the library was compiled with.
  static var compileOptions: [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(Int32(options.count)) { options.append(String(cString: option)) }
    return options
  }
}

/// The names of collations that were asked for and are not there.
final class CollationNames {
  var names: Set<String> = []
}

extension Statement {
  /// Whether it only tells how another one would run.
  var isExplanation: Bool { sqlite3_stmt_isexplain(handle) != 0 }

  /// The names of the parameters, with their prefix, by their index from 1; nil for one without a name, such as `?` and `?2`.
  var parameterNames: [String?] {
    (0..<parameterCount).map { index in
      guard let name = sqlite3_bind_parameter_name(handle, Int32(index + 1)) else { return nil }
      // SQLite calls a place by its number.
      return name.pointee == CChar(UInt8(ascii: "?")) ? nil : String(cString: name)
    }
  }

  /// The row that the statement stands on.
  var rawRow: [RawValue] { (0..<columnCount).map { RawValue(sqlite3_column_value(handle, Int32($0))) } }

  /// The declared type of a column of the result, where it is one of a table.
  func declaredType(_ index: Int) -> String? {
    sqlite3_column_decltype(handle, Int32(index)).map { String(cString: $0) }
  }
}

extension Parameter {
  /// Binds the bytes of a text, whatever they are.
  func bind(text bytes: [UInt8]) throws(RosterError) {
    guard statement != nil else { return try bind(String(decoding: bytes, as: UTF8.self)) }
    let result = bytes.withUnsafeBufferPointer { bindText($0) }
    try check(result)
  }

  /// Binds the bytes of a blob.
  func bind(blob bytes: [UInt8]) throws(RosterError) {
    guard let statement, !bytes.isEmpty else { return try bind(Data(bytes)) }
    try check(bytes.withUnsafeBytes { roster_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) })
  }
}
