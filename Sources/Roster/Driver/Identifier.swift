/// A name quoted as an SQL identifier, whatever characters it holds.
func quoted(_ identifier: String) -> String { delimited(identifier, by: "\"") }

/// A text as a literal of SQL, for the text of a trigger, which cannot have an argument.
func literal(_ text: String) -> String { delimited(text, by: "'") }

/// A text between two marks, with each mark in it doubled. By scalars: one with a combining accent behind it is another
/// character for Swift, and still the mark for SQLite. The mark is of ASCII.
func delimited(_ text: String, by mark: Unicode.Scalar) -> String {
  guard text.utf8.contains(UInt8(truncatingIfNeeded: mark.value)) else { return "\(mark)\(text)\(mark)" }
  var scalars = String.UnicodeScalarView([mark])
  for scalar in text.unicodeScalars {
    if scalar == mark { scalars.append(mark) }
    scalars.append(scalar)
  }
  scalars.append(mark)
  return String(scalars)
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
