/// Places of a text that are marked, as ranges of its Unicode scalars.
extension Style {
  /// The visible form of a text, whole or cut to an ellipsis, with places of the whole text marked. The ellipsis has the
  /// mark of what was cut away.
  func apply(_ role: Role, to text: String, highlights: [Range<Int>], of whole: String) -> String {
    guard isEnabled, !highlights.isEmpty, !text.isEmpty else { return apply(role, to: text) }
    // Visible text has one scalar for each of what it shows.
    let scalars = Array(text.unicodeScalars)
    let isCut = text != whole.visible
    let kept = isCut ? scalars.count - 1 : scalars.count
    var isMarked = Array(repeating: false, count: scalars.count)
    for place in highlights {
      for index in place.clamped(to: 0..<kept) { isMarked[index] = true }
      if isCut, place.upperBound > kept { isMarked[kept] = true }
    }
    var (result, start) = ("", 0)
    while start < scalars.count {
      let end = isMarked[start...].firstIndex { $0 != isMarked[start] } ?? scalars.count
      let part = String(String.UnicodeScalarView(scalars[start..<end]))
      result += apply(isMarked[start] ? .highlight : role, to: part)
      start = end
    }
    return result
  }
}

extension StringProtocol {
  /// Ranges of the text by the numbers of their scalars. They are in their order.
  func scalarOffsets(of ranges: [Range<String.Index>]) -> [Range<Int>] {
    var (index, offset) = (startIndex, 0)
    return ranges.map { range in
      offset += unicodeScalars.distance(from: index, to: range.lowerBound)
      let length = unicodeScalars.distance(from: range.lowerBound, to: range.upperBound)
      index = range.lowerBound
      return offset..<(offset + length)
    }
  }
}
