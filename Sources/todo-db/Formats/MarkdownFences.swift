/// Where fenced code is in a text of Markdown, taken line by line. [CommonMark 0.31, 4.5]
///
/// Code ends at a fence of its own kind that is at least as long, or with the list item that it is in.
struct MarkdownFences {
  private struct Fence {
    var mark: Unicode.Scalar
    var length: Int
    /// The column at which what it is in begins.
    var column: Int
    var line: Int
  }

  /// The columns at which the contents of the list items begin that a line is in, the innermost last.
  private var items: [Int] = []
  private var open: Fence?

  /// The line of the fence that is open, if one is.
  var openingLine: Int? { open?.line }

  /// Takes the next line, without its indentation, and tells whether it is of code or a fence.
  ///
  /// Nothing that is indented less than `column` is in the code that this line may begin.
  mutating func take(
    _ rest: Substring.UnicodeScalarView, depth: Int, within column: Int = 0, line: Int
  ) -> Bool {
    let isBlank = rest.allSatisfy(\.isWhite)
    if let fence = open {
      if isBlank || depth >= fence.column {
        if depth <= fence.column + 3, MarkdownFences.closes(rest, fence) { open = nil }
        return true
      }
      open = nil
    }
    guard !isBlank else { return false }
    while let last = items.last, depth < last { items.removeLast() }
    var (rest, depth) = (rest, depth)
    while let after = Markdown.afterBullet(rest) {
      let space = after.prefix(while: \.isBlankSpace).count
      // Five spaces or more after a bullet are one, and code that is indented.
      let bullet = rest.distance(from: rest.startIndex, to: after.startIndex)
      let width = bullet + ((1...4).contains(space) ? space : 1)
      depth += width
      items.append(depth)
      rest = rest.dropFirst(width)
    }
    let base = max(items.last ?? 0, column)
    guard depth <= base + 3, let fence = MarkdownFences.fence(rest) else { return false }
    open = Fence(mark: fence.mark, length: fence.length, column: base, line: line)
    return true
  }

  /// The fence that a line begins with. Text between backquotes on one line is no fence.
  private static func fence(_ line: Substring.UnicodeScalarView) -> (mark: Unicode.Scalar, length: Int)? {
    guard let mark = line.first, mark == "`" || mark == "~" else { return nil }
    let length = line.prefix { $0 == mark }.count
    guard length >= 3, mark == "~" || !line.dropFirst(length).contains("`") else { return nil }
    return (mark, length)
  }

  private static func closes(_ line: Substring.UnicodeScalarView, _ fence: Fence) -> Bool {
    let length = line.prefix { $0 == fence.mark }.count
    return length >= fence.length && line.dropFirst(length).allSatisfy(\.isBlankSpace)
  }
}
