/// One way to do a piece of work.
struct Lane {
  let name: String
  /// Does it once, and returns the seconds of the part that counts; several where it was done several times.
  let run: (_ round: Int) async throws -> [Double]

  init(_ name: String, _ run: @escaping (_ round: Int) async throws -> [Double]) {
    self.name = name
    self.run = run
  }

  /// One whose whole body counts.
  static func timed(_ name: String, _ body: @escaping (_ round: Int) throws -> Void) -> Lane {
    Lane(name) { round in [try seconds { try body(round) }] }
  }
}

/// How often a piece of work is done: at least `minimum` times, and then until the time is spent.
struct Rounds {
  var minimum: Int
  var maximum: Int
  /// In seconds, of all lanes together.
  var budget: Double
  var warmups = 1

  static let quick = Rounds(minimum: 3, maximum: 20, budget: 0.5)
  static let full = Rounds(minimum: 7, maximum: 60, budget: 6)
}

/// Does the work of the lanes in turns.
///
/// Whichever goes second finds the caches as the first left them, so another one begins with each round. Other work on
/// the machine then hits all alike.
func takeTurns(_ lanes: [Lane], _ rounds: Rounds) async throws -> [Samples] {
  var times = [[Double]](repeating: [], count: lanes.count)
  let start = ContinuousClock.now
  var round = 0
  while round < rounds.maximum + rounds.warmups {
    let counted = round - rounds.warmups
    if counted >= rounds.minimum, seconds(ContinuousClock.now - start) >= rounds.budget { break }
    for step in lanes.indices {
      let place = (round + step) % lanes.count
      let samples = try await lanes[place].run(round)
      if counted >= 0 { times[place] += samples }
    }
    round += 1
  }
  return times.map(Samples.init)
}

func seconds(_ body: () throws -> Void) rethrows -> Double { try seconds(ContinuousClock().measure(body)) }

func seconds(_ duration: Duration) -> Double {
  let (whole, attoseconds) = duration.components
  return Double(whole) + Double(attoseconds) / 1e18
}
