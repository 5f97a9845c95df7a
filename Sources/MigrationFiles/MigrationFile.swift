/// A migration as it stands in its folder: a file named `NNNN_name.sql`.
package struct MigrationFile: Sendable, Equatable {
  /// The number that the name begins with, 1 or more. It says in which order migrations run.
  package let number: Int
  /// The part of the file name between the number and `.sql`.
  package let name: String
  /// The file's text as it is, a byte-order mark and CRLF line endings included.
  package let text: String

  /// Makes a migration of parts that are known to be valid.
  package init(number: Int, name: String, text: String) {
    self.number = number
    self.name = name
    self.text = text
  }

  /// What ``checksum(of:)`` says of this file's text.
  package var checksum: String { Self.checksum(of: text) }
}
