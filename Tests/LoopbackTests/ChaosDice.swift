import FeedSimulator

/// The fate of bytes on their way through the proxy.
enum Fate: Hashable, Sendable {
  case pass
  /// Held for that many milliseconds, and what comes behind them too.
  case delay(Int64)
  /// Forwarded in pieces of that size, some milliseconds apart.
  case split(Int)
  /// Nothing more is read from the sender for that many milliseconds: he may not notice.
  case stall(Int64)
  /// That many of them are forwarded, then the connection ends.
  case truncate(Int)
  /// The connection ends at once, and without a goodbye.
  case cut
}

/// The fate of a new connection.
enum Welcome: Hashable, Sendable {
  case pass
  case refuse
  /// Accepted, and connected that many milliseconds later: others that come after it may overtake it.
  case delay(Int64)
}

/// Draws fates from a seed. The same seed draws the same; which bytes they fall on is up to the network.
struct ChaosDice: Sendable {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// One in about a thousand chunks ends its connection: with a hundred a second, one each ten seconds.
  mutating func fate(of count: Int) -> Fate {
    switch random.index(below: 1000) {
    case ..<900: .pass
    case ..<950: .delay(Int64(random.index(below: 200)))
    case ..<996: .split(1 + random.index(below: max(1, min(count, 64))))
    case 996: .stall(Int64(500 + random.index(below: 24_500)))
    case 997: .truncate(random.index(below: max(1, count)))
    default: .cut
    }
  }

  mutating func welcome() -> Welcome {
    switch random.index(below: 10) {
    case ..<6: .pass
    case ..<8: .refuse
    default: .delay(Int64(random.index(below: 12_000)))
    }
  }

  /// From one death of the server to the next, in milliseconds.
  mutating func untilKill() -> Int64 { Int64(15_000 + random.index(below: 30_000)) }

  /// Returns true if connections end without a close frame.
  mutating func isAbrupt() -> Bool { random.chance(0.5) }

  /// Returns the time for which the server stays dead, in milliseconds.
  mutating func death() -> Int64 { Int64(random.index(below: 5_000)) }
}
