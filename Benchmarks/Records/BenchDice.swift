/// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
struct BenchDice: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension BenchDice {
  /// One of the numbers from 0 on.
  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// Some of the numbers from 0 on, each once.
  mutating func some(_ wanted: Int, below count: Int) -> [Int] {
    var chosen: Set<Int> = []
    var numbers: [Int] = []
    while numbers.count < min(wanted, count) {
      let number = below(count)
      if chosen.insert(number).inserted { numbers.append(number) }
    }
    return numbers
  }
}
