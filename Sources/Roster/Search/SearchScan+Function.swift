import struct Foundation.Data

extension SearchScan {
  static let functionName = "roster_has_words"

  /// The function that statements call for what the index cannot tell: the requests, as ``encoded(_:_:)`` has them, and the
  /// texts of a row. One for each connection.
  static func function() -> ScalarFunction {
    var known: (key: [UInt8], scan: SearchScan)?
    var scratch = Scratch()
    return ScalarFunction(functionName) { key, texts in
      if known.map({ $0.key.elementsEqual(key) }) != true {
        known = decoded(key).map { (Array(key), SearchScan(SearchWord.words(of: $0.requests, $0.kind), $0.kind)) }
      }
      return known?.scan.matches(texts, &scratch) ?? false
    }
  }

  /// The condition that the texts of a table's row have what is asked for.
  static func condition(_ requests: [SearchRequest], _ declaration: SearchDeclaration) -> SQL {
    var sql = SQL(text: "\(functionName)(")
    sql.append(SQLArgument(.blob(Data(encoded(requests, declaration.kind)))))
    for column in declaration.columns { sql.append(", \(quoted(declaration.table)).\(quoted(column))") }
    sql.append(")")
    return sql
  }

  private static func encoded(_ requests: [SearchRequest], _ kind: SearchDeclaration.Kind) -> [UInt8] {
    var bytes: [UInt8] = [kind == .words ? 1 : 0]
    for request in requests {
      bytes.append(request.phrases ? 1 : 0)
      withUnsafeBytes(of: UInt32(clamping: request.text.utf8.count)) { bytes += $0 }
      bytes += request.text.utf8
    }
    return bytes
  }

  private static func decoded(
    _ bytes: UnsafeRawBufferPointer
  ) -> (requests: [SearchRequest], kind: SearchDeclaration.Kind)? {
    guard let first = bytes.first else { return nil }
    var requests: [SearchRequest] = []
    var index = 1
    while index < bytes.count {
      guard index + 5 <= bytes.count else { return nil }
      let count = Int(bytes.loadUnaligned(fromByteOffset: index + 1, as: UInt32.self))
      guard index + 5 + count <= bytes.count else { return nil }
      let text = String(decoding: bytes[(index + 5)..<(index + 5 + count)], as: UTF8.self)
      requests.append(SearchRequest(text: text, phrases: bytes[index] == 1))
      index += 5 + count
    }
    return (requests, first == 1 ? .words : .substring)
  }
}
