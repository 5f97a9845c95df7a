/// New labels for rows that are to be in a given order.
///
/// As many rows as possible keep theirs: those of a longest run of rising labels.
struct Arrangement {
  /// The rows that get another label, by their index in the order, with it.
  private(set) var changes: [(index: Int, label: Int64)] = []

  /// The rows of a whole list, by the labels that they have now, in the order in which they are to be; nil for a row that
  /// has none of the label space.
  ///
  /// - Throws: ``RosterError/Code/tooBig`` for more rows than there are labels.
  /// - Complexity: O(*n* log *n*).
  init(_ labels: [Int64?], in space: LabelSpace) throws(RosterError) {
    if let filled = Arrangement(labels, in: space, within: LabelGap()) {
      self = filled
      return
    }
    guard let fresh = space.fresh(labels.count) else {
      throw RosterError(.tooBig, "The list has more rows than there are places in a list.")
    }
    changes = zip(labels, fresh).enumerated().filter { $1.0 != $1.1 }.map { ($0, $1.1) }
  }

  /// The rows between two others; nil where the rows that keep their labels leave too little room for the rest.
  init?(_ labels: [Int64?], in space: LabelSpace, within gap: LabelGap) {
    var (belowLower, lower) = (gap.belowLower, gap.lower)
    var next = 0
    for keeper in longestRise(labels).map(Optional.some) + [nil] {
      let end = keeper ?? labels.count
      let upper = keeper.map { labels[$0] } ?? gap.upper
      if end > next {
        let part = LabelGap(
          belowLower: belowLower, lower: lower, upper: upper, aboveUpper: keeper == nil ? gap.aboveUpper : nil)
        guard let new = space.labels(end - next, in: part) else { return nil }
        for (index, label) in zip(next..<end, new) { changes.append((index, label)) }
      }
      (belowLower, lower, next) = (lower, upper, end + 1)
    }
  }
}

/// The indices of a longest strictly rising subsequence of the labels that are there.
///
/// By the piles of patience sorting: Fredman, "On computing the length of longest increasing subsequences", 1975.
/// - Complexity: O(*n* log *n*).
func longestRise(_ labels: [Int64?]) -> [Int] {
  // For each length, the index of the lowest label that a rise ends with; and what comes before a label in its rise.
  var ends: [Int] = []
  var endLabels: [Int64] = []
  var previous = [Int?](repeating: nil, count: labels.count)
  for (index, label) in labels.enumerated() {
    guard let label else { continue }
    var (low, high) = (0, endLabels.count)
    while low < high {
      let middle = (low + high) / 2
      if endLabels[middle] < label { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[index] = ends[low - 1] }
    if low == ends.count {
      ends.append(index)
      endLabels.append(label)
    } else {
      ends[low] = index
      endLabels[low] = label
    }
  }
  var rise: [Int] = []
  var index = ends.last
  while let current = index {
    rise.append(current)
    index = previous[current]
  }
  return rise.reversed()
}
