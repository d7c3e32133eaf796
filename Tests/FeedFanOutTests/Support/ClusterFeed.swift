import Dispatch
import EveryMatrix
import FeedSimulator
import OddsModel
import Platform
import TestSupport

/// A simulated book that a test can stop and read.
final class ClusterFeed: Sendable {
  private struct State {
    var book: BookFeed
    var isFrozen = false
    var hasEnded = false
  }

  static let topic = Topic.aggregator(.popular, matches: 10)

  private let state: Locked<State>
  /// The topics that the feed does not have, although a book with other matches has them.
  private let missing: Set<Topic>
  /// The messages of `topic`, in order.
  let messages = EventRecorder<String>()

  init(seed: UInt64, rate: Double = 100, missing: Set<Topic> = []) throws {
    let options = try SimulatorOptions(matches: 20, seed: seed, rate: rate, startTime: 1_750_000_000_000)
    state = Locked(State(book: BookFeed(options: options, uptime: DispatchTime.now().uptimeNanoseconds)))
    self.missing = missing
  }

  /// Stops all further changes of the feed.
  func freeze() { state.withLock { $0.isFrozen = true } }

  /// Ends the feed.
  func end() {
    state.withLock { state in
      state.isFrozen = true
      state.hasEnded = true
    }
  }

  /// The matches of `topic` as they are now.
  var matches: [Match] {
    let topic = state.withLock { $0.book.canonical(Self.topic)! }
    var replica = FeedReplica()
    if let dump = state.withLock({ $0.book.dump(of: topic) }) { replica.apply(dump()) }
    return replica.matches
  }

  struct Feed: PlayedFeed {
    let feed: ClusterFeed

    let interval: UInt64 = 10_000_000
    var topicRule: TopicRule { feed.state.withLock { $0.book.topicRule } }
    var hasEnded: Bool { feed.state.withLock { $0.hasEnded } }

    func open(_ topic: Topic) -> Bool {
      if feed.missing.contains(topic) { return false }
      return feed.state.withLock { $0.book.open(topic) }
    }
    func close(_ topic: Topic) { feed.state.withLock { $0.book.close(topic) } }
    func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? {
      if feed.missing.contains(topic) { return nil }
      return feed.state.withLock { $0.book.dump(of: topic) }
    }
    func advance(to uptime: UInt64) -> [TopicMessages] {
      let news = feed.state.withLock { $0.isFrozen ? [] : $0.book.advance(to: uptime) }
      let topic = canonical(ClusterFeed.topic)
      let texts = news.filter { $0.topic == topic }.flatMap(\.messages).map { String(decoding: $0, as: UTF8.self) }
      if !texts.isEmpty { feed.messages.change { $0 += texts } }
      return news
    }
  }
}
