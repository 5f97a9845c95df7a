import Foundation

/// A generator whose seed is printed with a failure and can be given again: `ROSTER_SEED=42 ./dev test`.
///
/// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64 = SeededGenerator.seed) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  private static let given = ProcessInfo.processInfo.environment["ROSTER_SEED"].flatMap { UInt64($0) }

  /// A number from 0 to below the bound.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// The seed of this run: the one of the environment, or any.
  static let seed = given ?? UInt64.random(in: 0...999_999)

  /// The seeds of a test that runs several times: the one of the environment, or a fixed few.
  static var seeds: [UInt64] { given.map { [$0] } ?? [1, 2, 3] }
}
