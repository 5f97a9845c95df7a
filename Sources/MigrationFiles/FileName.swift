extension MigrationFile {
  /// Reads a file name of the form `NNNN_name.sql`.
  ///
  /// The number has four ASCII digits or more and isn't 0. The name is made of ASCII letters, digits, `_` and
  /// `-`: other letters have several spellings in Unicode, and file systems disagree about them.
  package static func parse(
    fileName: String
  ) throws(MigrationFilesError.Reason) -> (number: Int, name: String) {
    guard fileName.hasSuffix(".sql") else { throw .badName }
    let stem = fileName.utf8.dropLast(4)
    let digits = stem.prefix { isDigit($0) }
    let rest = stem[digits.endIndex...]
    guard digits.count >= 4, rest.first == UInt8(ascii: "_") else { throw .badName }
    let name = rest.dropFirst()
    guard !name.isEmpty, name.allSatisfy({ isNameByte($0) }) else { throw .badName }
    guard let number = Int(Substring(digits)) else { throw .numberTooLarge }
    guard number > 0 else { throw .numberZero }
    return (number, String(Substring(name)))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: isDigit(byte)
    }
  }
}
