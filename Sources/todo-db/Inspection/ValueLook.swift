import Foundation
import Roster

/// What values look like, and how those that look the same are told apart.
extension RawValue {
  /// The same for values that a reader cannot tell apart by eye: of other types, in other spellings of a character, or with
  /// characters in them that are not seen.
  var look: String {
    var seen = String.UnicodeScalarView()
    for scalar in shown.visible.precomposedStringWithCompatibilityMapping.unicodeScalars
    where !scalar.properties.isDefaultIgnorableCodePoint {
      seen.append(scalar.properties.isWhitespace ? " " : scalar)
    }
    return String(seen)
  }

  /// Two values for people: where they look the same, with what tells them apart.
  static func apart(_ one: RawValue, _ other: RawValue) -> (String, String) {
    guard one.look == other.look else { return (one.shown, other.shown) }
    guard case .text(let bytes) = one, case .text(let otherBytes) = other else { return (one.typed, other.typed) }
    guard let text = one.string, let otherText = other.string else {
      return ("\(one.shown) (X'\(bytes.hexadecimal)')", "\(other.shown) (X'\(otherBytes.hexadecimal)')")
    }
    let (first, second) = (Array(text.unicodeScalars), Array(otherText.unicodeScalars))
    let alike = zip(first, second).prefix { $0 == $1 }.count
    let rest = zip(first.dropFirst(alike).reversed(), second.dropFirst(alike).reversed()).prefix { $0 == $1 }.count
    // One scalar more where one of them has nothing there.
    let isMissing = min(first.count, second.count) == alike + rest
    let (before, behind) = isMissing ? (max(alike - 1, 0), alike > 0 ? rest : max(rest - 1, 0)) : (alike, rest)
    func told(_ scalars: [Unicode.Scalar]) -> String {
      codePoints(scalars.dropFirst(before).dropLast(behind))
    }
    return ("\(one.shown) (\(told(first)))", "\(other.shown) (\(told(second)))")
  }

  /// For people, with what cannot be seen: the type, and the code points of a text that has others than those of ASCII.
  var exact: String {
    guard case .text(let bytes) = self else { return typed }
    guard let text = string else { return "\(shown) (text, X'\(bytes.hexadecimal)')" }
    let scalars = Array(text.unicodeScalars)
    return scalars.allSatisfy { (33...126).contains($0.value) }
      ? typed : "\(shown) (text, \(RawValue.codePoints(scalars[...])))"
  }

  private var typed: String { "\(shown) (\(storageClass.rawValue.lowercased()))" }

  private static func codePoints(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    let most = 12
    if scalars.isEmpty { return "empty" }
    let told = scalars.prefix(most).map { "U+" + $0.hexadecimal }
    return told.joined(separator: " ") + (scalars.count > most ? " …" : "")
  }
}
