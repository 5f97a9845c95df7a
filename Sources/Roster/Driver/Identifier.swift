/// A name quoted as an SQL identifier, whatever characters it holds.
func quoted(_ identifier: String) -> String {
  guard identifier.contains("\"") else { return "\"\(identifier)\"" }
  return "\"" + identifier.replacing("\"", with: "\"\"") + "\""
}
