import Foundation

/// A small deterministic generator, so that a failing round can be run again from its seed. [SplitMix64]
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A new seed, or the one in `ROSTER_SEED`, which repeats a run.
  static func freshSeed() -> UInt64 {
    ProcessInfo.processInfo.environment["ROSTER_SEED"].flatMap(UInt64.init) ?? .random(in: .min ... .max)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Between none and `count` of the elements, each possibly several times.
  mutating func some<Element>(_ count: Int, of elements: [Element]) -> [Element] {
    (0..<Int.random(in: 0...count, using: &self)).compactMap { _ in elements.randomElement(using: &self) }
  }

  mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
    Int.random(in: 0..<denominator, using: &self) < numerator
  }
}
