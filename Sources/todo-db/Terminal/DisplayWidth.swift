/// How many cells a terminal gives to text.
///
/// Widths are those of visible text: `visible` comes first, and no text that has passed through it
/// holds a character that would move the cursor, change colours or turn the line's direction around.
extension String {
  /// The text with every control character replaced by one that shows: an escape sequence in a title
  /// must not drive the terminal, and a direction override must not rearrange the row it stands in.
  var visible: String {
    guard unicodeScalars.contains(where: \.drivesTerminal) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar.drivesTerminal ? scalar.substitute : scalar) }
    return String(result)
  }

  /// The cells that the visible form of the text fills. Complexity: O(n).
  var displayWidth: Int { visible.reduce(0) { $0 + $1.cells } }

  /// The visible form of the text, cut so that it fills at most `width` cells. Text that is cut ends in
  /// an ellipsis, and no character is cut in half.
  func truncated(toWidth width: Int) -> String {
    let text = visible
    guard text.displayWidth > width else { return text }
    guard width > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      guard used + character.cells < width else { break }
      used += character.cells
      result.append(character)
    }
    return result + "…"
  }

  /// The visible form of the text, cut or filled with spaces to exactly `width` cells.
  func fitted(toWidth width: Int, alignment: TextAlignment = .left) -> String {
    let text = truncated(toWidth: width)
    let space = String(repeating: " ", count: max(0, width - text.displayWidth))
    return alignment == .left ? text + space : space + text
  }
}

enum TextAlignment: Sendable { case left, right }

extension Character {
  /// The cells of one character as a reader sees it.
  ///
  /// What is drawn as one emoji is two cells, however many scalars it takes. For the rest the scalars
  /// are summed as terminals do: a Thai sara am or a Devanagari vowel sign has a cell of its own even
  /// though it belongs to the consonant before it.
  fileprivate var cells: Int {
    isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.cells }
  }

  private var isEmoji: Bool {
    guard let first = unicodeScalars.first, unicodeScalars.count > 1 else {
      return unicodeScalars.first.map { $0.properties.isEmojiPresentation && !$0.isRegionalIndicator }
        ?? false
    }
    if first.isRegionalIndicator { return unicodeScalars.allSatisfy(\.isRegionalIndicator) }
    guard first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation
      || unicodeScalars.contains { scalar in
        scalar == "\u{FE0F}" || scalar == "\u{20E3}" || scalar.properties.isEmojiModifier
      }
  }
}

extension Unicode.Scalar {
  /// Its number in capitals, with four digits or more.
  var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  fileprivate var drivesTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }

  /// A control picture where Unicode has one, such as ␛ for escape.
  fileprivate var substitute: Unicode.Scalar {
    switch value {
    case 0...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: "\u{FFFD}"
    }
  }

  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  fileprivate var cells: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The vowels and final consonants of a Hangul syllable written in parts stand inside its square.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
    return isWide ? 2 : 1
  }

  /// East Asian Width W or F, found by halving.
  private var isWide: Bool {
    if value < 0x1100 { return false }
    var low = Self.wide.startIndex
    var high = Self.wide.endIndex
    while low < high {
      let middle = low + (high - low) / 2
      let range = Self.wide[middle]
      if range.contains(value) { return true }
      if value < range.lowerBound { high = middle } else { low = middle + 1 }
    }
    return properties.isEmojiPresentation && !isRegionalIndicator
  }

  /// [Unicode Standard Annex 11, EastAsianWidth.txt; emoji are left to `isEmojiPresentation`] The circled
  /// numbers and hexagrams between the CJK blocks are as wide as what is around them, as in glibc.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FF1, 0x17000...0x18CD5,
    0x18D00...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248,
    0x1F250...0x1F251, 0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
