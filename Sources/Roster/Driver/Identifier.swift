/// A name quoted as an SQL identifier, whatever characters it holds.
func quoted(_ identifier: String) -> String {
  guard identifier.contains("\"") else { return "\"\(identifier)\"" }
  return "\"" + identifier.replacing("\"", with: "\"\"") + "\""
}

extension String {
  /// The text with A to Z as a to z, as SQLite compares names.
  func lowercasedASCII() -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isUpper = ("A"..."Z").contains(scalar)
      scalars.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
    }
    return String(scalars)
  }
}

/// A text as a literal of SQL, for the text of a trigger, which cannot have an argument.
func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
