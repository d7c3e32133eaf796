import FeedSimulator

/// The action of the proxy on a chunk of bytes.
enum ForwardingAction: Hashable, Sendable {
  case pass
  /// Delayed for that many milliseconds, as are the bytes behind them.
  case delay(Int64)
  /// Forwarded in pieces of that size, some milliseconds apart.
  case split(Int)
  /// Nothing more is read from the sender for that many milliseconds, which the sender may not notice.
  case stall(Int64)
  /// That many bytes are forwarded, then the connection ends.
  case truncate(Int)
  /// The connection ends at once, without a close frame.
  case cut
}

/// The action of the proxy on a new connection.
enum ConnectAction: Hashable, Sendable {
  case pass
  case refuse
  /// Accepted, and connected to the server that many milliseconds later. Later connections may overtake it.
  case delay(Int64)
}

/// Generates random faults from a seed. The same seed gives the same faults; the network decides which bytes they apply
/// to.
struct FaultGenerator: Sendable {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns the action on a chunk of bytes. Three in a thousand chunks end their connection.
  mutating func forwardingAction(for count: Int) -> ForwardingAction {
    switch random.index(below: 1000) {
    case ..<900: .pass
    case ..<950: .delay(Int64(random.index(below: 200)))
    case ..<996: .split(1 + random.index(below: max(1, min(count, 64))))
    case 996: .stall(Int64(500 + random.index(below: 24_500)))
    case 997: .truncate(random.index(below: max(1, count)))
    default: .cut
    }
  }

  mutating func connectAction() -> ConnectAction {
    switch random.index(below: 10) {
    case ..<6: .pass
    case ..<8: .refuse
    default: .delay(Int64(random.index(below: 12_000)))
    }
  }

  /// Returns the time for which the server runs until it is stopped, in milliseconds.
  mutating func serverUptime() -> Int64 { Int64(15_000 + random.index(below: 30_000)) }

  /// Returns true if connections end without a close frame.
  mutating func isAbrupt() -> Bool { random.chance(0.5) }

  /// Returns the time for which the server stays stopped, in milliseconds.
  mutating func serverDowntime() -> Int64 { Int64(random.index(below: 5_000)) }
}
