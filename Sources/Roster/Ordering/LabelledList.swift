/// A row of a list: its integer key and its label.
struct LabelledRow: Equatable, Sendable {
  let rowKey: Int64
  let label: Int64
}

/// A place between two rows of a list, as the choice of labels sees the rows around it.
///
/// All labels are of the label space. The list is in the order of the labels, and of the integer keys where rows have
/// the same.
protocol LabelledPlace {
  /// The nearest rows before the place, the nearest first.
  func below(_ count: Int) throws -> [LabelledRow]
  /// The nearest rows after the place, the nearest first.
  func above(_ count: Int) throws -> [LabelledRow]
  /// How many rows have a label of the range.
  func count(in range: ClosedRange<Int64>) throws -> Int
  /// The rows that have a label of the range, in order.
  func rows(in range: ClosedRange<Int64>) throws -> [LabelledRow]
}

/// Labels for new rows, and new labels for rows that were there.
struct Labelling: Equatable {
  /// How the room was found.
  enum Method { case gap, nearest, range }

  var labels: [Int64]
  var relabelled: [LabelledRow] = []
  var method = Method.gap
}

extension LabelSpace {
  /// Labels for `count` rows that are put at a place, in their order.
  ///
  /// Where the gap is full, up to 63 of the nearest rows are relabelled, if that frees enough bits: for a place that is
  /// used over and over this takes about two writes a row, and never more than 64. Where it does not, the smallest
  /// enclosing range that is sparse enough is relabelled as a whole: Bender, Cole, Demaine, Farach-Colton and Zito, "Two
  /// simplified algorithms for maintaining order in a list", 2002, which bounds the writes by O(log *n*) a row,
  /// amortised.
  /// - Throws: ``RosterError/Code/tooBig`` where the list has as many rows as there are labels.
  func place(_ count: Int, at place: some LabelledPlace) throws -> Labelling {
    let (below, above) = (try place.below(2).map { $0.label }, try place.above(2).map { $0.label })
    let gap = LabelGap(
      belowLower: below.dropFirst().first, lower: below.first, upper: above.first, aboveUpper: above.dropFirst().first)
    if let labels = labels(count, in: gap) { return Labelling(labels: labels) }
    if let labelling = try relabelNearest(count, at: place) { return labelling }
    return try relabelRange(count, at: place, around: below.first ?? above.first ?? 0)
  }

  /// Takes rows from the side with the wider gap, and of all windows that pay the one that frees the most bits.
  private func relabelNearest(_ count: Int, at place: some LabelledPlace) throws -> Labelling? {
    let most = LabelSpace.nearest + 1
    let (below, above) = (try place.below(most), try place.above(most))
    // The bounds of a window that takes so many rows of a side: the row after them, or what lies beyond the end.
    let lower = below.map { $0.label } + [bound(below: below.last?.label)]
    let upper = above.map { $0.label } + [bound(above: above.last?.label)]
    var (left, right) = (0, 0)
    var best: (left: Int, right: Int, gain: Double)?
    while left + right < LabelSpace.nearest {
      let wider = left < below.count ? lower[left] - lower[left + 1] : -1
      let higher = right < above.count ? upper[right + 1] - upper[right] : -1
      guard wider >= 0 || higher >= 0 else { break }
      if wider >= higher { left += 1 } else { right += 1 }
      let width = upper[right] - lower[left]
      guard pays(relabelling: left + right, within: width, for: count) else { continue }
      let gain = gain(within: width, for: count)
      if gain > (best?.gain ?? 0) + 0.5 { best = (left, right, gain) }
    }
    guard let best else { return nil }
    let rows = Array(below.prefix(best.left).reversed()) + above.prefix(best.right)
    let labels = push(
      below: best.left, new: count, above: best.right, within: (lower[best.left], upper[best.right]))
    return labelling(rows, new: count, after: best.left, labels, .nearest)
  }

  private func relabelRange(
    _ count: Int, at place: some LabelledPlace, around label: Int64
  ) throws -> Labelling {
    for level in 1...bits {
      let range = range(around: label, level: level)
      guard UInt64(try place.count(in: range) + count) <= capacity(level: level) else { continue }
      let rows = try place.rows(in: range)
      guard let labels = spread(rows.count + count, over: range) else { continue }
      // The rows before the place are the nearest below it that lie in the range.
      let below = try place.below(1).first.flatMap { nearest in rows.firstIndex(of: nearest) }
      return labelling(rows, new: count, after: below.map { $0 + 1 } ?? 0, labels, .range)
    }
    throw RosterError(.tooBig, "The list has as many rows as there are places in a list.")
  }

  private func labelling(
    _ rows: [LabelledRow], new count: Int, after below: Int, _ labels: [Int64], _ method: Labelling.Method
  ) -> Labelling {
    let rest = labels[..<below] + labels[(below + count)...]
    let relabelled = zip(rows, rest).filter { $0.label != $1 }.map { LabelledRow(rowKey: $0.rowKey, label: $1) }
    return Labelling(labels: Array(labels[below..<(below + count)]), relabelled: relabelled, method: method)
  }
}
