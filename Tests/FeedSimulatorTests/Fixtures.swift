@testable import FeedSimulator

/// 2025-06-15T15:06:40Z, in milliseconds since 1970.
let opening: Int64 = 1_750_000_000_000

func book(matches: Int = 100, seed: UInt64 = 1) throws -> SimulatedBook {
  SimulatedBook(options: try SimulatorOptions(matches: matches, seed: seed, startTime: opening))
}
