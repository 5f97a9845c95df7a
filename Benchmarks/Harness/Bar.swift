/// A number that a measurement is to hold.
enum Bar {
  /// The variant takes at most so many times what the baseline takes, or holds so many times as much.
  case ratio(atMost: Double)
  /// The baseline takes at least so many times what the variant takes.
  case faster(atLeast: Double)
  /// The value itself is at most this.
  case value(atMost: Double)

  /// What the ratio or the value is at most.
  var limit: Double {
    switch self {
    case .ratio(let limit), .value(let limit): limit
    case .faster(let times): 1 / times
    }
  }

  var kind: Measurement.Kind { if case .value = self { .value } else { .ratio } }
}
