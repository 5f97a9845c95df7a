/// An id as the database compares it: texts that Swift takes for the same, é as one scalar and as two, are two ids.
struct ExactID<ID: Hashable & Sendable>: Hashable, Sendable {
  let id: ID

  init(_ id: ID) { self.id = id }

  static func == (left: ExactID, right: ExactID) -> Bool {
    guard left.id == right.id else { return false }
    guard ID.self == String.self, let text = left.id as? String, let other = right.id as? String else { return true }
    return text.utf8.elementsEqual(other.utf8)
  }

  // That of Swift's serves: ids that are the same to the database are the same to Swift.
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
