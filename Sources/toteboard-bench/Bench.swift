import FeedSimulator
import OddsFeed

/// Measures the way of a price from bytes to change set, without terminal or threads, on the simulator's own feed
/// held in memory.
@main
enum Bench {
  static func main() throws {
    print("| matches | dump kB | dump ms | message B | decode ns/update | decode + apply ns/update | updates/s |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for matches in [100, 1000, 5000] { print(try row(matches: matches)) }
  }

  /// One line of the table, from the best of five runs: the least disturbed one.
  private static func row(matches: Int) throws -> String {
    let feed = try RecordedFeed(matches: matches, ticks: 2000)
    var (dump, decode, apply) = (Duration.seconds(999), Duration.seconds(999), Duration.seconds(999))
    var updates = 0
    for _ in 0..<5 {
      var channel = ChannelState()
      dump = min(dump, clock.measure { feed.play(feed.dump, into: &channel) })
      updates = -channel.counters.oddsUpdates
      apply = min(apply, clock.measure { for frame in feed.updates { feed.play(frame, into: &channel) } })
      updates += channel.counters.oddsUpdates
      decode = min(decode, clock.measure { for frame in feed.updates { feed.decode(frame) } })
    }
    let bytes = feed.updates.reduce(0) { $0 + $1.bytes.count }
    let cells = [
      "\(matches)", "\(feed.dump.bytes.count / 1000)", "\(dump / .microseconds(100) / 10)".prefix(5).description,
      "\(bytes / feed.updates.count)", "\(Int(decode / .nanoseconds(updates)))",
      "\(Int(apply / .nanoseconds(updates)))", "\(Int(Double(updates) / (apply / .seconds(1))))",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private static let clock = ContinuousClock()
}

/// A dump and the updates after it, as frames in memory.
private final class RecordedFeed {
  let dump: TransportFrame
  private(set) var updates: [TransportFrame] = []
  private var decoder = MessageDecoder()
  private var batch = FeedBatch()

  init(matches: Int, ticks: Int) throws {
    let subscription = Subscription(topic: .aggregator(.popular, matches: matches), generation: 1)
    var book = SimulatedBook(
      options: try SimulatorOptions(matches: matches, seed: 1, rate: 1000, startTime: 1_750_752_000_000))
    var feed = TopicFeed(topic: subscription.topic)
    dump = TransportFrame(subscription: subscription, bytes: feed.dump(of: book))
    for _ in 0..<ticks {
      let tick = book.tick(elapsed: 17, updates: 17)
      updates += feed.frames(for: tick, of: book).map { TransportFrame(subscription: subscription, bytes: $0) }
    }
  }

  func decode(_ frame: TransportFrame) {
    batch.removeAll()
    decoder.decode(frame, into: &batch)
  }

  func play(_ frame: TransportFrame, into channel: inout ChannelState) {
    decode(frame)
    for match in channel.apply(batch).matches { _ = channel.match(match) }
  }
}
