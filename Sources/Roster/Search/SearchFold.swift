/// The case folding of FTS5's `trigram` tokenizer, scalar by scalar, so that a scan finds what the index does.
///
/// FTS5 folds by the simple mappings of Unicode 6.1, and by a letter more here and there than a lower-casing: ς as σ, ſ as s.
/// https://www.sqlite.org/fts5.html#the_trigram_tokenizer
enum SearchFold {
  /// What a lower-casing leaves as it is.
  private static let others: [UInt32: UInt32] = [
    0xB5: 0x3BC, 0x17F: 0x73, 0x345: 0x3B9, 0x3C2: 0x3C3, 0x3D0: 0x3B2, 0x3D1: 0x3B8, 0x3D5: 0x3C6, 0x3D6: 0x3C0,
    0x3F0: 0x3BA, 0x3F1: 0x3C1, 0x3F5: 0x3B5, 0x1E9B: 0x1E61, 0x1FBE: 0x3B9, 0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD,
  ]

  /// The mappings below 2^17, above which no letter has a case; made once, in some tens of milliseconds.
  private static let table: [UInt32] = (0..<0x2_0000).map { value in
    if let other = others[value] { return other }
    guard let scalar = Unicode.Scalar(value), isOld(scalar) else { return value }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let first = lower.first, isOld(first) else { return value }
    return first.value
  }

  private static func isOld(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.age.map { $0.major < 6 || $0.major == 6 && $0.minor <= 1 } ?? false
  }

  /// The folded scalars of a text.
  ///
  /// - Complexity: O(*n*) in the scalars.
  static func scalars(of text: String) -> [UInt32] { text.unicodeScalars.map { fold($0.value) } }

  static func fold(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return scalar >= 0x41 && scalar <= 0x5A ? scalar + 0x20 : scalar }
    return scalar < 0x2_0000 ? table[Int(scalar)] : scalar
  }

  /// A text, folded.
  static func text(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(Unicode.Scalar(fold(scalar.value)) ?? scalar) }
    return String(result)
  }
}
