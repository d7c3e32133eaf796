import OddsModel
import TestSupport
import Testing

@testable import FeedSimulator

/// 2025-06-15T15:06:40Z, in milliseconds since 1970.
let startTime = ManualClock.wallStart

func book(matches: Int = 100, seed: UInt64 = 1) throws -> SimulatedBook {
  SimulatedBook(options: try SimulatorOptions(matches: matches, seed: seed, startTime: startTime))
}

extension BookFeed {
  /// Returns the dump of a topic that exists.
  func bytes(of topic: Topic) throws -> [UInt8] {
    let dump = self.dump(of: topic)
    let make = try #require(dump, "\(topic)")
    return make()
  }
}
