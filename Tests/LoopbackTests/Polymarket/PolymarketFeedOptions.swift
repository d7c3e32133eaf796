import ArgumentParser
import OddsFeed
import OddsModel
import TestSupport

@testable import toteboard

/// The feed of `--feed polymarket://…` without a board.
struct PolymarketFeedOptions {
  let feed: FeedOptions.Feed

  static func make(_ address: String, matches: Int) throws -> PolymarketFeedOptions {
    var options = try FeedOptions.parse(["--feed", address, "--matches", "\(matches)", "--config", "/dev/null"])
    try options.configure()
    return PolymarketFeedOptions(feed: try options.openFeed())
  }

  /// Reads the first channel until its matches fulfil the condition.
  mutating func follow(until isWanted: @escaping @Sendable ([Match]) -> Bool) async throws {
    let provider = Provider(transport: feed.transport)
    let running = Task { await provider.run() }
    let share = await provider.subscribe(to: feed.topic)
    for await _ in await share.changes() { if isWanted(await share.store.snapshot()) { break } }
    await share.cancel()
    await feed.close()
    try await running.cancellableValue
  }
}
