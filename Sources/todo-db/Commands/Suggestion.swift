/// The known name that a mistyped word most likely stands for, if one is near enough: a third of the
/// word's letters may be wrong, and one always may.
func nearest(to word: String, in names: [String]) -> String? {
  let letters = Array(word.lowercased())
  // A word this long is no typing slip, and the distance would cost the square of its length.
  guard letters.count <= 40 else { return nil }
  let distances = names.map { (name: $0, distance: editDistance(letters, Array($0))) }
  guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
  let significant = best.name.filter { $0 != "-" }.count
  return best.distance <= max(1, significant / 3) ? best.name : nil
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
/// Complexity: O(n · m).
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var current = [i + 1]
    for j in b.indices {
      let replaced = previous[j] + (a[i] == b[j] ? 0 : 1)
      var best = min(replaced, previous[j + 1] + 1, current[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforePrevious[j - 1] + 1) }
      current.append(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.count]
}
